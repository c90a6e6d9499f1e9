//! Statements, expressions and patterns.

use super::{
    ArgList, Attribute, BinaryExpr, BlockExpr, BoolLit, CallExpr, ConstructorPattern, Expr,
    ExprStmt, FreeVarStmt, GlobalExpr, GraphStmt, IfExpr, LetStmt, ListLit, MatchArm, MatchExpr,
    MetaExpr, NameExpr, NumberLit, ParenExpr, Pattern, PatternList, ProjectionExpr, RefExpr,
    RefReadExpr, RefWriteExpr, SequenceExpr, Stmt, StringLit, TupleExpr, TuplePattern, Type,
    VariableExpr, VariablePattern, child, child_after, children, token, tokens,
};
use crate::relay::kind::SyntaxKind::{
    COLON, DOT, ELSE_KW, EQ, EQ_EQ, FAT_ARROW, GLOBAL, GRAPH, GREATER, GREATER_EQ, IDENT, INT,
    LESS, LESS_EQ, LOCAL, MATCH_KW, MINUS, NOT_EQ, PLUS, SLASH, STAR, STRING, TRUE_KW,
};
use crate::relay::{SyntaxNode, SyntaxToken};

impl LetStmt {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, LOCAL)
    }

    pub fn ty(&self) -> Option<Type> {
        child_after(&self.0, COLON)
    }

    pub fn value(&self) -> Option<Expr> {
        child_after(&self.0, EQ)
    }
}

impl GraphStmt {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, GRAPH)
    }

    pub fn value(&self) -> Option<Expr> {
        child_after(&self.0, EQ)
    }
}

impl FreeVarStmt {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, LOCAL)
    }

    pub fn ty(&self) -> Option<Type> {
        child_after(&self.0, COLON)
    }
}

