//! Operators between tensors and shapes that are values.

use super::{Call, Infer, Kind, OpDef, explicit_dims, req, tensor, tensor_of_ndim};
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::{Shape, StructInfo};
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/op.cc";

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.shape_of",
        &[req("expr", Kind::Tensor).doc("The tensor.")],
        shape_of,
    )
    .doc(
        "The shape of a tensor, as a value.",
        "expr: S → Shape S",
        "s = R.shape_of(x)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.tensor_to_shape",
        &[req("expr", Kind::Tensor).doc("A tensor of integers, of rank 1.")],
        tensor_to_shape,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "A shape whose dimensions are the elements of a tensor.",
        "expr: (n,) → Shape of n dimensions",
        "s = R.tensor_to_shape(x)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.shape_to_tensor",
        &[req("expr", Kind::Shape).doc("The shape.")],
        shape_to_tensor,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "A tensor whose elements are the dimensions of a shape.",
        "expr: Shape of n dimensions → (n,) int64",
        "x = R.shape_to_tensor(s)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.size",
        &[req("expr", Kind::Tensor).doc("The tensor.")],
        size,
    )
    .releases(Releases::since(Release::V0_23))
    .doc(
        "The number of elements of a tensor.",
        "expr: S → () int64",
        "n = R.size(x)",
    )
    .source(SOURCE),
];

fn shape_of(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    Ok(StructInfo::Shape(match explicit_dims(&data) {
        Some(dims) => Shape::Known(dims.into()),
        None => Shape::Unknown(data.ndim()),
    }))
}

fn tensor_to_shape(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    match data.ndim() {
        Some(1) => {}
        Some(ndim) => return Err(c.rank(0, ndim, 1)),
        None => return Err(c.wrong_kind(0, "a tensor of rank 1, which must be known")),
    }
    let ndim = match explicit_dims(&data) {
        Some([n]) => n.as_int().and_then(|n| usize::try_from(n).ok()),
        _ => None,
    };
    Ok(StructInfo::Shape(Shape::Unknown(ndim)))
}

fn shape_to_tensor(c: &Call<'_>) -> Infer {
    let ndim = match c.sinfo(0)? {
        StructInfo::Shape(Shape::Known(dims)) => Some(dims.len()),
        StructInfo::Shape(Shape::Unknown(ndim)) => ndim,
        _ => return Err(c.wrong_kind(0, "a Shape")),
    };
    Ok(match ndim {
        Some(ndim) => tensor(vec![SymExpr::int(ndim as i64)], Some(DType::I64)),
        None => tensor_of_ndim(Some(1), Some(DType::I64)),
    })
}

fn size(c: &Call<'_>) -> Infer {
    c.tensor(0)?;
    Ok(tensor(Vec::new(), Some(DType::I64)))
}
