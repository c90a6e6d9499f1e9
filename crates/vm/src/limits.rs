//! Limits of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use web_time::Instant;

use crate::out_of_bounds::Places;

/// The resources that a run may use.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The time. Checked between instructions, and in the long loops of PrimFuncs and kernels.
    pub wall: Option<Duration>,
    /// The total number of bytes of all tensors of the process.
    pub memory: Option<u64>,
    pub instructions: u64,
    /// The depth of the call stack.
    pub depth: usize,
    /// Where to list indices out of range; `None` if the run stops at the first.
    pub out_of_bounds: Option<Places>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            wall: None,
            memory: None,
            instructions: 1 << 32,
            depth: 4096,
            out_of_bounds: None,
        }
    }
}

/// The remaining resources of a running program.
#[derive(Debug)]
pub(crate) struct Budget {
    deadline: Option<Instant>,
    instructions: u64,
    /// Set when the time is up.
    stop: Arc<AtomicBool>,
    /// Set when the time is up, or by a debugger.
    interrupt: Option<Arc<AtomicBool>>,
    /// Dropping this ends the thread that watches the clock.
    watch: Option<Sender<()>>,
}

impl Budget {
    pub fn new(limits: &Limits, interrupt: Option<Arc<AtomicBool>>) -> Budget {
        Budget {
            deadline: limits
                .wall
                .and_then(|wall| Instant::now().checked_add(wall)),
            instructions: limits.instructions,
            stop: Arc::default(),
            interrupt,
            watch: None,
        }
    }

    /// Returns the flag that ends code that runs long within one instruction.
    pub fn stop(&mut self) -> Arc<AtomicBool> {
        let stop = self.time();
        self.interrupt.clone().unwrap_or(stop)
    }

    /// Returns `true` if the flag of a debugger may end code that has to begin again.
    pub fn has_interrupt(&self) -> bool {
        self.interrupt.is_some()
    }

    /// Returns `true` if it was a debugger that set the flag.
    pub fn is_interrupted(&self) -> bool {
        let interrupt = self.interrupt.as_ref();
        interrupt.is_some_and(|it| it.load(Ordering::Relaxed)) && !self.stop.load(Ordering::Relaxed)
    }

    /// Returns the flag that is set when the time is up.
    pub fn time(&mut self) -> Arc<AtomicBool> {
        if let (Some(deadline), None) = (self.deadline, &self.watch) {
            let (sender, receiver) = channel::<()>();
            let (stop, interrupt) = (Arc::clone(&self.stop), self.interrupt.clone());
            let watch = std::thread::Builder::new().spawn(move || {
                let left = deadline.saturating_duration_since(Instant::now());
                if receiver.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                    for flag in [Some(stop), interrupt].into_iter().flatten() {
                        flag.store(true, Ordering::Relaxed);
                    }
                }
            });
            // Without the thread, the time is only checked between instructions.
            self.watch = watch.ok().map(|_| sender);
        }
        Arc::clone(&self.stop)
    }

    /// Counts one instruction. Returns a message if a limit is reached.
    pub fn step(&mut self) -> Result<(), String> {
        match self.instructions.checked_sub(1) {
            Some(left) => self.instructions = left,
            None => return Err("the instruction limit is reached".to_owned()),
        }
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err("the time limit is reached".to_owned());
        }
        Ok(())
    }
}
