//! Statements, expressions and patterns.

use super::{
    ArgList, Attribute, BinaryExpr, BlockExpr, BoolLit, CallExpr, ConstructorPattern, Expr,
    ExprStmt, FreeVarStmt, GlobalExpr, GraphStmt, IfExpr, LetStmt, ListLit, MatchArm, MatchExpr,
    MetaExpr, NameExpr, NumberLit, ParenExpr, Pattern, PatternList, ProjectionExpr, RefExpr,
    RefReadExpr, RefWriteExpr, SequenceExpr, Stmt, StringLit, TupleExpr, TuplePattern, Type,
    VariableExpr, VariablePattern, accessors, child_after, children, token, tokens,
};
use crate::relay::kind::SyntaxKind::{
    self as K, DOT, EQ_EQ, GRAPH, GREATER, GREATER_EQ, IDENT, INT, LESS, LESS_EQ, LOCAL, MINUS,
    NOT_EQ, PLUS, SLASH, STAR, STRING,
};
use crate::relay::{SyntaxNode, SyntaxToken};

accessors! {
    LetStmt {
        token name: LOCAL;
        child_after ty: Type, COLON;
        child_after value: Expr, EQ;
    }
    GraphStmt {
        token name: GRAPH;
        child_after value: Expr, EQ;
    }
    FreeVarStmt {
        token name: LOCAL;
        child_after ty: Type, COLON;
    }
    ExprStmt {
        child value: Expr;
    }
    BlockExpr {
        children stmts: Stmt;
        child value: Expr;
    }
    SequenceExpr {
        children stmts: Stmt;
        child value: Expr;
    }
    GlobalExpr {
        token name: GLOBAL;
    }
    BoolLit {
        has_token value: TRUE_KW;
    }
    ListLit {
        children values: Expr;
    }
    MetaExpr {
        token index: INT;
    }
    ParenExpr {
        child value: Expr;
    }
    TupleExpr {
        children fields: Expr;
    }
    ProjectionExpr {
        child tuple: Expr;
    }
    CallExpr {
        child callee: Expr;
        child arg_list: ArgList;
    }
    ArgList {
        children args: Expr;
        children attributes: Attribute;
    }
    BinaryExpr {
        child left: Expr;
    }
    IfExpr {
        child then: BlockExpr;
        child_after otherwise: BlockExpr, ELSE_KW;
    }
    MatchExpr {
        /// Whether this is `match`, as opposed to `match?`.
        has_token is_total: MATCH_KW;
        child value: Expr;
        children arms: MatchArm;
    }
    MatchArm {
        child pattern: Pattern;
        child_after value: Expr, FAT_ARROW;
    }
    VariablePattern {
        token name: LOCAL;
        child_after ty: Type, COLON;
    }
    ConstructorPattern {
        token name: IDENT;
        children_in fields: Pattern, PatternList;
    }
    TuplePattern {
        children_in fields: Pattern, PatternList;
    }
    RefExpr {
        children_in args: Expr, ArgList;
    }
    RefReadExpr {
        children_in args: Expr, ArgList;
    }
    RefWriteExpr {
        children_in args: Expr, ArgList;
    }
}

impl VariableExpr {
    /// The name with its `%`.
    pub fn name(&self) -> Option<SyntaxToken> {
        tokens(&self.0).find(|it| matches!(it.kind(), LOCAL | GRAPH))
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

impl StringLit {
    /// The text without quotes.
    pub fn value(&self) -> Option<String> {
        let token = token(&self.0, STRING)?;
        let text = token.text().strip_prefix('"')?;
        Some(text.strip_suffix('"').unwrap_or(text).to_owned())
    }
}

impl MetaExpr {
    /// The kind of the constant, such as `relay.Constant`.
    pub fn key(&self) -> String {
        dotted(&self.0)
    }
}

impl ProjectionExpr {
    pub fn index(&self) -> Option<SyntaxToken> {
        tokens(&self.0)
            .skip_while(|it| it.kind() != DOT)
            .find(|it| it.kind() == INT)
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

    pub fn right(&self) -> Option<Expr> {
        let (op, _) = self.op()?;
        child_after(&self.0, op.kind())
    }
}

impl IfExpr {
    pub fn condition(&self) -> Option<Expr> {
        children(&self.0).find(|it: &Expr| !matches!(it, Expr::BlockExpr(_)))
    }
}
