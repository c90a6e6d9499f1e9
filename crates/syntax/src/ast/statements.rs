//! Accessors of statements.

use super::{
    AnnAssignStmt, ArgList, AssertStmt, AssignStmt, AstNode, AugAssignStmt, CaseClause, ClassDef,
    Decorator, DelStmt, ElifClause, ElseClause, ExceptClause, Expr, ExprStmt, FinallyClause,
    ForStmt, FunctionDef, GlobalStmt, IfStmt, ImportAlias, ImportFromStmt, ImportStmt, MatchStmt,
    ModulePath, NonlocalStmt, ParamList, RaiseStmt, ReturnStmt, Suite, TryStmt, TypeAliasStmt,
    TypeParamList, WhileStmt, WithItem, WithStmt, child, child_after, child_before, children,
    has_token, token, tokens,
};
use crate::kind::{SyntaxKind as K, SyntaxNode, SyntaxToken};

impl FunctionDef {
    pub fn decorators(&self) -> impl Iterator<Item = Decorator> + use<> {
        children(self.syntax())
    }

    pub fn is_async(&self) -> bool {
        has_token(self.syntax(), K::ASYNC_KW)
    }

    pub fn def_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::DEF_KW)
    }

    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }

    pub fn type_params(&self) -> Option<TypeParamList> {
        child(self.syntax())
    }

    pub fn params(&self) -> Option<ParamList> {
        child(self.syntax())
    }

    /// The annotation after `->`.
    pub fn ret(&self) -> Option<Expr> {
        child_after(self.syntax(), K::ARROW)
    }

    pub fn body(&self) -> Option<Suite> {
        child(self.syntax())
    }
}

impl ClassDef {
    pub fn decorators(&self) -> impl Iterator<Item = Decorator> + use<> {
        children(self.syntax())
    }

    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }

    pub fn type_params(&self) -> Option<TypeParamList> {
        child(self.syntax())
    }

    /// The base classes and keyword arguments.
    pub fn args(&self) -> Option<ArgList> {
        child(self.syntax())
    }

    pub fn body(&self) -> Option<Suite> {
        child(self.syntax())
    }
}

impl Decorator {
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl AssignStmt {
    /// The expressions before each `=`.
    pub fn targets(&self) -> impl Iterator<Item = Expr> + use<> {
        let count = tokens(self.syntax())
            .filter(|it| it.kind() == K::EQ)
            .count();
        let end = self
            .last_eq()
            .map_or(self.range().end(), |it| it.text_range().start());
        children(self.syntax())
            .take(count)
            .take_while(move |it: &Expr| it.range().end() <= end)
    }

    /// The expression after the last `=`.
    pub fn value(&self) -> Option<Expr> {
        let last = self.last_eq()?;
        children(self.syntax()).find(|it: &Expr| it.range().start() >= last.text_range().end())
    }

    fn last_eq(&self) -> Option<SyntaxToken> {
        tokens(self.syntax()).filter(|it| it.kind() == K::EQ).last()
    }
}

impl AnnAssignStmt {
    pub fn target(&self) -> Option<Expr> {
        child_before(self.syntax(), K::COLON)
    }

    pub fn annotation(&self) -> Option<Expr> {
        let colon = token(self.syntax(), K::COLON)?;
        let end =
            token(self.syntax(), K::EQ).map_or(self.range().end(), |it| it.text_range().start());
        children(self.syntax())
            .find(|it: &Expr| it.range().start() >= colon.text_range().end())
            .filter(|it| it.range().end() <= end)
    }

    pub fn value(&self) -> Option<Expr> {
        child_after(self.syntax(), K::EQ)
    }
}

/// The operator of an augmented assignment: the token `+=` and the operator `+`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignOp {
    pub token: SyntaxToken,
    pub op: super::BinaryOp,
}

impl AugAssignStmt {
    pub fn target(&self) -> Option<Expr> {
        let op = self.op()?;
        children(self.syntax()).find(|it: &Expr| it.range().end() <= op.token.text_range().start())
    }

    pub fn op(&self) -> Option<AssignOp> {
        tokens(self.syntax()).find_map(|token| {
            let op = super::BinaryOp::from_assign(token.kind())?;
            Some(AssignOp { token, op })
        })
    }

    pub fn value(&self) -> Option<Expr> {
        let op = self.op()?;
        children(self.syntax()).find(|it: &Expr| it.range().start() >= op.token.text_range().end())
    }
}

