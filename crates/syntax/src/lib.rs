//! Parses Python source into a lossless syntax tree. Relay's text format has its own tree, in [`relay`].
//!
//! Knows Python's grammar and nothing about Relax, files, editors or protocols. Any text parses, and the tree contains all
//! of its bytes.
//!
//! Rules of the tree:
//! - A function or class begins at its first decorator. Comments and blank lines before it belong to the suite or file
//!   around it.
//! - A suite consists of whole lines. It includes the comment and the line end after its last statement, so a compound
//!   statement ends after a line end, and a simple statement before it. Comments and blank lines after that belong to
//!   the parent.
//! - Other trivia are outside of the node that follows them.
//! - A very long suite groups its statements into `CHUNK` nodes, so that an edit copies a short list of children. The
//!   typed views look through chunks.

pub mod ast;
mod builder;
mod chunks;
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
mod subtrees;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use error::SyntaxError;
pub use find::tokens_at;
pub use kind::{PythonLanguage, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};
pub use parse::{NEARBY, Parse, parse};
pub use ptr::{AstPtr, SyntaxPtr};
pub use rowan::{GreenNode, GreenNodeData, NodeOrToken, TokenAtOffset, WalkEvent};
pub use text_size::{TextRange, TextSize};
