//! Splits a function into pieces: its header, groups of its statements, and the headers of long `with` blocks, whose
//! statements are also split.
//!
//! Results that are computed for each piece can be kept across an edit. Pieces that the edit did not touch are
//! [the same](Piece::is_same), even if they have moved.

mod names;

use rowan::{GreenNode, GreenNodeData, NodeOrToken};
use rustc_hash::FxHashSet;
use text_size::TextSize;

use crate::ast::{self, AstNode};
use crate::kind::SyntaxKind::{self, CHUNK, SUITE, WITH_STMT};
use crate::kind::SyntaxNode;
use crate::subtrees::{Element, GreenChild, address};

pub use names::{DottedName, FirstArgument, NameUse};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// The function without its suite.
    Header,
    Statements,
    /// A `with` without its suite. The pieces up to the next `WithEnd` are its suite.
    With,
    /// The end of the suite of the last `With`. Empty.
    WithEnd,
}

/// A part of a function, as a tree of its own.
#[derive(Clone, Debug)]
pub struct Piece {
    pub kind: PieceKind,
    /// The offset from the start of the function.
    pub offset: TextSize,
    green: GreenNode,
}

impl Piece {
    /// Whether both pieces consist of the same nodes in memory. Then they are equal; equal pieces may still differ here.
    pub fn is_same(&self, other: &Piece) -> bool {
        self.kind == other.kind && share_children(&self.green, &other.green)
    }

    /// A hash key: same pieces have the same key.
    pub fn key(&self) -> usize {
        self.green.children().next().map_or(0, address)
    }

    pub fn text_len(&self) -> TextSize {
        self.green.text_len()
    }

    /// The function without its suite, if this is its header.
    pub fn header(&self) -> Option<ast::FunctionDef> {
        ast::FunctionDef::cast(self.syntax())
    }

    /// The `with` without its suite, if this is one.
    pub fn with(&self) -> Option<ast::WithStmt> {
        ast::WithStmt::cast(self.syntax())
    }

    /// The statements of a `Statements` piece.
    pub fn stmts(&self) -> impl Iterator<Item = ast::Stmt> + use<> {
        let root = (self.kind == PieceKind::Statements).then(|| self.syntax());
        root.into_iter().flat_map(|root| ast::statements(&root))
    }

    fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }
}

/// Whether two nodes have the same children in memory.
pub(crate) fn share_children(a: &GreenNodeData, b: &GreenNodeData) -> bool {
    std::ptr::eq(a, b)
        || a.kind() == b.kind()
            && a.text_len() == b.text_len()
            && a.children().len() == b.children().len()
            && a.children()
                .zip(b.children())
                .all(|(a, b)| address(a) == address(b))
}

/// Whether two trees are equal. Does not compare subtrees that they share.
pub fn are_equal(a: &GreenNode, b: &GreenNode) -> bool {
    fn nodes(a: &GreenNodeData, b: &GreenNodeData) -> bool {
        std::ptr::eq(a, b)
            || a.kind() == b.kind()
                && a.text_len() == b.text_len()
                && a.children().len() == b.children().len()
                && a.children().zip(b.children()).all(|(a, b)| match (a, b) {
                    (NodeOrToken::Node(a), NodeOrToken::Node(b)) => nodes(a, b),
                    (a, b) => address(a) == address(b) || a == b,
                })
    }
    nodes(a, b)
}

/// Splits a function into pieces. `before` are the pieces of an earlier version, or none; chunks that they share are not
/// searched again.
pub fn pieces<'a>(function: &GreenNodeData, before: impl Iterator<Item = &'a Piece>) -> Vec<Piece> {
    let mut splitter = Splitter {
        whole_chunks: whole_chunks(before),
        pieces: Vec::new(),
        pending: Vec::new(),
        pending_start: TextSize::new(0),
    };
    splitter.push(PieceKind::Header, TextSize::new(0), header(function));
    let mut offset = TextSize::new(0);
    for child in function.children() {
        if let NodeOrToken::Node(suite) = child
            && suite.kind() == SUITE.into()
        {
            if is_grouped(suite) || suite.children().any(is_long_with) {
                splitter.suite(suite, offset, true);
            } else {
                splitter.push(PieceKind::Statements, offset, suite.to_owned());
            }
        }
        offset += child.text_len();
    }
    splitter.pieces
}

/// The addresses of the function's own chunks that are one piece each, because they contain no long `with`.
fn whole_chunks<'a>(pieces: impl Iterator<Item = &'a Piece>) -> FxHashSet<usize> {
    let mut in_with = false;
    let mut chunks = FxHashSet::default();
    for piece in pieces {
        match piece.kind {
            PieceKind::With => in_with = true,
            PieceKind::WithEnd => in_with = false,
            PieceKind::Statements if !in_with => {
                chunks.insert(address(NodeOrToken::Node(&piece.green)));
            }
            PieceKind::Header | PieceKind::Statements => {}
        }
    }
    chunks
}

struct Splitter {
    whole_chunks: FxHashSet<usize>,
    pieces: Vec<Piece>,
    /// Elements that are not in a piece yet, and where they start.
    pending: Vec<Element>,
    pending_start: TextSize,
}

impl Splitter {
    fn push(&mut self, kind: PieceKind, offset: TextSize, green: GreenNode) {
        self.pieces.push(Piece {
            kind,
            offset,
            green,
        });
    }

