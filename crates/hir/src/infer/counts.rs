//! What is counted over the pieces of a function. Where an edit leaves pieces bind what they bound, the next version
//! counts on from the last.

use std::sync::Arc;

use crate::facts::VarId;
use crate::facts::pieces::PieceFacts;
use crate::infer::state::Row;

#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// Of each variable, by how many pieces it is used besides its own.
    uses: Vec<u32>,
    /// Variables that nothing uses, in order.
    unused: Vec<Row>,
    /// The pieces that say more than what they bind and use.
    telling: Vec<u32>,
    /// The pieces that call what is impure.
    impure: Vec<u32>,
}

impl Counts {
    pub fn of(pieces: &[Arc<PieceFacts>]) -> Counts {
        let mut counts = Counts::default();
        for (at, piece) in pieces.iter().enumerate() {
            for &var in &piece.uses {
                counts.add(var);
            }
            if is_telling(piece) {
                counts.telling.push(at as u32);
            }
            if !piece.impure.is_empty() {
                counts.impure.push(at as u32);
            }
        }
        for (at, piece) in pieces.iter().enumerate() {
            let spare = counts.spare(at as u32, piece);
            counts.unused.extend(spare);
        }
        counts
    }

    /// The same for pieces that are those of `old` but for the `replaced`; `row` is where a variable is now.
    pub fn after(
        mut self,
        old: &[Arc<PieceFacts>],
        new: &[Arc<PieceFacts>],
        replaced: &[u32],
        row: impl Fn(VarId) -> Option<Row>,
    ) -> Counts {
        let is_replaced = |piece: u32| replaced.binary_search(&piece).is_ok();
        self.telling.retain(|&piece| !is_replaced(piece));
        self.impure.retain(|&piece| !is_replaced(piece));
        let mut touched: Vec<VarId> = Vec::new();
        for &at in replaced {
            let (old, new) = (&old[at as usize], &new[at as usize]);
            for var in &old.uses {
                self.uses[var.0 as usize] -= 1;
            }
            for &var in &new.uses {
                self.add(var);
            }
            touched.extend(old.uses.iter().chain(&new.uses));
            if is_telling(new) {
                self.telling.push(at);
            }
            if !new.impure.is_empty() {
                self.impure.push(at);
            }
        }
        self.telling.sort_unstable();
        self.impure.sort_unstable();
        let mut unused = std::mem::take(&mut self.unused);
        unused.retain(|row| {
            let id = |row: &Row| new[row.piece as usize].var_ids[row.at as usize];
            !is_replaced(row.piece) && !self.is_used(id(row))
        });
        for row in touched.into_iter().filter_map(row) {
            let piece = &new[row.piece as usize];
            let id = piece.var_ids[row.at as usize];
            if piece.spare.contains(&row.at) && !self.is_used(id) {
                unused.push(row);
            }
        }
        for &at in replaced {
            unused.extend(self.spare(at, &new[at as usize]));
        }
        unused.sort_unstable_by_key(|row| (row.piece, row.at));
        unused.dedup();
        self.unused = unused;
        self
    }

    /// Whether another piece than its own uses a variable.
    pub fn is_used(&self, var: VarId) -> bool {
        self.uses.get(var.0 as usize).is_some_and(|uses| *uses > 0)
    }

    pub fn unused(&self) -> &[Row] {
        &self.unused
    }

    pub fn telling(&self) -> impl Iterator<Item = usize> {
        self.telling.iter().map(|&at| at as usize)
    }

    pub fn impure(&self) -> impl Iterator<Item = usize> {
        self.impure.iter().map(|&at| at as usize)
    }

    fn add(&mut self, var: VarId) {
        let index = var.0 as usize;
        if index >= self.uses.len() {
            self.uses.resize(index + 1, 0);
        }
        self.uses[index] += 1;
    }

    /// The variables of a piece that nothing uses.
    fn spare(&self, piece: u32, facts: &PieceFacts) -> Vec<Row> {
        let rows = facts.spare.iter().map(|&at| Row { piece, at });
        rows.filter(|row| !self.is_used(facts.var_ids[row.at as usize]))
            .collect()
    }
}

fn is_telling(piece: &PieceFacts) -> bool {
    !piece.joins.is_empty()
        || !piece.promoted.is_empty()
        || !piece.spellings.is_empty()
        || !piece.functions.is_empty()
        || !piece.reports.is_empty()
        || !piece.withdrawn.is_empty()
        || piece.force_pure.is_some()
        || piece.returned.is_some()
        || piece.result.is_some()
        || piece.syms.iter().any(|it| it.declared_at.is_some())
}
