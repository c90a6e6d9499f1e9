//! StructInfo (called Type since TVM 0.26): what is known statically about a value.
//!
//! One algebra over one symbolic-shape engine. Knows nothing about syntax or operators.

pub mod call;
mod contrast;
pub mod display;
mod join;
mod mismatch;
mod renaming;
mod scope;
pub mod short;
mod subtype;
#[cfg(test)]
mod tests;
mod written;

use std::hash::BuildHasher;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;

pub use mismatch::{Aspect, Fit, Mismatch, Step};
pub use renaming::same_up_to_names;
pub use written::AsWritten;

use crate::dtype::DType;
use crate::parts::{Part, Parts, Weight};
use crate::sym::SymExpr;

/// What is known statically about a value. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum StructInfo {
    /// Only Python knows: agrees with everything and is never an error.
    #[default]
    Unknown,
    /// Any value (`R.Object`, `R.Any`).
    Object,
    /// A string value, which the Type dialect distinguishes from `Object`.
    String,
    Prim(Prim),
    Shape(Shape),
    Tensor(Tensor),
    DTensor(Arc<DTensor>),
    Tuple(Parts<StructInfo>),
    Callable(Arc<Callable>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Prim {
    /// The dtype, if it is known.
    pub dtype: Option<DType>,
    pub value: Option<SymExpr>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Known(Arc<[SymExpr]>),
    /// At most the number of dimensions is known.
    Unknown(Option<usize>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tensor {
    pub shape: TensorShape,
    /// The dtype, if it is known.
    pub dtype: Option<DType>,
    pub vdevice: Option<VDevice>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TensorShape {
    Known(Arc<[SymExpr]>),
    /// Given by a variable whose StructInfo is a Shape. The `values` may be known.
    Var {
        name: SmolStr,
        id: u32,
        ndim: Option<usize>,
        values: Option<Arc<[SymExpr]>>,
    },
    /// At most the number of dimensions is known.
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
    /// The mesh as written: `mesh[0]`.
    pub mesh: SmolStr,
    /// One entry per dimension of the mesh: `S[0]` or `R`.
    pub placement: Vec<SmolStr>,
}

impl DTensor {
    /// Returns another tensor with the same mesh and placement.
    fn with_tensor(&self, tensor: Tensor) -> StructInfo {
        StructInfo::DTensor(Arc::new(DTensor {
            tensor,
            ..self.clone()
        }))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Callable {
    /// The parameters; `None` for an opaque function, which takes any arguments.
    pub params: Option<Parts<StructInfo>>,
    pub ret: StructInfo,
    pub pure: bool,
}

impl VDevice {
    /// Returns the device that `text` names in a module with `devices`: `cuda:1` is the second of its kind, and
    /// `vdevice:3` is the fourth in the list. If the module does not list it, the device is given by the text alone.
    pub fn named(text: &str, devices: &[VDevice]) -> Option<VDevice> {
        let mut parts = text.split(':');
        let target = parts.next().filter(|target| !target.is_empty())?;
        let index: u32 = parts.next().map_or(Some(0), |index| index.parse().ok())?;
        let scope = parts.next().unwrap_or("global");
        let known = if target == "vdevice" {
            devices.get(index as usize)
        } else {
            devices
                .iter()
                .filter(|device| device.target == target)
                .nth(index as usize)
        };
        Some(known.cloned().unwrap_or_else(|| VDevice {
            target: target.into(),
            index,
            scope: scope.into(),
        }))
    }

    /// Returns the device with the index that it has in a module with `devices`.
    fn among(&self, devices: &[VDevice]) -> VDevice {
        let mut alike = devices.iter().filter(|it| it.target == self.target);
        let index = alike
            .position(|it| it == self)
            .map_or(self.index, |at| at as u32);
        VDevice {
            index,
            ..self.clone()
        }
    }
}

impl TensorShape {
    pub fn ndim(&self) -> Option<usize> {
        match self {
            // The number of dimensions, whatever `ndim` was written with them.
            TensorShape::Known(dims)
            | TensorShape::Var {
                values: Some(dims), ..
            } => Some(dims.len()),
            TensorShape::Var { ndim, .. } | TensorShape::Unknown(ndim) => *ndim,
        }
    }

    /// Returns the dimensions if each is an expression. For a shape given by a variable, returns that variable's
    /// values.
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

    /// Returns a tensor with an unknown shape, from its rank and dtype as far as they are known.
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

    /// Returns the dtype, unless only Python knows it.
    pub fn known_dtype(&self) -> Option<DType> {
        self.dtype.filter(|dtype| !dtype.is_python())
    }

    pub fn ndim(&self) -> Option<usize> {
        self.shape.ndim()
    }

    pub fn dims(&self) -> Option<&[SymExpr]> {
        self.shape.dims()
    }
}

impl Callable {
    /// Returns a function with an unknown signature, such as a packed function.
    pub fn opaque() -> StructInfo {
        StructInfo::Callable(Arc::new(Callable {
            params: None,
            ret: StructInfo::Object,
            pure: false,
        }))
    }
}

impl Part for StructInfo {
    fn weight(&self) -> Weight {
        match self {
            StructInfo::Tuple(fields) => fields.weight(),
            StructInfo::Callable(callable) => {
                let params = callable.params.as_ref().map(Parts::weight);
                Weight::around(params.into_iter().chain([callable.ret.weight()]))
            }
            other => {
                let shape = other.as_tensor().map(|tensor| &tensor.shape);
                let mut has_variables = matches!(shape, Some(TensorShape::Var { .. }));
                other.for_each_dim(false, &mut |dim| {
                    has_variables = has_variables || !matches!(dim, SymExpr::Int(_));
                });
                Weight {
                    has_variables,
                    ..Weight::ONE
                }
            }
        }
    }

    fn digest(&self) -> u64 {
        FxBuildHasher.hash_one(self)
    }
}

impl From<Tensor> for StructInfo {
    fn from(tensor: Tensor) -> StructInfo {
        StructInfo::Tensor(tensor)
    }
}

impl StructInfo {
    /// Returns a tuple of these fields, unless it is too large.
    pub fn tuple(fields: impl Into<Parts<StructInfo>>) -> StructInfo {
        StructInfo::Tuple(fields.into()).within_bounds()
    }

    /// Returns a function with this signature, unless it is too large.
    pub fn callable(callable: Callable) -> StructInfo {
        StructInfo::Callable(Arc::new(callable)).within_bounds()
    }

    fn within_bounds(self) -> StructInfo {
        if self.weight().fits() {
            self
        } else {
            StructInfo::Unknown
        }
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

    /// Returns `true` if nothing more precise is possible, ignoring virtual devices.
    pub fn is_exact(&self) -> bool {
        match self {
            StructInfo::Tensor(tensor) => {
                matches!(tensor.shape, TensorShape::Known(_)) && tensor.dtype.is_some()
            }
            StructInfo::Shape(shape) => matches!(shape, Shape::Known(_)),
            StructInfo::Prim(prim) => prim.value.is_some(),
            StructInfo::Tuple(fields) => fields.iter().all(StructInfo::is_exact),
            StructInfo::String | StructInfo::Unknown => true,
            StructInfo::Object | StructInfo::DTensor(_) | StructInfo::Callable(_) => false,
        }
    }

    /// Returns the kind as diagnostics name it.
    pub fn kind_name(&self) -> &'static str {
        match self {
            StructInfo::Unknown => "unknown",
            StructInfo::Object => "Object",
            StructInfo::String => "String",
            StructInfo::Prim(_) => "Prim",
            StructInfo::Shape(_) => "Shape",
            StructInfo::Tensor(_) => "Tensor",
            StructInfo::DTensor(_) => "DTensor",
            StructInfo::Tuple(_) => "Tuple",
            StructInfo::Callable(_) => "Callable",
        }
    }
}

impl Shape {
    pub fn ndim(&self) -> Option<usize> {
        match self {
            Shape::Known(values) => Some(values.len()),
            Shape::Unknown(ndim) => *ndim,
        }
    }

    pub fn values(&self) -> Option<&[SymExpr]> {
        match self {
            Shape::Known(values) => Some(values),
            Shape::Unknown(_) => None,
        }
    }
}
