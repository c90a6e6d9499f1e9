//! Finds equal tokens and nodes, so that a tree stores them once.
//!
//! The caches have a fixed size; rowan's grow with the text. Those of a long file stay with its tree. Otherwise each
//! edit would replace a line of shared subtrees by new ones, and the tree would grow with every edited line.

use std::hash::Hasher;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use rowan::{GreenNode, GreenNodeData, GreenToken, GreenTokenData, NodeOrToken};
use rustc_hash::FxHasher;

use crate::kinds::Kind;

pub(crate) type Element = NodeOrToken<GreenNode, GreenToken>;
pub(crate) type GreenChild<'a> = NodeOrToken<&'a GreenNodeData, &'a GreenTokenData>;

/// The slots of a cache. More of them share little more, and no longer fit into the processor's own cache.
const MAX_SLOTS: usize = 1 << 14;
/// The caches of a text that is not longer than this end with its parse.
const SHORT_TEXT: usize = 1 << 16;
/// Tokens longer than this are not shared.
const MAX_SHARED_TEXT: usize = 48;

/// The caches that the versions of a file share. A short file has none: each parse of it uses its own.
#[derive(Clone, Debug)]
pub(crate) struct Subtrees(Option<Arc<Mutex<Caches>>>);

impl Subtrees {
    /// Creates the caches for a text of about `text_len` bytes in the language of `K`.
    pub(crate) fn new<K: Kind>(text_len: usize) -> Subtrees {
        let is_long = text_len > SHORT_TEXT;
        Subtrees(is_long.then(|| Arc::new(Mutex::new(Caches::new::<K>(text_len)))))
    }

    /// Returns the caches for a parse of `len` bytes. If another thread uses them, returns new ones.
    pub(crate) fn access<K: Kind>(&self, len: usize) -> Access<'_> {
        match self.0.as_deref().map(Mutex::try_lock) {
            Some(Ok(caches)) => Access::Shared(caches),
            Some(Err(TryLockError::Poisoned(caches))) => Access::Shared(caches.into_inner()),
            Some(Err(TryLockError::WouldBlock)) | None => {
                Access::Own(Box::new(Caches::new::<K>(len)))
            }
        }
    }
}

/// Caches do not change what a tree contains.
impl PartialEq for Subtrees {
    fn eq(&self, _: &Subtrees) -> bool {
        true
    }
}

impl Eq for Subtrees {}

#[derive(Debug)]
pub(crate) enum Access<'s> {
    Shared(MutexGuard<'s, Caches>),
    Own(Box<Caches>),
}

impl Deref for Access<'_> {
    type Target = Caches;

    fn deref(&self) -> &Caches {
        match self {
            Access::Shared(caches) => caches,
            Access::Own(caches) => caches,
        }
    }
}

impl DerefMut for Access<'_> {
    fn deref_mut(&mut self) -> &mut Caches {
        match self {
            Access::Shared(caches) => caches,
            Access::Own(caches) => caches,
        }
    }
}

/// Each element has one slot. A new element replaces the one in its slot.
#[derive(Debug)]
pub(crate) struct Caches {
    fixed: Vec<Option<GreenToken>>,
    space: GreenToken,
    tokens: Vec<Option<GreenToken>>,
    nodes: Vec<Option<GreenNode>>,
    /// The hash of the node in each slot: most lookups of other nodes end here, without a read of the node's memory.
    node_hashes: Vec<u32>,
}

impl Caches {
    fn new<K: Kind>(text_len: usize) -> Caches {
        let slots = (text_len / 16).next_power_of_two().clamp(32, MAX_SLOTS);
        Caches {
            fixed: vec![None; K::COUNT],
            space: GreenToken::new(K::SPACE.into(), " "),
            tokens: vec![None; slots],
            nodes: vec![None; slots],
            node_hashes: vec![0; slots],
        }
    }

