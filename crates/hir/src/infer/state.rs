//! What holds between two pieces of a function, at the function's own level, and what a piece does to it.
//!
//! Rules reach this only through `Infer`, which notes each name that a piece looks at: a piece means the same as
//! before when it is the same text, the state around it is the same, and so is what each of those names stands for.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::names::{NameId, Names, PieceUid};
use crate::facts::VarId;
use crate::facts::pieces::PieceFacts;

/// A range in the piece that it is relative to, which may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Anchor {
    pub piece: PieceUid,
    pub range: TextRange,
}

/// A row of a piece: a variable, or a value that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The piece's position in the function.
    pub piece: u32,
    pub at: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Slot {
    #[default]
    Unbound,
    Var(Row),
    Sym,
    Value(Row),
}

/// What is known of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameState {
    /// What it is in the function.
    pub outer: Slot,
    /// What it is, or was, in the `with` at `block`.
    pub inner: Slot,
    /// Into [`State::blocks`].
    pub block: u32,
    /// How many variables of this name there are.
    pub vars: u32,
    pub sym: SymState,
}

/// What is known of the shape variable of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SymState {
    pub known: bool,
    pub bound: bool,
    pub reported: bool,
}

/// A `with` at the function's own level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub at: Anchor,
    pub dataflow: bool,
    pub outputs: Outputs,
    pub closed: bool,
}

/// What a dataflow block gives out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outputs {
    None,
    Some,
    /// An `R.output` is misspelt or names what is not there: any variable may have been meant.
    Unclear,
}

/// Stands among the outputs of a block for one that nobody can tell.
pub(crate) const UNCLEAR_OUTPUT: VarId = VarId(u32::MAX);

impl Outputs {
    pub fn of(outputs: &[VarId]) -> Outputs {
        match outputs {
            [] => Outputs::None,
            some if some.contains(&UNCLEAR_OUTPUT) => Outputs::Unclear,
            _ => Outputs::Some,
        }
    }
}

/// The `with` that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub block: u32,
    pub at: Anchor,
    pub dataflow: bool,
    /// `R.output` stands above.
    pub ended: bool,
    pub emitted: bool,
    pub outputs: Vec<VarId>,
}

/// How a piece changes what is known of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub name: NameId,
    pub outer: Option<To>,
    pub inner: Option<(To, InBlock)>,
    /// Variables of this name that the piece makes.
    pub vars: u32,
    pub sym: SymState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    Unbound,
    /// A variable of the piece.
    Var(u32),
    Sym,
    /// A value of the piece.
    Value(u32),
    /// What it is in the block that ends here.
    Inner,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InBlock {
    Open,
    /// A block that begins and ends in the piece.
    Own(u32),
}

/// What, besides names, a piece depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub open: Option<Open>,
    pub returned: Option<Anchor>,
    pub functions: u32,
}

impl Entry {
    /// Whether a piece that begins with `self` means the same as one that begins with `other`.
    pub fn serves(&self, other: &Entry, ends_block: bool, has_functions: bool) -> bool {
        let open = match (&self.open, &other.open) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                a.at == b.at
                    && a.dataflow == b.dataflow
                    && a.ended == b.ended
                    && (!ends_block || a.emitted == b.emitted && a.outputs == b.outputs)
            }
            _ => false,
        };
        open && self.returned == other.returned
            && (!has_functions || self.functions == other.functions)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub names: Vec<NameState>,
    pub blocks: Vec<Block>,
    pub open: Option<Open>,
    pub returned: Option<Anchor>,
    pub functions: u32,
    /// Variables by [`VarId`].
    pub vars: Vec<Option<Row>>,
}

impl State {
    /// With room for as many names and variables as there are.
    pub fn sized(names: &Names) -> State {
        State {
            names: vec![NameState::default(); names.len()],
            vars: vec![None; names.vars()],
            ..State::default()
        }
    }

    pub fn name(&self, name: NameId) -> NameState {
        self.names.get(name.0 as usize).copied().unwrap_or_default()
    }

    pub fn var(&self, var: VarId) -> Option<Row> {
        self.vars.get(var.0 as usize).copied().flatten()
    }

