//! Accessors of expressions.

use super::{
    ArgList, AstNode, AttributeExpr, AwaitExpr, BinaryExpr, BinaryOp, BoolExpr, BoolOp, CallExpr,
    CompClause, CompFor, CompIf, CompareExpr, CompareOp, DictComp, DictEntry, DictExpr, Expr,
    GeneratorExpr, IfExpr, LambdaExpr, ListComp, ListExpr, NameExpr, NotExpr, ParamList, ParenExpr,
    SetComp, SetExpr, SliceExpr, StarExpr, SubscriptExpr, TupleExpr, UnaryExpr, UnaryOp,
    WalrusExpr, YieldExpr, accessors, child, child_after, child_before, children, has_token,
    tokens,
};
use crate::kind::{SyntaxElement, SyntaxKind as K, SyntaxNode, SyntaxToken};

accessors! {
    NameExpr {
        token token: IDENT;
    }
    ParenExpr {
        child expr: Expr;
    }
    TupleExpr {
        children elements: Expr;
        has_token is_parenthesized: L_PAREN;
    }
    ListExpr {
        children elements: Expr;
    }
    SetExpr {
        children elements: Expr;
    }
    DictExpr {
        children entries: DictEntry;
    }
    DictEntry {
        /// Whether this is `**mapping`.
        has_token is_double_star: DOUBLE_STAR;
    }
    ListComp {
        child element: Expr;
        children clauses: CompClause;
    }
    SetComp {
        child element: Expr;
        children clauses: CompClause;
    }
    GeneratorExpr {
        child element: Expr;
        children clauses: CompClause;
    }
    DictComp {
        child entry: DictEntry;
        children clauses: CompClause;
    }
    CompFor {
        has_token is_async: ASYNC_KW;
        child_before target: Expr, IN_KW;
        child_after iterable: Expr, IN_KW;
    }
    CompIf {
        child test: Expr;
    }
    CallExpr {
        child callee: Expr;
        child arg_list: ArgList;
    }
    AttributeExpr {
        child base: Expr;
        token name: IDENT;
    }
    SubscriptExpr {
        child_before base: Expr, L_BRACKET;
        /// The expression between the brackets; a tuple if there are commas.
        child_after index: Expr, L_BRACKET;
    }
    UnaryExpr {
        child operand: Expr;
    }
    NotExpr {
        child operand: Expr;
    }
    CompareExpr {
        /// The compared expressions. Complete code has one more operand than operators.
        children operands: Expr;
    }
    BoolExpr {
        /// The operands of a chain of the same operator: `a and b and c` has three.
        children operands: Expr;
    }
    IfExpr {
        /// The value if the test holds. It comes first in the text.
        child_before then: Expr, IF_KW;
        child_after or_else: Expr, ELSE_KW;
    }
    LambdaExpr {
        child params: ParamList;
        child body: Expr;
    }
    WalrusExpr {
        child name: NameExpr;
        child_after value: Expr, COLON_EQ;
    }
    AwaitExpr {
        child expr: Expr;
    }
    YieldExpr {
        child value: Expr;
    }
    StarExpr {
        child expr: Expr;
    }
}

impl Expr {
    /// Strips all enclosing parentheses.
    pub fn unparenthesized(self) -> Option<Expr> {
        let mut expr = self;
        while let Expr::ParenExpr(paren) = &expr {
            expr = paren.expr()?;
        }
        Some(expr)
    }
}

impl NameExpr {
    pub fn text(&self) -> String {
        self.token()
            .map(|it| it.text().to_owned())
            .unwrap_or_default()
    }
}

impl ParenExpr {
    pub fn is_unclosed(&self) -> bool {
        !has_token(self.syntax(), K::R_PAREN)
    }
}

impl TupleExpr {
    /// Whether the closing parenthesis is missing. Elements may then be missing too.
    pub fn is_unclosed(&self) -> bool {
        self.is_parenthesized() && !has_token(self.syntax(), K::R_PAREN)
    }
}

impl ListExpr {
    pub fn is_unclosed(&self) -> bool {
        !has_token(self.syntax(), K::R_BRACKET)
    }
}

impl DictEntry {
    /// The key; `None` for `**mapping`.
    pub fn key(&self) -> Option<Expr> {
        if self.is_double_star() {
            None
        } else {
            child_before(self.syntax(), K::COLON)
        }
    }