impl ExprStmt {
    pub fn value(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl BlockExpr {
    pub fn stmts(&self) -> impl Iterator<Item = Stmt> + use<> {
        children(&self.0)
    }

    pub fn value(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl SequenceExpr {
    pub fn stmts(&self) -> impl Iterator<Item = Stmt> + use<> {
        children(&self.0)
    }

    pub fn value(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl VariableExpr {
    /// The name with its `%`.
    pub fn name(&self) -> Option<SyntaxToken> {
        tokens(&self.0).find(|it| matches!(it.kind(), LOCAL | GRAPH))
    }
}

impl GlobalExpr {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, GLOBAL)
    }
}

impl NameExpr {
    /// The dotted name, such as `nn.dense`.
    pub fn text(&self) -> String {
        dotted(&self.0)
    }
}

/// The names in a node, joined by dots.
pub(super) fn dotted(node: &SyntaxNode) -> String {
    let mut names = tokens(node).filter(|it| it.kind() == IDENT);
    let first = names
        .next()
        .map_or_else(String::new, |it| it.text().to_owned());
    names.fold(first, |all, it| all + "." + it.text())
}

impl NumberLit {
    pub fn token(&self) -> Option<SyntaxToken> {
        self.0.first_token()
    }
}

impl BoolLit {
    pub fn value(&self) -> bool {
        token(&self.0, TRUE_KW).is_some()
    }
}

impl StringLit {
    /// The text without quotes.
    pub fn value(&self) -> Option<String> {
        let token = token(&self.0, STRING)?;
        let text = token.text().strip_prefix('"')?;
        Some(text.strip_suffix('"').unwrap_or(text).to_owned())
    }
}

impl ListLit {
    pub fn values(&self) -> impl Iterator<Item = Expr> + use<> {
        children(&self.0)
    }
}

impl MetaExpr {
    /// The kind of the constant, such as `relay.Constant`.
    pub fn key(&self) -> String {
        dotted(&self.0)
    }

    pub fn index(&self) -> Option<SyntaxToken> {
        token(&self.0, INT)
    }
}

impl ParenExpr {
    pub fn value(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl TupleExpr {
    pub fn fields(&self) -> impl Iterator<Item = Expr> + use<> {
        children(&self.0)
    }
}

impl ProjectionExpr {
    pub fn tuple(&self) -> Option<Expr> {
        child(&self.0)
    }

    pub fn index(&self) -> Option<SyntaxToken> {
        tokens(&self.0)
            .skip_while(|it| it.kind() != DOT)
            .find(|it| it.kind() == INT)
    }
}

impl CallExpr {
    pub fn callee(&self) -> Option<Expr> {
        child(&self.0)
    }

    pub fn arg_list(&self) -> Option<ArgList> {
        child(&self.0)
    }
}

impl ArgList {
    pub fn args(&self) -> impl Iterator<Item = Expr> + use<> {
        children(&self.0)
    }

    pub fn attributes(&self) -> impl Iterator<Item = Attribute> + use<> {
        children(&self.0)
    }
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl BinaryOp {
    /// The name of the operator in Relay.
    pub fn name(self) -> &'static str {
        match self {
            BinaryOp::Add => "add",
            BinaryOp::Subtract => "subtract",
            BinaryOp::Multiply => "multiply",
            BinaryOp::Divide => "divide",
            BinaryOp::Less => "less",
            BinaryOp::LessEqual => "less_equal",
            BinaryOp::Greater => "greater",
            BinaryOp::GreaterEqual => "greater_equal",
            BinaryOp::Equal => "equal",
            BinaryOp::NotEqual => "not_equal",
        }
    }
}

impl BinaryExpr {
    pub fn op(&self) -> Option<(SyntaxToken, BinaryOp)> {
        tokens(&self.0).find_map(|token| {
            let op = match token.kind() {
                PLUS => BinaryOp::Add,
                MINUS => BinaryOp::Subtract,
                STAR => BinaryOp::Multiply,
                SLASH => BinaryOp::Divide,
                LESS => BinaryOp::Less,
                LESS_EQ => BinaryOp::LessEqual,
                GREATER => BinaryOp::Greater,
                GREATER_EQ => BinaryOp::GreaterEqual,
                EQ_EQ => BinaryOp::Equal,
                NOT_EQ => BinaryOp::NotEqual,
                _ => return None,
            };
            Some((token, op))
        })
    }

    pub fn left(&self) -> Option<Expr> {
        child(&self.0)
    }

    pub fn right(&self) -> Option<Expr> {
        let (op, _) = self.op()?;
        child_after(&self.0, op.kind())
    }
}

impl IfExpr {
    pub fn condition(&self) -> Option<Expr> {
        children(&self.0).find(|it: &Expr| !matches!(it, Expr::BlockExpr(_)))
    }

    pub fn then(&self) -> Option<BlockExpr> {
        child(&self.0)
    }

    pub fn otherwise(&self) -> Option<BlockExpr> {
        child_after(&self.0, ELSE_KW)
    }
}

impl MatchExpr {
    /// Whether this is `match`, as opposed to `match?`.
    pub fn is_total(&self) -> bool {
        token(&self.0, MATCH_KW).is_some()
    }

    pub fn value(&self) -> Option<Expr> {
        child(&self.0)
    }

    pub fn arms(&self) -> impl Iterator<Item = MatchArm> + use<> {
        children(&self.0)
    }
}

impl MatchArm {
    pub fn pattern(&self) -> Option<Pattern> {
        child(&self.0)
    }

    pub fn value(&self) -> Option<Expr> {
        child_after(&self.0, FAT_ARROW)
    }
}

macro_rules! reference_arguments {
    ($($name:ident)*) => {
        $(impl $name {
            pub fn args(&self) -> impl Iterator<Item = Expr> + use<> {
                let list = child::<_, ArgList>(&self.0);
                list.into_iter().flat_map(|it| it.args())
            }
        })*
    };
}

reference_arguments!(RefExpr RefReadExpr RefWriteExpr);

impl VariablePattern {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, LOCAL)
    }

    pub fn ty(&self) -> Option<Type> {
        child_after(&self.0, COLON)
    }
}

impl ConstructorPattern {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, IDENT)
    }

    pub fn fields(&self) -> impl Iterator<Item = Pattern> + use<> {
        let list = child::<_, PatternList>(&self.0);
        list.into_iter().flat_map(|it| children(&it.0))
    }
}

impl TuplePattern {
    pub fn fields(&self) -> impl Iterator<Item = Pattern> + use<> {
        let list = child::<_, PatternList>(&self.0);
        list.into_iter().flat_map(|it| children(&it.0))
    }
}
