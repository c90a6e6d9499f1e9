//! What a run does about an index out of range: it stops, or it goes on and lists the place once. Then a read gives 0,
//! and a write is dropped.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use smol_str::SmolStr;
use text_size::TextRange;

use crate::error::{Fault, RunResult};

thread_local! {
    /// The messages of an operator that goes on.
    static FOUND: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// A place where a run that goes on used an index out of range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    pub function: SmolStr,
    /// The range in the file.
    pub range: TextRange,
    pub message: String,
}

/// The places of a run that goes on.
#[derive(Clone, Debug, Default)]
pub struct Places(Arc<Mutex<Vec<OutOfBounds>>>);

impl Places {
    /// Adds a place, unless it is there already.
    pub(crate) fn add(&self, it: OutOfBounds) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known =
            |known: &OutOfBounds| known.function == it.function && known.range == it.range;
        if !all.iter().any(is_known) {
            all.push(it);
        }
    }

    /// Returns the places in the order in which they were found.
    pub fn take(&self) -> Vec<OutOfBounds> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl PartialEq for Places {
    fn eq(&self, other: &Places) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Runs an operator that goes on. Also returns the message for the first index out of range.
pub(crate) fn going_on<T>(run: impl FnOnce() -> T) -> (T, Option<String>) {
    let before = FOUND.replace(Some(Vec::new()));
    let result = run();
    let found = FOUND.replace(before);
    (result, found.and_then(|all| all.into_iter().next()))
}

/// Reports an index out of range. Returns an error unless the run goes on.
pub(crate) fn outside(fault: Fault) -> RunResult<()> {
    FOUND.with_borrow_mut(|found| match found {
        Some(found) => {
            // The first is enough.
            if found.is_empty() {
                found.push(fault.to_string());
            }
            Ok(())
        }
        None => Err(fault.into()),
    })
}
