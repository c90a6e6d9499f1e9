//! Which number a variable gets: the one that it had in the version before, as far as that can be told.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::facts::VarId;
use crate::facts::pieces::PieceFacts;
use crate::incremental::names::Names;

/// The numbers of the variables of pieces that are replaced, by the names of the variables, in order of binding.
#[derive(Debug, Default)]
pub(crate) struct Released {
    by_name: FxHashMap<SmolStr, VecDeque<VarId>>,
}

impl Released {
    /// The variables of a piece that is not there any more.
    pub fn add(&mut self, piece: &PieceFacts) {
        for (var, &id) in piece.vars.iter().zip(&piece.var_ids) {
            let ids = self.by_name.entry(var.name.clone()).or_default();
            ids.push_back(id);
        }
    }

    /// The variables of a piece that is read again, which it takes over before others do.
    pub fn add_own(&mut self, piece: &PieceFacts) {
        for (var, &id) in piece.vars.iter().zip(&piece.var_ids).rev() {
            let ids = self.by_name.entry(var.name.clone()).or_default();
            ids.push_front(id);
        }
    }

    /// The numbers that no variable has taken over.
    pub fn rest(self) -> impl Iterator<Item = VarId> {
        self.by_name.into_values().flatten()
    }
}

/// Where the variables of a piece get their numbers from.
pub(crate) enum Ids<'a> {
    /// The piece is read for the first time, or in the place of others.
    Released(&'a mut Released),
    /// The piece was read before: these are its variables.
    Known(std::slice::Iter<'a, VarId>),
}

impl Ids<'_> {
    pub fn next(&mut self, name: &str, names: &mut Names) -> VarId {
        let known = match self {
            Ids::Released(released) => released.by_name.get_mut(name).and_then(VecDeque::pop_front),
            Ids::Known(ids) => ids.next().copied(),
        };
        known.unwrap_or_else(|| names.new_var())
    }
}
