//! Operators that choose or look up: where, bucketize.

use super::binary::same_variable;
use super::broadcast::{Side, arith_dtype, broadcast};
use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, common_vdevice, explicit_dims, opt, req,
    with_dims, with_ndim, with_shape,
};
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::Tensor;

const SOURCE: &str = "src/relax/op/tensor/search.cc";

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.where",
        &[
            req("condition", Kind::Tensor).doc("The condition, a bool tensor."),
            req("x1", Kind::Tensor).doc("The values where the condition holds."),
            req("x2", Kind::Tensor).doc("The values where the condition does not hold."),
        ],
        infer_where,
    )
    .doc(
        "Takes each element from one of two tensors.",
        "condition: (…) bool · x1: (…) · x2: (…) → their broadcast shape",
        "R.where(condition, x, y)",
    )
    .source(SOURCE)
    .familiar(&["masked_fill", "select"])
    .usage(37),
    OpDef::new(
        "relax.bucketize",
        &[
            req("input_tensor", Kind::Tensor).doc("The values to look up."),
            req("boundaries", Kind::Tensor).doc("The increasing boundaries, one dimension."),
            opt("out_int32", Kind::Bool, Default::Bool(false))
                .doc("Returns int32 instead of int64."),
            opt("right", Kind::Bool, Default::Bool(false))
                .doc("Counts a value on a boundary to the bucket on its right."),
        ],
        bucketize,
    )
    .doc(
        "The index of the bucket each value falls into.",
        "input_tensor: (…) · boundaries: (n,) → (…), int64",
        "R.bucketize(x, boundaries)",
    )
    .releases(Releases::since(Release::V0_21))
    .source(SOURCE),
];

fn infer_where(c: &Call<'_>) -> Infer {
    let (condition, x1, x2) = (c.tensor(0)?, c.tensor(1)?, c.tensor(2)?);
    // Since TVM 0.26, a condition of unknown dtype is accepted.
    let bool = condition
        .dtype
        .map_or(c.release >= Release::V0_26, DType::is_bool);
    if !bool {
        let found = condition
            .dtype
            .map_or("of unknown dtype".into(), |d| format!("`{d}`"));
        let message = format!("`{}` is {found} but must be `bool`", c.name(0));
        let error = c.error(OpErrorKind::DType, At::param(0), message);
        return Err(match condition.dtype {
            Some(dtype) => error.between(dtype, DType::BOOL),
            None => error,
        });
    }
    let dtype = arith_dtype(c, 1, x1.dtype, 2, x2.dtype)?;
    let vdevice = common_vdevice([&condition, &x1, &x2]);
    let out = Tensor::of_ndim(None, dtype).with_vdevice(vdevice);
    let ranks = [&condition, &x1, &x2].map(Tensor::ndim);
    let rank = match ranks {
        [Some(a), Some(b), Some(d)] => Some(a.max(b).max(d)),
        _ => None,
    };
    let dims = [&condition, &x1, &x2].map(explicit_dims);
    let [Some(p), Some(a), Some(b)] = dims else {
        let one = same_variable(&condition.shape, &x1.shape)
            && same_variable(&condition.shape, &x2.shape);
        return Ok(if one {
            with_shape(&out, condition.shape.clone())
        } else {
            with_ndim(&out, rank)
        });
    };
    let Some(both) = broadcast(c, Side { param: 1, dims: a }, Side { param: 2, dims: b })? else {
        return Ok(with_ndim(&out, rank));
    };
    // First broadcast with each operand alone, so that an error names the operand that does not fit.
    let condition = Side { param: 0, dims: p };
    broadcast(c, condition, Side { param: 1, dims: a })?;
    broadcast(c, condition, Side { param: 2, dims: b })?;
    let all = broadcast(
        c,
        condition,
        Side {
            param: 1,
            dims: &both,
        },
    )?;
    Ok(match all {
        Some(dims) => with_dims(&out, dims),
        None => with_ndim(&out, rank),
    })
}

fn bucketize(c: &Call<'_>) -> Infer {
    let (data, boundaries) = (c.tensor(0)?, c.tensor(1)?);
    if let Some(ndim) = boundaries.ndim().filter(|&n| n != 1) {
        let message = format!("`{}` must have one dimension, but has {ndim}", c.name(1));
        return Err(c.error(OpErrorKind::Rank, At::param(1), message));
    }
    let dtype = if c.bool(2)? { DType::I32 } else { DType::I64 };
    let out = Tensor {
        dtype: Some(dtype),
        ..data.clone()
    };
    Ok(match explicit_dims(&data) {
        Some(dims) => with_dims(&out, dims.to_vec()),
        None => with_ndim(&out, data.ndim()),
    })
}
