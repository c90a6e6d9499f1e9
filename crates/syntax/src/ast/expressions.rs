//! Accessors of expressions.

use super::{
    ArgList, AstNode, AttributeExpr, AwaitExpr, BinaryExpr, BinaryOp, BoolExpr, BoolOp, CallExpr,
    CompClause, CompFor, CompIf, CompareExpr, CompareOp, DictComp, DictEntry, DictExpr, Expr,
    GeneratorExpr, IfExpr, LambdaExpr, ListComp, ListExpr, NameExpr, NotExpr, ParamList, ParenExpr,
    SetComp, SetExpr, SliceExpr, StarExpr, SubscriptExpr, TupleExpr, UnaryExpr, UnaryOp,
    WalrusExpr, YieldExpr, child, child_after, child_before, children, has_token, token, tokens,
};
use crate::kind::{SyntaxElement, SyntaxKind as K, SyntaxNode, SyntaxToken};

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
    pub fn token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }

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

    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl TupleExpr {
    pub fn elements(&self) -> impl Iterator<Item = Expr> + use<> {
        children(self.syntax())
    }

    pub fn is_parenthesized(&self) -> bool {
        has_token(self.syntax(), K::L_PAREN)
    }

    /// Whether the closing parenthesis is missing. Elements may then be missing too.
    pub fn is_unclosed(&self) -> bool {
        self.is_parenthesized() && !has_token(self.syntax(), K::R_PAREN)
    }
}

impl ListExpr {
    pub fn elements(&self) -> impl Iterator<Item = Expr> + use<> {
        children(self.syntax())
    }

    pub fn is_unclosed(&self) -> bool {
        !has_token(self.syntax(), K::R_BRACKET)
    }
}

impl SetExpr {
    pub fn elements(&self) -> impl Iterator<Item = Expr> + use<> {
        children(self.syntax())
    }
}

impl DictExpr {
    pub fn entries(&self) -> impl Iterator<Item = DictEntry> + use<> {
        children(self.syntax())
    }
}

impl DictEntry {
    /// Whether this is `**mapping`.
    pub fn is_double_star(&self) -> bool {
        has_token(self.syntax(), K::DOUBLE_STAR)
    }

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

impl ListComp {
    pub fn element(&self) -> Option<Expr> {
        child(self.syntax())
    }

    pub fn clauses(&self) -> impl Iterator<Item = CompClause> + use<> {
        children(self.syntax())
    }
}

impl SetComp {
    pub fn element(&self) -> Option<Expr> {
        child(self.syntax())
    }

    pub fn clauses(&self) -> impl Iterator<Item = CompClause> + use<> {
        children(self.syntax())
    }
}

impl GeneratorExpr {
    pub fn element(&self) -> Option<Expr> {
        child(self.syntax())
    }

    pub fn clauses(&self) -> impl Iterator<Item = CompClause> + use<> {
        children(self.syntax())
    }
}

impl DictComp {
    pub fn entry(&self) -> Option<DictEntry> {
        child(self.syntax())
    }

    pub fn clauses(&self) -> impl Iterator<Item = CompClause> + use<> {
        children(self.syntax())
    }
}

impl CompFor {
    pub fn is_async(&self) -> bool {
        has_token(self.syntax(), K::ASYNC_KW)
    }

    pub fn target(&self) -> Option<Expr> {
        child_before(self.syntax(), K::IN_KW)
    }

    pub fn iterable(&self) -> Option<Expr> {
        child_after(self.syntax(), K::IN_KW)
    }
}

impl CompIf {
    pub fn test(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl CallExpr {
    pub fn callee(&self) -> Option<Expr> {
        child(self.syntax())
    }

    pub fn arg_list(&self) -> Option<ArgList> {
        child(self.syntax())
    }
}

impl AttributeExpr {
    pub fn base(&self) -> Option<Expr> {
        child(self.syntax())
    }

    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }
}

impl SubscriptExpr {
    pub fn base(&self) -> Option<Expr> {
        child_before(self.syntax(), K::L_BRACKET)
    }

    /// The expression between the brackets; a tuple if there are commas.
    pub fn index(&self) -> Option<Expr> {
        child_after(self.syntax(), K::L_BRACKET)
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

    pub fn operand(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl NotExpr {
    pub fn operand(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl CompareExpr {
    /// The compared expressions. Complete code has one more operand than operators.
    pub fn operands(&self) -> impl Iterator<Item = Expr> + use<> {
        children(self.syntax())
    }

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
    /// The operands of a chain of the same operator: `a and b and c` has three.
    pub fn operands(&self) -> impl Iterator<Item = Expr> + use<> {
        children(self.syntax())
    }

    pub fn op(&self) -> Option<BoolOp> {
        tokens(self.syntax()).find_map(|it| BoolOp::from_kind(it.kind()))
    }
}

impl IfExpr {
    /// The value if the test holds. It comes first in the text.
    pub fn then(&self) -> Option<Expr> {
        child_before(self.syntax(), K::IF_KW)
    }

    pub fn test(&self) -> Option<Expr> {
        let after_if = self
            .syntax()
            .children_with_tokens()
            .skip_while(|it| it.kind() != K::IF_KW);
        after_if
            .take_while(|it| it.kind() != K::ELSE_KW)
            .find_map(|it| it.into_node().and_then(Expr::cast))
    }

    pub fn or_else(&self) -> Option<Expr> {
        child_after(self.syntax(), K::ELSE_KW)
    }
}

impl LambdaExpr {
    pub fn params(&self) -> Option<ParamList> {
        child(self.syntax())
    }

    pub fn body(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl WalrusExpr {
    pub fn name(&self) -> Option<NameExpr> {
        child(self.syntax())
    }

    pub fn value(&self) -> Option<Expr> {
        child_after(self.syntax(), K::COLON_EQ)
    }
}

impl AwaitExpr {
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl YieldExpr {
    pub fn value(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl StarExpr {
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}
