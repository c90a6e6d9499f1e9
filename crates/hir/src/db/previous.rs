//! Caches the values of functions before the last edit, outside of salsa, so that the next version can reuse what the
//! edit did not touch. Salsa can compare a value with the previous one, but not build on it.
//!
//! A reader has to check that the value is still valid. The cache may be cleared at any time.

use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use salsa::Id;

/// The maximum number of values. Only few functions are being edited.
const MOST: usize = 512;

type Values = FxHashMap<(Id, TypeId), Arc<dyn Any + Send + Sync>>;

#[derive(Clone, Debug, Default)]
pub struct PreviousValues(Arc<Mutex<Values>>);

impl PreviousValues {
    pub(crate) fn get<T: Any + Send + Sync>(&self, function: Id) -> Option<Arc<T>> {
        let value = self.values().get(&(function, TypeId::of::<T>())).cloned()?;
        value.downcast().ok()
    }

    pub(crate) fn insert<T: Any + Send + Sync>(&self, function: Id, value: Arc<T>) {
        let mut values = self.values();
        if values.len() >= MOST {
            values.clear();
        }
        values.insert((function, TypeId::of::<T>()), value);
    }

    pub(crate) fn remove<T: Any>(&self, function: Id) {
        self.values().remove(&(function, TypeId::of::<T>()));
    }

    pub(crate) fn clear(&self) {
        self.values().clear();
    }

    fn values(&self) -> MutexGuard<'_, Values> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
