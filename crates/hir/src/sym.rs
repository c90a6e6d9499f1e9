//! Symbolic integers: the dimensions of shapes, in a normal form that makes equal expressions equal values.
//!
//! Knows nothing of StructInfo or syntax.

use std::fmt;
use std::sync::Arc;

use smol_str::SmolStr;

/// A shape variable. Two variables of one name in one function differ in `id`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymVar {
    pub name: SmolStr,
    pub id: u32,
}

/// An answer that may be out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tri {
    Yes,
    Maybe,
    No,
}

/// What is known of the variables while something is to be proved: lower and upper bounds, equalities.
/// The default knows that every variable is a dimension, so not negative.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymCx {}

/// A symbolic integer in normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SymExpr {
    Int(i64),
    Var(SymVar),
    Node(Arc<Node>),
}

/// What is neither a constant nor a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Op(Op, Vec<SymExpr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Add,
    Sub,
    Mul,
    FloorDiv,
    FloorMod,
    TruncDiv,
    TruncMod,
    Min,
    Max,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    Not,
    /// `Select(cond, then, else)`
    Select,
}

impl SymExpr {
    pub fn int(value: i64) -> SymExpr {
        SymExpr::Int(value)
    }

    pub fn var(var: SymVar) -> SymExpr {
        SymExpr::Var(var)
    }

    pub fn as_int(&self) -> Option<i64> {
        if let SymExpr::Int(value) = self {
            Some(*value)
        } else {
            None
        }
    }

    /// Applies `op` and brings the result into normal form.
    pub fn apply(op: Op, args: &[SymExpr]) -> SymExpr {
        SymExpr::Node(Arc::new(Node::Op(op, args.to_vec())))
    }

    pub fn add(&self, other: &SymExpr) -> SymExpr {
        SymExpr::apply(Op::Add, &[self.clone(), other.clone()])
    }

    pub fn sub(&self, other: &SymExpr) -> SymExpr {
        SymExpr::apply(Op::Sub, &[self.clone(), other.clone()])
    }

    pub fn mul(&self, other: &SymExpr) -> SymExpr {
        SymExpr::apply(Op::Mul, &[self.clone(), other.clone()])
    }

    pub fn floordiv(&self, other: &SymExpr) -> SymExpr {
        SymExpr::apply(Op::FloorDiv, &[self.clone(), other.clone()])
    }

    pub fn floormod(&self, other: &SymExpr) -> SymExpr {
        SymExpr::apply(Op::FloorMod, &[self.clone(), other.clone()])
    }

    pub fn min(&self, other: &SymExpr) -> SymExpr {
        SymExpr::apply(Op::Min, &[self.clone(), other.clone()])
    }

    pub fn max(&self, other: &SymExpr) -> SymExpr {
        SymExpr::apply(Op::Max, &[self.clone(), other.clone()])
    }

    /// Replaces variables for which `to` has an expression.
    pub fn substitute(&self, to: &dyn Fn(&SymVar) -> Option<SymExpr>) -> SymExpr {
        match self {
            SymExpr::Int(_) => self.clone(),
            SymExpr::Var(var) => to(var).unwrap_or_else(|| self.clone()),
            SymExpr::Node(node) => {
                let Node::Op(op, args) = &**node;
                let args: Vec<_> = args.iter().map(|a| a.substitute(to)).collect();
                SymExpr::apply(*op, &args)
            }
        }
    }

    pub fn for_each_var(&self, f: &mut dyn FnMut(&SymVar)) {
        match self {
            SymExpr::Int(_) => {}
            SymExpr::Var(var) => f(var),
            SymExpr::Node(node) => {
                let Node::Op(_, args) = &**node;
                args.iter().for_each(|a| a.for_each_var(f));
            }
        }
    }
}

impl From<i64> for SymExpr {
    fn from(value: i64) -> SymExpr {
        SymExpr::Int(value)
    }
}

impl SymCx {
    /// Are the two equal for every (yes), for no (no), or perhaps for some value of the variables?
    pub fn equal(&self, a: &SymExpr, b: &SymExpr) -> Tri {
        if a == b {
            return Tri::Yes;
        }
        match (a.as_int(), b.as_int()) {
            (Some(_), Some(_)) => Tri::No,
            _ => Tri::Maybe,
        }
    }
}

/// Python syntax, as TVM prints it.
impl fmt::Display for SymExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymExpr::Int(value) => write!(f, "{value}"),
            SymExpr::Var(var) => f.write_str(&var.name),
            SymExpr::Node(_) => f.write_str("?"),
        }
    }
}
