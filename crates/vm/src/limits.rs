//! What a run may use before it is stopped.

use std::time::{Duration, Instant};

/// The most that a run may use.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Checked between instructions; the process that runs the machine ends what takes longer within one.
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
}

impl Budget {
    pub fn new(limits: &Limits) -> Budget {
        Budget {
            deadline: limits
                .wall
                .and_then(|wall| Instant::now().checked_add(wall)),
            instructions: limits.instructions,
        }
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