    /// Splits a suite or a chunk. `is_outermost`: it belongs to the function itself, not to a `with`.
    fn suite(&mut self, suite: &GreenNodeData, mut offset: TextSize, is_outermost: bool) {
        for child in suite.children() {
            match child {
                NodeOrToken::Node(chunk) if chunk.kind() == CHUNK.into() => {
                    self.push_pending();
                    if is_outermost
                        && !self.whole_chunks.contains(&address(child))
                        && chunk.children().any(is_long_with)
                    {
                        self.suite(chunk, offset, true);
                        self.push_pending();
                    } else {
                        self.push(PieceKind::Statements, offset, chunk.to_owned());
                    }
                }
                NodeOrToken::Node(with) if is_outermost && is_long_with(child) => {
                    self.push_pending();
                    self.push(PieceKind::With, offset, header(with));
                    let mut at = offset;
                    for part in with.children() {
                        if let NodeOrToken::Node(suite) = part
                            && suite.kind() == SUITE.into()
                        {
                            self.suite(suite, at, false);
                            self.push_pending();
                        }
                        at += part.text_len();
                    }
                    let nothing = GreenNode::new(CHUNK.into(), std::iter::empty());
                    self.push(PieceKind::WithEnd, at, nothing);
                }
                _ => {
                    if self.pending.is_empty() {
                        self.pending_start = offset;
                    }
                    self.pending.push(child.to_owned());
                }
            }
            offset += child.text_len();
        }
        if is_outermost {
            self.push_pending();
        }
    }

    fn push_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if pending.iter().any(|it| matches!(it, NodeOrToken::Node(_))) {
            let green = GreenNode::new(CHUNK.into(), pending);
            self.push(PieceKind::Statements, self.pending_start, green);
        }
    }
}

fn is_grouped(suite: &GreenNodeData) -> bool {
    suite.children().any(|it| it.kind() == CHUNK.into())
}

/// Whether this is a `with` whose statements are grouped into chunks.
fn is_long_with(child: GreenChild<'_>) -> bool {
    let NodeOrToken::Node(with) = child else {
        return false;
    };
    with.kind() == WITH_STMT.into()
        && with.children().any(|part| match part {
            NodeOrToken::Node(suite) => suite.kind() == SUITE.into() && is_grouped(suite),
            NodeOrToken::Token(_) => false,
        })
}

/// A function or a `with` without its suite.
pub fn header(node: &GreenNodeData) -> GreenNode {
    let suite: rowan::SyntaxKind = SyntaxKind::SUITE.into();
    let children: Vec<Element> = node
        .children()
        .filter(|child| child.kind() != suite)
        .map(NodeOrToken::to_owned)
        .collect();
    GreenNode::new(node.kind(), children)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::parse;

    fn long_function(changed: usize) -> String {
        let mut text = String::from("def f(x):\n    y = 1\n    with block():\n");
        for k in 0..1000 {
            let value = if k == changed { "2" } else { "1" };
            let _ = writeln!(text, "        lv{k} = add(x, {value})");
        }
        text.push_str("    return y\n");
        text
    }

    fn function_of(parse: &crate::Parse) -> GreenNode {
        let function = parse.green.children().find_map(|it| match it {
            NodeOrToken::Node(node) => Some(node.to_owned()),
            NodeOrToken::Token(_) => None,
        });
        function.expect("a function")
    }

    fn pieces_of(parse: &crate::Parse) -> Vec<Piece> {
        pieces(&function_of(parse), std::iter::empty())
    }

    #[test]
    fn pieces_are_in_order_and_contain_every_statement() {
        let parse = parse(&long_function(0));
        let pieces = pieces_of(&parse);
        assert!(pieces.len() > 6, "{}", pieces.len());
        assert!(pieces.is_sorted_by_key(|it| it.offset));
        let stmts: usize = pieces.iter().map(|it| it.stmts().count()).sum();
        assert_eq!(stmts, 1002);
        let kinds: Vec<PieceKind> = pieces.iter().map(|it| it.kind).collect();
        assert_eq!(
            kinds[..3],
            [PieceKind::Header, PieceKind::Statements, PieceKind::With]
        );
        assert_eq!(
            kinds[kinds.len() - 2..],
            [PieceKind::WithEnd, PieceKind::Statements]
        );
    }

    #[test]
    fn an_edit_leaves_the_other_pieces_the_same() {
        let before = long_function(1000);
        let after = long_function(500);
        let old = parse(&before);
        let at = after.find(", 2)").expect("the edit") + 2;
        let at = text_size::TextRange::at(TextSize::new(at as u32), TextSize::new(1));
        let new = old.reparse(at, TextSize::new(1), &after);
        let (old, new) = (pieces_of(&old), pieces_of(&new));
        assert_eq!(old.len(), new.len());
        let changed = old.iter().zip(&new).filter(|(a, b)| !a.is_same(b)).count();
        assert_eq!(changed, 1);
    }

    #[test]
    fn pieces_do_not_depend_on_those_of_an_earlier_version() {
        let outer = "    y = other(1)\n".repeat(300);
        let without = format!("def f(x):\n{outer}{outer}");
        let block = "        z = other(2)\n".repeat(300);
        let with = format!("def f(x):\n{outer}    with block():\n{block}{outer}");
        let (without, with) = (parse(&without), parse(&with));
        for (old, new) in [(&without, &with), (&with, &without)] {
            let at = "def f(x):\n".len() + outer.len();
            let old_end = old.green.text_len() - TextSize::of(&outer);
            let replaced = text_size::TextRange::new(TextSize::new(at as u32), old_end);
            let inserted = new.green.text_len() - TextSize::of(&outer) - replaced.start();
            let text = new.syntax().text().to_string();
            let new = old.reparse(replaced, inserted, &text);
            let before = pieces_of(old);
            let after = pieces(&function_of(&new), before.iter());
            let shown = |pieces: &[Piece]| -> Vec<_> {
                let shown = pieces.iter().map(|it| (it.kind, it.offset, it.text_len()));
                shown.collect()
            };
            assert_eq!(shown(&after), shown(&pieces_of(&new)));
        }
    }
}
