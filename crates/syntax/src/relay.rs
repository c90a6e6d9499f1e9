//! Parses Relay's text format into a lossless syntax tree. TVM printed and read this format before Relax.
//!
//! Knows the grammar of TVM 0.6 to 0.19 and nothing about operators, types of values, files or editors. Any text
//! parses, and the tree contains all of its bytes.
//!
//! Rules of the tree:
//! - A definition begins at its `def`, `type` or `extern`. Comments and whitespace between definitions belong to the file.
//! - A chain of bindings is one flat list of statements, in its braces or in a `SEQUENCE_EXPR`. In TVM's trees,
//!   `let %x = 1; %x` nests.
//! - The comment `/* ty=... */` after an expression is trivia after it.

pub mod ast;
mod grammar;
mod kind;
mod lexer;
mod parser;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rowan::GreenNode;
pub use rowan::GreenNodeData;
use text_size::{TextRange, TextSize};

pub use kind::{RelayLanguage, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};

use crate::SyntaxError;
use crate::ast::AstNode;
use crate::subtrees::Subtrees;

/// The start of every text that TVM 0.6 or newer printed.
pub const VERSION: &str = "#[version";

/// A syntax tree, and its errors in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parse {
    pub green: GreenNode,
    pub errors: Arc<[SyntaxError]>,
}

/// Parses a module, or a single expression.
pub fn parse(text: &str) -> Parse {
    let subtrees = Subtrees::new::<SyntaxKind>(text.len());
    let mut parser = parser::Parser::new(text, lexer::lex(text), &subtrees);
    grammar::file(&mut parser);
    let (builder, errors) = parser.finish();
    Parse {
        green: builder.finish(SyntaxKind::SOURCE_FILE),
        errors: errors.into(),
    }
}

impl Parse {
    /// The comment around an offset.
    pub fn comment_at(&self, offset: TextSize) -> Option<TextRange> {
        let token = self.syntax().token_at_offset(offset).right_biased();
        let comment = token.filter(|it| it.kind() == SyntaxKind::COMMENT);
        comment.map(|it| it.text_range())
    }

    /// Whether `offset` is not inside a token.
    pub fn is_between_tokens(&self, offset: TextSize) -> bool {
        let around = self.syntax().token_at_offset(offset).left_biased();
        around.is_none_or(|it| it.text_range().end() <= offset)
    }

    /// The root of the tree.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    pub fn tree(&self) -> ast::SourceFile {
        ast::SourceFile::cast(self.syntax()).expect("a parse is rooted in a source file")
    }
}
