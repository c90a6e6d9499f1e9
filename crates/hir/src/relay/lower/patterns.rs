//! Lowers patterns.

use syntax::ast::AstNode;
use syntax::relay::SyntaxNode;
use syntax::relay::ast;
use text_size::TextRange;

use super::{Lower, name_in};
use crate::relay::body::{LocalKind, Pattern, PatternKind};

impl Lower {
    pub(super) fn pattern_in(
        &mut self,
        node: Option<ast::Pattern>,
        parent: &SyntaxNode,
    ) -> Pattern {
        match node {
            Some(node) => self.pattern(&node),
            None => Pattern {
                kind: PatternKind::Missing,
                range: TextRange::empty(parent.text_range().end()),
            },
        }
    }

    fn pattern(&mut self, node: &ast::Pattern) -> Pattern {
        let syntax = node.syntax();
        let kind = match node {
            ast::Pattern::WildcardPattern(_) => PatternKind::Wildcard,
            ast::Pattern::VariablePattern(it) => {
                PatternKind::Local(self.local(LocalKind::Pattern, it.name(), it.ty(), syntax))
            }
            ast::Pattern::ConstructorPattern(it) => PatternKind::Constructor {
                name: name_in(it.name(), syntax),
                fields: it.fields().map(|it| self.pattern(&it)).collect(),
            },
            ast::Pattern::TuplePattern(it) => {
                PatternKind::Tuple(it.fields().map(|it| self.pattern(&it)).collect())
            }
        };
        Pattern {
            kind,
            range: syntax.text_range(),
        }
    }
}
