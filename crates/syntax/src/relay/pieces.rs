//! Splits a definition into pieces: its header, and the statements and the value of its body.
//!
//! Results that are computed for each piece can be kept across an edit. Pieces that the edit did not touch are
//! [the same](Piece::is_same), even if they have moved.

use rowan::{GreenNode, GreenNodeData, NodeOrToken};
use text_size::{TextRange, TextSize};

use super::ast;
use super::kind::SyntaxKind::{self, BLOCK_EXPR, CHUNK, ERROR, FUNCTION_DEF, SEQUENCE_EXPR};
use super::kind::{RelayLanguage, SyntaxNode};
use crate::ast::AstNode;
use crate::pieces::share_children;

/// A part of a definition, as a tree of its own.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The offset from the start of the definition.
    pub offset: TextSize,
    green: GreenNode,
}

/// A definition, or the expression that a text consists of.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// Whether this is a definition, not an expression.
    pub is_definition: bool,
    /// A function without its body. Empty for an expression.
    pub header: Piece,
    /// The range of the block or sequence that contains the statements, if there is one.
    pub block: Option<TextRange>,
    /// The statements in order, then the value.
    pub body: Vec<Piece>,
}

impl Piece {
    /// Whether both pieces consist of the same nodes in memory. Then they are equal; equal pieces may still differ here.
    pub fn is_same(&self, other: &Piece) -> bool {
        share_children(&self.green, &other.green)
    }

    /// A hash key: same pieces have the same key.
    pub fn key(&self) -> usize {
        let node: &GreenNodeData = &self.green;
        std::ptr::from_ref(node).cast::<u8>() as usize
    }

    pub fn end(&self) -> TextSize {
        self.offset + self.green.text_len()
    }

    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }
}

/// Splits one of the parts of a file: a definition or an expression.
pub fn pieces(part: &GreenNodeData) -> Pieces {
    let whole = TextRange::up_to(part.text_len());
    let at = |offset, green| Piece { offset, green };
    let empty = || GreenNode::new(ERROR.into(), std::iter::empty());
    let kind = kind(part);
    if kind == SEQUENCE_EXPR {
        return Pieces {
            is_definition: false,
            header: at(whole.start(), empty()),
            block: Some(whole),
            body: body(part, whole.start()),
        };
    }
    if ast::Expr::can_cast(kind) {
        return Pieces {
            is_definition: false,
            header: at(whole.start(), empty()),
            block: None,
            body: vec![at(whole.start(), part.to_owned())],
        };
    }
    let mut offset = whole.start();
    for (index, child) in part.children().enumerate() {
        if let NodeOrToken::Node(block) = child
            && kind == FUNCTION_DEF
            && self::kind(block) == BLOCK_EXPR
        {
            let others = part.children().enumerate().filter(|it| it.0 != index);
            let others: Vec<_> = others.map(|it| it.1.to_owned()).collect();
            return Pieces {
                is_definition: true,
                header: at(whole.start(), GreenNode::new(part.kind(), others)),
                block: Some(TextRange::at(offset, block.text_len())),
                body: body(block, offset),
            };
        }
        offset += child.text_len();
    }
    Pieces {
        is_definition: true,
        header: at(whole.start(), part.to_owned()),
        block: None,
        body: Vec::new(),
    }
}

/// The statements and the value of a block or a sequence that starts at `offset`.
fn body(block: &GreenNodeData, offset: TextSize) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(block.children().len());
    let mut value = None;
    collect(block, offset, &mut pieces, &mut value);
    pieces.extend(value);
    pieces
}

fn collect(
    block: &GreenNodeData,
    mut offset: TextSize,
    statements: &mut Vec<Piece>,
    value: &mut Option<Piece>,
) {
    for child in block.children() {
        if let NodeOrToken::Node(node) = child {
            let piece = || Piece {
                offset,
                green: node.to_owned(),
            };
            match kind(node) {
                CHUNK => collect(node, offset, statements, value),
                kind if ast::Stmt::can_cast(kind) => statements.push(piece()),
                kind if value.is_none() && ast::Expr::can_cast(kind) => *value = Some(piece()),
                _ => {}
            }
        }
        offset += child.text_len();
    }
}

fn kind(node: &GreenNodeData) -> SyntaxKind {
    <RelayLanguage as rowan::Language>::kind_from_raw(node.kind())
}
