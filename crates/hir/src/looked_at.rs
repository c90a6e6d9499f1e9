//! What one snapshot of the database has looked at: bodies, and what expressions are. It goes with the snapshot, so that
//! memory depends on what is asked now and never on what was asked before.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use salsa::plumbing::AsId;

use crate::body::Body;
use crate::facts::{Conclusions, Facts};
use crate::item_tree::FunctionItem;

#[derive(Debug, Default)]
pub struct LookedAt {
    facts: Shelf<Facts>,
    bodies: Shelf<(Arc<Body>, Body)>,
}

/// A copy is another snapshot's.
impl Clone for LookedAt {
    fn clone(&self) -> LookedAt {
        LookedAt::default()
    }
}

impl LookedAt {
    pub(crate) fn facts(&self, function: FunctionItem<'_>, shared: &Arc<Conclusions>) -> &Facts {
        let is_current = |facts: &Facts| facts.is_of(shared);
        self.facts
            .get(function.as_id(), is_current, || Facts::new(shared))
    }

    pub(crate) fn body(&self, function: FunctionItem<'_>, shared: &Arc<Body>) -> &Body {
        let is_current = |(of, _): &(Arc<Body>, Body)| Arc::ptr_eq(of, shared);
        let make = || (Arc::clone(shared), shared.afresh());
        &self.bodies.get(function.as_id(), is_current, make).1
    }
}

/// One value for each function; none is moved or dropped before the shelf is.
#[derive(Debug)]
struct Shelf<T> {
    places: Mutex<FxHashMap<salsa::Id, usize>>,
    values: boxcar::Vec<T>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Shelf<T> {
        Shelf {
            places: Mutex::default(),
            values: boxcar::Vec::new(),
        }
    }
}

impl<T> Shelf<T> {
    /// The value of a function, made anew unless there is one that `is_current`, as there is while nobody changes the
    /// database.
    fn get(
        &self,
        function: salsa::Id,
        is_current: impl Fn(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> &T {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let known = places.get(&function).map(|&place| &self.values[place]);
        if let Some(known) = known.filter(|known| is_current(known)) {
            return known;
        }
        let place = self.values.push(make());
        places.insert(function, place);
        &self.values[place]
    }
}

#[cfg(test)]
mod tests {
    use crate::db::{Database, Source, SourceFile};
    use crate::{file_items, function_facts};

    const PROGRAM: &str = "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((2,), \"float32\")):\n    y = R.add(x, x)\n    return y\n";

    #[test]
    fn what_a_snapshot_has_looked_at_goes_with_it() {
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(PROGRAM));
        let looked_at = |db: &Database| {
            let function = file_items(db, file).functions[0];
            function_facts(db, function).pieces_looked_at()
        };
        let snapshot = db.clone();
        let function = file_items(&snapshot, file).functions[0];
        let facts = function_facts(&snapshot, function);
        assert_eq!(facts.calls().count(), 1);
        assert_eq!(looked_at(&snapshot), 2);
        assert_eq!([looked_at(&snapshot.part()), looked_at(&db)], [0, 0]);
    }
}
