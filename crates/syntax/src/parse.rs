//! From text to tree, and the result that others hold on to.

use std::sync::Arc;

use rowan::GreenNode;
use text_size::{TextRange, TextSize};

use crate::ast::{AstNode, SourceFile};
use crate::error::SyntaxError;
use crate::kind::{SyntaxKind, SyntaxNode};
use crate::parser::{Parser, Surroundings};
use crate::{grammar, incremental, lexer};

/// Bytes that are parsed in a few milliseconds.
pub const NEARBY: usize = 1 << 16;

/// A parsed text: its tree, and what is wrong with it, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parse {
    pub green: GreenNode,
    pub errors: Arc<[SyntaxError]>,
    /// See `Tokens::fragile`.
    pub(crate) fragile: Arc<[TextRange]>,
}

/// Parses a whole file.
pub fn parse(text: &str) -> Parse {
    let mut parser = Parser::new(text, 0, lexer::lex(text), Surroundings::default());
    grammar::file(&mut parser);
    let parsed = parser.finish();
    Parse {
        green: parsed.builder.finish(SyntaxKind::SOURCE_FILE),
        errors: parsed.errors.into(),
        fragile: parsed.fragile.into(),
    }
}

impl Parse {
    /// The parse of `text`, which is the parsed text with `inserted` bytes in place of `replaced`. Costs about as much
    /// as the statements around the edit, where [`parse`] costs as much as the text; the result is the same.
    pub fn reparse(&self, replaced: TextRange, inserted: TextSize, text: &str) -> Parse {
        let most = text.len().saturating_mul(2);
        incremental::reparse(self, replaced, inserted, text, most).unwrap_or_else(|| parse(text))
    }

    /// The same for an edit that concerns little of the text; `None` if more than [`NEARBY`] bytes have to be read, as
    /// behind a bracket that nothing closes.
    pub fn reparse_nearby(
        &self,
        replaced: TextRange,
        inserted: TextSize,
        text: &str,
    ) -> Option<Parse> {
        incremental::reparse(self, replaced, inserted, text, NEARBY)
            .or_else(|| (text.len() <= NEARBY).then(|| parse(text)))
    }

    /// A fresh view of the tree.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    pub fn tree(&self) -> SourceFile {
        SourceFile::cast(self.syntax()).expect("a parse is rooted in a source file")
    }
}