    /// Returns a token, and whether equal ones have the same address.
    pub(crate) fn token<K: Kind>(&mut self, kind: K, text: &str) -> (GreenToken, bool) {
        let has_fixed_text = kind.fixed_text().is_some();
        let kind: rowan::SyntaxKind = kind.into();
        let number = usize::from(kind.0);
        if has_fixed_text {
            let token = self.fixed[number].get_or_insert_with(|| GreenToken::new(kind, text));
            return (token.clone(), true);
        }
        if text == " " {
            return (self.space.clone(), true);
        }
        if text.len() > MAX_SHARED_TEXT {
            return (GreenToken::new(kind, text), false);
        }
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        hasher.write_usize(number);
        let slot = slot(hasher.finish(), self.tokens.len());
        let token = match &self.tokens[slot] {
            Some(token) if token.text() == text && token.kind() == kind => token.clone(),
            _ => {
                let token = GreenToken::new(kind, text);
                self.tokens[slot] = Some(token.clone());
                token
            }
        };
        (token, true)
    }

    /// Returns the cached node with these children, or the place for it. The children come from these caches.
    pub(crate) fn find_node<'a>(
        &self,
        kind: rowan::SyntaxKind,
        children: impl ExactSizeIterator<Item = &'a Element> + Clone,
    ) -> Result<GreenNode, Vacant> {
        let mut hasher = FxHasher::default();
        hasher.write_usize(usize::from(kind.0));
        for child in children.clone() {
            hasher.write_usize(address(as_child(child)));
        }
        let hash = hasher.finish();
        let slot = slot(hash, self.nodes.len());
        let hash = (hash >> 32) as u32;
        let found = self.nodes[slot].as_ref();
        found
            .filter(|node| self.node_hashes[slot] == hash && has_children(node, kind, children))
            .cloned()
            .ok_or(Vacant { slot, hash })
    }

    pub(crate) fn fill(&mut self, place: Vacant, node: &GreenNode) {
        self.nodes[place.slot] = Some(node.clone());
        self.node_hashes[place.slot] = place.hash;
    }
}

/// The place of a node that is not cached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacant {
    slot: usize,
    hash: u32,
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

fn has_children<'a>(
    node: &GreenNode,
    kind: rowan::SyntaxKind,
    children: impl ExactSizeIterator<Item = &'a Element>,
) -> bool {
    let own = node.children();
    node.kind() == kind
        && own.len() == children.len()
        && own
            .zip(children)
            .all(|(own, child)| address(own) == address(as_child(child)))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use rowan::{GreenNode, NodeOrToken};
    use rustc_hash::FxHashSet;
    use text_size::{TextRange, TextSize};

    use super::{GreenChild, address};

    /// The number of tokens and nodes in memory.
    fn count(root: &GreenNode) -> usize {
        let mut seen = FxHashSet::default();
        let mut open: Vec<GreenChild<'_>> = vec![NodeOrToken::Node(root)];
        while let Some(element) = open.pop() {
            if seen.insert(address(element))
                && let NodeOrToken::Node(node) = element
            {
                open.extend(node.children());
            }
        }
        seen.len()
    }

    #[test]
    fn edits_of_each_line_do_not_enlarge_a_long_tree() {
        let mut text = String::from("@R.function\ndef main(x):\n");
        for k in 0..1500 {
            writeln!(text, "    lv{k} = R.add(x, R.const(1.0, \"float32\"))").unwrap();
        }
        let (start, letter) = ("\n    lv", TextSize::of('a'));
        let mut parsed = crate::parse(&text);
        let before = count(&parsed.green);
        for (at, _) in text.match_indices(start) {
            let at = TextSize::new((at + start.len()) as u32);
            let mut edited = text.clone();
            edited.insert(at.into(), 'a');
            parsed = parsed.reparse(TextRange::empty(at), letter, &edited);
            parsed = parsed.reparse(TextRange::at(at, letter), TextSize::new(0), &text);
        }
        let after = count(&parsed.green);
        assert!(after < before + before / 10, "{before} {after}");
    }
}
