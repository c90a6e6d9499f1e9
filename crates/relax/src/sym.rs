//! Symbolic integers for the dimensions of shapes, in a normal form in which equal polynomials are equal values.
//!
//! The normal form holds for all integers. Facts about variables (a dimension is not negative) are in [`SymCx`].
//! Arithmetic is that of mathematical integers: an operation that would overflow is left as it is. The normal form of
//! an expression may be defined where a division by zero makes the expression itself undefined. Knows nothing about
//! StructInfo or syntax.

mod bounds;
mod cx;
mod decide;
mod deep;
mod display;
mod divide;
mod eval;
mod node;
mod prove;
mod rewrite;
mod simplify;
mod solve;
mod sum;
#[cfg(test)]
pub mod tests;

use std::sync::Arc;

use smol_str::SmolStr;

pub use bounds::Interval;
pub use cx::SymCx;
pub use node::{Kind, Node};
pub use solve::{Solution, solve};
pub use sum::{Sum, Term};

use crate::dtype::DType;

/// A shape variable. Two variables of the same name in one function have different `id`s.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymVar {
    pub name: SmolStr,
    pub id: u32,
}

impl SymVar {
    /// The id of every dimension that only Python knows.
    const PYTHON: u32 = u32::MAX;

    /// Returns a dimension that only Python knows, with its name in the source.
    pub fn python(name: SmolStr) -> SymVar {
        SymVar {
            name,
            id: SymVar::PYTHON,
        }
    }

    /// Returns `true` if only Python knows the dimension.
    pub fn is_python(&self) -> bool {
        self.id == SymVar::PYTHON
    }
}

/// An answer that may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tri {
    Yes,
    Maybe,
    No,
}

impl Tri {
    /// Returns whether both hold.
    pub fn and(self, other: Tri) -> Tri {
        match (self, other) {
            (Tri::No, _) | (_, Tri::No) => Tri::No,
            (Tri::Yes, Tri::Yes) => Tri::Yes,
            _ => Tri::Maybe,
        }
    }

    pub fn is_yes(self) -> bool {
        self == Tri::Yes
    }

    pub fn is_no(self) -> bool {
        self == Tri::No
    }
}

impl std::ops::Not for Tri {
    type Output = Tri;

    fn not(self) -> Tri {
        match self {
            Tri::Yes => Tri::No,
            Tri::Maybe => Tri::Maybe,
            Tri::No => Tri::Yes,
        }
    }
}

/// A symbolic integer in normal form. Constants and variables own no heap memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymExpr {
    Int(i64),
    Var(SymVar),
    Node(Arc<Node>),
}

/// An operation. Comparisons and logical operations return 0 or 1, and treat any number except 0 as true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    Add,
    Sub,
    Mul,
    /// Division that rounds down, like Python's `//`.
    FloorDiv,
    FloorMod,
    /// Division that rounds towards zero, like C's `/`.
    TruncDiv,
    TruncMod,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    BitNot,
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
    /// `Select(cond, then, else)`.
    Select,
    Cast(DType),
}

