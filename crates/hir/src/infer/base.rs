//! What stands around a piece at the function's own level, as the piece sees it: every name that it looks at is noted.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use relax::near::Near;
use relax::sinfo::{AsWritten, StructInfo};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use text_size::TextRange;

use super::Local;
use super::draft::Draft;
use super::names::{NameId, Names, PieceUid};
use super::state::{Anchor, Block, Change, InBlock, NameState, Outputs, Row, Slot, State, To};
use crate::body::{ExprId, Place};
use crate::facts::pieces::PieceFacts;
use crate::facts::{FunctionFact, SymId, Var, VarId};

/// What the function itself is called among the names that a piece looks at. No name of Python is like it.
pub(super) const FUNCTION: &str = "@def";

/// Behind so many pieces, names are so many that only those are offered that differ by one letter. What is offered
/// depends on the text alone: a version of the function before may have left other names behind.
const MANY_PIECES: usize = 64;

pub(super) struct Base<'a> {
    pub names: RefCell<&'a mut Names>,
    /// What holds before the piece.
    pub state: &'a State,
    /// The pieces before it, and where they stand.
    pub pieces: &'a [Arc<PieceFacts>],
    pub places: &'a [Place],
    pub uid: PieceUid,
    pub place: Place,
    /// The names that the piece has looked at, as they are now.
    looked: RefCell<FxHashMap<NameId, NameState>>,
    pub all_names: Cell<bool>,
}

