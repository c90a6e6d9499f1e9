//! Runs kernels. A debugger looks at the program meanwhile, however long one takes.

use std::hint;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use web_time::Instant;

use super::Machine;
use super::paused::Calls;
use crate::error::{RunError, RunResult};
use crate::tensor::stop::Stop;

/// How long a debugger waits for a kernel before it looks whether the client wants a pause.
const EVERY: Duration = Duration::from_millis(20);
/// How long most kernels take at most.
const SHORT: Duration = Duration::from_micros(100);

impl Machine<'_, '_> {
    pub(super) fn kernel<T: Send>(
        &mut self,
        run: impl Fn() -> RunResult<T> + Sync,
    ) -> RunResult<T> {
        let stop = Stop::new(self.budget.time());
        let compute = || {
            let result = stop.within(&run);
            // A kernel that was stopped early has no valid result.
            stop.check().and(result)
        };
        if !self.budget.has_interrupt() {
            return compute();
        }
        // Kernels look at the time, but few of them often enough for a person who waits.
        let (done, results) = channel();
        rayon::in_place_scope(|scope| {
            scope.spawn(move |_| {
                let _ = done.send(compute());
            });
            // To wait without sleeping is faster by far, if it is short.
            let begin = Instant::now();
            while begin.elapsed() < SHORT {
                if let Ok(result) = results.try_recv() {
                    return result;
                }
                hint::spin_loop();
            }
            loop {
                match results.recv_timeout(EVERY) {
                    Ok(result) => return result,
                    Err(RecvTimeoutError::Timeout) if self.budget.is_interrupted() => {
                        self.pause().inspect_err(|_| stop.set())?;
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(RunError::argument("the kernel has no result"));
                    }
                }
            }
        })
    }

    /// Lets a debugger look at the call that is under way.
    pub(super) fn pause(&mut self) -> RunResult<()> {
        let goes_on = self.observer.step(&mut Calls::calling(&mut self.frames));
        let ended = || RunError::argument("the debugger ended the run");
        goes_on.then_some(()).ok_or_else(ended)
    }
}
