//! The meaning of each name before every piece of a function, and the piece that binds each variable.
//!
//! Indexed by name: the pieces that change its meaning, in order. So an edit costs only what it touches, and nothing
//! is replayed from the function's start. Versions of a function share common parts.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::facts::VarId;
use crate::facts::pieces::PieceFacts;
use crate::incremental::chunked::Chunked;
use crate::incremental::names::{NameId, PieceUid};
use crate::incremental::state::{NameChange, NameState, Outputs, Row, Slot};

/// The meaning of a name after a piece that changes it.
#[derive(Clone, Copy, Debug)]
struct Step {
    piece: PieceUid,
    after: NameState,
}

/// Most names of a printed model are bound once.
type Steps = SmallVec<[Step; 1]>;

#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// The steps of each [`NameId`].
    names: Chunked<Steps>,
    /// The row of each [`VarId`].
    rows: Chunked<Option<Row>>,
    bound: usize,
    /// The number of pieces.
    len: usize,
    /// The position of each piece in the function.
    positions: FxHashMap<PieceUid, u32>,
    /// The outputs of blocks that span several pieces, by the piece of the header.
    outputs: FxHashMap<PieceUid, Outputs>,
}

impl History {
    /// Returns the position of a piece in this version.
    pub fn position(&self, piece: PieceUid) -> Option<usize> {
        self.positions.get(&piece).map(|&at| at as usize)
    }

    pub fn row(&self, var: VarId) -> Option<Row> {
        self.rows.get(var.0 as usize).copied().flatten()
    }

    /// Returns the number of variables.
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// Returns the outputs of the block that a piece opens, if the block is closed.
    pub fn outputs(&self, header: PieceUid) -> Option<Outputs> {
        self.outputs.get(&header).copied()
    }

    /// Returns the meaning of a name before the piece at a position.
    pub fn name_before(&self, at: usize, name: NameId) -> NameState {
        let Some(steps) = self.names.get(name.0 as usize) else {
            return NameState::default();
        };
        let is_before = |step: &Step| self.position(step.piece).is_some_and(|it| it < at);
        let last = match steps.as_slice() {
            [] => None,
            [.., last] if at >= self.len || is_before(last) => Some(last),
            steps => steps[..steps.partition_point(is_before)].last(),
        };
        last.map_or_else(NameState::default, |step| step.after)
    }

    /// Adds a piece at the end.
    pub fn push(&mut self, piece: &PieceFacts) {
        let at = self.len;
        self.len += 1;
        for change in &piece.changes {
            let steps = self.names.at(change.name.0 as usize);
            let before = steps.last().map_or_else(NameState::default, |it| it.after);
            steps.push(Step {
                piece: piece.uid,
                after: change.apply(before),
            });
        }
        self.enter(at, piece);
    }

    /// Sets the number of pieces and the positions of the existing ones.
    pub fn set_positions(&mut self, len: usize, pieces: impl Iterator<Item = (PieceUid, usize)>) {
        self.len = len;
        self.positions.clear();
        let positions = pieces.map(|(piece, at)| (piece, at as u32));
        self.positions.extend(positions);
    }

    /// Inserts a piece at a position. `piece_of` returns existing pieces.
    pub fn insert<'p>(
        &mut self,
        at: usize,
        piece: &PieceFacts,
        piece_of: impl Fn(usize) -> &'p PieceFacts,
    ) {
        self.enter(at, piece);
        for change in &piece.changes {
            let positions = &self.positions;
            let steps = self.names.at(change.name.0 as usize);
            let is_before = |step: &Step| {
                positions
                    .get(&step.piece)
                    .is_some_and(|&it| (it as usize) < at)
            };
            let index = steps.partition_point(is_before);
            let step = Step {
                piece: piece.uid,
                after: NameState::default(),
            };
            steps.insert(index, step);
            self.follow(change.name, index, Some(change), &piece_of);
        }
    }

    /// Removes a piece.
    pub fn remove<'p>(&mut self, piece: &PieceFacts, piece_of: impl Fn(usize) -> &'p PieceFacts) {
        for change in &piece.changes {
            let steps = self.names.at(change.name.0 as usize);
            if let Some(index) = steps.iter().position(|step| step.piece == piece.uid) {
                steps.remove(index);
                self.follow(change.name, index, None, &piece_of);
            }
        }
        for (at, var) in (0..).zip(&piece.var_ids) {
            let row = Row {
                piece: piece.uid,
                at,
            };
            if self.row(*var) == Some(row) {
                *self.rows.at(var.0 as usize) = None;
                self.bound -= 1;
            }
        }
        if let Some(header) = closed_by(piece) {
            self.outputs.remove(&header);
        }
        self.positions.remove(&piece.uid);
    }

    /// Records the position of a piece and its variables.
    fn enter(&mut self, at: usize, piece: &PieceFacts) {
        self.positions.insert(piece.uid, at as u32);
        for (row, var) in (0..).zip(&piece.var_ids) {
            let slot = self.rows.at(var.0 as usize);
            self.bound += usize::from(slot.is_none());
            *slot = Some(Row {
                piece: piece.uid,
                at: row,
            });
        }
        if let Some(header) = closed_by(piece) {
            self.outputs.insert(header, piece.block_outputs());
        }
    }

    /// Recomputes the steps of a name from one on. `first` is how the first one changes the name, if that is known.
    fn follow<'p>(
        &mut self,
        name: NameId,
        from: usize,
        first: Option<&NameChange>,
        piece_of: &impl Fn(usize) -> &'p PieceFacts,
    ) {
        let positions = &self.positions;
        let steps = self.names.at(name.0 as usize);
        let mut before = match from.checked_sub(1) {
            Some(at) => steps[at].after,
            None => NameState::default(),
        };
        for (index, step) in steps.iter_mut().enumerate().skip(from) {
            let change = match first.filter(|_| index == from) {
                Some(change) => Some(change),
                None => {
                    let piece = positions.get(&step.piece);
                    piece.and_then(|&at| piece_of(at as usize).change(name))
                }
            };
            let after = change.map_or(before, |change| change.apply(before));
            if index > from && after == step.after {
                return;
            }
            step.after = after;
            before = after;
        }
    }
}

