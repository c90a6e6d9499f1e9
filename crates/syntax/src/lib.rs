//! Python source to a lossless syntax tree: the first layer, which every other layer reads. Relay's text has a tree of
//! its own, in [`relay`].
//!
//! Knows Python's grammar and nothing about Relax, files, editors or protocols. Any text parses; the tree's text is the
//! input, whatever it was.
//!
//! What belongs to what:
//! - A function or class begins at its first decorator. Comments and blank lines before it belong to the suite or file
//!   around it.
//! - A suite owns whole lines: the comment and the line end after its last statement are its own, so a compound
//!   statement ends after a line end, and a simple statement before it. Comments and blank lines further on belong to
//!   what is around the suite.
//! - Trivia otherwise go outside the node that follows them.
//! - A suite of very many lines groups them into `CHUNK` nodes, so that an edit copies a short list of children. The
//!   typed views look through chunks.

pub mod ast;
mod builder;
mod error;
mod find;
mod grammar;
mod incremental;
mod kind;
mod kinds;
mod lexer;
mod parse;
mod parser;
pub mod pieces;
mod ptr;
pub mod relay;
#[cfg(test)]
mod tests;

pub use error::SyntaxError;
pub use find::tokens_at;
pub use kind::{PythonLanguage, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};
pub use parse::{NEARBY, Parse, parse};
pub use ptr::{AstPtr, SyntaxPtr};
pub use rowan::{GreenNode, GreenNodeData, NodeOrToken, TokenAtOffset, WalkEvent};
pub use text_size::{TextRange, TextSize};
