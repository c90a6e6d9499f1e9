//! A function as a row of pieces: its header, runs of its statements, and the headers of blocks with so many statements
//! that these are pieces themselves.
//!
//! Who computes something for each piece can keep it over an edit: pieces that the edit did not touch are
//! [the same](Piece::is_same), wherever they have moved.

mod names;

use rowan::{GreenNode, GreenNodeData, NodeOrToken};
use rustc_hash::FxHashSet;
use text_size::TextSize;

use crate::ast::{self, AstNode};
use crate::builder::Element;
use crate::kind::SyntaxKind::{self, CHUNK, SUITE, WITH_STMT};
use crate::kind::SyntaxNode;

pub use names::{DottedName, FirstArgument, NameUse};

type Child<'a> = NodeOrToken<&'a GreenNodeData, &'a rowan::GreenTokenData>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// The function without its suite.
    Header,
    Statements,
    /// A `with` without its suite; what follows until its end is in it.
    With,
    /// The end of the suite of the last `With`.
    WithEnd,
}

/// A part of a function that is a tree of its own.
#[derive(Clone, Debug)]
pub struct Piece {
    pub kind: PieceKind,
    /// From the start of the function.
    pub offset: TextSize,
    green: GreenNode,
}

impl Piece {
    /// Whether both are made of the very same nodes, which says that they are equal. The reverse need not hold.
    pub fn is_same(&self, other: &Piece) -> bool {
        if self.kind != other.kind {
            return false;
        }
        let (a, b): (&GreenNodeData, &GreenNodeData) = (&self.green, &other.green);
        std::ptr::eq(a, b)
            || a.kind() == b.kind()
                && a.text_len() == b.text_len()
                && a.children().len() == b.children().len()
                && a.children()
                    .zip(b.children())
                    .all(|(a, b)| address(a) == address(b))
    }

    /// What same pieces have in common, and others rarely.
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

    /// The statements of a run.
    pub fn stmts(&self) -> impl Iterator<Item = ast::Stmt> + use<> {
        let root = (self.kind == PieceKind::Statements).then(|| self.syntax());
        root.into_iter().flat_map(|root| ast::statements(&root))
    }

    fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }
}

fn node_address(node: &GreenNodeData) -> usize {
    std::ptr::from_ref(node).cast::<u8>() as usize
}

fn address(child: Child<'_>) -> usize {
    match child {
        NodeOrToken::Node(node) => node_address(node),
        NodeOrToken::Token(token) => std::ptr::from_ref(token).cast::<u8>() as usize,
    }
}

/// Whether two trees are equal. Costs as much as what they do not share.
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

/// The function without its suite, as a tree.
pub fn header(function: &GreenNodeData) -> GreenNode {
    without_suite(function)
}

/// The pieces of a function, in order. `before` are perhaps those of another version of it: what they have in common
/// with it is not looked into.
pub fn pieces<'a>(function: &GreenNodeData, before: impl Iterator<Item = &'a Piece>) -> Vec<Piece> {
    let mut cut = Cut {
        plain: plain(before),
        pieces: Vec::new(),
        run: Vec::new(),
        start: TextSize::new(0),
    };
    cut.push(PieceKind::Header, TextSize::new(0), without_suite(function));
    let mut offset = TextSize::new(0);
    for child in function.children() {
        if let NodeOrToken::Node(suite) = child
            && suite.kind() == SUITE.into()
        {
            if is_grouped(suite) || suite.children().any(is_long_with) {
                cut.suite(suite, offset, true);
            } else {
                cut.push(PieceKind::Statements, offset, suite.to_owned());
            }
        }
        offset += len(child);
    }
    cut.pieces
}

