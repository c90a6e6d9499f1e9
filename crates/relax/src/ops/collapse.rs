//! Operators that reverse a broadcast by summing: collapse_sum_like, collapse_sum_to.

use super::broadcast::mismatch;
use super::{Call, Infer, Kind, OpDef, Stop, req, with_shape};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::{SymExpr, Tri};
use crate::value::Value;

const SOURCE: &str = "src/relax/op/tensor/manipulate.cc";

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.collapse_sum_like",
        &[
            req("data", Kind::Tensor).doc("The input tensor."),
            req("collapse_target", Kind::Tensor).doc("The tensor whose shape is the target."),
        ],
        like,
    )
    .doc(
        "Sums to the shape of another tensor, which broadcasts to that of `data`.",
        "data: (s, a, b) · collapse_target: (a, 1) → (a, 1)",
        "R.collapse_sum_like(x, target)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.collapse_sum_to",
        &[
            req("data", Kind::Tensor).doc("The input tensor."),
            req("shape", Kind::Shape).doc("The target shape."),
        ],
        to,
    )
    .doc(
        "Sums to a shape that broadcasts to that of `data`.",
        "data: (s, a, b) · shape: (a, 1) → (a, 1)",
        "R.collapse_sum_to(x, (3, 1))",
    )
    .source(SOURCE),
];

/// Checks that every dimension of the target is 1 or provably equal to that of the data.
fn check(c: &Call<'_>, data: &[SymExpr], target: &[SymExpr]) -> Result<(), Stop> {
    let mut left = target.len();
    for (at, dim) in data.iter().enumerate().rev() {
        let Some(last) = left.checked_sub(1) else {
            break;
        };
        let wanted = &target[last];
        if wanted.as_int() != Some(1) && c.cx.equal(dim, wanted) != Tri::Yes {
            return Err(mismatch(c, 0, at, dim, 1, last, wanted));
        }
        left = last;
    }
    Ok(())
}

fn like(c: &Call<'_>) -> Infer {
    let (data, target) = (c.tensor(0)?, c.tensor(1)?);
    if let (Some(dims), Some(wanted)) = (data.dims(), target.dims()) {
        check(c, dims, wanted)?;
    }
    Ok(StructInfo::Tensor(Tensor {
        dtype: data.dtype,
        ..target
    }))
}

fn to(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    if matches!(c.value(1), Value::Expr(StructInfo::Tensor(_))) {
        return Err(c.wrong_kind(1, "a Shape"));
    }
    let target = c.target_shape(1)?;
    if let (Some(dims), Some(wanted)) = (data.dims(), target.dims()) {
        check(c, dims, wanted)?;
    }
    Ok(with_shape(&data, target))
}