/// Returns the header of the block that a piece closes.
fn closed_by(piece: &PieceFacts) -> Option<PieceUid> {
    let open = piece.entry.open.as_ref();
    open.filter(|_| piece.closes).map(|open| open.at.piece)
}

/// A history with its pieces.
#[derive(Clone, Copy)]
pub(crate) struct Version<'a> {
    pub history: &'a History,
    pub pieces: &'a [Arc<PieceFacts>],
}

impl Version<'_> {
    /// Returns `true` if a name has the same meaning before the piece at `at` as in another version before that at
    /// `other_at`.
    pub fn means_the_same(
        self,
        name: NameId,
        at: usize,
        other: Version<'_>,
        other_at: usize,
    ) -> bool {
        let a = self.history.name_before(at, name);
        let b = other.history.name_before(other_at, name);
        a.sym == b.sym
            && self.is_the_same(a.outer, other, b.outer)
            && self.is_the_same(a.inner, other, b.inner)
            && (a.inner == Slot::Unbound || a.block == b.block)
    }

    fn is_the_same(self, slot: Slot, other: Version<'_>, other_slot: Slot) -> bool {
        match (slot, other_slot) {
            (Slot::Unbound, Slot::Unbound) | (Slot::Sym, Slot::Sym) => true,
            (Slot::Var(a), Slot::Var(b)) => {
                a == b
                    && match (
                        self.find(self.history.row(a)),
                        other.find(other.history.row(b)),
                    ) {
                        (Some((old, at)), Some((new, new_at))) => {
                            Arc::ptr_eq(old, new) && at == new_at || old.same_var(at, new, new_at)
                        }
                        _ => false,
                    }
            }
            (Slot::Value(a), Slot::Value(b)) => match (self.find(Some(a)), other.find(Some(b))) {
                (Some((old, at)), Some((new, new_at))) => {
                    let old = old.bound_values.get(at as usize);
                    let new = new.bound_values.get(new_at as usize);
                    old == new
                        && old
                            .zip(new)
                            .is_none_or(|(old, new)| old.is_written_like(new))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn find(&self, row: Option<Row>) -> Option<(&Arc<PieceFacts>, u32)> {
        let row = row?;
        let at = self.history.position(row.piece)?;
        Some((self.pieces.get(at)?, row.at))
    }
}

/// The pieces that look up each name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Readers {
    /// The readers of each [`NameId`].
    of: Chunked<SmallVec<[PieceUid; 4]>>,
}

impl Readers {
    pub fn of(pieces: &[Arc<PieceFacts>]) -> Readers {
        let mut readers = Readers::default();
        for piece in pieces {
            readers.add(piece);
        }
        readers
    }

    pub fn add(&mut self, piece: &PieceFacts) {
        for name in &piece.touched {
            self.of.at(name.0 as usize).push(piece.uid);
        }
    }

    pub fn remove(&mut self, piece: &PieceFacts) {
        for name in &piece.touched {
            let readers = self.of.at(name.0 as usize);
            if let Some(at) = readers.iter().rposition(|it| *it == piece.uid) {
                readers.swap_remove(at);
            }
        }
    }

    /// Returns the readers in no particular order.
    pub fn of_name(&self, name: NameId) -> &[PieceUid] {
        self.of.get(name.0 as usize).map_or(&[], SmallVec::as_slice)
    }
}
