//! The facts of long functions as they were before the last edit, beside the database: what the edit did not touch is
//! taken over from there.
//!
//! A cache: whoever takes something over checks that it is still right. It may be emptied at any time.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use salsa::plumbing::AsId;

use crate::facts::Conclusions;
use crate::item_tree::FunctionItem;

/// More functions than these are not being edited.
const MOST: usize = 256;
/// Of a shorter function nothing would be saved.
const LEAST_PIECES: usize = 3;

#[derive(Clone, Debug, Default)]
pub struct Kept {
    facts: Arc<Mutex<FxHashMap<salsa::Id, Arc<Conclusions>>>>,
}

impl Kept {
    pub(crate) fn facts(&self, function: FunctionItem<'_>) -> Option<Arc<Conclusions>> {
        let facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.get(&function.as_id()).cloned()
    }

    pub(crate) fn keep(&self, function: FunctionItem<'_>, new: &Arc<Conclusions>) {
        let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        if new.pieces.len() < LEAST_PIECES {
            facts.remove(&function.as_id());
            return;
        }
        if facts.len() >= MOST {
            facts.clear();
        }
        facts.insert(function.as_id(), Arc::clone(new));
    }

    pub(crate) fn clear(&self) {
        let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.clear();
    }
}