    /// The value after the colon, or the mapping after `**`.
    pub fn value(&self) -> Option<Expr> {
        if self.is_double_star() {
            child(self.syntax())
        } else {
            child_after(self.syntax(), K::COLON)
        }
    }
}

/// The parts of `lower:upper:step`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SliceParts {
    pub lower: Option<Expr>,
    pub upper: Option<Expr>,
    pub step: Option<Expr>,
}

impl SliceExpr {
    pub fn parts(&self) -> SliceParts {
        let mut parts = [None, None, None];
        let mut at = 0;
        for element in self.syntax().children_with_tokens() {
            match element {
                SyntaxElement::Token(token) if token.kind() == K::COLON => at = (at + 1).min(2),
                SyntaxElement::Token(_) => {}
                SyntaxElement::Node(node) => {
                    parts[at] = parts[at].take().or_else(|| Expr::cast(node));
                }
            }
        }
        let [lower, upper, step] = parts;
        SliceParts { lower, upper, step }
    }

    pub fn lower(&self) -> Option<Expr> {
        self.parts().lower
    }

    pub fn upper(&self) -> Option<Expr> {
        self.parts().upper
    }

    pub fn step(&self) -> Option<Expr> {
        self.parts().step
    }
}

/// The operand after the operator token. Compares offsets instead of token kinds, because an operand can itself begin
/// with `-` or `+`.
fn operand_after(parent: &SyntaxNode, op: &SyntaxToken) -> Option<Expr> {
    children(parent).find(|it: &Expr| it.range().start() >= op.text_range().end())
}

fn operand_before(parent: &SyntaxNode, op: &SyntaxToken) -> Option<Expr> {
    children(parent).find(|it: &Expr| it.range().end() <= op.text_range().start())
}

impl BinaryExpr {
    pub fn lhs(&self) -> Option<Expr> {
        operand_before(self.syntax(), &self.op_token()?)
    }

    pub fn op_token(&self) -> Option<SyntaxToken> {
        tokens(self.syntax()).find(|it| BinaryOp::from_kind(it.kind()).is_some())
    }

    pub fn op(&self) -> Option<BinaryOp> {
        BinaryOp::from_kind(self.op_token()?.kind())
    }

    pub fn rhs(&self) -> Option<Expr> {
        operand_after(self.syntax(), &self.op_token()?)
    }
}

impl UnaryExpr {
    pub fn op_token(&self) -> Option<SyntaxToken> {
        tokens(self.syntax()).find(|it| UnaryOp::from_kind(it.kind()).is_some())
    }

    pub fn op(&self) -> Option<UnaryOp> {
        UnaryOp::from_kind(self.op_token()?.kind())
    }
}

impl CompareExpr {
    pub fn ops(&self) -> impl Iterator<Item = CompareOp> + use<> {
        let mut marks = tokens(self.syntax())
            .filter(|it| !it.kind().is_trivia())
            .peekable();
        std::iter::from_fn(move || {
            loop {
                let op = match marks.next()?.kind() {
                    K::LESS => CompareOp::Less,
                    K::LESS_EQ => CompareOp::LessEq,
                    K::GREATER => CompareOp::Greater,
                    K::GREATER_EQ => CompareOp::GreaterEq,
                    K::EQ_EQ => CompareOp::Eq,
                    K::NOT_EQ => CompareOp::NotEq,
                    K::IN_KW => CompareOp::In,
                    K::NOT_KW if marks.next_if(|it| it.kind() == K::IN_KW).is_some() => {
                        CompareOp::NotIn
                    }
                    K::IS_KW if marks.next_if(|it| it.kind() == K::NOT_KW).is_some() => {
                        CompareOp::IsNot
                    }
                    K::IS_KW => CompareOp::Is,
                    _ => continue,
                };
                return Some(op);
            }
        })
    }
}

impl BoolExpr {
    pub fn op(&self) -> Option<BoolOp> {
        tokens(self.syntax()).find_map(|it| BoolOp::from_kind(it.kind()))
    }
}

impl IfExpr {
    pub fn test(&self) -> Option<Expr> {
        let after_if = self
            .syntax()
            .children_with_tokens()
            .skip_while(|it| it.kind() != K::IF_KW);
        after_if
            .take_while(|it| it.kind() != K::ELSE_KW)
            .find_map(|it| it.into_node().and_then(Expr::cast))
    }
}
