//! A function as the rest of hir reads it: expressions in arenas, statements as a tree, ranges relative
//! to the function's start.
//!
//! Lowered piece by piece, each when it is first asked for: of a long function an editor looks at little.
//! Still Python: what a name or a call means is for `infer` to say. Knows no database.

mod bound;
mod exprs;
mod lower;
mod suite;
mod walk;

use std::sync::Arc;

use relax::arguments::{Argument, Parameter, Takes};
use smol_str::SmolStr;
use syntax::pieces::Piece;
use text_size::{TextRange, TextSize};

pub(crate) use bound::{Bound, bound_by};
use exprs::Parts;
pub(crate) use exprs::Place;
pub use exprs::{ExprId, Exprs};
pub use lower::{lower, lower_expr};
pub use suite::{Run, Suite};
pub use syntax::ast::{BinaryOp, BoolOp, CompareOp, UnaryOp};

/// The keyword of the statement that stands for the rest of a long chain of them, and what a message puts before it.
pub(crate) const ELSE_IF: &str = "elif";
pub(crate) const LONG_CHAIN: &str = "a chain of so many ";

/// The expressions of one function and the function itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    pub exprs: Exprs,
    pub function: Function,
    /// `None`: this is not the whole function.
    header: Option<Header>,
}

/// The header as a piece. Bodies are compared by what is in them.
#[derive(Clone, Debug)]
struct Header(Piece);

impl PartialEq for Header {
    fn eq(&self, _: &Header) -> bool {
        true
    }
}

impl Body {
    pub fn range(&self, expr: ExprId) -> TextRange {
        self.exprs.range(expr)
    }

    /// Whether it is `metadata["relax.expr.Constant"][0]`, which TVM prints for a constant that is too long.
    pub fn is_metadata(&self, expr: ExprId) -> bool {
        let base = |expr: ExprId| match &self.exprs[expr] {
            Expr::Subscript { base, .. } => Some(*base),
            _ => None,
        };
        let root = base(expr).and_then(base);
        root.is_some_and(|it| matches!(&self.exprs[it], Expr::Name(name) if name == "metadata"))
    }

    /// The function's pieces, the header first, and where they stand.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (&Piece, Place)> {
        let header = self.header.iter().map(|it| (&it.0, Place::default()));
        header.chain(self.exprs.pieces().iter().map(|it| (&it.piece, it.place)))
    }

    /// Shows the body of a piece, which is not kept for it.
    pub(crate) fn with_piece<T>(&self, at: usize, show: impl FnOnce(&Body) -> T) -> T {
        match at.checked_sub(1) {
            Some(at) => self.exprs.pieces().show(at, show),
            None => show(self),
        }
    }

    /// Lowers all pieces, for good.
    pub(crate) fn lower_pieces(&self) {
        let pieces = self.exprs.pieces();
        for at in 0..pieces.len() {
            pieces.body(at);
        }
    }

    /// The same with nothing lowered but the header.
    pub(crate) fn afresh(&self) -> Body {
        self.with_pieces(self.exprs.pieces().afresh())
    }

    fn with_pieces(&self, pieces: Parts) -> Body {
        let pieces = Arc::new(pieces);
        Body {
            exprs: self.exprs.with_pieces(Arc::clone(&pieces)),
            function: Function {
                body: Suite::of_pieces(pieces),
                ..self.function.clone()
            },
            header: self.header.clone(),
        }
    }

    /// Every expression with its range, in the order of lowering: operands before what they make.
    pub fn expr_ranges(&self) -> impl Iterator<Item = (ExprId, TextRange)> + '_ {
        self.exprs.ranges(None)
    }

    /// Every expression that touches `window`, and some more.
    pub fn expr_ranges_in(
        &self,
        window: TextRange,
    ) -> impl Iterator<Item = (ExprId, TextRange)> + '_ {
        self.exprs.ranges(Some(window))
    }

    /// Every statement of the function itself that touches `window`, and some more. Of a block in pieces there
    /// are those inside.
    pub fn stmts_in(&self, window: TextRange) -> impl Iterator<Item = &Stmt> + '_ {
        let whole = self.exprs.pieces().is_empty();
        let own = whole.then(|| self.function.body.iter());
        let inner = self.exprs.bodies(window);
        let inner = inner.flat_map(|piece| piece.function.body.iter());
        own.into_iter().flatten().chain(inner)
    }

    /// The header alone, if `piece` is what it was made from.
    fn header_from(&self, piece: &Piece) -> Option<Body> {
        let Header(header) = self.header.as_ref()?;
        header.is_same(piece).then(|| Body {
            exprs: self.exprs.without_pieces(),
            function: Function {
                body: Suite::default(),
                ..self.function.clone()
            },
            header: None,
        })
    }
}

/// A name where it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    pub text: SmolStr,
    pub range: TextRange,
}

impl Name {
    /// Whether the name stands there. A call alone is a binding of `_`, and stands as a whole for the name that it lacks.
    pub fn is_written(&self) -> bool {
        self.range.len() == TextSize::of(self.text.as_str())
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    pub name: Name,
    pub decorators: Vec<ExprId>,
    pub type_params: Vec<TypeParam>,
    pub params: Arc<[Param]>,
    pub ret: Option<ExprId>,
    pub body: Suite,
    pub range: TextRange,
    /// From `def` to the colon.
    pub header: TextRange,
    pub is_async: bool,
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
    pub kind: ParamKind,
}

impl Parameter for Param {
    fn name(&self) -> &str {
        &self.name.text
    }

    fn takes(&self) -> Takes {
        match self.kind {
            ParamKind::Plain => Takes::One,
            ParamKind::PositionalOnly => Takes::ByPosition,
            ParamKind::KeywordOnly => Takes::ByName,
            ParamKind::Starred => Takes::Rest,
        }
    }

    fn is_required(&self) -> bool {
        self.default.is_none() && !self.is_starred()
    }
}

impl Param {
    pub fn is_starred(&self) -> bool {
        self.kind == ParamKind::Starred
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Given by position or by name.
    Plain,
    /// Before `/`.
    PositionalOnly,
    /// After `*`.
    KeywordOnly,
    /// `*args`, `**kwargs`.
    Starred,
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
    /// A statement that TVMScript gives no meaning.
    Python {
        keyword: &'static str,
        /// The names that it binds, blocks inside included.
        binds: Box<[Name]>,
    },
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
    /// `**kwargs`.
    pub is_mapping: bool,
    pub value: ExprId,
}

impl Argument for Arg {
    fn keyword(&self) -> Option<&str> {
        self.keyword.as_ref().map(|it| it.text.as_str())
    }

    fn is_starred(&self) -> bool {
        self.starred
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// What could not be read; the syntax error is reported already.
    Missing,
    /// A chain of operators or attributes that is too long to be read, though Python takes it.
    Endless,
    Name(SmolStr),
    None,
    Bool(bool),
    Int(i64),
    /// An integer that only 64 bits without a sign hold; `None` beyond these, and for complex numbers.
    BigNumber(Option<u64>),
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
    /// An f-string whose fields have no format of their own.
    Format(Vec<FormatPart>),
    /// Anything else that only Python evaluates.
    Python(Vec<ExprId>),
    /// `yield` and `await`: a function that TVM reads cannot stop and go on.
    Suspended {
        keyword: &'static str,
        value: Option<ExprId>,
    },
}

/// A stretch of text or a field of an f-string.
#[derive(Clone, Debug, PartialEq)]
pub enum FormatPart {
    Text(SmolStr),
    Field(ExprId),
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
