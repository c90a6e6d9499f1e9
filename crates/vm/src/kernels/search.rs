//! Sorting and searching, results of data-dependent shape included.

use std::cmp::Ordering;

/// Numbers in order, NaN last.
pub(super) fn order<T: PartialOrd>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| {
        // Only NaN differs from itself.
        let nan = |v: &T| v.partial_cmp(v).is_none();
        nan(&a).cmp(&nan(&b))
    })
}
