//! Limits of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use web_time::Instant;

/// The most that a run may use.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Checked between instructions, and in the long loops of PrimFuncs and kernels.
    pub wall: Option<Duration>,
    /// Bytes that all tensors of the process may hold together.
    pub memory: Option<u64>,
    pub instructions: u64,
    /// Calls within calls.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            wall: None,
            memory: None,
            instructions: 1 << 32,
            depth: 4096,
        }
    }
}

/// What is left of the limits while a program runs.
#[derive(Debug)]
pub(crate) struct Budget {
    deadline: Option<Instant>,
    instructions: u64,
    /// Set when the time is over.
    stop: Arc<AtomicBool>,
    /// The thread that watches the clock ends when this is dropped.
    watch: Option<Sender<()>>,
}

impl Budget {
    pub fn new(limits: &Limits) -> Budget {
        Budget {
            deadline: limits
                .wall
                .and_then(|wall| Instant::now().checked_add(wall)),
            instructions: limits.instructions,
            stop: Arc::default(),
            watch: None,
        }
    }

    /// A flag that is set when the time is over, for code that runs long within one instruction.
    pub fn stop(&mut self) -> Arc<AtomicBool> {
        if let (Some(deadline), None) = (self.deadline, &self.watch) {
            let (sender, receiver) = channel::<()>();
            let stop = Arc::clone(&self.stop);
            let watch = std::thread::Builder::new().spawn(move || {
                let left = deadline.saturating_duration_since(Instant::now());
                if receiver.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                    stop.store(true, Ordering::Relaxed);
                }
            });
            // Without the thread, the time is looked at between instructions.
            self.watch = watch.ok().map(|_| sender);
        }
        Arc::clone(&self.stop)
    }

    /// Pays for one instruction; the message says which limit is reached.
    pub fn step(&mut self) -> Result<(), String> {
        match self.instructions.checked_sub(1) {
            Some(left) => self.instructions = left,
            None => return Err("the limit of instructions is reached".to_owned()),
        }
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err("the limit of time is reached".to_owned());
        }
        Ok(())
    }
}
