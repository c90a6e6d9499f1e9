//! The flag that ends a run early. Long loops check it, and their results are then discarded.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{RunError, RunResult};

thread_local! {
    static STOP: RefCell<Stop> = const { RefCell::new(Stop(None)) };
}

/// The flag, if the run can be stopped.
#[derive(Clone, Debug, Default)]
pub struct Stop(Option<Arc<AtomicBool>>);

impl Stop {
    pub fn new(flag: Arc<AtomicBool>) -> Stop {
        Stop(Some(flag))
    }

    /// Returns the flag of the run on this thread.
    pub fn of_thread() -> Stop {
        STOP.with_borrow(Clone::clone)
    }

    pub fn set(&self) {
        if let Some(flag) = &self.0 {
            flag.store(true, Ordering::Relaxed);
        }
    }

    pub fn is_set(&self) -> bool {
        let flag = self.0.as_ref();
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    pub fn check(&self) -> RunResult<()> {
        if self.is_set() {
            return Err(RunError::argument("the time limit is reached"));
        }
        Ok(())
    }

    /// Runs something on this thread under the flag. A parallel loop passes the flag to its threads this way.
    pub fn within<T>(&self, run: impl FnOnce() -> T) -> T {
        /// Restores the previous flag, also if `run` panics.
        struct Before(Stop);
        impl Drop for Before {
            fn drop(&mut self) {
                STOP.set(std::mem::take(&mut self.0));
            }
        }
        let _before = Before(STOP.replace(self.clone()));
        run()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::parallel::in_parts;

    #[test]
    fn a_stopped_loop_does_no_more_work() {
        let set = Stop::new(Arc::new(AtomicBool::new(true)));
        let mut out = vec![0u8; 1 << 20];
        set.within(|| in_parts(&mut out, 8, |_, part| part.fill(1)));
        assert!(out.iter().all(|&it| it == 0));
        in_parts(&mut out, 8, |_, part| part.fill(1));
        assert!(out.iter().all(|&it| it == 1));
    }

    #[test]
    fn parts_on_other_threads_can_be_stopped() {
        let stop = Stop::new(Arc::default());
        let mut out = vec![0u8; 1 << 20];
        stop.within(|| {
            in_parts(&mut out, 8, |_, part| {
                part.fill(u8::from(Stop::of_thread().0.is_some()));
            });
        });
        assert!(out.iter().all(|&it| it == 1));
    }
}
