//! The inputs of a program: buffers with their extents, numbers, and the values of shape variables.

use std::fmt;

/// An extent over shape variables.
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

/// The variables are named `n0`, `n1`, ...
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

/// A PrimFunc, and the form of its inputs.
#[derive(Clone, Debug)]
pub struct Program {
    pub text: String,
    pub params: Vec<Param>,
    /// The number of shape variables.
    pub vars: usize,
    /// Whether all floats of the program and its inputs are small integers.
    pub whole: bool,
}
