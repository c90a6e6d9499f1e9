//! How well one StructInfo fits another, and the parts that do not fit.

use std::fmt::{self, Display, Formatter};

use smol_str::SmolStr;

use crate::sym::{SymVar, Tri};

/// How a StructInfo fits a base, worst first. Corresponds to TVM's `BaseCheckResult`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fit {
    /// No value fits (L0). TVM rejects an annotation only in this case.
    Never,
    /// A value may fit if its kind, rank or dtype is more specific than is known (L1). TVM rejects an argument.
    Narrower,
    /// It depends on dimensions or values, which are checked at run time (L2).
    Unproved,
    Always,
}

impl Fit {
    pub fn tri(self) -> Tri {
        match self {
            Fit::Always => Tri::Yes,
            Fit::Narrower | Fit::Unproved => Tri::Maybe,
            Fit::Never => Tri::No,
        }
    }
}

/// A step from a StructInfo to one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A field of a tuple.
    Field(usize),
    /// A parameter of a function.
    Param(usize),
    /// The result of a function.
    Ret,
}

/// The aspect in which two StructInfos differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aspect {
    Kind,
    /// The number of dimensions.
    Rank,
    /// One dimension of a tensor's shape, or one value of a shape.
    Dim(usize),
    /// The whole shape, if one is unknown or given by a variable.
    Shape,
    DType,
    VDevice,
    /// The value of a scalar.
    Value,
    /// The number of fields or parameters.
    Arity,
    Purity,
    /// The mesh or placement of a distributed tensor.
    Placement,
}

/// A part of a StructInfo that may not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub path: Vec<Step>,
    pub aspect: Aspect,
    pub expected: String,
    pub found: String,
    pub fit: Fit,
    /// Whether the two can be equal: `No` for `n` and `n + 1`, which TVM checks at run time.
    pub proof: Tri,
    /// In a call, the shape variable of the callee that has the expected value.
    pub bound: Option<SymVar>,
}

impl Mismatch {
    /// Returns the two dimensions or dtypes that differ.
    pub fn differing(&self) -> Option<(SmolStr, SmolStr)> {
        let written = matches!(self.aspect, Aspect::Dim(_) | Aspect::DType);
        written.then(|| (self.expected.as_str().into(), self.found.as_str().into()))
    }
}

/// Formats the place and both sides: ``dimension 1 of field 0: expected `4`, found `5` ``.
impl Display for Mismatch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.aspect {
            Aspect::Kind => f.write_str("kind")?,
            Aspect::Rank => f.write_str("number of dimensions")?,
            Aspect::Dim(index) => write!(f, "dimension {index}")?,
            Aspect::Shape => f.write_str("shape")?,
            Aspect::DType => f.write_str("dtype")?,
            Aspect::VDevice => f.write_str("vdevice")?,
            Aspect::Value => f.write_str("value")?,
            Aspect::Arity => f.write_str("length")?,
            Aspect::Purity => f.write_str("purity")?,
            Aspect::Placement => f.write_str("placement")?,
        }
        for step in self.path.iter().rev() {
            match step {
                Step::Field(index) => write!(f, " of field {index}")?,
                Step::Param(index) => write!(f, " of parameter {index}")?,
                Step::Ret => f.write_str(" of the result")?,
            }
        }
        write!(f, ": expected `{}`", self.expected)?;
        if let Some(var) = &self.bound {
            write!(f, " for `{}`", var.name)?;
        }
        write!(f, ", found `{}`", self.found)
    }
}
