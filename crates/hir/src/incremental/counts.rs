//! Counts over the pieces of a function, which are updated after an edit instead of recomputed.

use std::sync::Arc;

use crate::facts::VarId;
use crate::facts::pieces::PieceFacts;
use crate::incremental::chunked::Chunked;
use crate::incremental::history::History;
use crate::incremental::names::PieceUid;
use crate::incremental::state::Row;

#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// For each variable, the number of pieces that use it besides its own.
    uses: Chunked<u32>,
    /// Unused variables in order.
    unused: Vec<Row>,
    /// The pieces that do more than bind and use variables, in order.
    notable: Vec<PieceUid>,
    /// The pieces with impure calls, in order.
    impure: Vec<PieceUid>,
    /// The pieces that change the state besides names, in order.
    flow_changes: Vec<PieceUid>,
}

impl Counts {
    pub fn of(pieces: &[Arc<PieceFacts>]) -> Counts {
        let mut counts = Counts::default();
        for piece in pieces {
            counts.add(piece);
        }
        for piece in pieces {
            counts.add_unused(piece);
        }
        counts
    }

    /// Updates the counts for removed and added pieces.
    pub fn after(
        mut self,
        removed: &[&PieceFacts],
        added: &[&PieceFacts],
        history: &History,
        pieces: &[Arc<PieceFacts>],
    ) -> Counts {
        let is_here = |piece: &PieceUid| history.position(*piece).is_some();
        self.notable.retain(is_here);
        self.impure.retain(is_here);
        self.flow_changes.retain(is_here);
        for piece in removed {
            for var in &piece.uses {
                *self.uses.at(var.0 as usize) -= 1;
            }
        }
        for piece in added {
            self.add(piece);
        }
        let position = |piece: PieceUid| history.position(piece).unwrap_or_default();
        for list in [&mut self.notable, &mut self.impure, &mut self.flow_changes] {
            list.sort_by_key(|piece| position(*piece));
        }
        let piece_of = |row: &Row| &*pieces[position(row.piece)];
        let mut unused = std::mem::take(&mut self.unused);
        unused.retain(|row| {
            is_here(&row.piece) && !self.is_used(piece_of(row).var_ids[row.at as usize])
        });
        self.unused = unused;
        let touched = removed.iter().chain(added).flat_map(|piece| &piece.uses);
        for row in touched.filter_map(|var| history.row(*var)) {
            let piece = piece_of(&row);
            if piece.unused_here.contains(&row.at) && !self.is_used(piece.var_ids[row.at as usize])
            {
                self.unused.push(row);
            }
        }
        for piece in added {
            self.add_unused(piece);
        }
        self.unused.sort_by_key(|row| (position(row.piece), row.at));
        self.unused.dedup();
        self
    }

    /// Returns `true` if another piece than its own uses a variable.
    pub fn is_used(&self, var: VarId) -> bool {
        self.uses.get(var.0 as usize).is_some_and(|uses| *uses > 0)
    }

    pub fn unused(&self) -> &[Row] {
        &self.unused
    }

    pub fn notable(&self) -> &[PieceUid] {
        &self.notable
    }

    pub fn impure(&self) -> &[PieceUid] {
        &self.impure
    }

    pub fn flow_changes(&self) -> &[PieceUid] {
        &self.flow_changes
    }

    fn add(&mut self, piece: &PieceFacts) {
        for var in &piece.uses {
            *self.uses.at(var.0 as usize) += 1;
        }
        if is_telling(piece) {
            self.notable.push(piece.uid);
        }
        if !piece.impure.is_empty() {
            self.impure.push(piece.uid);
        }
        if piece.changes_flow() {
            self.flow_changes.push(piece.uid);
        }
    }

    /// Adds the variables of a piece that nothing uses.
    fn add_unused(&mut self, piece: &PieceFacts) {
        for &at in &piece.unused_here {
            if !self.is_used(piece.var_ids[at as usize]) {
                self.unused.push(Row {
                    piece: piece.uid,
                    at,
                });
            }
        }
    }
}

fn is_telling(piece: &PieceFacts) -> bool {
    !piece.joins.is_empty()
        || !piece.promoted.is_empty()
        || !piece.functions.is_empty()
        || !piece.reports.is_empty()
        || !piece.withdrawn.is_empty()
        || piece.all_names
        || piece.force_pure.is_some()
        || piece.returned.is_some()
        || piece.result.is_some()
        || piece.syms.iter().any(|it| it.declared_at.is_some())
}
