//! A function as the rest of hir reads it: expressions in an arena, statements as a tree, ranges relative
//! to the function's start.
//!
//! Still Python: what a name or a call means is for `infer` to say. Knows no tree and no database.

mod lower;
mod walk;

use la_arena::{Arena, Idx};
use smol_str::SmolStr;
use text_size::TextRange;

pub use lower::{header, lower, lower_expr};
pub use syntax::ast::{BinaryOp, BoolOp, CompareOp, UnaryOp};

pub type ExprId = Idx<Expr>;

/// The expressions of one function and the function itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    pub exprs: Arena<Expr>,
    ranges: Vec<TextRange>,
    pub function: Function,
}

impl Body {
    pub fn range(&self, expr: ExprId) -> TextRange {
        let index = u32::from(expr.into_raw()) as usize;
        self.ranges.get(index).copied().unwrap_or_default()
    }

    /// Every expression with its range, in the order of lowering: operands before what they make.
    pub fn expr_ranges(&self) -> impl Iterator<Item = (ExprId, TextRange)> + '_ {
        self.exprs.iter().map(|(id, _)| (id, self.range(id)))
    }

    fn alloc(&mut self, expr: Expr, range: TextRange) -> ExprId {
        self.ranges.push(range);
        self.exprs.alloc(expr)
    }
}

/// A name where it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    pub text: SmolStr,
    pub range: TextRange,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    pub name: Name,
    pub decorators: Vec<ExprId>,
    pub type_params: Vec<TypeParam>,
    pub params: Vec<Param>,
    pub ret: Option<ExprId>,
    pub body: Vec<Stmt>,
    pub range: TextRange,
    /// From `def` to the colon.
    pub header: TextRange,
}

/// `n` or `n: int` between the brackets of `def f[n]`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeParam {
    pub name: Name,
    pub bound: Option<ExprId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: Name,
    pub annotation: Option<ExprId>,
    pub default: Option<ExprId>,
    /// `*args`, `**kwargs`.
    pub starred: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    Assign {
        targets: Vec<Target>,
        value: ExprId,
    },
    AnnAssign {
        target: Target,
        annotation: ExprId,
        value: Option<ExprId>,
    },
    AugAssign {
        target: Target,
        op: BinaryOp,
        value: ExprId,
    },
    Expr(ExprId),
    Return(Option<ExprId>),
    /// An `elif` is an `If` alone in `otherwise`.
    If {
        test: ExprId,
        then: Vec<Stmt>,
        otherwise: Option<Vec<Stmt>>,
    },
    With {
        items: Vec<(ExprId, Option<Target>)>,
        body: Vec<Stmt>,
    },
    For {
        target: Target,
        iter: ExprId,
        body: Vec<Stmt>,
    },
    While {
        test: ExprId,
        body: Vec<Stmt>,
    },
    Function(Box<Function>),
    Assert {
        test: ExprId,
        message: Option<ExprId>,
    },
    Pass,
    /// A statement that TVMScript gives no meaning, by its keyword.
    Python(&'static str),
    /// What could not be read; the syntax error is reported already.
    Error,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Name(Name),
    Tuple(Vec<Target>, TextRange),
    /// `A[i]`, `x.y`.
    Place(ExprId),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    pub keyword: Option<Name>,
    /// `*args`, `**kwargs`.
    pub starred: bool,
    pub value: ExprId,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// What could not be read; the syntax error is reported already.
    Missing,
    Name(SmolStr),
    None,
    Bool(bool),
    Int(i64),
    /// An integer beyond 64 bits, or a complex number.
    BigNumber,
    Float(f64),
    Str(SmolStr),
    Ellipsis,
    Tuple(Vec<ExprId>),
    List(Vec<ExprId>),
    /// `None` as key: `**other`.
    Dict(Vec<(Option<ExprId>, ExprId)>),
    Call {
        callee: ExprId,
        args: Vec<Arg>,
    },
    Attribute {
        base: ExprId,
        name: Name,
    },
    Subscript {
        base: ExprId,
        index: ExprId,
    },
    Slice {
        start: Option<ExprId>,
        stop: Option<ExprId>,
        step: Option<ExprId>,
    },
    Binary {
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
    },
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    Not(ExprId),
    Compare {
        first: ExprId,
        rest: Vec<(CompareOp, ExprId)>,
    },
    BoolOp {
        op: BoolOp,
        operands: Vec<ExprId>,
    },
    IfElse {
        test: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    Star(ExprId),
    Lambda(Box<Lambda>),
    Comprehension(Box<Comprehension>),
    /// `name := value`
    Walrus {
        name: Name,
        value: ExprId,
    },
    /// An f-string with its parts, and anything else that only Python evaluates.
    Python(Vec<ExprId>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    pub params: Vec<Param>,
    pub body: ExprId,
}

/// `[element for target in iter if test ...]`, a generator, a set; for a dict `key` is there too.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    pub key: Option<ExprId>,
    pub element: ExprId,
    pub clauses: Vec<CompClause>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CompClause {
    For { target: Target, iter: ExprId },
    If(ExprId),
}
