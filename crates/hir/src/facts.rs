//! The result of inference for one function: the StructInfo of every variable and expression, what names stand for,
//! and diagnostics. Positions are relative to the function's start.

pub(crate) mod pieces;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use relax::diagnostics::Diagnostic;
use relax::ops::OpDef;
use relax::sinfo::{AsWritten, Callable, StructInfo};
use relax::sym::SymVar;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Body, ExprId, Place};
use crate::incremental::history::{History, Readers};
use crate::incremental::names::Names;
use crate::incremental::state::Row;
use crate::incremental::{Counts, World};
use crate::infer::Sheet;
use pieces::PieceFacts;

/// The id of a Relax variable in a function, which stays the same over edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// The id of a shape variable in a function, which stays the same over edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymId(pub u32);

/// The facts of one function and its local functions.
#[derive(Debug, Default)]
pub struct Facts {
    /// The function itself, followed by its local functions in order.
    pub functions: Vec<FunctionFact>,
    /// The variables that the branches of an `if` bind under the same name.
    pub joins: Vec<Join>,
    pub diagnostics: Vec<Diagnostic>,
    pub(crate) pieces: Vec<Arc<PieceFacts>>,
    pub(crate) places: Vec<Place>,
    pub(crate) history: History,
    pub(crate) counts: Counts,
    /// Computed on the first edit.
    pub(crate) readers: OnceLock<Readers>,
    pub(crate) promoted: FxHashSet<VarId>,
    /// The expressions of some pieces, by index: those affected by the last edit, or all.
    pub(crate) fresh: Vec<(usize, Arc<Sheet>)>,
    /// What else is needed to infer expressions.
    pub(crate) world: Option<Arc<World>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionFact {
    /// The name; `outer.inner` for a local function.
    pub name: SmolStr,
    pub name_range: TextRange,
    pub range: TextRange,
    pub parent: Option<usize>,
    pub params: Vec<VarId>,
    /// `true` if the annotation of a parameter is missing, erroneous or only known to Python, so that it may bind any
    /// shape variable.
    pub has_unclear_params: bool,
    pub ret: StructInfo,
    /// The annotation after `->`, if there is one.
    pub annotated_ret: Option<StructInfo>,
    pub pure: bool,
    pub private: bool,
}

impl FunctionFact {
    /// Returns `true` if an equal function is written the same way.
    pub(crate) fn is_written_like(&self, other: &FunctionFact) -> bool {
        let annotations = self
            .annotated_ret
            .as_ref()
            .zip(other.annotated_ret.as_ref());
        self.ret.is_written_like(&other.ret)
            && annotations.is_none_or(|(a, b)| a.is_written_like(b))
    }

