//! Accessors of statements.

use super::{
    AnnAssignStmt, ArgList, AssertStmt, AssignStmt, AstNode, AugAssignStmt, CaseClause, ClassDef,
    Decorator, DelStmt, ElifClause, ElseClause, ExceptClause, Expr, ExprStmt, FinallyClause,
    ForStmt, FunctionDef, GlobalStmt, IfStmt, ImportAlias, ImportFromStmt, ImportStmt, MatchStmt,
    ModulePath, NonlocalStmt, ParamList, RaiseStmt, ReturnStmt, Suite, TryStmt, TypeAliasStmt,
    TypeParamList, WhileStmt, WithItem, WithStmt, accessors, child, children, token, tokens,
};
use crate::kind::{SyntaxKind as K, SyntaxNode, SyntaxToken};

accessors! {
    FunctionDef {
        children decorators: Decorator;
        has_token is_async: ASYNC_KW;
        token def_token: DEF_KW;
        token name: IDENT;
        child type_params: TypeParamList;
        child params: ParamList;
        /// The annotation after `->`.
        child_after ret: Expr, ARROW;
        child body: Suite;
    }
    ClassDef {
        children decorators: Decorator;
        token name: IDENT;
        child type_params: TypeParamList;
        /// The base classes and keyword arguments.
        child args: ArgList;
        child body: Suite;
    }
    Decorator {
        child expr: Expr;
    }
    AnnAssignStmt {
        child_before target: Expr, COLON;
        child_after value: Expr, EQ;
    }
    ExprStmt {
        child expr: Expr;
    }
    ReturnStmt {
        child value: Expr;
    }
    IfStmt {
        /// The test of the `if` itself.
        child test: Expr;
        /// The suite of the `if` itself.
        child then_suite: Suite;
        children elif_clauses: ElifClause;
        child else_clause: ElseClause;
    }
    WithStmt {
        has_token is_async: ASYNC_KW;
        children items: WithItem;
        child body: Suite;
    }
    ForStmt {
        has_token is_async: ASYNC_KW;
        child_before target: Expr, IN_KW;
        child_after iterable: Expr, IN_KW;
        child body: Suite;
        child else_clause: ElseClause;
    }
    WhileStmt {
        child test: Expr;
        child body: Suite;
        child else_clause: ElseClause;
    }
    TryStmt {
        child body: Suite;
        children except_clauses: ExceptClause;
        child else_clause: ElseClause;
        child finally_clause: FinallyClause;
    }
    MatchStmt {
        child subject: Expr;
    }
    ImportStmt {
        children names: ImportAlias;
    }
    ImportFromStmt {
        /// The module after `from` and its dots.
        child module: ModulePath;
        token star: STAR;
        /// The imported names; none for `import *`.
        children names: ImportAlias;
    }
    DelStmt {
        children targets: Expr;
    }
    AssertStmt {
        child_before test: Expr, COMMA;
        child_after message: Expr, COMMA;
    }
    RaiseStmt {
        child_before exception: Expr, FROM_KW;
        child_after cause: Expr, FROM_KW;
    }
    TypeAliasStmt {
        token name: IDENT;
        child type_params: TypeParamList;
        child_after value: Expr, EQ;
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

    /// Whether `expr` is a target of the assignment around it: an `=` follows it.
    pub fn has_target(expr: &SyntaxNode) -> bool {
        let siblings = std::iter::successors(expr.next_sibling_or_token(), |it| {
            it.next_sibling_or_token()
        });
        let next = { siblings }.find(|it| !it.kind().is_trivia());
        let is_assigned = |it: SyntaxNode| it.kind() == K::ASSIGN_STMT;
        next.is_some_and(|it| it.kind() == K::EQ) && expr.parent().is_some_and(is_assigned)
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
    pub fn annotation(&self) -> Option<Expr> {
        let colon = token(self.syntax(), K::COLON)?;
        let end =
            token(self.syntax(), K::EQ).map_or(self.range().end(), |it| it.text_range().start());
        children(self.syntax())
            .find(|it: &Expr| it.range().start() >= colon.text_range().end())
            .filter(|it| it.range().end() <= end)
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

    pub fn else_suite(&self) -> Option<Suite> {
        self.else_clause()?.suite()
    }
}

impl MatchStmt {
    pub fn cases(&self) -> impl Iterator<Item = CaseClause> + use<> {
        child::<_, Suite>(self.syntax())
            .into_iter()
            .flat_map(|it| children(it.syntax()))
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
