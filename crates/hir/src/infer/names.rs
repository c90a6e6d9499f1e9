//! Numbers for names and variables that stay the same from one version of a function to the next, so that what is
//! kept of one version means the same in another.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::facts::{SymId, VarId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameId(pub u32);

/// The numbers given so far. Nothing is ever taken back.
#[derive(Debug, Default)]
pub(crate) struct Names {
    ids: FxHashMap<SmolStr, NameId>,
    /// By name, and how many variables of that name are bound before.
    vars: FxHashMap<(NameId, u32), VarId>,
    /// By function and name.
    syms: FxHashMap<(u32, SmolStr), SymId>,
    of_sym: Vec<(u32, SmolStr)>,
    pieces: u32,
}

impl Names {
    pub fn name(&mut self, name: &str) -> NameId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = NameId(self.ids.len() as u32);
        self.ids.insert(name.into(), id);
        id
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn all(&self) -> impl Iterator<Item = (&SmolStr, NameId)> {
        self.ids.iter().map(|(name, &id)| (name, id))
    }

    pub fn var(&mut self, name: NameId, before: u32) -> VarId {
        let next = VarId(self.vars.len() as u32);
        *self.vars.entry((name, before)).or_insert(next)
    }

    pub fn vars(&self) -> usize {
        self.vars.len()
    }

    pub fn sym(&mut self, function: u32, name: &SmolStr) -> SymId {
        let key = (function, name.clone());
        if let Some(&id) = self.syms.get(&key) {
            return id;
        }
        let id = SymId(self.of_sym.len() as u32);
        self.of_sym.push(key.clone());
        self.syms.insert(key, id);
        id
    }

    pub fn sym_name(&self, id: SymId) -> Option<(u32, SmolStr)> {
        self.of_sym.get(id.0 as usize).cloned()
    }

    /// By function and name, in the order of their numbers.
    pub fn syms(&self) -> &[(u32, SmolStr)] {
        &self.of_sym
    }

    /// A number for a piece that is inferred.
    pub fn piece(&mut self) -> PieceUid {
        self.pieces += 1;
        PieceUid(self.pieces)
    }
}

/// Tells apart the pieces that were ever inferred of one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PieceUid(pub u32);
