//! The results of inference as plain data: for one definition, and for a module.

use std::sync::{Arc, OnceLock, Weak};

use relax::Diagnostic;
use relax::relay::Type;
use smallvec::SmallVec;

use super::annotations::TypeArguments;
use super::body::{Body, ExprId, InPiece as _, LocalId, Module, Piece, PieceId};
use super::env::Env;
use super::infer::infer;
use super::infer::links::Links;
use super::infer::spares::Spares;
use super::names::Names;
use super::signatures::{Globals, InferredTypes, Signatures};

/// The results for one definition. Ranges are relative to its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The type of the function, or of the expression.
    pub ty: Option<Type>,
    pub diagnostics: Vec<Diagnostic>,
    pub(super) pieces: Vec<Option<PieceResult>>,
    pub(super) links: Links,
    pub(super) spares: Spares,
}

/// The facts of a piece, where some of its types may be unknown now.
#[derive(Clone, Debug)]
pub(super) struct PieceResult {
    pub facts: Arc<PieceFacts>,
    pub unknown: UnknownTypes,
}

/// The types of a piece that are unknown now, although its facts have a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct UnknownTypes {
    /// Bit `i`: the type of expression `i` is unknown.
    pub exprs: u64,
    /// The type of its only local is unknown. In a piece with several locals, this is never set.
    pub local: bool,
}

/// The results for one piece of a definition, by index.
#[derive(Clone, Debug, Default)]
pub(super) struct PieceFacts {
    pub exprs: Vec<Option<Type>>,
    pub locals: Vec<Option<Type>>,
    pub uses: Vec<Option<LocalId>>,
    pub values: Vec<Option<ExprId>>,
    pub names: Arc<Names>,
    /// The locals of the pieces before it that it refers to, and their types.
    pub outer: SmallVec<[OuterLocal; 4]>,
    pub outer_types: Vec<Option<Type>>,
    /// The locals whose values it asked for, besides their types.
    pub constants: Vec<LocalId>,
    /// The calls that have too few arguments.
    pub short_calls: Vec<ExprId>,
    /// Whether the results follow from the piece and what it looked up. Otherwise, types stayed open after the piece or
    /// before it, or it has a mistake, whose explanation may be about anything before it.
    pub is_settled: bool,
    /// Whether the types of it and of all pieces before it are known after it.
    pub ends_region: bool,
    pub diagnostics: Vec<Diagnostic>,
    /// Which of its types are unknown if locals that it refers to have no type: bit `i` of the number stands for local
    /// `i` of `outer`. Only the first such case is kept; most mistakes lead to the same one.
    pub without_types: OnceLock<(u64, UnknownTypes)>,
}

/// A local of another piece, and the facts that have its type. While they are the results of that piece, the type is the
/// same.
#[derive(Clone, Debug)]
pub(super) struct OuterLocal {
    pub local: LocalId,
    source: Weak<PieceFacts>,
}

impl OuterLocal {
    pub fn of(local: LocalId, result: Option<&PieceResult>) -> OuterLocal {
        let source = result.filter(|it| !it.hides(local.index as usize));
        OuterLocal {
            local,
            source: source.map_or_else(Weak::new, |it| Arc::downgrade(&it.facts)),
        }
    }

    /// Returns whether its type was one of these facts.
    pub fn is_from(&self, result: &PieceResult) -> bool {
        std::ptr::eq(self.source.as_ptr(), Arc::as_ptr(&result.facts))
    }
}

impl PieceFacts {
    pub fn new(piece: &Piece) -> PieceFacts {
        PieceFacts {
            exprs: vec![None; piece.exprs.len()],
            locals: vec![None; piece.locals.len()],
            uses: vec![None; piece.exprs.len()],
            values: vec![None; piece.locals.len()],
            ..PieceFacts::default()
        }
    }

    /// Returns whether the results follow from the types that it looked up alone.
    pub fn is_whole(&self) -> bool {
        self.is_settled && self.constants.is_empty()
    }
}

impl UnknownTypes {
    pub fn has_expr(self, index: usize) -> bool {
        index < 64 && self.exprs & 1 << index != 0
    }
}

impl PieceResult {
    fn expr(&self, index: usize) -> Option<&Type> {
        if self.unknown.has_expr(index) {
            return Some(&Type::Unknown);
        }
        self.facts.exprs[index].as_ref()
    }

    /// Returns whether the type of a local of this piece is unknown, although the facts may have one.
    pub fn hides(&self, local: usize) -> bool {
        self.unknown.local && local == 0
    }

