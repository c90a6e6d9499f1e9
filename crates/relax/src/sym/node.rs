//! What is neither a constant nor a variable: a node with its size, depth and hash.
//!
//! A node that would be too large or too deep keeps only its variables and its hash, so that every walk over
//! an expression is short, whatever text it came from.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;
use smol_str::SmolStr;

use super::{Op, Sum, SymExpr, SymVar};

const MAX_DEPTH: u16 = 64;
const MAX_SIZE: u32 = 1024;

/// The structure of a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A polynomial over variables and the other kinds of node.
    Sum(Sum),
    /// An operation that has no simpler form. `Add`, `Sub` and `Mul` are here only if their result would
    /// overflow or be too large.
    Op(Op, Vec<SymExpr>),
    /// An unknown function.
    Call(SmolStr, Vec<SymExpr>),
    /// An expression too large to keep: its hash and its variables.
    Opaque(u64, Vec<SymVar>),
}

/// A node: made by operations on [`SymExpr`] only.
#[derive(Clone, Debug)]
pub struct Node {
    kind: Kind,
    hash: u64,
    size: u32,
    depth: u16,
}

impl SymExpr {
    /// The number of parts, as far as it matters.
    pub(super) fn size(&self) -> u32 {
        match self {
            SymExpr::Node(node) => node.size,
            _ => 1,
        }
    }
}

impl Node {
    pub fn kind(&self) -> &Kind {
        &self.kind
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.hash == other.hash && self.kind == other.kind
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    fn cmp(&self, other: &Node) -> Ordering {
        if std::ptr::eq(self, other) {
            return Ordering::Equal;
        }
        self.kind.cmp(&other.kind)
    }
}

impl Kind {
    /// Calls `f` with each operand; for a sum, with each factor of each term.
    pub(super) fn for_each_child(&self, f: &mut dyn FnMut(&SymExpr)) {
        match self {
            Kind::Sum(sum) => sum.terms.iter().flat_map(|t| &t.factors).for_each(f),
            Kind::Op(_, args) | Kind::Call(_, args) => args.iter().for_each(f),
            Kind::Opaque(..) => {}
        }
    }
}

/// A node of this structure, which is taken to be in normal form.
pub(super) fn make(kind: Kind) -> SymExpr {
    let (mut size, mut depth) = (1u32, 0u16);
    kind.for_each_child(&mut |child| {
        size = size.saturating_add(child.size());
        if let SymExpr::Node(node) = child {
            depth = depth.max(node.depth);
        }
    });
    let hash = if let Kind::Opaque(hash, _) = kind {
        hash
    } else {
        let mut hasher = FxHasher::default();
        kind.hash(&mut hasher);
        hasher.finish()
    };
    let kind = if size > MAX_SIZE || depth >= MAX_DEPTH {
        let mut vars = Vec::new();
        kind.for_each_child(&mut |child| child.for_each_var(&mut |v| vars.push(v.clone())));
        vars.sort_unstable();
        vars.dedup();
        (size, depth) = (1, 0);
        Kind::Opaque(hash, vars)
    } else {
        kind
    };
    SymExpr::Node(Arc::new(Node {
        kind,
        hash,
        size,
        depth: depth + 1,
    }))
}

/// `op` as it stands.
pub(super) fn raw(op: Op, args: &[SymExpr]) -> SymExpr {
    make(Kind::Op(op, args.to_vec()))
}
