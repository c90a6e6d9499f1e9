//! Limits of a run that the clock and the system enforce, whatever this process does: compiling as well as running.

#[cfg(not(target_family = "wasm"))]
mod memory;

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use web_time::Instant;

#[cfg(not(target_family = "wasm"))]
pub use memory::{
    available_memory_mb, exempt_from_memory_limit, lift_memory_limit, limit_memory,
    limit_memory_to_available,
};

/// The end of the allowed time.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    pub fn after(seconds: u64) -> Deadline {
        Deadline(Instant::now().checked_add(Duration::from_secs(seconds)))
    }

    /// Returns the remaining time, or `None` if there is no limit.
    pub fn left(self) -> Option<Duration> {
        Some(self.0?.saturating_duration_since(Instant::now()))
    }

    pub fn is_over(self) -> bool {
        self.left() == Some(Duration::ZERO)
    }
}

/// Fires when the time is over, unless it is dropped before.
pub struct Alarm {
    _dropped: Sender<()>,
}

impl Alarm {
    pub fn at(
        deadline: Deadline,
        grace: Duration,
        ring: impl FnOnce() + Send + 'static,
    ) -> Option<Alarm> {
        let left = deadline.left()?.saturating_add(grace);
        let (sender, receiver) = channel::<()>();
        std::thread::spawn(move || {
            if receiver.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                ring();
            }
        });
        Some(Alarm { _dropped: sender })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_rings_unless_it_is_dropped() {
        let (rung, rings) = channel();
        let ring = |name| {
            let rung = rung.clone();
            move || rung.send(name).unwrap()
        };
        let later = Alarm::at(Deadline::after(3600), Duration::ZERO, ring("later"));
        let now = Deadline::after(0);
        assert!(now.is_over());
        let alarm = Alarm::at(now, Duration::ZERO, ring("now"));
        assert_eq!(rings.recv(), Ok("now"));
        drop((later, alarm, rung));
        assert!(rings.recv().is_err(), "the other one never rings");
    }
}
