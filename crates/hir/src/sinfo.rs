//! StructInfo (TVM 0.25 on: Type): what is known of a value before it is computed.
//!
//! One algebra over one symbolic-shape engine. Knows nothing of syntax or operators.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::dtype::DType;
use crate::sym::SymExpr;

/// What is known of a value. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StructInfo {
    /// Only Python could tell: agrees with everything and is never an error.
    Unknown,
    /// Any value (`R.Object`, `R.Any`).
    Object,
    /// A string value, which the Type dialect tells apart from `Object`.
    String,
    Prim(Prim),
    Shape(Shape),
    Tensor(Tensor),
    DTensor(Arc<DTensor>),
    Tuple(Arc<[StructInfo]>),
    Callable(Arc<Callable>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Prim {
    /// `None`: not known.
    pub dtype: Option<DType>,
    pub value: Option<SymExpr>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Known(Arc<[SymExpr]>),
    /// The number of dimensions at most.
    Unknown(Option<usize>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tensor {
    pub shape: TensorShape,
    /// `None`: not known.
    pub dtype: Option<DType>,
    pub vdevice: Option<VDevice>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TensorShape {
    Known(Arc<[SymExpr]>),
    /// Given by a variable whose StructInfo is a Shape, of which `values` are known or not.
    Var {
        name: SmolStr,
        id: u32,
        ndim: Option<usize>,
        values: Option<Arc<[SymExpr]>>,
    },
    /// The number of dimensions at most.
    Unknown(Option<usize>),
}

/// A virtual device, as printed: `llvm:0:global`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VDevice {
    pub target: SmolStr,
    pub index: u32,
    pub scope: SmolStr,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DTensor {
    pub tensor: Tensor,
    /// As written: `mesh[0]`.
    pub mesh: SmolStr,
    /// One entry for each dimension of the mesh: `S[0]` or `R`.
    pub placement: Vec<SmolStr>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Callable {
    /// `None`: opaque, any parameters.
    pub params: Option<Arc<[StructInfo]>>,
    pub ret: StructInfo,
    pub pure: bool,
}

impl TensorShape {
    pub fn ndim(&self) -> Option<usize> {
        match self {
            TensorShape::Known(dims) => Some(dims.len()),
            TensorShape::Var { ndim, .. } | TensorShape::Unknown(ndim) => *ndim,
        }
    }

    /// The dimensions if each is an expression. For a shape given by a variable: that variable's values.
    pub fn dims(&self) -> Option<&[SymExpr]> {
        match self {
            TensorShape::Known(dims) => Some(dims),
            TensorShape::Var { values, .. } => values.as_deref(),
            TensorShape::Unknown(_) => None,
        }
    }
}

impl Tensor {
    pub fn new(dims: impl Into<Arc<[SymExpr]>>, dtype: Option<DType>) -> Tensor {
        Tensor {
            shape: TensorShape::Known(dims.into()),
            dtype,
            vdevice: None,
        }
    }

    /// A tensor of which only rank and dtype are known, or neither.
    pub fn of_ndim(ndim: Option<usize>, dtype: Option<DType>) -> Tensor {
        Tensor {
            shape: TensorShape::Unknown(ndim),
            dtype,
            vdevice: None,
        }
    }

    pub fn with_vdevice(mut self, vdevice: Option<VDevice>) -> Tensor {
        self.vdevice = vdevice;
        self
    }

    pub fn ndim(&self) -> Option<usize> {
        self.shape.ndim()
    }

    pub fn dims(&self) -> Option<&[SymExpr]> {
        self.shape.dims()
    }
}

impl From<Tensor> for StructInfo {
    fn from(tensor: Tensor) -> StructInfo {
        StructInfo::Tensor(tensor)
    }
}

impl StructInfo {
    pub fn tuple(fields: impl Into<Arc<[StructInfo]>>) -> StructInfo {
        StructInfo::Tuple(fields.into())
    }

    pub fn shape(dims: impl Into<Arc<[SymExpr]>>) -> StructInfo {
        StructInfo::Shape(Shape::Known(dims.into()))
    }

    pub fn prim(dtype: DType) -> StructInfo {
        StructInfo::Prim(Prim {
            dtype: Some(dtype),
            value: None,
        })
    }

    pub fn as_tensor(&self) -> Option<&Tensor> {
        match self {
            StructInfo::Tensor(tensor) => Some(tensor),
            StructInfo::DTensor(dtensor) => Some(&dtensor.tensor),
            _ => None,
        }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, StructInfo::Unknown)
    }
}