/// The chunks of the function itself that are pieces as they are, which those are that hold no long `with`.
fn plain<'a>(pieces: impl Iterator<Item = &'a Piece>) -> FxHashSet<usize> {
    let mut inside = false;
    let mut plain = FxHashSet::default();
    for piece in pieces {
        match piece.kind {
            PieceKind::With => inside = true,
            PieceKind::WithEnd => inside = false,
            PieceKind::Statements if !inside => {
                plain.insert(node_address(&piece.green));
            }
            PieceKind::Header | PieceKind::Statements => {}
        }
    }
    plain
}

struct Cut {
    /// Addresses of chunks that are known to hold no long `with`.
    plain: FxHashSet<usize>,
    pieces: Vec<Piece>,
    /// Elements that are in no piece yet, and where they start.
    run: Vec<Element>,
    start: TextSize,
}

impl Cut {
    fn push(&mut self, kind: PieceKind, offset: TextSize, green: GreenNode) {
        self.pieces.push(Piece {
            kind,
            offset,
            green,
        });
    }

    /// The elements of a suite or a chunk; `outermost`: of the function itself.
    fn suite(&mut self, suite: &GreenNodeData, offset: TextSize, outermost: bool) {
        let mut offset = offset;
        for child in suite.children() {
            match child {
                NodeOrToken::Node(chunk) if chunk.kind() == CHUNK.into() => {
                    self.end_run();
                    if outermost
                        && !self.plain.contains(&node_address(chunk))
                        && chunk.children().any(is_long_with)
                    {
                        self.suite(chunk, offset, true);
                        self.end_run();
                    } else {
                        self.push(PieceKind::Statements, offset, chunk.to_owned());
                    }
                }
                NodeOrToken::Node(with) if outermost && is_long_with(child) => {
                    self.end_run();
                    self.push(PieceKind::With, offset, without_suite(with));
                    let mut at = offset;
                    for part in with.children() {
                        if let NodeOrToken::Node(suite) = part
                            && suite.kind() == SUITE.into()
                        {
                            self.suite(suite, at, false);
                            self.end_run();
                        }
                        at += len(part);
                    }
                    let nothing = GreenNode::new(CHUNK.into(), std::iter::empty());
                    self.push(PieceKind::WithEnd, at, nothing);
                }
                _ => {
                    if self.run.is_empty() {
                        self.start = offset;
                    }
                    self.run.push(own(child));
                }
            }
            offset += len(child);
        }
        if outermost {
            self.end_run();
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run.iter().any(|it| matches!(it, NodeOrToken::Node(_))) {
            let green = GreenNode::new(CHUNK.into(), run);
            self.push(PieceKind::Statements, self.start, green);
        }
    }
}

fn is_grouped(suite: &GreenNodeData) -> bool {
    suite.children().any(|it| it.kind() == CHUNK.into())
}

/// Whether this is a `with` whose statements are grouped into chunks.
fn is_long_with(child: Child<'_>) -> bool {
    let NodeOrToken::Node(with) = child else {
        return false;
    };
    with.kind() == WITH_STMT.into()
        && with.children().any(|part| match part {
            NodeOrToken::Node(suite) => suite.kind() == SUITE.into() && is_grouped(suite),
            NodeOrToken::Token(_) => false,
        })
}

fn without_suite(node: &GreenNodeData) -> GreenNode {
    let kind: rowan::SyntaxKind = node.kind();
    let suite: rowan::SyntaxKind = SyntaxKind::SUITE.into();
    let children: Vec<Element> = node
        .children()
        .filter(|child| child.kind() != suite)
        .map(own)
        .collect();
    GreenNode::new(kind, children)
}

fn own(child: Child<'_>) -> Element {
    match child {
        NodeOrToken::Node(node) => NodeOrToken::Node(node.to_owned()),
        NodeOrToken::Token(token) => NodeOrToken::Token(token.to_owned()),
    }
}

fn len(child: Child<'_>) -> TextSize {
    match child {
        NodeOrToken::Node(node) => node.text_len(),
        NodeOrToken::Token(token) => token.text_len(),
    }
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
    fn pieces_stand_one_after_another_and_hold_every_statement() {
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
    fn pieces_do_not_depend_on_what_was_before() {
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
