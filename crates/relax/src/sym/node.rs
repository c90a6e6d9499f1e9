//! Nodes of symbolic expressions, with size, depth and hash.
//!
//! A node that would be too large or too deep keeps only its variables and its hash. This bounds the time to traverse
//! any expression, whatever text it came from.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;
use smol_str::SmolStr;

use super::{Op, Sum, SymExpr, SymVar};

const MAX_DEPTH: u16 = 64;
const MAX_SIZE: u32 = 1024;
/// Larger expressions are displayed in normal form, however they are written.
const MAX_WRITTEN: u32 = 64;

/// The structure of a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A polynomial over variables and the other kinds of node.
    Sum(Sum),
    /// An operation without a simpler form. `Add`, `Sub` and `Mul` only occur if their result would overflow or be too
    /// large.
    Op(Op, Vec<SymExpr>),
    /// A call of an unknown function.
    Call(SmolStr, Vec<SymExpr>),
    /// An expression that is too large to keep: its hash and its variables.
    Opaque(u64, Vec<SymVar>),
}

/// A node, which only operations on [`SymExpr`] create. Nodes are compared by kind, however they are written.
#[derive(Clone, Debug)]
pub struct Node {
    kind: Kind,
    hash: u64,
    size: u32,
    depth: u16,
    written: Option<Arc<WrittenForm>>,
}

/// An operation as a program writes it, if that differs from its normal form: `n * m` and `m * n`.
#[derive(Debug)]
pub struct WrittenForm {
    pub op: Op,
    pub args: Vec<SymExpr>,
    /// The number of parts.
    size: u32,
}

impl SymExpr {
    /// Returns the number of parts, up to a limit.
    pub(super) fn size(&self) -> u32 {
        match self {
            SymExpr::Node(node) => node.size,
            _ => 1,
        }
    }

    /// Returns the same value, displayed as `op` of `args`.
    pub(super) fn written_as(self, op: Op, args: &[SymExpr]) -> SymExpr {
        let SymExpr::Node(node) = &self else {
            return self;
        };
        // If an operand is the result, keep its text: `n * m` plus zero.
        let is_node = |arg: &SymExpr| matches!(arg, SymExpr::Node(it) if Arc::ptr_eq(it, node));
        if args.iter().any(is_node) {
            return self;
        }
        let size = |arg: &SymExpr| match arg {
            SymExpr::Node(node) => node.written.as_ref().map_or(node.size, |it| it.size),
            _ => 1,
        };
        let size = args
            .iter()
            .fold(1u32, |all, arg| all.saturating_add(size(arg)));
        if size > MAX_WRITTEN || matches!(node.kind, Kind::Opaque(..)) {
            return self;
        }
        SymExpr::Node(Arc::new(Node {
            written: Some(Arc::new(WrittenForm {
                op,
                args: args.to_vec(),
                size,
            })),
            ..Node::clone(node)
        }))
    }

    /// Returns the same value, displayed in normal form.
    pub fn in_normal_form(&self) -> SymExpr {
        match self {
            SymExpr::Node(node) if node.written.is_some() => SymExpr::Node(Arc::new(Node {
                written: None,
                ..Node::clone(node)
            })),
            _ => self.clone(),
        }
    }

    /// Returns `true` if an equal expression is written the same way.
    pub fn is_written_like(&self, other: &SymExpr) -> bool {
        let (SymExpr::Node(a), SymExpr::Node(b)) = (self, other) else {
            return true;
        };
        if Arc::ptr_eq(a, b) {
            return true;
        }
        let alike = |a: &[SymExpr], b: &[SymExpr]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b && a.is_written_like(b))
        };
        match (&a.written, &b.written) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.op == b.op && alike(&a.args, &b.args),
            (None, None) => {
                let children = |node: &Node| {
                    let mut children = Vec::new();
                    node.kind
                        .for_each_child(&mut |child| children.push(child.clone()));
                    children
                };
                alike(&children(a), &children(b))
            }
            _ => false,
        }
    }
}

impl Node {
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Returns how a program writes it, if that is known.
    pub fn written(&self) -> Option<&WrittenForm> {
        self.written.as_deref()
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
    /// Calls `f` with each operand, or for a sum with each factor of each term.
    pub(super) fn for_each_child(&self, f: &mut dyn FnMut(&SymExpr)) {
        match self {
            Kind::Sum(sum) => sum.terms.iter().flat_map(|t| &t.factors).for_each(f),
            Kind::Op(_, args) | Kind::Call(_, args) => args.iter().for_each(f),
            Kind::Opaque(..) => {}
        }
    }
}

/// Creates a node with this structure, which must be in normal form.
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
        written: None,
    }))
}

/// Creates `op` without simplification.
pub(super) fn raw(op: Op, args: &[SymExpr]) -> SymExpr {
    make(Kind::Op(op, args.to_vec()))
}
