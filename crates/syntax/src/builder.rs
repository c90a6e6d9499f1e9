//! Builds rowan's green trees bottom up and shares equal subtrees.
//!
//! Differs from `rowan::GreenNodeBuilder` in three ways. A node is created when it ends, from the elements since a mark,
//! so a finished node can be wrapped at no cost. The caches for sharing have a fixed size; rowan's grow with the text.
//! Every entry stores its height, so that the parser can limit the height of the tree.

use std::hash::Hasher;
use std::marker::PhantomData;

use rowan::{GreenNode, GreenNodeData, GreenToken, GreenTokenData, NodeOrToken};
use rustc_hash::FxHasher;

use crate::kinds::Kind;

pub(crate) type Element = NodeOrToken<GreenNode, GreenToken>;
pub(crate) type GreenChild<'a> = NodeOrToken<&'a GreenNodeData, &'a GreenTokenData>;

/// Nodes with more children than this are not shared. Calls in printed models have a few dozen, and repeat in each layer.
const MAX_SHARED_CHILDREN: usize = 64;
/// The slots of a cache. More of them share little more, and no longer fit into the processor's own cache.
const MAX_SLOTS: usize = 1 << 14;
/// Tokens longer than this are not shared.
const MAX_SHARED_TEXT: usize = 48;

#[derive(Debug)]
struct Entry {
    element: Element,
    height: u16,
    /// Whether the element is in a cache, so that equal elements have the same address.
    shared: bool,
}

#[derive(Debug)]
pub(crate) struct TreeBuilder<K> {
    stack: Vec<Entry>,
    fixed: Vec<Option<GreenToken>>,
    space: GreenToken,
    tokens: Vec<Option<GreenToken>>,
    nodes: Vec<Option<GreenNode>>,
    /// The hash of the node in each slot: most lookups of other nodes end here, without a read of the node's memory.
    node_hashes: Vec<u32>,
    kind: PhantomData<K>,
}

impl<K: Kind> TreeBuilder<K> {
    /// Creates a builder for a text of about `text_len` bytes.
    pub(crate) fn new(text_len: usize) -> TreeBuilder<K> {
        let slots = (text_len / 16).next_power_of_two().clamp(32, MAX_SLOTS);
        TreeBuilder {
            stack: Vec::with_capacity(64),
            fixed: vec![None; K::COUNT],
            space: GreenToken::new(K::SPACE.into(), " "),
            tokens: vec![None; slots],
            nodes: vec![None; slots],
            node_hashes: vec![0; slots],
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
        let (token, shared) = self.make_token(kind, text);
        self.stack.push(Entry {
            element: NodeOrToken::Token(token),
            height: 0,
            shared,
        });
    }

    fn make_token(&mut self, kind: K, text: &str) -> (GreenToken, bool) {
        if kind.fixed_text().is_some() {
            let token =
                self.fixed[number(kind)].get_or_insert_with(|| GreenToken::new(kind.into(), text));
            return (token.clone(), true);
        }
        if text == " " {
            return (self.space.clone(), true);
        }
        if text.len() > MAX_SHARED_TEXT {
            return (GreenToken::new(kind.into(), text), false);
        }
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        hasher.write_usize(number(kind));
        let slot = slot(hasher.finish(), self.tokens.len());
        let token = match &self.tokens[slot] {
            Some(token) if token.text() == text && token.kind() == kind.into() => token.clone(),
            _ => {
                let token = GreenToken::new(kind.into(), text);
                self.tokens[slot] = Some(token.clone());
                token
            }
        };
        (token, true)
    }

    /// Wraps all elements since `mark` into one node.
    pub(crate) fn wrap(&mut self, mark: usize, kind: K) {
        let children = &self.stack[mark..];
        let mut height = 0;
        let mut shared = children.len() <= MAX_SHARED_CHILDREN;
        let mut hasher = FxHasher::default();
        hasher.write_usize(number(kind));
        for child in children {
            height = height.max(child.height);
            shared &= child.shared;
            if shared {
                hasher.write_usize(address(as_child(&child.element)));
            }
        }
        height = height.saturating_add(1);
        let node = if shared {
            let hash = hasher.finish();
            let slot = slot(hash, self.nodes.len());
            let hash = (hash >> 32) as u32;
            let found = self.nodes[slot].as_ref().filter(|node| {
                self.node_hashes[slot] == hash && has_children(node, kind.into(), children)
            });
            if let Some(node) = found {
                let node = node.clone();
                self.stack.truncate(mark);
                node
            } else {
                let node = self.take_node(mark, kind);
                self.nodes[slot] = Some(node.clone());
                self.node_hashes[slot] = hash;
                node
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
    pub(crate) fn into_elements(self) -> impl ExactSizeIterator<Item = Element> {
        self.stack.into_iter().map(|it| it.element)
    }

    /// Finishes the tree: wraps all elements into its root.
    pub(crate) fn finish(mut self, kind: K) -> GreenNode {
        self.take_node(0, kind)
    }
}

#[inline]
fn number(kind: impl Kind) -> usize {
    let kind: rowan::SyntaxKind = kind.into();
    usize::from(kind.0)
}

#[inline]
fn slot(hash: u64, slots: usize) -> usize {
    hash as usize & (slots - 1)
}

#[inline]
pub(crate) fn as_child(element: &Element) -> GreenChild<'_> {
    match element {
        NodeOrToken::Node(node) => NodeOrToken::Node(node),
        NodeOrToken::Token(token) => NodeOrToken::Token(token),
    }
}

/// The address of an element. Shared elements have the same address.
#[inline]
pub(crate) fn address(child: GreenChild<'_>) -> usize {
    match child {
        NodeOrToken::Node(node) => std::ptr::from_ref(node).cast::<u8>() as usize,
        NodeOrToken::Token(token) => std::ptr::from_ref(token).cast::<u8>() as usize,
    }
}

fn has_children(node: &GreenNode, kind: rowan::SyntaxKind, children: &[Entry]) -> bool {
    let own = node.children();
    node.kind() == kind
        && own.len() == children.len()
        && own
            .zip(children)
            .all(|(own, child)| address(own) == address(as_child(&child.element)))
}
