//! Operators that return fields of a DLTensor as scalars.
//!
//! Scripts write them as `x.shape[0]`, `x.dtype.bits`, `x.ndim`.

use super::{At, Call, Infer, Kind, OpDef, OpErrorKind, Param, Stop, req};
use crate::dialect::Dialect;
use crate::dtype::{Code, DType};
use crate::release::{Release, Releases};
use crate::sinfo::{Prim, StructInfo, Tensor};
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/tensor/inspect.cc";

const TENSOR: &[Param] = &[req("tensor", Kind::Tensor).doc("The tensor.")];
const TENSOR_AXIS: &[Param] = &[
    req("tensor", Kind::Tensor).doc("The tensor."),
    req("axis", Kind::Int).doc("The axis, counted from the front."),
];

const U16: DType = DType::new(Code::UInt, 16);

pub static OPS: &[OpDef] = &[
    OpDef::new("relax.inspect.tensor_dtype_code", TENSOR, |c| {
        of_dtype(c, DType::U8, code)
    })
    .releases(Releases::since(Release::Unity))
    .doc(
        "The kind of number of the elements, as DLPack numbers them.",
        "tensor: S → uint8",
        "code = x.dtype.type_code",
    )
    .source(SOURCE),
    OpDef::new("relax.inspect.tensor_dtype_bits", TENSOR, |c| {
        of_dtype(c, DType::U8, |dtype| Some(i64::from(dtype.bits)))
    })
    .releases(Releases::since(Release::Unity))
    .doc(
        "The width of the elements in bits.",
        "tensor: S → uint8",
        "bits = x.dtype.bits",
    )
    .source(SOURCE),
    OpDef::new("relax.inspect.tensor_dtype_lanes", TENSOR, |c| {
        of_dtype(c, U16, |dtype| Some(i64::from(dtype.lanes)))
    })
    .releases(Releases::since(Release::Unity))
    .doc(
        "The number of lanes of each element.",
        "tensor: S → uint16",
        "lanes = x.dtype.lanes",
    )
    .source(SOURCE),
    OpDef::new("relax.inspect.tensor_ndim", TENSOR, ndim)
        .releases(Releases::since(Release::Unity))
        .doc(
            "The number of dimensions.",
            "tensor: S → int32",
            "n = x.ndim",
        )
        .source(SOURCE),
    OpDef::new("relax.inspect.tensor_shape_i", TENSOR_AXIS, shape_i)
        .releases(Releases::since(Release::Unity))
        .doc(
            "The extent along one axis.",
            "tensor: S → int64",
            "n = x.shape[0]",
        )
        .source(SOURCE),
    OpDef::new("relax.inspect.tensor_stride_i", TENSOR_AXIS, stride_i)
        .releases(Releases::since(Release::Unity))
        .doc(
            "The stride along one axis, in elements.",
            "tensor: S → int64",
            "n = x.strides[0]",
        )
        .source(SOURCE),
    OpDef::new("relax.inspect.tensor_byte_offset", TENSOR, offset)
        .releases(Releases::since(Release::Unity))
        .doc(
            "The offset of the tensor in its memory, in bytes.",
            "tensor: S → uint64",
            "n = x.byte_offset",
        )
        .source(SOURCE),
    OpDef::new("relax.inspect.tensor_elem_offset", TENSOR, offset)
        .releases(Releases::since(Release::Unity))
        .doc(
            "The offset of the tensor in its memory, in elements.",
            "tensor: S → uint64",
            "n = x.elem_offset",
        )
        .source(SOURCE),
];

/// Returns a scalar. Since TVM 0.26, its value is not part of its type.
fn scalar(c: &Call<'_>, dtype: DType, value: Option<SymExpr>) -> StructInfo {
    StructInfo::Prim(Prim {
        dtype: Some(dtype),
        value: value.filter(|_| c.release.dialect() < Dialect::Type),
    })
}

fn of_dtype(c: &Call<'_>, result: DType, of: fn(DType) -> Option<i64>) -> Infer {
    let tensor = c.tensor(0)?;
    let value = tensor.dtype.and_then(of).map(SymExpr::int);
    Ok(scalar(c, result, value))
}

/// Returns DLPack's code. As long as the value was part of the StructInfo, bool was an unsigned integer of one bit.
fn code(dtype: DType) -> Option<i64> {
    match dtype.code {
        Code::Int => Some(0),
        Code::UInt | Code::Bool => Some(1),
        Code::Float => Some(2),
        Code::Handle => Some(3),
        Code::BFloat => Some(4),
        Code::Tiny(_) | Code::Void | Code::Python => None,
    }
}

fn ndim(c: &Call<'_>) -> Infer {
    let tensor = c.tensor(0)?;
    let ndim = tensor.ndim().map(|n| SymExpr::int(n as i64));
    Ok(scalar(c, DType::I32, ndim))
}

/// Returns the tensor, and the axis if it is constant. The axis must be in range.
fn axis(c: &Call<'_>) -> Result<(Tensor, Option<usize>), Stop> {
    let tensor = c.tensor(0)?;
    c.prim(1)?;
    let Some(index) = c.value(1).sym().and_then(|axis| axis.as_int()) else {
        return Ok((tensor, None));
    };
    let ndim = tensor.ndim();
    match usize::try_from(index) {
        Ok(index) if ndim.is_none_or(|ndim| index < ndim) => Ok((tensor, Some(index))),
        _ => Err(c.error(
            OpErrorKind::Value,
            At::param(1),
            match ndim {
                Some(ndim) => {
                    format!("axis `{index}` is out of range for a tensor of {ndim} dimensions")
                }
                None => format!("axis `{index}` is less than zero"),
            },
        )),
    }
}

fn shape_i(c: &Call<'_>) -> Infer {
    let (tensor, axis) = axis(c)?;
    let extent = axis.and_then(|axis| tensor.dims()?.get(axis).cloned());
    Ok(scalar(c, DType::I64, extent))
}

/// Tensors are compact, so a stride is the product of the extents after it.
fn stride_i(c: &Call<'_>) -> Infer {
    let (tensor, axis) = axis(c)?;
    let stride = axis.and_then(|axis| {
        let rest = tensor.dims()?.get(axis + 1..)?;
        Some(SymExpr::product(rest))
    });
    Ok(scalar(c, DType::I64, stride))
}

fn offset(c: &Call<'_>) -> Infer {
    let tensor = c.tensor(0)?;
    let zero = tensor.dims().map(|_| SymExpr::int(0));
    Ok(scalar(c, DType::U64, zero))
}
