//! Assigns ids to variables: the one in the previous version, if the variable can be recognised.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::facts::VarId;
use crate::facts::pieces::PieceFacts;
use crate::incremental::names::Names;

/// The ids of the variables of replaced pieces, by name, in the order of binding.
#[derive(Debug, Default)]
pub(crate) struct Released {
    by_name: FxHashMap<SmolStr, VecDeque<VarId>>,
}

impl Released {
    /// Adds the variables of a removed piece.
    pub fn add(&mut self, piece: &PieceFacts) {
        for (var, &id) in piece.vars.iter().zip(&piece.var_ids) {
            let ids = self.by_name.entry(var.name.clone()).or_default();
            ids.push_back(id);
        }
    }

    /// Adds the variables of a piece that is read again. It takes them over before other pieces do.
    pub fn add_own(&mut self, piece: &PieceFacts) {
        for (var, &id) in piece.vars.iter().zip(&piece.var_ids).rev() {
            let ids = self.by_name.entry(var.name.clone()).or_default();
            ids.push_front(id);
        }
    }

    /// Returns the ids that no variable has taken over.
    pub fn rest(self) -> impl Iterator<Item = VarId> {
        self.by_name.into_values().flatten()
    }
}

/// The source of the ids for a piece's variables.
pub(crate) enum Ids<'a> {
    /// The piece is new, or replaces others.
    Released(&'a mut Released),
    /// The piece was read before and has these variables.
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
