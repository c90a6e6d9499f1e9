//! A Relay module as plain data: definitions, expressions and written types, with ranges.
//!
//! Names are kept as in the text; `names` resolves them. Expressions lie in an arena and a run of bindings is one
//! list, so that a chain of 100,000 bindings is flat to build, to walk and to drop. The module uses no syntax tree and
//! no types of values.

use std::ops::Index;
use std::sync::Arc;

use la_arena::{Arena, ArenaMap, Idx};
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::metadata::Metadata;

pub type ExprId = Idx<Expr>;
pub type LocalId = Idx<Local>;
pub type TypeId = Idx<TypeExpr>;

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

/// A definition with the arenas that it points into.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub item: Item,
    exprs: Arena<Expr>,
    expr_ranges: ArenaMap<ExprId, TextRange>,
    types: Arena<TypeExpr>,
    type_ranges: ArenaMap<TypeId, TextRange>,
    locals: Arena<Local>,
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

/// A name and its place, without its sigil. The range includes the sigil. The text is empty if the name is missing.
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

#[derive(Clone, Debug, PartialEq)]
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

/// `meta[relay.Constant][0]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaRef {
    pub key: SmolStr,
    pub index: Option<u32>,
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
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.definitions.iter().map(|it| &*it.body)
    }
}

impl Body {
    pub fn new(builder: BodyBuilder, item: Item) -> Body {
        let BodyBuilder(mut body) = builder;
        body.item = item;
        body
    }

    pub fn range(&self, expr: ExprId) -> TextRange {
        self.expr_ranges[expr]
    }

    pub fn type_range(&self, ty: TypeId) -> TextRange {
        self.type_ranges[ty]
    }

    pub fn exprs(&self) -> impl ExactSizeIterator<Item = (ExprId, &Expr)> {
        self.exprs.iter()
    }

    pub fn locals(&self) -> impl ExactSizeIterator<Item = (LocalId, &Local)> {
        self.locals.iter()
    }

    pub fn types(&self) -> impl Iterator<Item = (TypeId, &TypeExpr)> {
        self.types.iter()
    }
}

impl Index<ExprId> for Body {
    type Output = Expr;
    fn index(&self, at: ExprId) -> &Expr {
        &self.exprs[at]
    }
}

impl Index<TypeId> for Body {
    type Output = TypeExpr;
    fn index(&self, at: TypeId) -> &TypeExpr {
        &self.types[at]
    }
}

impl Index<LocalId> for Body {
    type Output = Local;
    fn index(&self, at: LocalId) -> &Local {
        &self.locals[at]
    }
}

/// Builds a body from the leaves up.
#[derive(Debug)]
pub struct BodyBuilder(Body);

impl Default for BodyBuilder {
    fn default() -> BodyBuilder {
        BodyBuilder(Body {
            item: Item::Missing,
            exprs: Arena::default(),
            expr_ranges: ArenaMap::default(),
            types: Arena::default(),
            type_ranges: ArenaMap::default(),
            locals: Arena::default(),
        })
    }
}

impl BodyBuilder {
    pub fn expr(&mut self, expr: Expr, range: TextRange) -> ExprId {
        let id = self.0.exprs.alloc(expr);
        self.0.expr_ranges.insert(id, range);
        id
    }

    pub fn ty(&mut self, ty: TypeExpr, range: TextRange) -> TypeId {
        let id = self.0.types.alloc(ty);
        self.0.type_ranges.insert(id, range);
        id
    }

    pub fn local(&mut self, local: Local) -> LocalId {
        self.0.locals.alloc(local)
    }
}

impl Local {
    /// Returns whether the name is a number, as the names of graph bindings are.
    pub fn is_graph_name(name: &str) -> bool {
        !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit())
    }
}

#[cfg(test)]
mod tests;
