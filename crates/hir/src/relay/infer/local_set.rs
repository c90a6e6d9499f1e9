//! Sets of locals.

use super::super::body::LocalId;

/// A set of locals: a bit for each of the first locals of a piece.
#[derive(Debug, Default)]
pub(super) struct LocalSet(Vec<u64>);

impl LocalSet {
    pub(super) fn insert(&mut self, local: LocalId) {
        let at = local.piece.index();
        self.0.resize(self.0.len().max(at + 1), 0);
        self.0[at] |= LocalSet::bit(local.index);
    }

    pub(super) fn contains(&self, local: LocalId) -> bool {
        let bits = self.0.get(local.piece.index()).copied();
        bits.unwrap_or_default() & LocalSet::bit(local.index) != 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The last bit is for all other locals.
    fn bit(index: u32) -> u64 {
        1 << index.min(63)
    }
}
