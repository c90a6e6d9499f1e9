//! The short notation of types, for places where a line has little room: `f32[n, 64]`, as JAX and XLA write it.

use std::fmt::{self, Display, Formatter, Write as _};

use super::display::{Shortened, separated};
use crate::sinfo::{Callable, Prim, Shape, StructInfo, Tensor, TensorShape};

/// A type in short notation.
///
/// | type | |
/// |---|---|
/// | a tensor | `f32[1, n, 64]`, `f32[_, _]` of rank 2, `f32[...]` of any rank, `tensor[n]` of any dtype |
/// | a shape | `shape[n, 4]` |
/// | a scalar | `i64`, `i64(n)` with its value |
/// | a tuple | `(f32[4], i64[])` |
/// | a function | `(f32[n]) -> f32[n]` |
#[derive(Clone, Copy)]
pub struct Short<'a>(&'a StructInfo);

/// The maximum number of fields of a tuple.
const FIELDS: usize = 8;

impl StructInfo {
    /// Formats in short notation.
    pub fn short(&self) -> Short<'_> {
        Short(self)
    }

    /// Formats in short notation, truncated after `most` bytes.
    pub fn short_within(&self, most: usize) -> Shortened<Short<'_>> {
        Shortened::new(self.short(), most)
    }
}

/// Formats the type of a tensor in short notation.
pub fn tensor<T: Display>(dims: &[T], dtype: impl Display) -> String {
    let mut text = dtype.to_string();
    // Writing to a string does not fail.
    let _ = write!(text, "{}", Dims(dims));
    text
}

struct Dims<'a, T>(&'a [T]);

impl<T: Display> Display for Dims<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        separated(f, self.0, |f, dim| dim.fmt(f))?;
        f.write_str("]")
    }
}

impl Display for Short<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            StructInfo::Unknown => f.write_str("?"),
            StructInfo::Object => f.write_str("object"),
            StructInfo::String => f.write_str("str"),
            StructInfo::Prim(prim) => short_prim(f, prim),
            StructInfo::Shape(Shape::Known(dims)) => write!(f, "shape{}", Dims(dims)),
            StructInfo::Shape(Shape::Unknown(ndim)) => {
                f.write_str("shape")?;
                any_dims(f, *ndim)
            }
            StructInfo::Tensor(tensor) => short_tensor(f, tensor),
            StructInfo::DTensor(it) => {
                short_tensor(f, &it.tensor)?;
                write!(f, "@{}({})", it.mesh, it.placement.join(", "))
            }
            StructInfo::Tuple(fields) => {
                f.write_str("(")?;
                list(f, fields)?;
                f.write_str(if fields.len() == 1 { ",)" } else { ")" })
            }
            StructInfo::Callable(callable) => function(f, callable),
        }
    }
}

fn list(f: &mut Formatter<'_>, items: &[StructInfo]) -> fmt::Result {
    separated(f, &items[..items.len().min(FIELDS)], |f, it| {
        it.short().fmt(f)
    })?;
    if items.len() > FIELDS {
        write!(f, ", … {} more", items.len() - FIELDS)?;
    }
    Ok(())
}

fn function(f: &mut Formatter<'_>, callable: &Callable) -> fmt::Result {
    f.write_str("(")?;
    match &callable.params {
        Some(params) => list(f, params)?,
        None => f.write_str("...")?,
    }
    f.write_str(") -> ")?;
    callable.ret.short().fmt(f)
}

fn short_prim(f: &mut Formatter<'_>, prim: &Prim) -> fmt::Result {
    match prim.dtype {
        Some(dtype) => write!(f, "{}", dtype.short())?,
        None => f.write_str("prim")?,
    }
    match &prim.value {
        Some(value) => write!(f, "({value})"),
        None => Ok(()),
    }
}

fn short_tensor(f: &mut Formatter<'_>, tensor: &Tensor) -> fmt::Result {
    match tensor.known_dtype() {
        Some(dtype) => write!(f, "{}", dtype.short())?,
        None => f.write_str("tensor")?,
    }
    match &tensor.shape {
        TensorShape::Known(dims) => Dims(dims).fmt(f)?,
        TensorShape::Var { name, .. } => write!(f, "[*{name}]")?,
        TensorShape::Unknown(ndim) => any_dims(f, *ndim)?,
    }
    match &tensor.vdevice {
        Some(device) => write!(f, "@{device}"),
        None => Ok(()),
    }
}

fn any_dims(f: &mut Formatter<'_>, ndim: Option<usize>) -> fmt::Result {
    match ndim {
        Some(ndim) if ndim <= FIELDS => Dims(&vec!["_"; ndim]).fmt(f),
        _ => f.write_str("[...]"),
    }
}
