//! What inference concludes about one function: the StructInfo of every variable and expression,
//! what names stand for, and what is wrong. Positions are relative to the function's start.

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

/// A Relax variable of a function; the same one in the versions before and after an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// A shape variable of a function; the same one in the versions before and after an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymId(pub u32);

/// What is concluded of one function and the functions inside it.
#[derive(Debug, Default)]
pub struct Facts {
    /// The function itself first, then the functions inside it in order.
    pub functions: Vec<FunctionFact>,
    /// The variables that the branches of an `if` bind under one name.
    pub joins: Vec<Join>,
    pub diagnostics: Vec<Diagnostic>,
    pub(crate) pieces: Vec<Arc<PieceFacts>>,
    pub(crate) places: Vec<Place>,
    pub(crate) history: History,
    pub(crate) counts: Counts,
    /// Made when an edit asks first.
    pub(crate) readers: OnceLock<Readers>,
    pub(crate) promoted: FxHashSet<VarId>,
    /// What the expressions are of some pieces, by their positions: of those that the last edit was in, or of all.
    pub(crate) fresh: Vec<(usize, Arc<Sheet>)>,
    /// What else is needed to infer what expressions are.
    pub(crate) world: Option<Arc<World>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionFact {
    /// `outer.inner` for a function inside another.
    pub name: SmolStr,
    pub name_range: TextRange,
    pub range: TextRange,
    pub parent: Option<usize>,
    pub params: Vec<VarId>,
    /// The annotation of a parameter is missing, reported or Python's: any shape variable may be bound by it.
    pub has_unclear_params: bool,
    pub ret: StructInfo,
    /// The annotation after `->`, if there is one.
    pub annotated_ret: Option<StructInfo>,
    pub pure: bool,
    pub private: bool,
}

impl FunctionFact {
    /// Whether another that is equal also reads the same.
    pub(crate) fn is_written_like(&self, other: &FunctionFact) -> bool {
        let annotations = self
            .annotated_ret
            .as_ref()
            .zip(other.annotated_ret.as_ref());
        self.ret.is_written_like(&other.ret)
            && annotations.is_none_or(|(a, b)| a.is_written_like(b))
    }

    /// The function as a value.
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
    /// Bound in a binding block, or an output of a dataflow block.
    Var,
    Dataflow,
    MatchCast,
    /// A function inside the function.
    Function,
}

#[derive(Clone, Debug, PartialEq)]
pub struct VarFact {
    pub name: SmolStr,
    pub name_range: TextRange,
    /// The statement that binds it; for a parameter its name.
    pub range: TextRange,
    pub kind: VarKind,
    /// Shared with the others that are the same: a printed model has few kinds of tensors.
    pub struct_info: Arc<AsWritten>,
    /// Into [`Facts::functions`].
    pub function: usize,
    pub in_dataflow: bool,
    /// Whether the source annotates it.
    pub annotated: bool,
    pub value: Option<ExprId>,
    /// Of `d = R.dtype("float32")`, which stays a dtype.
    pub dtype: Option<Box<SmolStr>>,
    /// Its annotation is reported to contradict its value: who uses it knows neither.
    pub contradicted: bool,
}

/// A variable as the facts show it.
#[derive(Clone, Copy, Debug)]
pub struct Var<'a> {
    pub id: VarId,
    pub name: &'a SmolStr,
    pub name_range: TextRange,
    /// The statement that binds it; for a parameter its name.
    pub range: TextRange,
    pub kind: VarKind,
    pub struct_info: &'a StructInfo,
    /// Into [`Facts::functions`].
    pub function: usize,
    pub in_dataflow: bool,
    /// Whether the source annotates it.
    pub annotated: bool,
    pub value: Option<ExprId>,
    pub contradicted: bool,
    /// Not known behind the dataflow block that binds it.
    pub is_dataflow: bool,
    pub used: bool,
}

/// An `if` whose branches end by binding one name: after it the name is a third variable.
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