    /// Returns the function's type.
    pub(crate) fn callable(&self, of: impl Fn(VarId) -> StructInfo) -> StructInfo {
        let params = self.params.iter().map(|&param| of(param)).collect();
        StructInfo::callable(Callable {
            params: Some(params),
            ret: self.ret.clone(),
            pure: self.pure,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarKind {
    Param,
    /// A variable of a binding block, or an output of a dataflow block.
    Var,
    Dataflow,
    MatchCast,
    /// A local function.
    Function,
}

#[derive(Clone, Debug, PartialEq)]
pub struct VarFact {
    pub name: SmolStr,
    pub name_range: TextRange,
    /// The range of the statement that binds it; for a parameter, of its name.
    pub range: TextRange,
    pub kind: VarKind,
    /// Shared between equal ones, since a printed model has few kinds of tensors.
    pub struct_info: Arc<AsWritten>,
    /// The index into [`Facts::functions`].
    pub function: usize,
    pub in_dataflow: bool,
    /// `true` if the source annotates it.
    pub annotated: bool,
    pub value: Option<ExprId>,
    /// The dtype of `d = R.dtype("float32")`, which is not a Relax value.
    pub dtype: Option<Box<SmolStr>>,
    /// `true` if its annotation contradicts its value, as reported. Then users should rely on neither.
    pub contradicted: bool,
}

/// A variable with its facts.
#[derive(Clone, Copy, Debug)]
pub struct Var<'a> {
    pub id: VarId,
    pub name: &'a SmolStr,
    pub name_range: TextRange,
    /// The range of the statement that binds it; for a parameter, of its name.
    pub range: TextRange,
    pub kind: VarKind,
    pub struct_info: &'a StructInfo,
    /// The index into [`Facts::functions`].
    pub function: usize,
    pub in_dataflow: bool,
    /// `true` if the source annotates it.
    pub annotated: bool,
    pub value: Option<ExprId>,
    pub contradicted: bool,
    /// `true` if it is not visible after the dataflow block that binds it.
    pub is_dataflow: bool,
    pub used: bool,
}

/// An `if` whose branches end with bindings of the same name. After it, the name is a third variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Join {
    pub branches: [VarId; 2],
    pub after: VarId,
}

impl<'a> Var<'a> {
    pub(crate) fn of(id: VarId, fact: &'a VarFact, place: Place) -> Var<'a> {
        Var {
            id,
            name: &fact.name,
            name_range: place.range(fact.name_range),
            range: place.range(fact.range),
            kind: fact.kind,
            struct_info: &fact.struct_info,
            function: fact.function,
            in_dataflow: fact.in_dataflow,
            annotated: fact.annotated,
            value: fact.value.map(|value| place.expr(value)),
            contradicted: fact.contradicted,
            is_dataflow: fact.in_dataflow && fact.kind != VarKind::Param,
            used: false,
        }
    }
}

/// A mention of a shape variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymMention {
    pub sym: SymId,
    pub range: TextRange,
    pub binds: bool,
    pub declares: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SymVarFact {
    pub var: SymVar,
    /// The index into [`Facts::functions`].
    pub function: usize,
    /// The name in a declaration `n = T.int64()` or `def f[n]`.
    pub declared_at: Option<TextRange>,
    /// Where it is bound: a dimension of a parameter, a match_cast, a declaration.
    pub bound_at: Option<TextRange>,
    pub mentions: Vec<TextRange>,
}

/// What a name refers to.
#[derive(Clone, Debug, PartialEq)]
pub enum Def {
    Var(VarId),
    Sym(SymId),
    /// A function of the module.
    Global(SmolStr),
    Op(OpRef),
    /// A name of the Python code around the function.
    Python(SmolStr),
}

/// A row of the operator table, compared by name.
#[derive(Clone, Copy, Debug)]
pub struct OpRef(pub &'static OpDef);

impl PartialEq for OpRef {
    fn eq(&self, other: &OpRef) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

/// A call of an operator, with its operands by parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFact {
    pub op: OpRef,
    /// One entry for each parameter of the row.
    pub args: Vec<ArgFact>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum ArgFact {
    #[default]
    Absent,
    One(ExprId),
    /// The operands of a starred parameter.
    Many(Vec<ExprId>),
}

impl ArgFact {
    /// Returns the operands.
    pub fn exprs(&self) -> &[ExprId] {
        match self {
            ArgFact::Absent => &[],
            ArgFact::One(expr) => std::slice::from_ref(expr),
            ArgFact::Many(exprs) => exprs,
        }
    }
}

impl Facts {
    /// Returns the body that the facts belong to.
    pub(crate) fn body(&self) -> Option<&Body> {
        self.world.as_ref().map(|world| &*world.body)
    }

    /// Returns a variable of these facts.
    ///
    /// # Panics
    /// If the id belongs to other facts.
    pub fn var(&self, id: VarId) -> Var<'_> {
        let found = self.history.row(id).and_then(|row| self.find_row(row));
        let (piece, row) = found.expect("the variable is one of this function");
        self.row(piece, row)
    }

    /// Returns the indices of the pieces that mention or bind a name.
    pub(crate) fn pieces_naming(&self, names: &Names, name: &str) -> impl Iterator<Item = usize> {
        let readers = self.readers.get_or_init(|| Readers::of(&self.pieces));
        let id = names.id_of(name);
        let pieces = id.map_or(&[][..], |id| readers.of_name(id));
        pieces.iter().filter_map(|it| self.history.position(*it))
    }

    /// Returns the variables of the piece at an index.
    pub(crate) fn vars_of_piece(&self, at: usize) -> impl Iterator<Item = Var<'_>> {
        self.vars_of(std::iter::once(at))
    }

    /// Returns the index of the row's piece, and the row in it.
    fn find_row(&self, row: Row) -> Option<(usize, u32)> {
        Some((self.history.position(row.piece)?, row.at))
    }

    /// Returns the variable of a row in the piece at an index.
    fn row(&self, at: usize, row: u32) -> Var<'_> {
        let piece = &self.pieces[at];
        let id = piece.var_ids[row as usize];
        let mut var = Var::of(id, &piece.vars[row as usize], self.places[at]);
        if var.is_dataflow && self.promoted.contains(&id) {
            var.is_dataflow = false;
            if var.kind == VarKind::Dataflow {
                var.kind = VarKind::Var;
            }
        }
        var.used = self.counts.is_used(id) || piece.uses_own(row);
        var
    }

    /// Returns the variables in the order of binding.
    pub fn vars(&self) -> impl Iterator<Item = Var<'_>> {
        self.vars_of(0..self.pieces.len())
    }

    /// Returns the variables of the pieces around a range, in order: all in the range, and possibly others.
    pub fn vars_around(&self, range: TextRange) -> impl Iterator<Item = Var<'_>> {
        self.vars_of(self.pieces_around(range))
    }

