//! Groups of consecutive statements in long blocks, so that an edit copies a short list of children.

use std::hash::Hasher;

use rowan::NodeOrToken;
use rustc_hash::FxHasher;

use crate::kinds::Kind;
use crate::subtrees::{Element, GreenChild};

/// The statements of blocks with more lines than this are grouped into chunks.
pub(crate) const CHUNK_LINES: usize = 128;
/// A chunk has this many lines on average. After an edit, only the results of its chunk are computed again.
const CHUNK_PERIOD: u64 = 16;

/// Whether a chunk ends after a statement. Depends only on the first bytes of the statement, so that an edit changes the
/// chunks around it and no others.
pub(crate) fn ends_chunk(statement: &[u8]) -> bool {
    let mut hasher = FxHasher::default();
    hasher.write(&statement[..statement.len().min(64)]);
    hasher.finish().is_multiple_of(CHUNK_PERIOD)
}

/// Adds the children to `out`, with the children of chunks in place of the chunks.
pub(crate) fn flatten<'a>(
    children: impl Iterator<Item = GreenChild<'a>>,
    chunk: impl Kind,
    out: &mut Vec<Element>,
) {
    let chunk: rowan::SyntaxKind = chunk.into();
    for child in children {
        match child {
            NodeOrToken::Node(node) if node.kind() == chunk => {
                out.extend(node.children().map(NodeOrToken::to_owned));
            }
            other => out.push(other.to_owned()),
        }
    }
}
