//! What a program is called with: buffers with their extents, numbers, and values for the variables of shapes.

use std::fmt;

/// An extent, over the variables of shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dim {
    Int(i64),
    Var(usize),
    Plus(usize, i64),
    Times(usize, i64),
    Product(usize, usize),
    Half(usize),
}

impl Dim {
    pub fn value(&self, vars: &[i64]) -> i64 {
        match *self {
            Dim::Int(value) => value,
            Dim::Var(var) => vars[var],
            Dim::Plus(var, by) => vars[var] + by,
            Dim::Times(var, by) => vars[var] * by,
            Dim::Product(a, b) => vars[a] * vars[b],
            Dim::Half(var) => vars[var] / 2,
        }
    }
}

/// As it is written; the variables are `n0`, `n1`, ...
impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Dim::Int(value) => write!(f, "{value}"),
            Dim::Var(var) => write!(f, "n{var}"),
            Dim::Plus(var, by) => write!(f, "n{var} + {by}"),
            Dim::Times(var, by) => write!(f, "n{var} * {by}"),
            Dim::Product(a, b) => write!(f, "n{a} * n{b}"),
            Dim::Half(var) => write!(f, "n{var} // 2"),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Param {
    Buffer { dtype: &'static str, dims: Vec<Dim> },
    Scalar(&'static str),
}

/// A PrimFunc, and what its inputs must be.
#[derive(Clone, Debug)]
pub struct Program {
    pub text: String,
    pub params: Vec<Param>,
    /// How many variables its shapes have.
    pub vars: usize,
    /// Its floats are small integers, and so are those of its inputs.
    pub whole: bool,
}
