//! Elementwise operators of three tensors: ewise_fma.

use super::binary::same_variable;
use super::broadcast::mismatch;
use super::gather::other_rank;
use super::{
    At, Call, Infer, Kind, OpDef, OpErrorKind, common_vdevice, explicit_dims, req, with_dims,
    with_ndim, with_shape,
};
use crate::sinfo::Tensor;
use crate::sym::Tri;

pub(super) static OPS: &[OpDef] = &[OpDef::new(
    "relax.ewise_fma",
    &[
        req("x1", Kind::Tensor).doc("The first factor."),
        req("x2", Kind::Tensor).doc("The second factor."),
        req("x3", Kind::Tensor).doc("The bias, added to the product."),
    ],
    ewise_fma,
)
.doc(
    "Multiplies two tensors and adds a third, elementwise.",
    "x1, x2, x3: (…) of one shape and dtype → (…)",
    "R.ewise_fma(x, y, z)",
)
.source("src/relax/op/tensor/ternary.cc")
.familiar(&["fma"])];

fn ewise_fma(c: &Call<'_>) -> Infer {
    let all = [c.tensor(0)?, c.tensor(1)?, c.tensor(2)?];
    let mut rank: Option<(usize, usize)> = None;
    for (i, tensor) in all.iter().enumerate() {
        match (rank, tensor.ndim()) {
            (None, Some(ndim)) => rank = Some((i, ndim)),
            (Some((first, expected)), Some(ndim)) if ndim != expected => {
                return Err(other_rank(c, first, expected, i, ndim));
            }
            _ => {}
        }
    }
    let dtype = match all.each_ref().map(|t| t.dtype) {
        [Some(a), Some(b), Some(d)] => {
            for (i, other) in [(1, b), (2, d)] {
                if other != a {
                    let message =
                        format!("`{}` is `{a}` but `{}` is `{other}`", c.name(0), c.name(i));
                    let note = format!("`{a}` here");
                    let error = c.error_with(
                        OpErrorKind::DType,
                        At::param(i),
                        message,
                        At::param(0),
                        note,
                    );
                    return Err(error.between(a, other));
                }
            }
            Some(a)
        }
        _ => None,
    };
    let out = Tensor::of_ndim(None, dtype).with_vdevice(common_vdevice(&all));
    if let [Some(first), Some(second), Some(third)] = all.each_ref().map(explicit_dims) {
        for (i, others) in [(1, second), (2, third)] {
            for (d, (x, y)) in first.iter().zip(others).enumerate() {
                if c.cx.equal(x, y) != Tri::Yes {
                    return Err(mismatch(c, 0, d, x, i, d, y));
                }
            }
        }
        return Ok(with_dims(&out, first.to_vec()));
    }
    let one =
        same_variable(&all[0].shape, &all[1].shape) && same_variable(&all[0].shape, &all[2].shape);
    Ok(if one {
        with_shape(&out, all[0].shape.clone())
    } else {
        with_ndim(&out, rank.map(|(_, ndim)| ndim))
    })
}
