//! Builds rowan's green trees bottom up and shares equal subtrees.
//!
//! Differs from `rowan::GreenNodeBuilder` in three ways. A node is created when it ends, from the elements since a mark,
//! so a finished node can be wrapped at no cost. The caches for sharing have a fixed size and outlive the builder. Every
//! entry stores its height, so that the parser can limit the height of the tree.

use std::marker::PhantomData;

use rowan::{GreenNode, NodeOrToken};

use crate::kinds::Kind;
use crate::subtrees::{Access, Element, Subtrees};

/// Nodes with more children than this are not shared. Calls in printed models have a few dozen, and repeat in each layer.
const MAX_SHARED_CHILDREN: usize = 64;

#[derive(Debug)]
struct Entry {
    element: Element,
    height: u16,
    /// Whether the element is in a cache, so that equal elements have the same address.
    shared: bool,
}

#[derive(Debug)]
pub(crate) struct TreeBuilder<'s, K> {
    stack: Vec<Entry>,
    caches: Access<'s>,
    kind: PhantomData<K>,
}

impl<'s, K: Kind> TreeBuilder<'s, K> {
    /// Creates a builder for a text of about `text_len` bytes, which shares its subtrees with those of earlier texts.
    pub(crate) fn new(text_len: usize, subtrees: &'s Subtrees) -> TreeBuilder<'s, K> {
        TreeBuilder {
            stack: Vec::with_capacity(64),
            caches: subtrees.access::<K>(text_len),
            kind: PhantomData,
        }
    }

    /// The number of elements without a parent; a mark for [`Self::wrap`].
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.stack.len()
    }

    #[inline]
    pub(crate) fn token(&mut self, kind: K, text: &str) {
        let (token, shared) = self.caches.token(kind, text);
        self.stack.push(Entry {
            element: NodeOrToken::Token(token),
            height: 0,
            shared,
        });
    }

    /// Wraps all elements since `mark` into one node.
    pub(crate) fn wrap(&mut self, mark: usize, kind: K) {
        let children = &self.stack[mark..];
        let shared =
            children.len() <= MAX_SHARED_CHILDREN && children.iter().all(|child| child.shared);
        let height = children.iter().map(|child| child.height).max();
        let height = height.unwrap_or_default().saturating_add(1);
        let node = if shared {
            let elements = children.iter().map(|child| &child.element);
            match self.caches.find_node(kind.into(), elements) {
                Ok(node) => {
                    self.stack.truncate(mark);
                    node
                }
                Err(vacant) => {
                    let node = self.take_node(mark, kind);
                    self.caches.fill(vacant, &node);
                    node
                }
            }
        } else {
            self.take_node(mark, kind)
        };
        self.stack.push(Entry {
            element: NodeOrToken::Node(node),
            height,
            shared,
        });
    }

    fn take_node(&mut self, mark: usize, kind: K) -> GreenNode {
        GreenNode::new(kind.into(), self.stack.drain(mark..).map(|it| it.element))
    }

    /// The height of the last element.
    #[inline]
    pub(crate) fn height(&self) -> u16 {
        self.stack.last().map_or(0, |it| it.height)
    }

    /// The last element, if it is a node.
    pub(crate) fn last_node(&self) -> Option<&GreenNode> {
        self.stack.last().and_then(|it| it.element.as_node())
    }

    /// Wraps the elements between each two neighbours of `ends` into a node of `kind`.
    pub(crate) fn group(&mut self, ends: &[usize], kind: K) {
        let Some(&first) = ends.first() else { return };
        let rest = self.stack.split_off(first);
        let mut rest = rest.into_iter();
        for run in ends.windows(2) {
            let mark = self.stack.len();
            self.stack.extend(rest.by_ref().take(run[1] - run[0]));
            self.wrap(mark, kind);
        }
        self.stack.extend(rest);
    }

    /// The elements without a parent.
    pub(crate) fn into_elements(self) -> impl ExactSizeIterator<Item = Element> + use<K> {
        self.stack.into_iter().map(|it| it.element)
    }

    /// Finishes the tree: wraps all elements into its root.
    pub(crate) fn finish(mut self, kind: K) -> GreenNode {
        self.take_node(0, kind)
    }
}