    fn pieces_around(&self, range: TextRange) -> Range<usize> {
        let places = &self.places;
        let first = places.partition_point(|place| place.offset <= range.start());
        let end = places.partition_point(|place| place.offset <= range.end());
        first.saturating_sub(1)..end
    }

    /// Returns the ranges of the function that contain all mentions of a variable.
    pub fn parts_naming(&self, var: VarId) -> Vec<TextRange> {
        let Some(world) = &self.world else {
            return Vec::new();
        };
        let bound = self.history.row(var).and_then(|row| self.find_row(row));
        let Some((first, row)) = bound else {
            return Vec::new();
        };
        let id = world
            .names()
            .id_of(&self.pieces[first].vars[row as usize].name);
        let names =
            |piece: &PieceFacts| id.is_some_and(|id| piece.touched.binary_search(&id).is_ok());
        // There are no mentions before the part that binds it. A local function has its own names.
        let pieces = self.pieces.iter().zip(world.body.pieces());
        let pieces = pieces.enumerate().skip(first);
        pieces
            .filter(|(at, (facts, _))| *at == first || names(facts))
            .map(|(_, (_, (piece, place)))| TextRange::at(place.offset, piece.text_len()))
            .collect()
    }

    fn vars_of(&self, pieces: impl Iterator<Item = usize>) -> impl Iterator<Item = Var<'_>> {
        pieces.flat_map(move |piece| {
            let rows = 0..self.pieces[piece].vars.len() as u32;
            rows.map(move |row| self.row(piece, row))
        })
    }