    pub fn local(&self, index: usize) -> Option<&Type> {
        if self.hides(index) {
            return Some(&Type::Unknown);
        }
        self.facts.locals.get(index)?.as_ref()
    }
}

impl From<Arc<PieceFacts>> for PieceResult {
    fn from(facts: Arc<PieceFacts>) -> PieceResult {
        PieceResult {
            facts,
            unknown: UnknownTypes::default(),
        }
    }
}

impl PartialEq for PieceResult {
    /// Compares what the results say. The types that a piece looked up are those of other pieces.
    fn eq(&self, other: &PieceResult) -> bool {
        let (one, two) = (&*self.facts, &*other.facts);
        let exprs = one.exprs.len() == two.exprs.len()
            && (0..one.exprs.len()).all(|it| self.expr(it) == other.expr(it));
        let locals = one.locals.len() == two.locals.len()
            && (0..one.locals.len()).all(|it| self.local(it) == other.local(it));
        exprs
            && locals
            && one.uses == two.uses
            && one.values == two.values
            && one.names == two.names
            && one.constants == two.constants
            && one.short_calls == two.short_calls
            && one.is_settled == two.is_settled
            && one.ends_region == two.ends_region
            && one.diagnostics == two.diagnostics
    }
}

/// The results for a module, by definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModuleFacts {
    pub env: Arc<Env>,
    pub definitions: Vec<Arc<Facts>>,
}

impl Facts {
    /// Infers one definition in its module. `before` is another version of it, inferred in the same module.
    pub fn of(
        env: &Env,
        types: &InferredTypes,
        body: &Body,
        before: Option<(&Body, &Facts)>,
    ) -> Facts {
        infer(env, types, body, TypeArguments::default(), before)
    }

    pub fn expr(&self, id: ExprId) -> Option<&Type> {
        self.result(id.piece())?.expr(id.index as usize)
    }

    pub fn local(&self, id: LocalId) -> Option<&Type> {
        self.result(id.piece())?.local(id.index as usize)
    }

    /// Returns the local that a use of `%x` or `%0` refers to.
    pub fn use_of(&self, id: ExprId) -> Option<LocalId> {
        self.piece(id.piece())?.uses[id.index as usize]
    }

    /// Returns the value that a local is bound to.
    pub fn value(&self, id: LocalId) -> Option<ExprId> {
        self.piece(id.piece())?.values[id.index as usize]
    }

    /// Returns the number of pieces whose facts are not shared with another version.
    #[cfg(test)]
    pub fn pieces_not_in(&self, other: &Facts) -> usize {
        let shared = |it: &&PieceResult| {
            let others = other.pieces.iter().flatten();
            { others }.any(|other| Arc::ptr_eq(&it.facts, &other.facts))
        };
        self.pieces
            .iter()
            .flatten()
            .filter(|it| !shared(it))
            .count()
    }

    /// Returns the facts of a piece, which do not say which of its types are unknown now.
    pub(super) fn piece(&self, id: PieceId) -> Option<&PieceFacts> {
        Some(&*self.result(id)?.facts)
    }

    pub(super) fn result(&self, id: PieceId) -> Option<&PieceResult> {
        self.pieces.get(id.index())?.as_ref()
    }
}

impl ModuleFacts {
    /// Infers a module.
    pub fn of(module: &Module) -> ModuleFacts {
        let env = Env::of(module, module.is_excerpt());
        let globals: Vec<Globals> = module.bodies().map(Globals::of).collect();
        let infer = |at: usize, types: &InferredTypes| {
            let body = &module.definitions[at].body;
            Arc::new(Facts::of(&env, types, body, None))
        };
        let signatures = Signatures::infer(&env, |at| &globals[at], infer);
        let facts = |at| {
            let inferred = signatures.facts(at).cloned();
            inferred.unwrap_or_else(|| infer(at, &signatures.types_of(&globals[at])))
        };
        ModuleFacts {
            definitions: (0..module.definitions.len()).map(facts).collect(),
            env: Arc::new(signatures.completed(env.clone())),
        }
    }

    /// Returns every mistake with its place in the file.
    pub fn diagnostics(&self, module: &Module) -> Vec<Diagnostic> {
        let found = module.definitions.iter().enumerate();
        let found = found.flat_map(|(at, definition)| {
            let of_signature = self.env.diagnostics[at].iter();
            let all = self.definitions[at].diagnostics.iter().chain(of_signature);
            all.map(|it| it.moved(definition.start))
        });
        let mut found: Vec<Diagnostic> = found.collect();
        found.sort_by_key(|it| (it.range.start(), it.range.end()));
        found
    }
}
