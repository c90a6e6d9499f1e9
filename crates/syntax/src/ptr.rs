//! Pointers to nodes: the kind and range of a node, relative to the root of its tree.
//!
//! A pointer must not hold any part of a tree, so that it can be stored without keeping the tree alive.

use std::marker::PhantomData;

use text_size::TextRange;

use crate::ast::AstNode;
use crate::kind::{SyntaxKind, SyntaxNode};

/// A pointer to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxPtr {
    kind: SyntaxKind,
    range: TextRange,
}

impl SyntaxPtr {
    pub fn new(node: &SyntaxNode) -> SyntaxPtr {
        SyntaxPtr {
            kind: node.kind(),
            range: node.text_range(),
        }
    }

    pub fn kind(self) -> SyntaxKind {
        self.kind
    }

    pub fn range(self) -> TextRange {
        self.range
    }

    /// The node in `root` with this kind and range. Takes time proportional to the node's depth.
    pub fn to_node(self, root: &SyntaxNode) -> Option<SyntaxNode> {
        let mut node = root.clone();
        if !node.text_range().contains_range(self.range) {
            return None;
        }
        loop {
            if node.text_range() == self.range && node.kind() == self.kind {
                return Some(node);
            }
            node = node.child_or_token_at_range(self.range)?.into_node()?;
        }
    }
}

/// A pointer to a node of type `N`.
pub struct AstPtr<N> {
    ptr: SyntaxPtr,
    _ty: PhantomData<fn() -> N>,
}

impl<N: AstNode> AstPtr<N> {
    pub fn new(node: &N) -> AstPtr<N> {
        AstPtr {
            ptr: SyntaxPtr::new(node.syntax()),
            _ty: PhantomData,
        }
    }

    pub fn range(self) -> TextRange {
        self.ptr.range
    }

    pub fn to_node(self, root: &SyntaxNode) -> Option<N> {
        N::cast(self.ptr.to_node(root)?)
    }

    /// Converts to a pointer of another type; `None` if the node's kind does not fit.
    pub fn cast<M: AstNode>(self) -> Option<AstPtr<M>> {
        M::can_cast(self.ptr.kind).then_some(AstPtr {
            ptr: self.ptr,
            _ty: PhantomData,
        })
    }
}

// Not derived, because derives would require the traits of `N`.
impl<N> Clone for AstPtr<N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for AstPtr<N> {}

impl<N> PartialEq for AstPtr<N> {
    fn eq(&self, other: &Self) -> bool {
        self.ptr == other.ptr
    }
}

impl<N> Eq for AstPtr<N> {}

impl<N> std::hash::Hash for AstPtr<N> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.ptr.hash(state);
    }
}

impl<N> std::fmt::Debug for AstPtr<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.ptr.fmt(f)
    }
}
