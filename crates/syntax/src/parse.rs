//! The entry points: parsing and reparsing a file.

use std::sync::Arc;

use rowan::GreenNode;
use text_size::{TextRange, TextSize};

use crate::ast::{AstNode, SourceFile};
use crate::error::SyntaxError;
use crate::kind::{SyntaxKind, SyntaxNode};
use crate::parser::{Parsed, Parser, Surroundings};
use crate::subtrees::Subtrees;
use crate::{grammar, incremental, lexer};

/// The limit of [`Parse::reparse_nearby`] in bytes. This much is parsed in a few milliseconds.
pub const NEARBY: usize = 1 << 16;

/// A syntax tree, and its errors in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parse {
    pub green: GreenNode,
    pub errors: Arc<[SyntaxError]>,
    /// See `Tokens::fragile`.
    pub(crate) fragile: Arc<[TextRange]>,
    pub(crate) subtrees: Subtrees,
}

/// Parses a whole file.
pub fn parse(text: &str) -> Parse {
    let subtrees = Subtrees::new::<SyntaxKind>(text.len());
    let tokens = lexer::lex(text);
    let mut parser = Parser::new(text, 0, tokens, Surroundings::default(), &subtrees);
    grammar::file(&mut parser);
    let Parsed {
        builder,
        errors,
        fragile,
    } = parser.finish();
    Parse {
        green: builder.finish(SyntaxKind::SOURCE_FILE),
        errors: errors.into(),
        fragile: fragile.into(),
        subtrees,
    }
}

impl Parse {
    /// Parses `text`, in which `inserted` bytes replace the range `replaced` of this parse's text. Gives the same result as
    /// [`parse`], but usually reads only the statements around the edit.
    pub fn reparse(&self, replaced: TextRange, inserted: TextSize, text: &str) -> Parse {
        let max_bytes = text.len().saturating_mul(2);
        incremental::reparse(self, replaced, inserted, text, max_bytes)
            .unwrap_or_else(|| parse(text))
    }

    /// Like [`Self::reparse`], but `None` if more than [`NEARBY`] bytes have to be read, for example after an unclosed
    /// bracket.
    pub fn reparse_nearby(
        &self,
        replaced: TextRange,
        inserted: TextSize,
        text: &str,
    ) -> Option<Parse> {
        incremental::reparse(self, replaced, inserted, text, NEARBY)
            .or_else(|| (text.len() <= NEARBY).then(|| parse(text)))
    }

    /// The root of the tree.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    pub fn tree(&self) -> SourceFile {
        SourceFile::cast(self.syntax()).expect("a parse is rooted in a source file")
    }
}