impl ExprStmt {
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl ReturnStmt {
    pub fn value(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

/// One `if` or `elif` with its test and suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub keyword: SyntaxToken,
    pub test: Option<Expr>,
    pub suite: Option<Suite>,
}

impl Branch {
    fn of(node: &SyntaxNode, keyword: K) -> Option<Branch> {
        Some(Branch {
            keyword: token(node, keyword)?,
            test: child(node),
            suite: child(node),
        })
    }
}

impl IfStmt {
    /// The `if`, then each `elif`.
    pub fn branches(&self) -> impl Iterator<Item = Branch> + use<> {
        let elifs = children(self.syntax());
        let first = Branch::of(self.syntax(), K::IF_KW);
        first
            .into_iter()
            .chain(elifs.filter_map(|it: ElifClause| Branch::of(it.syntax(), K::ELIF_KW)))
    }

    /// The test of the `if` itself.
    pub fn test(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The suite of the `if` itself.
    pub fn then_suite(&self) -> Option<Suite> {
        child(self.syntax())
    }

    pub fn elif_clauses(&self) -> impl Iterator<Item = ElifClause> + use<> {
        children(self.syntax())
    }

    pub fn else_clause(&self) -> Option<ElseClause> {
        child(self.syntax())
    }

    pub fn else_suite(&self) -> Option<Suite> {
        self.else_clause()?.suite()
    }
}

impl WithStmt {
    pub fn is_async(&self) -> bool {
        has_token(self.syntax(), K::ASYNC_KW)
    }

    pub fn items(&self) -> impl Iterator<Item = WithItem> + use<> {
        children(self.syntax())
    }

    pub fn body(&self) -> Option<Suite> {
        child(self.syntax())
    }
}

impl ForStmt {
    pub fn is_async(&self) -> bool {
        has_token(self.syntax(), K::ASYNC_KW)
    }

    pub fn target(&self) -> Option<Expr> {
        child_before(self.syntax(), K::IN_KW)
    }

    pub fn iterable(&self) -> Option<Expr> {
        child_after(self.syntax(), K::IN_KW)
    }

    pub fn body(&self) -> Option<Suite> {
        child(self.syntax())
    }

    pub fn else_clause(&self) -> Option<ElseClause> {
        child(self.syntax())
    }
}

impl WhileStmt {
    pub fn test(&self) -> Option<Expr> {
        child(self.syntax())
    }

    pub fn body(&self) -> Option<Suite> {
        child(self.syntax())
    }

    pub fn else_clause(&self) -> Option<ElseClause> {
        child(self.syntax())
    }
}

impl TryStmt {
    pub fn body(&self) -> Option<Suite> {
        child(self.syntax())
    }

    pub fn except_clauses(&self) -> impl Iterator<Item = ExceptClause> + use<> {
        children(self.syntax())
    }

    pub fn else_clause(&self) -> Option<ElseClause> {
        child(self.syntax())
    }

    pub fn finally_clause(&self) -> Option<FinallyClause> {
        child(self.syntax())
    }
}

impl MatchStmt {
    pub fn subject(&self) -> Option<Expr> {
        child(self.syntax())
    }

    pub fn cases(&self) -> impl Iterator<Item = CaseClause> + use<> {
        child::<_, Suite>(self.syntax())
            .into_iter()
            .flat_map(|it| children(it.syntax()))
    }
}

impl ImportStmt {
    pub fn names(&self) -> impl Iterator<Item = ImportAlias> + use<> {
        children(self.syntax())
    }
}

impl ImportFromStmt {
    /// The number of dots before the module.
    pub fn level(&self) -> u32 {
        let dots = tokens(self.syntax()).take_while(|it| it.kind() != K::IMPORT_KW);
        let level = dots.map(|it| match it.kind() {
            K::DOT => 1,
            K::ELLIPSIS => 3,
            _ => 0,
        });
        level.sum()
    }

    /// The module after `from` and its dots.
    pub fn module(&self) -> Option<ModulePath> {
        child(self.syntax())
    }

    pub fn star(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::STAR)
    }

    /// The imported names; none for `import *`.
    pub fn names(&self) -> impl Iterator<Item = ImportAlias> + use<> {
        children(self.syntax())
    }
}

impl DelStmt {
    pub fn targets(&self) -> impl Iterator<Item = Expr> + use<> {
        children(self.syntax())
    }
}

impl GlobalStmt {
    pub fn names(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        tokens(self.syntax()).filter(|it| it.kind() == K::IDENT)
    }
}

impl NonlocalStmt {
    pub fn names(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        tokens(self.syntax()).filter(|it| it.kind() == K::IDENT)
    }
}

impl AssertStmt {
    pub fn test(&self) -> Option<Expr> {
        child_before(self.syntax(), K::COMMA)
    }

    pub fn message(&self) -> Option<Expr> {
        child_after(self.syntax(), K::COMMA)
    }
}

impl RaiseStmt {
    pub fn exception(&self) -> Option<Expr> {
        child_before(self.syntax(), K::FROM_KW)
    }

    pub fn cause(&self) -> Option<Expr> {
        child_after(self.syntax(), K::FROM_KW)
    }
}

impl TypeAliasStmt {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }

    pub fn type_params(&self) -> Option<TypeParamList> {
        child(self.syntax())
    }

    pub fn value(&self) -> Option<Expr> {
        child_after(self.syntax(), K::EQ)
    }
}
