//! A Relay module as plain data: definitions, expressions and written types, with ranges.
//!
//! Names are kept as in the text; `names` resolves them. Expressions lie in arrays and a run of bindings is one
//! list, so that a chain of 100,000 bindings is flat to build, to walk and to drop. The module uses no types of values.

mod pieces;

use std::ops::Index;
use std::sync::Arc;

use smol_str::SmolStr;
use syntax::relay::pieces::Pieces;
use text_size::{TextRange, TextSize};

use crate::metadata::{MetaRef, Metadata};
pub use pieces::{ExprId, InPiece, LocalId, PieceId, TypeId};
pub(super) use pieces::{Piece, PieceBuilder, PieceRole};

/// A file, or a text that a Python program parses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// The definitions in the order of the text.
    pub definitions: Vec<Definition>,
    /// The metadata that follows `#[metadata]`.
    pub metadata: Arc<Metadata>,
}

/// One definition. The ranges of its body are relative to `start`, so that an edit above it changes `start` alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub start: TextSize,
    pub body: Arc<Body>,
}

/// A definition in pieces. An edit makes new pieces of the statements that it touches, and shares the others.
#[derive(Clone, Debug)]
pub struct Body {
    pub item: Arc<Item>,
    /// The pieces by number.
    pub(super) pieces: Vec<Option<Arc<Piece>>>,
    /// Where each piece starts, relative to the definition.
    pub(super) starts: Vec<TextSize>,
    /// The statements in order, then the value.
    pub(super) order: Vec<PieceId>,
    /// The syntax of the pieces, for the alignment of the next version.
    pub(super) syntax: Pieces,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `def @main(...) { ... }`.
    Function { name: Name, function: Function },
    /// `type List[A] { ... }`, `extern type File`.
    Type(TypeDef),
    /// A text that consists of one expression.
    Expr(ExprId),
    /// A definition with too many syntax errors to be read.
    Missing,
}

/// A name and its place in its piece, without its sigil. The range includes the sigil. The text is empty if the name is
/// missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: SmolStr,
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub type_params: Box<[Name]>,
    pub params: Box<[LocalId]>,
    pub ret: Option<TypeId>,
    /// The attributes after the parameters: `Primitive=1`.
    pub attrs: Box<[Attribute]>,
    pub body: ExprId,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeDef {
    pub name: Name,
    pub is_extern: bool,
    pub params: Box<[Name]>,
    pub constructors: Box<[Constructor]>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Constructor {
    pub name: Name,
    pub fields: Box<[TypeId]>,
}

/// A place that binds a `%` name.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    pub name: Name,
    pub kind: LocalKind,
    pub annotation: Option<TypeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    Param,
    Let,
    /// `%0 = ...;`: a shared expression, evaluated once.
    Graph,
    Pattern,
    /// `free_var %x: Tensor[...];`.
    Free,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// The expression is missing.
    Missing,
    /// `%x` or `%0`.
    Local(SmolStr),
    /// `@main`.
    Global(SmolStr),
    /// A name without a sigil: an operator (`nn.dense`) or a constructor (`Cons`).
    Name(SmolStr),
    Constant(Constant),
    Meta(MetaRef),
    Tuple(Box<[ExprId]>),
    /// `%x.0`. The index is `None` if it is missing or too large.
    Projection {
        tuple: ExprId,
        index: Option<u32>,
    },
    /// A call. `a + b` is a call of the operator `add`, whose range is that of the sign.
    Call {
        callee: ExprId,
        args: Box<[ExprId]>,
        attrs: Box<[Attribute]>,
    },
    /// Bindings and the value after them. Also `{ value }`, which is a scope.
    Block {
        statements: Box<[Statement]>,
        value: ExprId,
    },
    Function(Box<Function>),
    If {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    Match {
        value: ExprId,
        arms: Box<[Arm]>,
        /// Whether it is `match`, which must be exhaustive, rather than `match?`.
        is_total: bool,
    },
    RefCreate(ExprId),
    RefRead(ExprId),
    RefWrite {
        reference: ExprId,
        value: ExprId,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statement {
    /// `let %x = value;` or `%0 = value;`; the kind of the local tells which.
    Binding { local: LocalId, value: ExprId },
    /// `free_var %x;`.
    Free(LocalId),
    /// `value;`, evaluated for its effect.
    Effect(ExprId),
}

/// A number as the text spells it: `1` is `int32`, `1f` and `1.5` are `float32`, `True` is `bool`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub value: Scalar,
    /// The dtype that the spelling means (`2i64`, `1.5f64`).
    pub dtype: SmolStr,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Int(i64),
    Float(f64),
    Bool(bool),
}

/// `axis=-1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    pub name: Name,
    pub value: AttrValue,
    pub range: TextRange,
}

/// Nested only as deep as the parser allows.
#[derive(Clone, Debug, PartialEq)]
pub enum AttrValue {
    /// The value is missing, or cannot be the value of an attribute.
    Missing,
    Scalar(Scalar),
    Str(SmolStr),
    /// `None`, `nullptr`.
    None,
    List(Box<[AttrValue]>),
    Meta(MetaRef),
    /// Any other expression.
    Expr(ExprId),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    pub pattern: Pattern,
    pub body: ExprId,
}

/// Nested only as deep as the parser allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub kind: PatternKind,
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    Missing,
    /// `_`.
    Wildcard,
    Local(LocalId),
    Constructor {
        name: Name,
        fields: Box<[Pattern]>,
    },
    Tuple(Box<[Pattern]>),
}

