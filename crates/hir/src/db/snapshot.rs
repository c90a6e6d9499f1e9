//! Values that one snapshot of the database computed for itself: bodies and types of expressions. They are dropped
//! with the snapshot, so that memory use depends on the current question and not on earlier ones.

use std::any::{Any, TypeId};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use salsa::Id;

/// Values are not moved or dropped before the snapshot.
#[derive(Debug, Default)]
pub struct SnapshotValues {
    places: Mutex<FxHashMap<(TypeId, Id), usize>>,
    values: boxcar::Vec<Box<dyn Any + Send + Sync>>,
}

/// A clone belongs to another snapshot.
impl Clone for SnapshotValues {
    fn clone(&self) -> SnapshotValues {
        SnapshotValues::default()
    }
}

impl SnapshotValues {
    /// Returns the function's value of type `T`. Computes it unless `is_current` accepts the existing one, which it
    /// does while the database does not change.
    pub(crate) fn get_or_insert<T: Any + Send + Sync>(
        &self,
        function: Id,
        is_current: impl Fn(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> &T {
        let key = (TypeId::of::<T>(), function);
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let known = places.get(&key).and_then(|&place| self.value(place));
        if let Some(known) = known.filter(|known| is_current(known)) {
            return known;
        }
        let place = self.values.push(Box::new(make()));
        places.insert(key, place);
        let made = self.value(place);
        made.expect("the value was just stored under its own type")
    }

    fn value<T: Any>(&self, place: usize) -> Option<&T> {
        self.values[place].downcast_ref()
    }
}

#[cfg(test)]
mod tests {
    use crate::db::{Database, Source, SourceFile};
    use crate::{file_items, lazy_facts};

    const PROGRAM: &str = "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((2,), \"float32\")):\n    y = R.add(x, x)\n    return y\n";

    #[test]
    fn a_snapshot_of_a_whole_file_has_all_types() {
        let db = Database::of_whole_files();
        let file = SourceFile::new(&db, Source::new(PROGRAM));
        let function = file_items(&db, file).functions[0];
        assert_eq!(lazy_facts(&db, function).pieces_looked_at(), 2);
        assert_eq!(lazy_facts(&db.clone(), function).pieces_looked_at(), 2);
    }

    #[test]
    fn pieces_read_by_a_snapshot_are_not_shared() {
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(PROGRAM));
        let looked_at = |db: &Database| {
            let function = file_items(db, file).functions[0];
            lazy_facts(db, function).pieces_looked_at()
        };
        let snapshot = db.clone();
        let function = file_items(&snapshot, file).functions[0];
        let facts = lazy_facts(&snapshot, function);
        assert_eq!(facts.calls().count(), 1);
        assert_eq!(looked_at(&snapshot), 2);
        assert_eq!([looked_at(&snapshot.part()), looked_at(&db)], [0, 0]);
    }
}
