//! Accessors of the parts of statements: clauses, parameters, arguments and module paths.

use super::{
    Arg, ArgList, AstNode, CaseClause, CaseGuard, ElifClause, ElseClause, ExceptClause, Expr,
    FinallyClause, ImportAlias, ModulePath, Param, ParamList, Pattern, Stars, Suite, TypeParam,
    TypeParamList, WithItem, child, child_after, child_before, children, leading_stars, token,
    tokens,
};
use crate::kind::{SyntaxKind as K, SyntaxNode, SyntaxToken};

impl ElifClause {
    pub fn test(&self) -> Option<Expr> {
        child(self.syntax())
    }

    pub fn suite(&self) -> Option<Suite> {
        child(self.syntax())
    }
}

impl ElseClause {
    pub fn suite(&self) -> Option<Suite> {
        child(self.syntax())
    }
}

impl FinallyClause {
    pub fn suite(&self) -> Option<Suite> {
        child(self.syntax())
    }
}

impl ExceptClause {
    pub fn exception(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The name after `as`.
    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }

    pub fn suite(&self) -> Option<Suite> {
        child(self.syntax())
    }
}

impl WithItem {
    pub fn context(&self) -> Option<Expr> {
        child_before(self.syntax(), K::AS_KW)
    }

    pub fn target(&self) -> Option<Expr> {
        child_after(self.syntax(), K::AS_KW)
    }
}

impl CaseClause {
    pub fn pattern(&self) -> Option<Pattern> {
        child(self.syntax())
    }

    pub fn guard(&self) -> Option<CaseGuard> {
        child(self.syntax())
    }

    pub fn suite(&self) -> Option<Suite> {
        child(self.syntax())
    }
}

impl CaseGuard {
    pub fn test(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl ImportAlias {
    /// The imported path: dotted after `import`, a single name after `from ... import`.
    pub fn path(&self) -> Option<ModulePath> {
        child(self.syntax())
    }

    /// The name after `as`.
    pub fn alias(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
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

impl ParamList {
    pub fn params(&self) -> impl Iterator<Item = Param> + use<> {
        children(self.syntax())
    }

    /// The `/` after the positional-only parameters.
    pub fn slash(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::SLASH)
    }

    /// The bare `*` before the keyword-only parameters.
    pub fn star(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::STAR)
    }
}

impl Param {
    pub fn stars(&self) -> Stars {
        leading_stars(self.syntax())
    }

    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }

    pub fn annotation(&self) -> Option<Expr> {
        annotation(self.syntax())
    }

    pub fn default(&self) -> Option<Expr> {
        child_after(self.syntax(), K::EQ)
    }
}

impl TypeParamList {
    pub fn params(&self) -> impl Iterator<Item = TypeParam> + use<> {
        children(self.syntax())
    }
}

impl TypeParam {
    pub fn stars(&self) -> Stars {
        leading_stars(self.syntax())
    }

    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }

    pub fn bound(&self) -> Option<Expr> {
        annotation(self.syntax())
    }

    pub fn default(&self) -> Option<Expr> {
        child_after(self.syntax(), K::EQ)
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

impl ArgList {
    pub fn args(&self) -> impl Iterator<Item = Arg> + use<> {
        children(self.syntax())
    }

    pub fn l_paren(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::L_PAREN)
    }
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
