//! The values that threads write to one element, to find two that differ.
//!
//! Threads that write the same values one after the other, as in a loop that all of them run, leave the same value.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use text_size::TextRange;

/// Two threads that write different values to an element, and the place where the second one does.
#[derive(Clone, Debug)]
pub(super) struct Overwritten {
    pub range: TextRange,
    pub threads: (i64, i64),
    /// The indices of the element, as far as they are numbers.
    pub indices: Vec<Option<i64>>,
}

#[derive(Default)]
pub(super) struct Values {
    /// The first thread, and what it has written.
    first: Option<Written>,
    /// The thread that has written last.
    last: Option<Written>,
    clash: Option<((i64, i64), TextRange)>,
    /// `true` if a value is not known.
    is_unknown: bool,
}

struct Written {
    thread: i64,
    /// The key of the last value, and of all values in order.
    key: u64,
    all: u64,
    range: TextRange,
}

impl Values {
    pub fn written(&mut self, thread: i64, key: Option<u64>, range: TextRange) {
        let Some(key) = key else {
            self.is_unknown = true;
            return;
        };
        match &mut self.last {
            Some(last) if last.thread == thread => {
                if last.key != key {
                    last.all = both(last.all, key);
                }
                (last.key, last.range) = (key, range);
            }
            _ => {
                self.compare();
                self.last = Some(Written {
                    thread,
                    key,
                    all: both(0, key),
                    range,
                });
            }
        }
    }

    /// Compares what the last thread has written with what the first one has.
    fn compare(&mut self) {
        let Some(last) = self.last.take() else { return };
        match &self.first {
            None => self.first = Some(last),
            Some(first) if first.all != last.all && self.clash.is_none() => {
                self.clash = Some(((first.thread, last.thread), last.range));
            }
            Some(_) => {}
        }
    }

    /// Returns two threads that write different values. One that has not run to its end is left out.
    pub fn clash(&mut self, unfinished: Option<i64>) -> Option<((i64, i64), TextRange)> {
        self.last.take_if(|last| Some(last.thread) == unfinished);
        self.compare();
        self.clash.filter(|_| !self.is_unknown)
    }
}

fn both(a: u64, b: u64) -> u64 {
    let mut hasher = FxHasher::default();
    (a, b).hash(&mut hasher);
    hasher.finish()
}
