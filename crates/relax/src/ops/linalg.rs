//! Products of tensors: matmul, linear, outer.

use super::broadcast::{Side, arith_dtype, broadcast, mismatch};
use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Sharding, Topi, common_vdevice,
    explicit_dims, opt, req, with_dims, with_ndim,
};
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::Tri;

const SOURCE: &str = "src/relax/op/tensor/linear_algebra.cc";

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.matmul",
        &[
            req("x1", Kind::Tensor).doc("The left operand."),
            req("x2", Kind::Tensor).doc("The right operand."),
            opt("out_dtype", Kind::DType, Default::None)
                .doc("The dtype of the result; that of the operands if absent."),
        ],
        matmul,
    )
    .doc(
        "The matrix product of the last two dimensions; the others broadcast.",
        "x1: (b, m, k) · x2: (b, k, n) → (b, m, n)",
        "R.matmul(x, w)",
    )
    .source(SOURCE)
    .sharding(Sharding::Matmul)
    .topi(Topi::renamed("matmul", &[("tensor_a", "x1"), ("tensor_b", "x2")]))
    .familiar(&["batch_matmul", "bmm", "dense", "dot", "mm"])
    .usage(4),
    OpDef::new(
        "relax.linear",
        &[
            req("data", Kind::Tensor).doc("The input tensor."),
            req("weight", Kind::Tensor).doc("The weights, one row for each output."),
            opt("bias", Kind::Tensor, Default::None).doc("The bias, added to the product."),
            opt("out_dtype", Kind::DType, Default::None)
                .doc("The dtype of the product; that of the operands if absent."),
        ],
        linear,
    )
    .doc(
        "Multiplies by the transposed weights and adds the bias; written for a `permute_dims`, a `matmul` and an `add`.",
        "data: (…, k) · weight: (n, k) · bias: (n,) → (…, n)",
        "R.linear(x, w, bias)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.outer",
        &[
            req("x1", Kind::Tensor).doc("The left vector."),
            req("x2", Kind::Tensor).doc("The right vector."),
        ],
        outer,
    )
    .doc(
        "The outer product of two vectors.",
        "x1: (n,) · x2: (m,) → (n, m)",
        "R.outer(x, y)",
    )
    .releases(Releases::since(Release::V0_21))
    .source(SOURCE),
];

fn matmul(c: &Call<'_>) -> Infer {
    let (x1, x2) = (c.tensor(0)?, c.tensor(1)?);
    let inner = x2.ndim().map_or(0, |ndim| ndim.saturating_sub(2));
    product(c, &x1, &x2, 2, inner)
}

/// Returns the product of operands 0 and 1. The operand `out_dtype` may specify a dtype. `inner` is the summed dimension
/// of operand 1 as it is written.
fn product(c: &Call<'_>, x1: &Tensor, x2: &Tensor, out_dtype: usize, inner: usize) -> Infer {
    let dtype = match c.dtype(out_dtype)? {
        Some(dtype) => Some(dtype),
        None => arith_dtype(c, 0, x1.dtype, 1, x2.dtype)?,
    };
    let out = Tensor::of_ndim(None, dtype).with_vdevice(common_vdevice([x1, x2]));
    let (Some(n1), Some(n2)) = (x1.ndim(), x2.ndim()) else {
        return Ok(out.into());
    };
    for (i, ndim) in [(0, n1), (1, n2)] {
        if ndim == 0 {
            let message = format!("`{}` must not be a scalar", c.name(i));
            return Err(c.error(OpErrorKind::Rank, At::param(i), message));
        }
    }
    let ndim = n1.max(2).max(n2) - usize::from(n1 == 1) - usize::from(n2 == 1);
    let (Some(a), Some(b)) = (explicit_dims(x1), explicit_dims(x2)) else {
        return Ok(with_ndim(&out, Some(ndim)));
    };
    let prefix = broadcast(
        c,
        Side {
            param: 0,
            dims: &a[..n1.saturating_sub(2)],
        },
        Side {
            param: 1,
            dims: &b[..n2.saturating_sub(2)],
        },
    )?;
    let Some(mut dims) = prefix else {
        return Ok(with_ndim(&out, Some(ndim)));
    };
    let (d1, d2) = (n1 - 1, n2.saturating_sub(2));
    if c.cx.equal(&a[d1], &b[d2]) == Tri::No {
        return Err(mismatch(c, 0, d1, &a[d1], 1, inner, &b[d2]));
    }
    if n1 > 1 {
        dims.push(a[n1 - 2].clone());
    }
    if n2 > 1 {
        dims.push(b[n2 - 1].clone());
    }
    Ok(with_dims(&out, dims))
}

fn linear(c: &Call<'_>) -> Infer {
    let (data, weight) = (c.tensor(0)?, c.tensor(1)?);
    let transposed = match (explicit_dims(&weight), weight.ndim()) {
        (_, Some(0 | 1)) => weight.clone(),
        (Some(dims), _) => {
            Tensor::new(dims.iter().rev().cloned().collect::<Vec<_>>(), weight.dtype)
                .with_vdevice(weight.vdevice.clone())
        }
        (None, ndim) => Tensor::of_ndim(ndim, weight.dtype).with_vdevice(weight.vdevice.clone()),
    };
    let inner = usize::from(weight.ndim() > Some(1));
    let product = product(c, &data, &transposed, 3, inner)?;
    let Some(bias) = c.tensor_opt(2)? else {
        return Ok(product);
    };
    let StructInfo::Tensor(product) = product else {
        return Ok(product);
    };
    let dtype = arith_dtype(c, 0, product.dtype, 2, bias.dtype)?;
    let out = Tensor::of_ndim(None, dtype).with_vdevice(common_vdevice([&product, &bias]));
    let ndim = product.ndim().zip(bias.ndim()).map(|(a, b)| a.max(b));
    Ok(match (product.dims(), bias.dims()) {
        (Some(a), Some(b)) => {
            let sides = (Side { param: 0, dims: a }, Side { param: 2, dims: b });
            match broadcast(c, sides.0, sides.1)? {
                Some(dims) => with_dims(&out, dims),
                None => with_ndim(&out, ndim),
            }
        }
        _ => with_ndim(&out, ndim),
    })
}

fn outer(c: &Call<'_>) -> Infer {
    let (x1, x2) = (c.tensor(0)?, c.tensor(1)?);
    for (i, x) in [(0, &x1), (1, &x2)] {
        if x.ndim() != Some(1) {
            let message = match x.ndim() {
                Some(ndim) => format!("`{}` must have one dimension, but has {ndim}", c.name(i)),
                None => format!("`{}` must be known to have one dimension", c.name(i)),
            };
            return Err(c.error(OpErrorKind::Rank, At::param(i), message));
        }
    }
    let out = Tensor::of_ndim(None, x1.dtype);
    Ok(match (explicit_dims(&x1), explicit_dims(&x2)) {
        (Some([a]), Some([b])) => with_dims(&out, vec![a.clone(), b.clone()]),
        _ => with_ndim(&out, Some(2)),
    })
}
