//! Python source to a lossless syntax tree: the first layer, which every other layer reads.
//!
//! Knows Python's grammar and nothing about Relax, files, editors or protocols. Any text parses; the tree's text is the
//! input, whatever it was.

pub mod ast;
mod kind;
mod ptr;

pub use kind::{PythonLanguage, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};
pub use ptr::{AstPtr, SyntaxPtr};
pub use rowan::{GreenNode, NodeOrToken, TokenAtOffset, WalkEvent};
pub use text_size::{TextRange, TextSize};
