//! Accessors of the parts of statements: clauses, parameters, arguments and module paths.

use super::{
    Arg, ArgList, AstNode, CaseClause, CaseGuard, ElifClause, ElseClause, ExceptClause, Expr,
    FinallyClause, ImportAlias, ModulePath, Param, ParamList, Pattern, Stars, Suite, TypeParam,
    TypeParamList, WithItem, accessors, child, child_after, leading_stars, token, tokens,
};
use crate::kind::{SyntaxKind as K, SyntaxNode, SyntaxToken};

accessors! {
    ElifClause {
        child test: Expr;
        child suite: Suite;
    }
    ElseClause {
        child suite: Suite;
    }
    FinallyClause {
        child suite: Suite;
    }
    ExceptClause {
        child exception: Expr;
        /// The name after `as`.
        token name: IDENT;
        child suite: Suite;
    }
    WithItem {
        child_before context: Expr, AS_KW;
        child_after target: Expr, AS_KW;
    }
    CaseClause {
        child pattern: Pattern;
        child guard: CaseGuard;
        child suite: Suite;
    }
    CaseGuard {
        child test: Expr;
    }
    ImportAlias {
        /// The imported path: dotted after `import`, a single name after `from ... import`.
        child path: ModulePath;
        /// The name after `as`.
        token alias: IDENT;
    }
    ParamList {
        children params: Param;
        /// The `/` after the positional-only parameters.
        token slash: SLASH;
        /// The bare `*` before the keyword-only parameters.
        token star: STAR;
    }
    Param {
        token name: IDENT;
        child_after default: Expr, EQ;
    }
    TypeParamList {
        children params: TypeParam;
    }
    TypeParam {
        token name: IDENT;
        child_after default: Expr, EQ;
    }
    ArgList {
        children args: Arg;
        token l_paren: L_PAREN;
    }
}

impl ModulePath {
    pub fn names(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        tokens(self.syntax()).filter(|it| it.kind() == K::IDENT)
    }

    /// The names joined by dots, without whitespace.
    pub fn dotted(&self) -> String {
        let mut text = String::new();
        for name in self.names() {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(name.text());
        }
        text
    }
}

impl Param {
    pub fn stars(&self) -> Stars {
        leading_stars(self.syntax())
    }

    pub fn annotation(&self) -> Option<Expr> {
        annotation(self.syntax())
    }
}

impl TypeParam {
    pub fn stars(&self) -> Stars {
        leading_stars(self.syntax())
    }

    pub fn bound(&self) -> Option<Expr> {
        annotation(self.syntax())
    }
}

/// The expression after `:` and before any `=`.
fn annotation(parent: &SyntaxNode) -> Option<Expr> {
    let after_colon = parent
        .children_with_tokens()
        .skip_while(|it| it.kind() != K::COLON);
    after_colon
        .take_while(|it| it.kind() != K::EQ)
        .find_map(|it| it.into_node().and_then(Expr::cast))
}

impl Arg {
    /// The name before `=`.
    pub fn keyword(&self) -> Option<SyntaxToken> {
        match self.syntax().kind() {
            K::KEYWORD_ARG => token(self.syntax(), K::IDENT),
            _ => None,
        }
    }

    pub fn stars(&self) -> Stars {
        match self.syntax().kind() {
            K::STAR_ARG => leading_stars(self.syntax()),
            _ => Stars::None,
        }
    }

    pub fn value(&self) -> Option<Expr> {
        match self.syntax().kind() {
            K::KEYWORD_ARG => child_after(self.syntax(), K::EQ),
            K::STAR_ARG => child(self.syntax()),
            _ => Expr::cast(self.syntax().clone()),
        }
    }
}
