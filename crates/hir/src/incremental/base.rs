//! The function's top level as one piece sees it. Records every name that the piece looks up.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use relax::nearest_name::NearestName;
use relax::sinfo::{AsWritten, StructInfo};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use text_size::TextRange;

use crate::body::{ExprId, Place};
use crate::facts::pieces::PieceFacts;
use crate::facts::{FunctionFact, SymId, Var, VarId};
use crate::incremental::history::History;
use crate::incremental::ids::Ids;
use crate::incremental::names::{NameId, Names, PieceUid};
use crate::incremental::state::{Anchor, Block, Entry, NameChange, NameState, Outputs, Row, Slot};
use crate::infer::Local;
use crate::infer::draft::Draft;

/// The name that stands for the function itself among recorded names. It is not a valid Python name.
pub(crate) const FUNCTION: &str = "@def";

/// After this many pieces, suggestions only include names that differ by one letter, since there are many names.
/// Suggestions depend on the text alone, although an earlier version may have left other names behind.
const MANY_PIECES: usize = 64;

/// The version of a function that contains a piece, as far as the piece can see it.
pub(crate) struct Around<'a> {
    pub history: &'a History,
    /// The state before the piece, apart from names.
    pub entry: &'a Entry,
    /// The pieces before it, and their positions.
    pub pieces: &'a [Arc<PieceFacts>],
    pub places: &'a [Place],
}

pub(crate) struct Base<'a> {
    around: Around<'a>,
    names: RefCell<&'a mut Names>,
    ids: RefCell<Ids<'a>>,
    pub uid: PieceUid,
    pub place: Place,
    /// The names that the piece has looked up, with their current state.
    looked: RefCell<FxHashMap<NameId, NameState>>,
    pub all_names: Cell<bool>,
}

