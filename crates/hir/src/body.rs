//! A function as hir's other modules read it: expressions in arenas, statements as a tree, ranges relative to the
//! function's start.
//!
//! Lowered lazily, piece by piece, since an editor needs only a small part of a long function. It is still Python:
//! `infer` decides what names and calls mean. Knows no database.

mod bound;
mod exprs;
mod lower;
mod suite;
mod walk;

use std::sync::Arc;

use relax::arguments::{Argument, Parameter, Takes};
use relax::script::METADATA;
use smol_str::SmolStr;
use syntax::pieces::Piece;
use text_size::{TextRange, TextSize};

use crate::metadata::MetaRef;
pub(crate) use bound::{Bound, bound_by};
use exprs::Parts;
pub(crate) use exprs::Place;
pub use exprs::{ExprId, Exprs};
pub use lower::{lower, lower_expr};
pub use suite::{Run, Statements, Suite};
pub use syntax::ast::{BinaryOp, BoolOp, CompareOp, UnaryOp};

/// The keyword of a statement that stands for the rest of a long chain of `elif`s, as messages quote it.
pub(crate) const ELSE_IF: &str = "elif";
pub(crate) const LONG_CHAIN: &str = "a chain of so many ";

/// The body of one function: its expressions and statements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    pub exprs: Exprs,
    pub function: Function,
    /// The header; `None` if this is not the whole function.
    header: Option<Header>,
}

/// The header as a piece. Bodies are compared by their contents.
#[derive(Clone, Debug)]
struct Header(Piece);

impl PartialEq for Header {
    fn eq(&self, _: &Header) -> bool {
        true
    }
}

impl Body {
    /// Returns the global symbol that `T.func_attr({"global_symbol": "f"})` gives the function.
    pub fn global_symbol(&self) -> Option<&str> {
        self.exprs.iter().find_map(|(_, expr)| {
            let Expr::Call { callee, args } = expr else {
                return None;
            };
            let (Expr::Attribute { name, .. }, [attrs]) = (&self.exprs[*callee], args.as_slice())
            else {
                return None;
            };
            let Expr::Dict(entries) = &self.exprs[attrs.value] else {
                return None;
            };
            let is_key =
                |key: ExprId| matches!(&self.exprs[key], Expr::Str(key) if key == "global_symbol");
            let (_, symbol) = entries.iter().find(|(key, _)| key.is_some_and(is_key))?;
            match &self.exprs[*symbol] {
                Expr::Str(symbol) if name.text == "func_attr" => Some(symbol.as_str()),
                _ => None,
            }
        })
    }

    pub fn range(&self, expr: ExprId) -> TextRange {
        self.exprs.range(expr)
    }

    /// Returns the metadata and the entry of `metadata["relax.expr.Constant"][0]`, which TVM prints for a constant.
    pub fn metadata_entry(&self, expr: ExprId) -> Option<(ExprId, MetaRef)> {
        let Expr::Subscript { base, index } = self.exprs[expr] else {
            return None;
        };
        let Expr::Subscript {
            base: metadata,
            index: key,
        } = self.exprs[base]
        else {
            return None;
        };
        match (&self.exprs[metadata], &self.exprs[key], &self.exprs[index]) {
            (Expr::Name(_), Expr::Str(key), &Expr::Int(index)) => {
                let index = u32::try_from(index).ok();
                let key = key.clone();
                Some((metadata, MetaRef { key, index }))
            }
            _ => None,
        }
    }

    /// Returns `true` for an entry of `metadata`, the name that TVM prints.
    pub fn is_metadata(&self, expr: ExprId) -> bool {
        let entry = self.metadata_entry(expr);
        entry.is_some_and(|it| matches!(&self.exprs[it.0], Expr::Name(name) if name == METADATA))
    }

    /// Returns the function's pieces with their positions, the header first.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (&Piece, Place)> {
        let header = self.header.iter().map(|it| (&it.0, Place::default()));
        header.chain(self.exprs.pieces().iter().map(|it| (&it.piece, it.place)))
    }

    /// Calls `show` with the body of a piece, which is not cached for it.
    pub(crate) fn with_piece<T>(&self, at: usize, show: impl FnOnce(&Body) -> T) -> T {
        match at.checked_sub(1) {
            Some(at) => self.exprs.pieces().show(at, show),
            None => show(self),
        }
    }

    /// Lowers all pieces, and keeps the result.
    pub(crate) fn lower_pieces(&self) {
        let pieces = self.exprs.pieces();
        for at in 0..pieces.len() {
            pieces.body(at);
        }
    }

    /// Returns the body with only the header lowered.
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

    /// Returns every expression with its range, in the order of lowering: operands come before their users.
    pub fn expr_ranges(&self) -> impl Iterator<Item = (ExprId, TextRange)> + '_ {
        self.exprs.ranges(None)
    }

    /// Returns every expression that touches `window`, and possibly others.
    pub fn expr_ranges_in(
        &self,
        window: TextRange,
    ) -> impl Iterator<Item = (ExprId, TextRange)> + '_ {
        self.exprs.ranges(Some(window))
    }

    /// Returns every statement of the function itself that touches `window`, and possibly others. Includes statements
    /// inside a block that is split into pieces.
    pub fn stmts_in(&self, window: TextRange) -> impl Iterator<Item = &Stmt> + '_ {
        let whole = self.exprs.pieces().is_empty();
        let own = whole.then(|| self.function.body.iter());
        let inner = self.exprs.bodies(window);
        let inner = inner.flat_map(|piece| piece.function.body.iter());
        own.into_iter().flatten().chain(inner)
    }

    /// Returns the header if it was lowered from `piece`.
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

/// A name with its range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    pub text: SmolStr,
    pub range: TextRange,
}

impl Name {
    /// Returns `true` if the name is written in the text. A call without a target binds `_`, whose range is the whole
    /// call.
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
    /// The range from `def` to the colon.
    pub header: TextRange,
    pub is_async: bool,
}

/// `n` or `n: int` in the brackets of `def f[n]`.
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
    /// By position or by keyword.
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
    /// A statement that TVMScript does not support.
    Python {
        keyword: &'static str,
        /// The names that it binds, including those in nested blocks.
        binds: Box<[Name]>,
    },
    /// A statement with a syntax error, which is reported elsewhere.
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
    /// An expression with a syntax error, which is reported elsewhere.
    Missing,
    /// A chain of operators or attributes that is too long to be analysed, though Python accepts it.
    Endless,
    Name(SmolStr),
    None,
    Bool(bool),
    Int(i64),
    /// An integer that only fits an unsigned 64-bit integer; `None` for larger ones and for complex numbers.
    BigNumber(Option<u64>),
    Float(f64),
    Str(SmolStr),
    Ellipsis,
    Tuple(Vec<ExprId>),
    List(Vec<ExprId>),
    /// `**other` has `None` as its key.
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
    /// `name := value`.
    Walrus {
        name: Name,
        value: ExprId,
    },
    /// An f-string without format specifiers.
    Format(Vec<FormatPart>),
    /// Any other expression that only Python evaluates.
    Python(Vec<ExprId>),
    /// `yield` and `await`, which are not possible in functions that TVM reads.
    Suspended {
        keyword: &'static str,
        value: Option<ExprId>,
    },
}

/// A part of an f-string: text or a field.
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

/// `[element for target in iter if test ...]`, a generator, or a set. A dict also has a `key`.
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