/// The number of factors up to which a product is multiplied one factor at a time.
const MAX_FACTORS: usize = 64;

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

    pub fn as_var(&self) -> Option<&SymVar> {
        if let SymExpr::Var(var) = self {
            Some(var)
        } else {
            None
        }
    }

    /// Returns the structure, unless this is a constant or a variable.
    pub fn kind(&self) -> Option<&Kind> {
        if let SymExpr::Node(node) = self {
            Some(node.kind())
        } else {
            None
        }
    }

    /// Returns the operation and its operands, unless this is a constant, a variable or a sum.
    pub fn as_op(&self) -> Option<(Op, &[SymExpr])> {
        match self.kind() {
            Some(Kind::Op(op, args)) => Some((*op, args)),
            _ => None,
        }
    }

    /// Returns `true` for a truth value: a comparison or a logical operation.
    pub fn is_boolean(&self) -> bool {
        matches!(
            self.kind(),
            Some(Kind::Op(
                Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne | Op::And | Op::Or | Op::Not,
                _
            ))
        )
    }

    /// Applies `op`, and normalizes the result.
    pub fn apply(op: Op, args: &[SymExpr]) -> SymExpr {
        simplify::apply(op, args)
    }

    /// Applies `op`, and keeps the operation as it is written for display.
    pub fn write(op: Op, args: &[SymExpr]) -> SymExpr {
        SymExpr::apply(op, args).written_as(op, args)
    }

    /// Returns a call of an unknown function.
    pub fn call(name: impl Into<SmolStr>, args: &[SymExpr]) -> SymExpr {
        node::make(Kind::Call(name.into(), args.to_vec()))
    }

    pub fn add(&self, other: &SymExpr) -> SymExpr {
        sum::add(self, other)
    }

    pub fn sub(&self, other: &SymExpr) -> SymExpr {
        sum::sub(self, other)
    }

    pub fn neg(&self) -> SymExpr {
        sum::sub(&SymExpr::Int(0), self)
    }

    /// Negates the expression, and keeps the negation as it is written for display.
    pub fn write_negation(&self) -> SymExpr {
        self.neg().written_as(Op::Sub, std::slice::from_ref(self))
    }

    pub fn mul(&self, other: &SymExpr) -> SymExpr {
        sum::mul(self, other)
    }

    pub fn floordiv(&self, other: &SymExpr) -> SymExpr {
        divide::floordiv(self, other)
    }

    pub fn floormod(&self, other: &SymExpr) -> SymExpr {
        divide::floormod(self, other)
    }

    pub fn truncdiv(&self, other: &SymExpr) -> SymExpr {
        divide::truncdiv(self, other)
    }

    pub fn truncmod(&self, other: &SymExpr) -> SymExpr {
        divide::truncmod(self, other)
    }

    pub fn min(&self, other: &SymExpr) -> SymExpr {
        SymExpr::apply(Op::Min, &[self.clone(), other.clone()])
    }

    pub fn max(&self, other: &SymExpr) -> SymExpr {
        SymExpr::apply(Op::Max, &[self.clone(), other.clone()])
    }

    /// Returns the product of `factors`, or 1 if there are none. It is displayed in their order, with the constant
    /// last.
    pub fn product<'a>(factors: impl IntoIterator<Item = &'a SymExpr>) -> SymExpr {
        let factors: Vec<&SymExpr> = factors.into_iter().collect();
        if factors.len() > MAX_FACTORS {
            // Too large to keep, but for its variables: factor by factor, these would be copied again and again.
            let (first, second) = factors.split_at(factors.len() / 2);
            let [first, second] = [first, second].map(|half| half.iter().copied());
            return SymExpr::product(first).mul(&SymExpr::product(second));
        }
        let mut product = SymExpr::Int(1);
        let mut coeff = Some(1i64);
        let mut atoms: Vec<&SymExpr> = Vec::new();
        for factor in factors {
            product = product.mul(factor);
            match (factor, factor.kind()) {
                (SymExpr::Int(value), _) => coeff = coeff.and_then(|it| it.checked_mul(*value)),
                (_, Some(Kind::Sum(sum))) => match sum.terms.as_slice() {
                    [term] if sum.constant == 0 => {
                        coeff = coeff.and_then(|it| it.checked_mul(term.coeff));
                        atoms.extend(&term.factors);
                    }
                    _ => coeff = None,
                },
                _ => atoms.push(factor),
            }
        }
        let (Some(coeff), [_, _, ..]) = (coeff, atoms.as_slice()) else {
            return product;
        };
        let coeff = (coeff != 1).then_some(SymExpr::Int(coeff));
        let ordered = atoms.into_iter().cloned().chain(coeff);
        let written = ordered.reduce(|all, factor| SymExpr::write(Op::Mul, &[all, factor]));
        written.filter(|it| *it == product).unwrap_or(product)
    }
}

impl From<i64> for SymExpr {
    fn from(value: i64) -> SymExpr {
        SymExpr::Int(value)
    }
}

impl From<SymVar> for SymExpr {
    fn from(var: SymVar) -> SymExpr {
        SymExpr::Var(var)
    }
}