    /// Returns the variable whose binding has its name at `range`.
    pub fn var_named_at(&self, range: TextRange) -> Option<Var<'_>> {
        self.vars_named_at(range).next()
    }

    /// Returns the variables whose binding has its name at `range`. If both branches of an `if` bind it, the joined
    /// variable comes last.
    pub fn vars_named_at(&self, range: TextRange) -> impl Iterator<Item = Var<'_>> {
        self.vars_named(range, move |name| name == range)
    }

    /// Returns the variables whose names touch a range.
    pub fn vars_named_in(&self, range: TextRange) -> impl Iterator<Item = Var<'_>> {
        self.vars_named(range, move |name| name.intersect(range).is_some())
    }

    fn vars_named(
        &self,
        around: TextRange,
        is_wanted: impl Fn(TextRange) -> bool + Copy,
    ) -> impl Iterator<Item = Var<'_>> {
        self.pieces_around(around).flat_map(move |at| {
            let place = self.places[at];
            let rows = (0..).zip(self.pieces[at].vars.iter());
            let named = rows.filter(move |(_, var)| is_wanted(place.range(var.name_range)));
            named.map(move |(row, _)| self.row(at, row))
        })
    }

    pub fn sym(&self, id: SymId) -> SymVarFact {
        let (function, name) = self
            .world
            .as_ref()
            .and_then(|world| world.names().sym_name(id))
            .unwrap_or_default();
        let mut fact = SymVarFact {
            var: SymVar { name, id: function },
            function: function as usize,
            declared_at: None,
            bound_at: None,
            mentions: Vec::new(),
        };
        for (piece, place) in self.pieces.iter().zip(&self.places) {
            if let Some(part) = piece.syms.iter().find(|part| part.sym == id) {
                let range = |range: TextRange| place.range(range);
                fact.declared_at = fact.declared_at.or(part.declared_at.map(range));
                fact.bound_at = fact.bound_at.or(part.bound_at.map(range));
                fact.mentions
                    .extend(part.mentions.iter().copied().map(range));
            }
        }
        fact
    }

    /// Returns the mentions of shape variables in the pieces around a range: all in the range, and possibly others.
    pub fn sym_mentions_around(&self, range: TextRange) -> impl Iterator<Item = SymMention> {
        let first = self
            .places
            .partition_point(|place| place.offset <= range.start());
        let end = self
            .places
            .partition_point(|place| place.offset <= range.end());
        let pieces = first.saturating_sub(1)..end;
        pieces.flat_map(move |at| {
            let place = self.places[at];
            self.pieces[at].syms.iter().flat_map(move |part| {
                let mentions = part.mentions.iter();
                mentions.map(move |&range| SymMention {
                    sym: part.sym,
                    range: place.range(range),
                    binds: part.bound_at == Some(range),
                    declares: part.declared_at == Some(range),
                })
            })
        })
    }

    /// Returns a shape variable with its name.
    pub fn sym_var(&self, id: SymId) -> SymVar {
        let named = self.world.as_ref().and_then(|it| it.names().sym_name(id));
        let (function, name) = named.unwrap_or_default();
        SymVar { name, id: function }
    }

    /// Returns where a shape variable is first bound.
    pub fn sym_bound_at(&self, id: SymId) -> Option<TextRange> {
        let mut pieces = self.pieces.iter().zip(&self.places);
        pieces.find_map(|(piece, place)| {
            let part = piece.syms.iter().find(|part| part.sym == id)?;
            part.bound_at.map(|range| place.range(range))
        })
    }

    /// Returns the names of the shape variables, the oldest first. Cheaper than computing their facts.
    pub fn sym_vars(&self) -> impl Iterator<Item = SymVar> {
        let named = self
            .world
            .as_ref()
            .map(|world| world.names().syms().to_vec());
        let named = named.unwrap_or_default().into_iter().zip(0..);
        // There may be names of earlier versions.
        let is_here = |id| {
            let names = |piece: &Arc<PieceFacts>| piece.syms.iter().any(|part| part.sym == id);
            self.pieces.iter().any(names)
        };
        named
            .filter(move |(_, id)| is_here(SymId(*id)))
            .map(|((function, name), _)| SymVar { name, id: function })
    }

    /// Returns `true` if a statement or a type parameter declares a shape variable.
    pub fn declares(&self, id: SymId) -> bool {
        let declares = |part: &pieces::SymPart| part.sym == id && part.declared_at.is_some();
        let mut notable = self.notable();
        notable.any(|at| self.pieces[at].syms.iter().any(declares))
    }

    /// Returns the shape variables in the order of their first mention.
    pub fn syms(&self) -> impl Iterator<Item = (SymId, SymVarFact)> {
        let mut seen = FxHashSet::default();
        let parts = self.pieces.iter().flat_map(|piece| piece.syms.iter());
        parts
            .filter(move |part| seen.insert(part.sym))
            .map(|part| (part.sym, self.sym(part.sym)))
    }

    /// Returns the names of the shape variables that the function declares: `n = T.int64()`.
    pub fn declared_syms(&self) -> impl Iterator<Item = SmolStr> {
        let parts = self.pieces.iter().flat_map(|piece| piece.syms.iter());
        let declared = parts.filter(|part| part.declared_at.is_some());
        declared.filter_map(|part| Some(self.world.as_ref()?.names().sym_name(part.sym)?.1))
    }

    pub fn sym_id(&self, var: &SymVar) -> Option<SymId> {
        let id = self.world.as_ref()?.names().sym(var.id, &var.name);
        let known = |piece: &Arc<PieceFacts>| piece.syms.iter().any(|part| part.sym == id);
        self.pieces.iter().any(known).then_some(id)
    }

    pub fn sym_of(&self, var: &SymVar) -> Option<SymVarFact> {
        self.sym_id(var).map(|id| self.sym(id))
    }

    /// Returns the shape variable that `range` binds or mentions.
    pub fn sym_named_at(&self, range: TextRange) -> Option<SymId> {
        self.pieces
            .iter()
            .zip(&self.places)
            .filter(|(_, place)| place.offset <= range.start())
            .flat_map(|(piece, place)| piece.syms.iter().map(move |part| (part, place)))
            .find(|(part, place)| {
                let range = place.relative(range);
                part.bound_at == Some(range) || part.mentions.contains(&range)
            })
            .map(|(part, _)| part.sym)
    }

    /// Returns the variable that a name stands for after all `if`s whose branches end with its binding.
    pub fn joined(&self, var: VarId) -> VarId {
        let mut var = var;
        for join in &self.joins {
            if join.branches.contains(&var) {
                var = join.after;
            }
        }
        var
    }

    /// Returns calls of module functions whose arguments have errors: the callee and its range.
    pub fn refused(&self) -> impl Iterator<Item = (&SmolStr, TextRange)> {
        let pieces = self.pieces.iter().zip(&self.places);
        pieces.flat_map(|(piece, place)| {
            let refused = piece.refused.iter();
            refused.map(|(name, at)| (name, place.range(*at)))
        })
    }

    /// Returns the names of module functions in the function, in reading order.
    pub fn globals(&self) -> impl Iterator<Item = (&SmolStr, TextRange)> {
        let pieces = self.pieces.iter().zip(&self.places);
        pieces.flat_map(|(piece, place)| {
            let globals = piece.globals.iter();
            globals.map(|(name, at)| (name, place.range(*at)))
        })
    }

    /// Returns the indices of the pieces that do more than bind and use variables, in order.
    pub(crate) fn notable(&self) -> impl Iterator<Item = usize> {
        let notable = self.counts.notable().iter();
        notable.filter_map(|piece| self.history.position(*piece))
    }

    /// Returns the innermost function at a range.
    pub fn function_at(&self, range: TextRange) -> usize {
        self.functions
            .iter()
            .rposition(|f| f.range.contains_range(range))
            .unwrap_or(0)
    }
}