/// A place that names a shape variable.
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
    /// Into [`Facts::functions`].
    pub function: usize,
    /// The name that `n = T.int64()` or `def f[n]` declares.
    pub declared_at: Option<TextRange>,
    /// Where it is bound: a dimension of a parameter, a match_cast, a declaration.
    pub bound_at: Option<TextRange>,
    pub mentions: Vec<TextRange>,
}

/// What a name stands for.
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

/// A call of an operator with its operands sorted by parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFact {
    pub op: OpRef,
    /// One for each parameter of the row.
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
    /// The operands.
    pub fn exprs(&self) -> &[ExprId] {
        match self {
            ArgFact::Absent => &[],
            ArgFact::One(expr) => std::slice::from_ref(expr),
            ArgFact::Many(exprs) => exprs,
        }
    }
}

impl Facts {
    /// The body that they are of.
    pub(crate) fn body(&self) -> Option<&Body> {
        self.world.as_ref().map(|world| &*world.body)
    }

    /// A variable of these facts.
    ///
    /// # Panics
    /// If it is a variable of other facts.
    pub fn var(&self, id: VarId) -> Var<'_> {
        let found = self.history.row(id).and_then(|row| self.find_row(row));
        let (piece, row) = found.expect("the variable is one of this function");
        self.row(piece, row)
    }

    /// The positions of the pieces that name or bind a name.
    pub(crate) fn pieces_naming(&self, names: &Names, name: &str) -> impl Iterator<Item = usize> {
        let readers = self.readers.get_or_init(|| Readers::of(&self.pieces));
        let id = names.known(name);
        let pieces = id.map_or(&[][..], |id| readers.of_name(id));
        pieces.iter().filter_map(|it| self.history.position(*it))
    }

    /// The variables of the piece at a position.
    pub(crate) fn vars_of_piece(&self, at: usize) -> impl Iterator<Item = Var<'_>> {
        self.vars_of(std::iter::once(at))
    }

    /// The position of the row's piece, and the row in it.
    fn find_row(&self, row: Row) -> Option<(usize, u32)> {
        Some((self.history.position(row.piece)?, row.at))
    }

    /// The variable of a row of the piece at a position.
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

    /// The variables in order of binding.
    pub fn vars(&self) -> impl Iterator<Item = Var<'_>> {
        self.vars_of(0..self.pieces.len())
    }

    /// The variables bound by the pieces around a range, in order: all in the range, and some more.
    pub fn vars_around(&self, range: TextRange) -> impl Iterator<Item = Var<'_>> {
        self.vars_of(self.pieces_around(range))
    }

    fn pieces_around(&self, range: TextRange) -> Range<usize> {
        let places = &self.places;
        let first = places.partition_point(|place| place.offset <= range.start());
        let end = places.partition_point(|place| place.offset <= range.end());
        first.saturating_sub(1)..end
    }

    /// The parts of the function in which places that name a variable are, all of them.
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
            .known(&self.pieces[first].vars[row as usize].name);
        let names =
            |piece: &PieceFacts| id.is_some_and(|id| piece.touched.binary_search(&id).is_ok());
        // Nothing names it before the part that binds it, where a function inside the function has names of its own.
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

    /// The variable whose name in its binding stands at `range`.
    pub fn var_named_at(&self, range: TextRange) -> Option<Var<'_>> {
        self.vars_named_at(range).next()
    }

    /// The variables whose name in their binding stands at `range`: of an `if` that binds one in both branches, the
    /// whole's last.
    pub fn vars_named_at(&self, range: TextRange) -> impl Iterator<Item = Var<'_>> {
        self.pieces_around(range).flat_map(move |at| {
            let place = self.places[at];
            let rows = (0..).zip(self.pieces[at].vars.iter());
            let named = rows.filter(move |(_, var)| place.range(var.name_range) == range);
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

    /// Where the pieces around a range name shape variables: all places in the range, and some more.
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

    /// A shape variable by its name.
    pub fn sym_var(&self, id: SymId) -> SymVar {
        let named = self.world.as_ref().and_then(|it| it.names().sym_name(id));
        let (function, name) = named.unwrap_or_default();
        SymVar { name, id: function }
    }

    /// Where a shape variable is bound first.
    pub fn sym_bound_at(&self, id: SymId) -> Option<TextRange> {
        let mut pieces = self.pieces.iter().zip(&self.places);
        pieces.find_map(|(piece, place)| {
            let part = piece.syms.iter().find(|part| part.sym == id)?;
            part.bound_at.map(|range| place.range(range))
        })
    }

    /// The names of the shape variables, the oldest first. Costs less than all that is known of them.
    pub fn sym_vars(&self) -> impl Iterator<Item = SymVar> {
        let named = self
            .world
            .as_ref()
            .map(|world| world.names().syms().to_vec());
        let named = named.unwrap_or_default().into_iter().zip(0..);
        // Names may be left over from the versions before.
        let is_here = |id| {
            let names = |piece: &Arc<PieceFacts>| piece.syms.iter().any(|part| part.sym == id);
            self.pieces.iter().any(names)
        };
        named
            .filter(move |(_, id)| is_here(SymId(*id)))
            .map(|((function, name), _)| SymVar { name, id: function })
    }

    /// Whether a statement or a parameter of types declares a shape variable.
    pub fn declares(&self, id: SymId) -> bool {
        let declares = |part: &pieces::SymPart| part.sym == id && part.declared_at.is_some();
        let mut notable = self.notable();
        notable.any(|at| self.pieces[at].syms.iter().any(declares))
    }

    /// The shape variables, in order of first mention.
    pub fn syms(&self) -> impl Iterator<Item = (SymId, SymVarFact)> {
        let mut seen = FxHashSet::default();
        let parts = self.pieces.iter().flat_map(|piece| piece.syms.iter());
        parts
            .filter(move |part| seen.insert(part.sym))
            .map(|part| (part.sym, self.sym(part.sym)))
    }

    pub fn sym_id(&self, var: &SymVar) -> Option<SymId> {
        let id = self.world.as_ref()?.names().sym(var.id, &var.name);
        let known = |piece: &Arc<PieceFacts>| piece.syms.iter().any(|part| part.sym == id);
        self.pieces.iter().any(known).then_some(id)
    }

    pub fn sym_of(&self, var: &SymVar) -> Option<SymVarFact> {
        self.sym_id(var).map(|id| self.sym(id))
    }

    /// The shape variable that `range` binds or mentions.
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

    /// The variable that a name stands for after every `if` that a branch's binding of it ends.
    pub fn joined(&self, var: VarId) -> VarId {
        let mut var = var;
        for join in &self.joins {
            if join.branches.contains(&var) {
                var = join.after;
            }
        }
        var
    }

    /// Calls of functions of the module whose arguments are reported: the callee, and where it stands.
    pub fn refused(&self) -> impl Iterator<Item = (&SmolStr, TextRange)> {
        let pieces = self.pieces.iter().zip(&self.places);
        pieces.flat_map(|(piece, place)| {
            let refused = piece.refused.iter();
            refused.map(|(name, at)| (name, place.range(*at)))
        })
    }

    /// Where the function names functions of the module, in order of reading.
    pub fn globals(&self) -> impl Iterator<Item = (&SmolStr, TextRange)> {
        let pieces = self.pieces.iter().zip(&self.places);
        pieces.flat_map(|(piece, place)| {
            let globals = piece.globals.iter();
            globals.map(|(name, at)| (name, place.range(*at)))
        })
    }

    /// The positions of the pieces that say more than what they bind and use, in order.
    pub(crate) fn notable(&self) -> impl Iterator<Item = usize> {
        let notable = self.counts.notable().iter();
        notable.filter_map(|piece| self.history.position(*piece))
    }

    /// The innermost function at an offset.
    pub fn function_at(&self, range: TextRange) -> usize {
        self.functions
            .iter()
            .rposition(|f| f.range.contains_range(range))
            .unwrap_or(0)
    }
}
