//! Relay's text format to a lossless syntax tree: what TVM printed and read before Relax.
//!
//! Knows the grammar of TVM 0.6 to 0.19 and nothing about operators, types of values, files or editors. Any text
//! parses; the tree's text is the input, whatever it was.
//!
//! What belongs to what:
//! - A definition begins at its `def`, `type` or `extern`. Comments and blanks between definitions belong to the file.
//! - A chain of bindings is one flat list of statements, in the braces that hold it or in a `SEQUENCE_EXPR`, however
//!   long it is. `let %x = 1; %x` nests in TVM's trees, and not here.
//! - The comment `/* ty=... */` behind an expression is trivia behind it.

pub mod ast;
mod grammar;
mod incremental;
mod kind;
mod lexer;
mod parser;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rowan::GreenNode;
use text_size::{TextRange, TextSize};

pub use kind::{RelayLanguage, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};

use crate::ast::AstNode;
use crate::{NEARBY, SyntaxError};

/// How a text begins that TVM printed since 0.6.
pub const VERSION: &str = "#[version";

/// A parsed text: its tree, and what is wrong with it, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parse {
    pub green: GreenNode,
    pub errors: Arc<[SyntaxError]>,
}

/// Parses a module, or a text that is one expression, as printing an expression makes it.
pub fn parse(text: &str) -> Parse {
    let mut parser = parser::Parser::new(text, lexer::lex(text));
    grammar::file(&mut parser);
    let (builder, errors) = parser.finish();
    Parse {
        green: builder.finish(SyntaxKind::SOURCE_FILE),
        errors: errors.into(),
    }
}

impl Parse {
    /// The parse of `text`, which is the parsed text with `inserted` bytes in place of `replaced`. Costs about as much
    /// as the statements around the edit, or as the function; the result is that of [`parse`].
    pub fn reparse(&self, replaced: TextRange, inserted: TextSize, text: &str) -> Parse {
        incremental::reparse(self, replaced, inserted, text).unwrap_or_else(|| parse(text))
    }

    /// The same for an edit that concerns little of the text; `None` if more than [`NEARBY`] bytes have to be read.
    pub fn reparse_nearby(
        &self,
        replaced: TextRange,
        inserted: TextSize,
        text: &str,
    ) -> Option<Parse> {
        incremental::reparse(self, replaced, inserted, text)
            .or_else(|| (text.len() <= NEARBY).then(|| parse(text)))
    }

    /// The comment around an offset.
    pub fn comment_at(&self, offset: TextSize) -> Option<TextRange> {
        let token = self.syntax().token_at_offset(offset).right_biased();
        let comment = token.filter(|it| it.kind() == SyntaxKind::COMMENT);
        comment.map(|it| it.text_range())
    }

    /// Whether no token goes over an offset.
    pub fn is_between_tokens(&self, offset: TextSize) -> bool {
        let around = self.syntax().token_at_offset(offset).left_biased();
        around.is_none_or(|it| it.text_range().end() <= offset)
    }

    /// A fresh view of the tree.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    pub fn tree(&self) -> ast::SourceFile {
        ast::SourceFile::cast(self.syntax()).expect("a parse is rooted in a source file")
    }
}