impl<'a> Base<'a> {
    pub fn new(
        names: &'a mut Names,
        state: &'a State,
        pieces: &'a [Arc<PieceFacts>],
        places: &'a [Place],
        uid: PieceUid,
        place: Place,
    ) -> Base<'a> {
        Base {
            names: RefCell::new(names),
            state,
            pieces,
            places,
            uid,
            place,
            looked: RefCell::default(),
            all_names: Cell::new(false),
        }
    }

    /// Around what is no piece of a Relax function.
    pub fn alone(names: &'a mut Names, state: &'a State) -> Base<'a> {
        let uid = names.piece();
        Base::new(names, state, &[], &[], uid, Place::default())
    }

    fn index(&self) -> u32 {
        self.pieces.len() as u32
    }

    /// The function itself.
    pub fn root(&self) -> &FunctionFact {
        self.touch(FUNCTION);
        &self.pieces[0].functions[0]
    }

    pub fn touch(&self, name: &str) {
        self.get(name);
    }

    pub fn get(&self, name: &str) -> NameState {
        let id = self.names.borrow_mut().name(name);
        *self
            .looked
            .borrow_mut()
            .entry(id)
            .or_insert_with(|| self.state.name(id))
    }

    pub fn with(&self, name: &str, change: impl FnOnce(&mut NameState)) {
        let id = self.names.borrow_mut().name(name);
        let mut looked = self.looked.borrow_mut();
        change(looked.entry(id).or_insert_with(|| self.state.name(id)));
    }

    fn local(&self, slot: Slot, draft: &Draft) -> Option<Local> {
        let own = |row: Row| row.piece == self.index();
        Some(match slot {
            Slot::Unbound => return None,
            Slot::Sym => Local::Sym(0),
            Slot::Var(row) if own(row) => Local::Var(draft.var_ids[row.at as usize]),
            Slot::Var(row) => Local::Var(self.pieces[row.piece as usize].var_ids[row.at as usize]),
            Slot::Value(row) if own(row) => {
                Local::Value(draft.bound_values[row.at as usize].clone())
            }
            Slot::Value(row) => {
                let piece = &self.pieces[row.piece as usize];
                Local::Value(piece.bound_values[row.at as usize].clone())
            }
        })
    }

    fn is_open(&self, state: &NameState) -> bool {
        let open = self.state.open.as_ref();
        open.is_some_and(|open| open.block == state.block)
    }

    pub fn lookup(&self, name: &str, draft: &Draft) -> Option<Local> {
        let state = self.get(name);
        let inner = if self.is_open(&state) {
            self.local(state.inner, draft)
        } else {
            None
        };
        inner.or_else(|| self.local(state.outer, draft))
    }

    pub fn bind(&self, name: &str, local: Local, draft: &mut Draft) {
        let piece = self.index();
        let slot = match local {
            Local::Sym(_) => Slot::Sym,
            Local::Var(var) => {
                let at = draft.var_ids.iter().rposition(|it| *it == var);
                let at = at.expect("a variable is bound in the piece that makes it") as u32;
                Slot::Var(Row { piece, at })
            }
            Local::Value(value) => {
                draft.bound_values.push(value);
                let at = draft.bound_values.len() as u32 - 1;
                Slot::Value(Row { piece, at })
            }
        };
        let open = self.state.open.as_ref().map(|open| open.block);
        self.with(name, |it| match open {
            Some(block) => {
                it.inner = slot;
                it.block = block;
            }
            None => it.outer = slot,
        });
    }

    /// A dataflow var whose block is over: the variable, the block, what the block gives out.
    pub fn gone(&self, name: &str, draft: &Draft) -> Option<(VarId, TextRange, Outputs)> {
        let state = self.get(name);
        let Some(Local::Var(var)) = self.local(state.inner, draft) else {
            return None;
        };
        let own = (state.block as usize).checked_sub(self.state.blocks.len());
        let block = match own {
            Some(own) => draft.blocks.get(own)?,
            None => self.state.blocks.get(state.block as usize)?,
        };
        (block.closed && block.dataflow).then(|| (var, self.range(block.at), block.outputs))
    }

    pub fn is_back(&self, name: &str) {
        let state = self.get(name);
        if state.inner != Slot::Unbound && !self.is_open(&state) {
            self.with(name, |it| it.inner = Slot::Unbound);
        }
    }

    /// Keeps in mind the variables of a block that begins and ends in the piece.
    pub fn end_own_block(
        &self,
        gone: impl Iterator<Item = (SmolStr, VarId)>,
        header: TextRange,
        outputs: Outputs,
        draft: &mut Draft,
    ) {
        let block = (self.state.blocks.len() + draft.blocks.len()) as u32;
        draft.blocks.push(Block {
            at: Anchor {
                piece: self.uid,
                range: self.place.relative(header),
            },
            dataflow: true,
            outputs,
            closed: true,
        });
        for (name, var) in gone {
            let state = self.get(&name);
            if state.inner != Slot::Unbound && self.is_open(&state) {
                continue;
            }
            let Some(at) = draft.var_ids.iter().rposition(|it| *it == var) else {
                continue;
            };
            let row = Row {
                piece: self.index(),
                at: at as u32,
            };
            self.with(&name, |it| {
                it.inner = Slot::Var(row);
                it.block = block;
            });
        }
    }

    /// The header of the dataflow block that the piece is in.
    pub fn dataflow(&self) -> Option<TextRange> {
        let open = self.state.open.as_ref()?;
        open.dataflow.then(|| self.range(open.at))
    }

    pub fn has_ended(&self, draft: &Draft) -> bool {
        draft.ended || self.state.open.as_ref().is_some_and(|open| open.ended)
    }

    /// Whether the variable is bound in the dataflow block that the piece is in.
    pub fn is_bound_in_block(&self, var: VarId, draft: &Draft) -> bool {
        if self.dataflow().is_none() {
            return false;
        }
        let name = self.var(var, draft).name.clone();
        let state = self.get(&name);
        self.is_open(&state)
            && matches!(self.local(state.inner, draft), Some(Local::Var(it)) if it == var)
    }

    pub fn new_var(&self, name: &str) -> VarId {
        let before = self.get(name).vars;
        self.with(name, |it| it.vars += 1);
        let mut names = self.names.borrow_mut();
        let name = names.name(name);
        names.var(name, before)
    }

    pub fn shared(&self, sinfo: StructInfo) -> Arc<AsWritten> {
        self.names.borrow_mut().shared(sinfo)
    }

    pub fn sym(&self, function: u32, name: &SmolStr) -> SymId {
        self.names.borrow_mut().sym(function, name)
    }

    /// A variable of this piece or of one before it.
    pub fn var<'b>(&'b self, id: VarId, draft: &'b Draft) -> Var<'b> {
        if let Some(at) = draft.var_ids.iter().rposition(|it| *it == id) {
            return Var::of(id, &draft.vars[at], Place::default());
        }
        let row = self.state.vars.get(id.0 as usize).copied().flatten();
        let row = row.expect("a variable is bound before it is used");
        let piece = row.piece as usize;
        let fact = &self.pieces[piece].vars[row.at as usize];
        self.touch(&fact.name);
        Var::of(id, fact, self.places[piece])
    }

    /// The dtype that a variable stands for.
    pub fn dtype_of(&self, id: VarId, draft: &Draft) -> Option<SmolStr> {
        let own = draft.var_ids.iter().rposition(|it| *it == id);
        let fact = match own {
            Some(at) => draft.vars.get(at)?,
            None => {
                let row = self.state.vars.get(id.0 as usize).copied().flatten()?;
                self.pieces[row.piece as usize].vars.get(row.at as usize)?
            }
        };
        fact.dtype.as_deref().cloned()
    }

    /// Offers every name that is bound here.
    pub fn offer_names(&self, near: &mut Near<'_, SmolStr>) {
        self.all_names.set(true);
        let looked = self.looked.borrow();
        let there = |id| {
            let state = looked.get(&id).copied();
            let state = state.unwrap_or_else(|| self.state.name(id));
            state.outer != Slot::Unbound || state.inner != Slot::Unbound && self.is_open(&state)
        };
        let mut names = self.names.borrow_mut();
        if self.pieces.len() <= MANY_PIECES {
            names.offer(near, there);
        } else {
            names.offer_slips(near, there);
        }
    }

    /// What a dimension is called that only Python knows, and that has no name.
    pub fn name_of_unknown(&self, expr: ExprId) -> SmolStr {
        format_smolstr!("?{}.{}", self.uid.0, self.place.relative_expr(expr).0)
    }

    /// Where an anchor is now.
    pub fn range(&self, anchor: Anchor) -> TextRange {
        if anchor.piece == self.uid {
            return self.place.range(anchor.range);
        }
        let at = self.pieces.iter().position(|it| it.uid == anchor.piece);
        at.map_or(anchor.range, |at| self.places[at].range(anchor.range))
    }

    /// The piece that a range is in, and the range relative to it.
    pub fn anchor(&self, range: TextRange) -> Anchor {
        let (piece, place) = if range.start() >= self.place.offset {
            (self.uid, self.place)
        } else {
            let after = self
                .places
                .partition_point(|place| place.offset <= range.start());
            let at = after.saturating_sub(1);
            (self.pieces[at].uid, self.places[at])
        };
        Anchor {
            piece,
            range: place.relative(range),
        }
    }

    /// What the piece has done to names, and the names it has looked at.
    pub fn changes(&self) -> (Vec<Change>, Vec<NameId>) {
        let looked = self.looked.borrow();
        let piece = self.index();
        let blocks = self.state.blocks.len() as u32;
        let to = |slot: Slot| match slot {
            Slot::Unbound => To::Unbound,
            Slot::Sym => To::Sym,
            Slot::Var(row) if row.piece == piece => To::Var(row.at),
            Slot::Value(row) if row.piece == piece => To::Value(row.at),
            Slot::Var(_) | Slot::Value(_) => To::Inner,
        };
        let mut touched: Vec<NameId> = looked.keys().copied().collect();
        touched.sort_unstable();
        let mut changes = Vec::new();
        for &name in &touched {
            let (before, now) = (self.state.name(name), looked[&name]);
            if before == now {
                continue;
            }
            let inner = before.inner != now.inner || before.block != now.block;
            changes.push(Change {
                name,
                outer: (before.outer != now.outer).then(|| to(now.outer)),
                inner: inner.then(|| {
                    let block = match now.block.checked_sub(blocks) {
                        Some(own) if now.inner != Slot::Unbound => InBlock::Own(own),
                        _ => InBlock::Open,
                    };
                    (to(now.inner), block)
                }),
                vars: now.vars - before.vars,
                sym: now.sym,
            });
        }
        (changes, touched)
    }
}