impl<'a> Base<'a> {
    pub fn new(
        around: Around<'a>,
        names: &'a mut Names,
        ids: Ids<'a>,
        uid: PieceUid,
        place: Place,
    ) -> Base<'a> {
        Base {
            around,
            names: RefCell::new(names),
            ids: RefCell::new(ids),
            uid,
            place,
            looked: RefCell::default(),
            all_names: Cell::new(false),
        }
    }

    /// Creates the environment of code that is not a piece of a Relax function.
    pub fn without_pieces(names: &'a mut Names, around: &'a (History, Entry)) -> Base<'a> {
        let uid = names.piece();
        let (history, entry) = around;
        let around = Around {
            history,
            entry,
            pieces: &[],
            places: &[],
        };
        Base::new(around, names, Ids::Known([].iter()), uid, Place::default())
    }

    pub fn entry(&self) -> &Entry {
        self.around.entry
    }

    /// Returns the function itself.
    pub fn root(&self) -> &FunctionFact {
        self.touch(FUNCTION);
        &self.around.pieces[0].functions[0]
    }

    pub fn touch(&self, name: &str) {
        self.get(name);
    }

    pub fn get(&self, name: &str) -> NameState {
        let id = self.names.borrow_mut().name(name);
        let mut looked = self.looked.borrow_mut();
        *looked.entry(id).or_insert_with(|| self.name_before(id))
    }

    pub fn with(&self, name: &str, change: impl FnOnce(&mut NameState)) {
        let id = self.names.borrow_mut().name(name);
        let mut looked = self.looked.borrow_mut();
        change(looked.entry(id).or_insert_with(|| self.name_before(id)));
    }

    /// Returns the meaning of a name before the piece.
    fn name_before(&self, name: NameId) -> NameState {
        self.around
            .history
            .name_before(self.around.pieces.len(), name)
    }

    fn local(&self, slot: Slot, draft: &Draft) -> Option<Local> {
        Some(match slot {
            Slot::Unbound => return None,
            Slot::Sym => Local::Sym(0),
            Slot::Var(var) => Local::Var(var),
            Slot::Value(row) => {
                let values = match self.piece(row.piece) {
                    Some(piece) => &piece.bound_values[..],
                    None => &draft.bound_values[..],
                };
                Local::Value(values.get(row.at as usize)?.clone())
            }
        })
    }

    /// Returns a piece before this one.
    fn piece(&self, uid: PieceUid) -> Option<&PieceFacts> {
        if uid == self.uid {
            return None;
        }
        let at = self.around.history.position(uid)?;
        self.around.pieces.get(at).map(|piece| &**piece)
    }

    fn is_open(&self, state: &NameState) -> bool {
        let open = self.entry().open.as_ref();
        open.is_some_and(|open| open.at == state.block)
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
        let slot = match local {
            Local::Sym(_) => Slot::Sym,
            Local::Var(var) => Slot::Var(var),
            Local::Value(value) => {
                draft.bound_values.push(value);
                Slot::Value(Row {
                    piece: self.uid,
                    at: draft.bound_values.len() as u32 - 1,
                })
            }
        };
        let open = self.entry().open.as_ref().map(|open| open.at);
        self.with(name, |it| match open {
            Some(block) => {
                it.inner = slot;
                it.block = block;
            }
            None => it.outer = slot,
        });
    }

    /// Returns a variable of a dataflow block that has ended: the variable, the block, the outputs of the block.
    pub fn var_of_ended_block(
        &self,
        name: &str,
        draft: &Draft,
    ) -> Option<(VarId, TextRange, Outputs)> {
        let state = self.get(name);
        let Some(Local::Var(var)) = self.local(state.inner, draft) else {
            return None;
        };
        if self.is_open(&state) {
            return None;
        }
        let at = state.block;
        let piece = self.piece(at.piece);
        let blocks = piece.map_or(&draft.blocks[..], |piece| &piece.blocks);
        let own = blocks.iter().rfind(|block| block.at == at);
        let outputs = match (own, piece) {
            (Some(block), _) => block.outputs,
            (None, Some(piece)) if piece.opens == Some((at.range, true)) => {
                self.around.history.outputs(at.piece)?
            }
            _ => return None,
        };
        Some((var, self.range(at), outputs))
    }

    pub fn note_rebound(&self, name: &str) {
        let state = self.get(name);
        if state.inner != Slot::Unbound && !self.is_open(&state) {
            self.with(name, |it| it.inner = Slot::Unbound);
        }
    }

    /// Records the variables of a block that begins and ends in the piece.
    pub fn end_own_block(
        &self,
        gone: impl Iterator<Item = (SmolStr, VarId)>,
        header: TextRange,
        outputs: Outputs,
        draft: &mut Draft,
    ) {
        let at = Anchor {
            piece: self.uid,
            range: self.place.relative(header),
        };
        draft.blocks.push(Block { at, outputs });
        for (name, var) in gone {
            let state = self.get(&name);
            if state.inner != Slot::Unbound && self.is_open(&state) || draft.row(var).is_none() {
                continue;
            }
            self.with(&name, |it| {
                it.inner = Slot::Var(var);
                it.block = at;
            });
        }
    }

    /// Returns the header of the dataflow block that contains the piece.
    pub fn dataflow(&self) -> Option<TextRange> {
        let open = self.entry().open.as_ref()?;
        open.dataflow.then(|| self.range(open.at))
    }

    pub fn has_ended(&self, draft: &Draft) -> bool {
        draft.ended || self.entry().open.as_ref().is_some_and(|open| open.ended)
    }

    /// Returns `true` if any variable may be an output of the dataflow block that contains the piece.
    pub fn has_unclear_output(&self, draft: &Draft) -> bool {
        let open = self.entry().open.as_ref();
        let earlier = open.map_or(Outputs::None, |open| Outputs::of(&open.outputs));
        [earlier, Outputs::of(&draft.outputs)].contains(&Outputs::Unclear)
    }

    /// Returns `true` if the variable is bound in the dataflow block that contains the piece.
    pub fn is_bound_in_block(&self, var: VarId, draft: &Draft) -> bool {
        if self.dataflow().is_none() {
            return false;
        }
        let name = self.var(var, draft).name.clone();
        let state = self.get(&name);
        self.is_open(&state) && state.inner == Slot::Var(var)
    }

    /// Creates a variable with a name. It may shadow others.
    pub fn new_var(&self, name: &str) -> VarId {
        let mut names = self.names.borrow_mut();
        self.ids.borrow_mut().next(name, &mut names)
    }

    pub fn shared(&self, sinfo: StructInfo) -> Arc<AsWritten> {
        self.names.borrow_mut().shared(sinfo)
    }

    pub fn sym(&self, function: u32, name: &SmolStr) -> SymId {
        self.names.borrow_mut().sym(function, name)
    }

    /// Returns a variable of this piece or of an earlier one.
    pub fn var<'b>(&'b self, id: VarId, draft: &'b Draft) -> Var<'b> {
        if let Some(at) = draft.row(id) {
            return Var::of(id, &draft.vars[at], Place::default());
        }
        let found = self.find_row(id);
        let (at, row) = found.expect("a variable is bound before it is used");
        let fact = &self.around.pieces[at].vars[row as usize];
        self.touch(&fact.name);
        Var::of(id, fact, self.around.places[at])
    }

    /// Returns the index of the piece that binds a variable, and the variable's row in it.
    fn find_row(&self, id: VarId) -> Option<(usize, u32)> {
        let row = self.around.history.row(id)?;
        let at = self.around.history.position(row.piece)?;
        (at < self.around.pieces.len()).then_some((at, row.at))
    }

    /// Returns the dtype that a variable stands for.
    pub fn dtype_of(&self, id: VarId, draft: &Draft) -> Option<SmolStr> {
        let fact = match draft.row(id) {
            Some(at) => draft.vars.get(at)?,
            None => {
                let (at, row) = self.find_row(id)?;
                self.around.pieces[at].vars.get(row as usize)?
            }
        };
        fact.dtype.as_deref().cloned()
    }

    /// Offers every bound name for a suggestion. Unless there are only a `few` to find, offers only those that differ
    /// by one letter.
    pub fn offer_names(&self, near: &mut NearestName<'_, SmolStr>, few: bool) {
        self.all_names.set(true);
        let looked = self.looked.borrow();
        let there = |id| {
            let state = looked.get(&id).copied();
            let state = state.unwrap_or_else(|| self.name_before(id));
            state.outer != Slot::Unbound || state.inner != Slot::Unbound && self.is_open(&state)
        };
        let mut names = self.names.borrow_mut();
        if few && self.around.pieces.len() <= MANY_PIECES {
            names.offer(near, there);
        } else {
            names.offer_slips(near, there);
        }
    }

    /// Returns a name for an unnamed dimension that only Python knows.
    pub fn name_of_unknown(&self, expr: ExprId) -> SmolStr {
        format_smolstr!("?{}.{}", self.uid.0, self.place.relative_expr(expr).0)
    }

    /// Returns the current range of an anchor.
    pub fn range(&self, anchor: Anchor) -> TextRange {
        if anchor.piece == self.uid {
            return self.place.range(anchor.range);
        }
        let at = self.around.history.position(anchor.piece);
        let place = at.and_then(|at| self.around.places.get(at));
        place.map_or(anchor.range, |place| place.range(anchor.range))
    }

    /// Returns the piece that contains a range, and the range relative to it.
    pub fn anchor(&self, range: TextRange) -> Anchor {
        let (piece, place) = if range.start() >= self.place.offset {
            (self.uid, self.place)
        } else {
            let after = self
                .around
                .places
                .partition_point(|place| place.offset <= range.start());
            let at = after.saturating_sub(1);
            (self.around.pieces[at].uid, self.around.places[at])
        };
        Anchor {
            piece,
            range: place.relative(range),
        }
    }

    /// Returns the piece's changes of names, and the names that it looked up, both in order.
    pub fn changes(&self) -> (Vec<NameChange>, Vec<NameId>) {
        let looked = self.looked.borrow();
        let mut touched: Vec<NameId> = looked.keys().copied().collect();
        touched.sort_unstable();
        let changes = touched.iter().filter_map(|&name| {
            let (before, now) = (self.name_before(name), looked[&name]);
            let inner = before.inner != now.inner || before.block != now.block;
            (before != now).then_some(NameChange {
                name,
                outer: (before.outer != now.outer).then_some(now.outer),
                inner: inner.then_some((now.inner, now.block)),
                sym: now.sym,
            })
        });
        (changes.collect(), touched)
    }
}
