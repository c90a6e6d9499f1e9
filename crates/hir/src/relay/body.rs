//! A Relay module as plain data: definitions, expressions and written types, with ranges.
//!
//! Names are kept as in the text; `names` resolves them. Expressions lie in arrays and a run of bindings is one
//! list, so that a chain of 100,000 bindings is flat to build, to walk and to drop. The module uses no types of values.

use std::ops::Index;
use std::sync::Arc;

use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::metadata::{MetaRef, Metadata};

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

/// A definition with everything in it. Ranges are relative to its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub item: Item,
    pub(super) exprs: Vec<(Expr, TextRange)>,
    pub(super) types: Vec<(TypeExpr, TextRange)>,
    pub(super) locals: Vec<Local>,
}

macro_rules! ids {
    ($($id:ident)*) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(u32);

        impl $id {
            /// Returns the id of what is added next to a list.
            pub(super) fn next<T>(list: &[T]) -> $id {
                $id(u32::try_from(list.len()).expect("fewer parts than bytes of a file"))
            }

            pub(super) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! { ExprId LocalId TypeId }

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

/// A name and its place, without its sigil. The range includes the sigil. The text is empty if the name is
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
    /// Returns whether a value of the definition is in the metadata.
    pub fn names_metadata(&self) -> bool {
        self.exprs.iter().any(|it| matches!(it.0, Expr::Meta(_)))
    }

    /// Returns the statements that are in no inner block.
    pub(super) fn statements(&self) -> &[Statement] {
        let root = match &self.item {
            Item::Function { function, .. } => function.body,
            Item::Expr(root) => *root,
            Item::Type(_) | Item::Missing => return &[],
        };
        match &self[root] {
            Expr::Block { statements, .. } => statements,
            _ => &[],
        }
    }

    pub fn range(&self, expr: ExprId) -> TextRange {
        self.exprs[expr.index()].1
    }

    pub fn type_range(&self, ty: TypeId) -> TextRange {
        self.types[ty.index()].1
    }

    /// Returns the range of the name that a local is bound by.
    pub fn name_range(&self, local: LocalId) -> TextRange {
        self[local].name.range
    }

    /// Returns all expressions, each after its parts.
    pub fn exprs(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        let indexed = (0..).zip(&self.exprs);
        indexed.map(|(at, it)| (ExprId(at), &it.0))
    }

    pub fn locals(&self) -> impl Iterator<Item = (LocalId, &Local)> {
        (0..).zip(&self.locals).map(|(at, it)| (LocalId(at), it))
    }

    pub fn types(&self) -> impl Iterator<Item = (TypeId, &TypeExpr)> {
        let indexed = (0..).zip(&self.types);
        indexed.map(|(at, it)| (TypeId(at), &it.0))
    }
}

impl Index<ExprId> for Body {
    type Output = Expr;
    fn index(&self, at: ExprId) -> &Expr {
        &self.exprs[at.index()].0
    }
}

impl Index<TypeId> for Body {
    type Output = TypeExpr;
    fn index(&self, at: TypeId) -> &TypeExpr {
        &self.types[at.index()].0
    }
}

impl Index<LocalId> for Body {
    type Output = Local;
    fn index(&self, at: LocalId) -> &Local {
        &self.locals[at.index()]
    }
}

impl Local {
    /// Returns whether the name is a number, as the names of graph bindings are.
    pub fn is_graph_name(name: &str) -> bool {
        !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit())
    }
}
