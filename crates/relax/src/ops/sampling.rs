//! Operators that draw samples: multinomial_from_uniform.

use super::broadcast::mismatch;
use super::unary::float_operand;
use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, explicit_dims, opt, req, with_dims,
    with_ndim,
};
use crate::dtype::Code;
use crate::release::{Release, Releases};
use crate::sinfo::Tensor;
use crate::sym::{SymExpr, Tri};

pub(super) static OPS: &[OpDef] = &[OpDef::new(
    "relax.multinomial_from_uniform",
    &[
        req("prob", Kind::Tensor).doc("The probabilities of each batch, of a float dtype."),
        req("uniform_sample", Kind::Tensor).doc("The uniform samples, of a float dtype."),
        req("sample_indices", Kind::Tensor).doc("The batch index of each sample, integers."),
        opt("dtype", Kind::DType, Default::Str("int64")).doc("The dtype of the result."),
    ],
    multinomial_from_uniform,
)
.releases(Releases::since(Release::V0_17))
.doc(
    "Draws from a distribution, given uniform samples.",
    "prob: (b, v) · uniform_sample, sample_indices: (n, 1) → (n, 1)",
    "R.multinomial_from_uniform(prob, uniform_sample, sample_indices)",
)
.source("src/relax/op/tensor/sampling.cc")];

fn multinomial_from_uniform(c: &Call<'_>) -> Infer {
    let prob = float_operand(c, 0)?;
    let uniform = float_operand(c, 1)?;
    if c.release < Release::V0_26 {
        for (i, operand) in [&prob, &uniform].into_iter().enumerate() {
            if operand.dtype.is_none() {
                let message = format!("the dtype of `{}` must be known", c.name(i));
                return Err(c.error(OpErrorKind::DType, At::param(i), message));
            }
        }
    }
    let indices = c.tensor(2)?;
    if let Some(dtype) = indices.dtype.filter(|d| d.code != Code::Int) {
        let message = format!("`{}` is `{dtype}` but must be signed integers", c.name(2));
        return Err(c.error(OpErrorKind::DType, At::param(2), message));
    }
    let out = Tensor::of_ndim(None, c.dtype(3)?).with_vdevice(prob.vdevice.clone());
    let all = [&prob, &uniform, &indices];
    if all.iter().any(|t| t.ndim().is_none()) {
        return Ok(out.into());
    }
    for (i, tensor) in all.iter().enumerate() {
        if let Some(ndim) = tensor.ndim().filter(|&n| n != 2) {
            let message = format!("`{}` must have 2 dimensions, but has {ndim}", c.name(i));
            return Err(c.error(OpErrorKind::Rank, At::param(i), message));
        }
    }
    let [Some(_), Some([n, one]), Some([m, other])] = all.map(explicit_dims) else {
        return Ok(with_ndim(&out, Some(2)));
    };
    if c.cx.equal(n, m) != Tri::Yes {
        return Err(mismatch(c, 1, 0, n, 2, 0, m));
    }
    for (i, dim) in [(1, one), (2, other)] {
        if dim.as_int() != Some(1) {
            let message = format!("dimension 1 of `{}` is `{dim}` but must be `1`", c.name(i));
            return Err(c
                .error(OpErrorKind::Shape, At::dim(i, 1), message)
                .between(1, dim));
        }
    }
    Ok(with_dims(&out, vec![n.clone(), SymExpr::int(1)]))
}