    /// The same without names and variables.
    pub fn flow(&self) -> State {
        State {
            names: Vec::new(),
            vars: Vec::new(),
            blocks: self.blocks.clone(),
            open: self.open.clone(),
            ..*self
        }
    }

    pub fn set_flow(&mut self, flow: State) {
        *self = State {
            names: std::mem::take(&mut self.names),
            vars: std::mem::take(&mut self.vars),
            ..flow
        };
    }

    pub fn entry(&self) -> Entry {
        Entry {
            open: self.open.clone(),
            returned: self.returned,
            functions: self.functions,
        }
    }

    /// What holds after the piece at position `at`.
    pub fn apply(&mut self, at: u32, piece: &PieceFacts) {
        self.bind(at, piece);
        self.pass(piece);
    }

    /// What names stand for after a piece.
    fn bind(&mut self, at: u32, piece: &PieceFacts) {
        let own_blocks = self.blocks.len() as u32;
        let open = self.open.as_ref().map_or(0, |open| open.block);
        for change in &piece.changes {
            let index = change.name.0 as usize;
            if index >= self.names.len() {
                self.names.resize(index + 1, NameState::default());
            }
            let state = &mut self.names[index];
            let inner = state.inner;
            let slot = |to: To| match to {
                To::Unbound => Slot::Unbound,
                To::Var(row) => Slot::Var(Row { piece: at, at: row }),
                To::Sym => Slot::Sym,
                To::Value(row) => Slot::Value(Row { piece: at, at: row }),
                To::Inner => inner,
            };
            if let Some((to, block)) = change.inner {
                state.inner = slot(to);
                state.block = match block {
                    InBlock::Open => open,
                    InBlock::Own(block) => own_blocks + block,
                };
            }
            if let Some(to) = change.outer {
                state.outer = slot(to);
            }
            state.vars += change.vars;
            state.sym = change.sym;
        }
        for (row, id) in piece.var_ids.iter().enumerate() {
            let index = id.0 as usize;
            if index >= self.vars.len() {
                self.vars.resize(index + 1, None);
            }
            self.vars[index] = Some(Row {
                piece: at,
                at: row as u32,
            });
        }
    }

    /// What else holds after a piece, which is all that [`Self::entry`] tells.
    pub fn pass(&mut self, piece: &PieceFacts) {
        self.blocks.extend_from_slice(&piece.blocks);
        self.functions += piece.functions.len() as u32;
        if self.returned.is_none() {
            self.returned = piece.returned;
        }
        if let Some(open) = &mut self.open {
            open.ended |= piece.ended;
            open.emitted |= piece.emitted;
            open.outputs.extend_from_slice(&piece.outputs);
        }
        if let Some((range, dataflow)) = piece.opens {
            let anchor = Anchor {
                piece: piece.uid,
                range,
            };
            self.open = Some(Open {
                block: self.blocks.len() as u32,
                at: anchor,
                dataflow,
                ended: false,
                emitted: false,
                outputs: Vec::new(),
            });
            self.blocks.push(Block {
                at: anchor,
                dataflow,
                outputs: Outputs::None,
                closed: false,
            });
        }
        if piece.closes
            && let Some(open) = self.open.take()
            && let Some(block) = self.blocks.get_mut(open.block as usize)
        {
            block.closed = true;
            block.outputs = Outputs::of(&open.outputs);
        }
    }
}

/// What a name was in the version before, independent of positions.
#[derive(Clone, Debug)]
struct Before {
    outer: Held,
    inner: Held,
    block: Option<Block>,
    vars: u32,
    sym: SymState,
}

#[derive(Clone, Debug)]
enum Held {
    Unbound,
    Var(Arc<PieceFacts>, u32),
    Sym,
    Value(Arc<PieceFacts>, u32),
}

impl Held {
    fn of(slot: Slot, pieces: &[Arc<PieceFacts>]) -> Held {
        let piece = |row: Row| Arc::clone(&pieces[row.piece as usize]);
        match slot {
            Slot::Unbound => Held::Unbound,
            Slot::Sym => Held::Sym,
            Slot::Var(row) => Held::Var(piece(row), row.at),
            Slot::Value(row) => Held::Value(piece(row), row.at),
        }
    }