/// A type in the text.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeExpr {
    Missing,
    /// `_`.
    Inferred,
    /// `Tensor[(1, ?), float32]`.
    Tensor {
        shape: Box<[Dim]>,
        dtype: Name,
    },
    /// A scalar, an ADT or a type parameter: `float32`, `List[A]`, `A`.
    Named {
        name: Name,
        args: Box<[TypeId]>,
    },
    Tuple(Box<[TypeId]>),
    /// `fn (A) -> B`, possibly with type parameters.
    Function {
        type_params: Box<[Name]>,
        params: Box<[TypeId]>,
        ret: TypeId,
    },
    /// `ref(A)`.
    Ref(TypeId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dim {
    Int(i64),
    /// `?`.
    Any,
    Meta(MetaRef),
    /// Anything else.
    Missing,
}

impl Module {
    /// Returns whether the text refers to metadata that it lacks. Python passes the parser that metadata, and may pass
    /// it functions too.
    pub fn is_excerpt(&self) -> bool {
        !self.metadata.is_read() && self.bodies().any(Body::names_metadata)
    }

    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.definitions.iter().map(|it| &*it.body)
    }
}

impl Body {
    /// Returns the body without statements and value: the part that signatures depend on.
    #[must_use]
    pub fn header(&self) -> Body {
        Body {
            item: Arc::clone(&self.item),
            pieces: vec![self.pieces[PieceId::HEADER.index()].clone()],
            starts: vec![TextSize::new(0)],
            order: Vec::new(),
            syntax: Pieces {
                is_definition: self.syntax.is_definition,
                header: self.syntax.header.clone(),
                block: None,
                body: Vec::new(),
            },
        }
    }

    /// Returns whether a value of the definition is in the metadata.
    pub fn names_metadata(&self) -> bool {
        self.pieces().any(|it| it.1.names_metadata)
    }

    pub fn range(&self, expr: ExprId) -> TextRange {
        let range = self.piece(expr.piece).exprs[expr.index as usize].1;
        self.range_in(expr, range)
    }

    pub fn type_range(&self, ty: TypeId) -> TextRange {
        let range = self.piece(ty.piece).types[ty.index as usize].1;
        self.range_in(ty, range)
    }

    /// Returns the range of the name that a local is bound by.
    pub fn name_range(&self, local: LocalId) -> TextRange {
        self.range_in(local, self[local].name.range)
    }

    /// Converts a range that an expression, a type or a local contains, which is relative to its piece.
    pub fn range_in(&self, part: impl InPiece, range: TextRange) -> TextRange {
        range + self.starts[part.piece().index()]
    }

    /// Returns all expressions, of one statement after the other.
    pub fn exprs(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.pieces().flat_map(|(piece, it)| {
            let indexed = (0..).zip(&it.exprs);
            indexed.map(move |(index, it)| (ExprId { piece, index }, &it.0))
        })
    }

    pub fn locals(&self) -> impl Iterator<Item = (LocalId, &Local)> {
        self.pieces().flat_map(|(piece, it)| {
            let indexed = (0..).zip(&it.locals);
            indexed.map(move |(index, it)| (LocalId { piece, index }, it))
        })
    }

    pub fn types(&self) -> impl Iterator<Item = (TypeId, &TypeExpr)> {
        self.pieces().flat_map(|(piece, it)| {
            let indexed = (0..).zip(&it.types);
            indexed.map(move |(index, it)| (TypeId { piece, index }, &it.0))
        })
    }

    /// Returns the pieces in the order of inference: the header, the statements, the value, the block around them.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (PieceId, &Piece)> {
        let ids = std::iter::once(PieceId::HEADER).chain(self.order.iter().copied());
        let ids = ids.chain([PieceId::BLOCK]);
        ids.filter_map(|it| Some((it, &**self.pieces.get(it.index())?.as_ref()?)))
    }

    pub(super) fn piece(&self, id: PieceId) -> &Piece {
        let piece = self.pieces[id.index()].as_ref();
        piece.expect("ids are of pieces of their body")
    }

    /// Returns whether a piece is shared with another version of the body.
    pub(super) fn shares(&self, id: PieceId, other: &Body) -> bool {
        let of = |body: &Body| body.pieces.get(id.index())?.as_ref().map(Arc::as_ptr);
        of(self).is_some() && of(self) == of(other)
    }
}

/// Shared pieces are not compared.
impl PartialEq for Body {
    fn eq(&self, other: &Body) -> bool {
        let are_same = |it: (&Option<Arc<Piece>>, &Option<Arc<Piece>>)| match it {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other) || one == other,
            (one, other) => one.is_none() && other.is_none(),
        };
        (Arc::ptr_eq(&self.item, &other.item) || self.item == other.item)
            && self.order == other.order
            && self.starts == other.starts
            && self.pieces.len() == other.pieces.len()
            && self.pieces.iter().zip(&other.pieces).all(are_same)
    }
}

impl Index<ExprId> for Body {
    type Output = Expr;
    fn index(&self, at: ExprId) -> &Expr {
        &self.piece(at.piece).exprs[at.index as usize].0
    }
}

impl Index<TypeId> for Body {
    type Output = TypeExpr;
    fn index(&self, at: TypeId) -> &TypeExpr {
        &self.piece(at.piece).types[at.index as usize].0
    }
}

impl Index<LocalId> for Body {
    type Output = Local;
    fn index(&self, at: LocalId) -> &Local {
        &self.piece(at.piece).locals[at.index as usize]
    }
}

impl Local {
    /// Returns whether the name is a number, as the names of graph bindings are.
    pub fn is_graph_name(name: &str) -> bool {
        !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit())
    }
}
