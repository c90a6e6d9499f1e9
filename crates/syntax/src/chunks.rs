//! Groups of consecutive statements in long blocks, so that an edit copies a short list of children.

use std::hash::Hasher;

use rowan::{GreenNode, NodeOrToken};
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

/// The ends of the chunks of a block, as indices into the elements of the parser.
#[derive(Debug)]
pub(crate) struct ChunkEnds {
    ends: Vec<usize>,
    /// The end of the last statement.
    last: usize,
    statements: usize,
}

impl ChunkEnds {
    pub(crate) fn of_block_at(start: usize) -> ChunkEnds {
        ChunkEnds {
            ends: vec![start],
            last: start,
            statements: 0,
        }
    }

    /// Adds a statement, or a line of statements.
    pub(crate) fn add(&mut self, end: usize, text: &str) {
        self.statements += 1;
        self.last = end;
        if ends_chunk(text.as_bytes()) {
            self.ends.push(end);
        }
    }

    /// Returns the start of the block and the ends of its chunks, or `None` if it is too short for chunks.
    pub(crate) fn finish(mut self) -> Option<Vec<usize>> {
        if self.ends.last() != Some(&self.last) {
            self.ends.push(self.last);
        }
        (self.statements > CHUNK_LINES).then_some(self.ends)
    }
}

/// Groups the elements of a block into chunks.
#[derive(Debug)]
pub(crate) struct Grouping<'o> {
    out: &'o mut Vec<Element>,
    kind: rowan::SyntaxKind,
    /// The elements that are in no chunk yet.
    pending: Vec<Element>,
    /// The number of those up to the last statement.
    complete: usize,
}

impl<'o> Grouping<'o> {
    /// Creates a grouping that adds chunks of a kind to `out`.
    pub(crate) fn new(kind: impl Kind, out: &'o mut Vec<Element>) -> Grouping<'o> {
        Grouping {
            out,
            kind: kind.into(),
            pending: Vec::new(),
            complete: 0,
        }
    }

    pub(crate) fn add(&mut self, element: Element) {
        self.pending.push(element);
    }

    /// Ends a statement, or a line of statements, after the last element.
    pub(crate) fn end_statement(&mut self, text: &[u8]) {
        self.complete = self.pending.len();
        if ends_chunk(text) {
            self.end_chunk();
        }
    }

    fn end_chunk(&mut self) {
        let chunk = self.pending.drain(..self.complete);
        self.out.push(GreenNode::new(self.kind, chunk).into());
        self.complete = 0;
    }

    /// Ends the last chunk. Elements after the last statement are in no chunk.
    pub(crate) fn finish(mut self) {
        if self.complete > 0 {
            self.end_chunk();
        }
        self.out.append(&mut self.pending);
    }
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