    fn is(&self, slot: Slot, pieces: &[Arc<PieceFacts>]) -> bool {
        match (self, slot) {
            (Held::Unbound, Slot::Unbound) | (Held::Sym, Slot::Sym) => true,
            (Held::Var(old, a), Slot::Var(row)) => {
                let new = &pieces[row.piece as usize];
                Arc::ptr_eq(old, new) && *a == row.at || old.same_var(*a, new, row.at)
            }
            (Held::Value(old, a), Slot::Value(row)) => {
                let new = &pieces[row.piece as usize];
                let (old, new) = (
                    old.bound_values.get(*a as usize),
                    new.bound_values.get(row.at as usize),
                );
                old == new
                    && old
                        .zip(new)
                        .is_none_or(|(old, new)| old.is_written_like(new))
            }
            _ => false,
        }
    }
}

/// The names that are not what they were at this point of the version before.
#[derive(Default)]
pub(crate) struct Changed {
    names: FxHashMap<NameId, Before>,
    /// Blocks that have changed: whatever looks for a name may see it.
    pub everything: bool,
}

impl Changed {
    fn contains(&self, name: NameId) -> bool {
        self.names.contains_key(&name)
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.everything
    }

    /// Whether one of these names, which are in order, has changed.
    pub fn contains_any(&self, names: &[NameId]) -> bool {
        if self.names.len() * 4 < names.len() {
            let mut changed = self.names.keys();
            changed.any(|name| names.binary_search(name).is_ok())
        } else {
            names.iter().any(|&name| self.contains(name))
        }
    }

    /// Notes what the name is, before either version changes it.
    pub fn hold(&mut self, name: NameId, state: &State, pieces: &[Arc<PieceFacts>]) {
        self.names.entry(name).or_insert_with(|| {
            let now = state.name(name);
            Before {
                outer: Held::of(now.outer, pieces),
                inner: Held::of(now.inner, pieces),
                block: (now.inner != Slot::Unbound)
                    .then(|| state.blocks.get(now.block as usize).copied())
                    .flatten(),
                vars: now.vars,
                sym: now.sym,
            }
        });
    }

    /// What a piece of the version before did.
    pub fn apply_before(&mut self, piece: &Arc<PieceFacts>, open: Option<Block>) {
        for change in &piece.changes {
            let Some(before) = self.names.get_mut(&change.name) else {
                continue;
            };
            let held = |to: To, inner: &Held| match to {
                To::Unbound => Held::Unbound,
                To::Sym => Held::Sym,
                To::Var(row) => Held::Var(Arc::clone(piece), row),
                To::Value(row) => Held::Value(Arc::clone(piece), row),
                To::Inner => inner.clone(),
            };
            let inner = before.inner.clone();
            if let Some((to, block)) = change.inner {
                before.inner = held(to, &inner);
                before.block = match block {
                    InBlock::Open => open,
                    InBlock::Own(block) => piece.blocks.get(block as usize).copied(),
                };
            }
            if let Some(to) = change.outer {
                before.outer = held(to, &inner);
            }
            before.vars += change.vars;
            before.sym = change.sym;
        }
    }

    /// Forgets the name if it is again what it was.
    pub fn settle(&mut self, name: NameId, state: &State, pieces: &[Arc<PieceFacts>]) {
        let Some(before) = self.names.get(&name) else {
            return;
        };
        let now = state.name(name);
        let block = (now.inner != Slot::Unbound)
            .then(|| state.blocks.get(now.block as usize).copied())
            .flatten();
        if before.vars == now.vars
            && before.sym == now.sym
            && before.block == block
            && before.outer.is(now.outer, pieces)
            && before.inner.is(now.inner, pieces)
        {
            self.names.remove(&name);
        }
    }

    /// What "global `name`" is among names.
    pub fn add(&mut self, name: NameId) {
        self.names.insert(
            name,
            Before {
                outer: Held::Sym,
                inner: Held::Sym,
                block: None,
                vars: u32::MAX,
                sym: SymState::default(),
            },
        );
    }
}
