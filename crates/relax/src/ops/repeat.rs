//! Operators that repeat or reverse along dimensions: repeat, tile, flip, reverse_sequence.

use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, explicit_dims, opt, product, req,
    with_dims, with_ndim,
};
use crate::dtype::{Code, DType};
use crate::release::{Release, Releases};
use crate::sym::{SymExpr, Tri};

const SOURCE: &str = "src/relax/op/tensor/manipulate.cc";

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.repeat",
        &[
            req("data", Kind::Tensor).doc("The input tensor."),
            req("repeats", Kind::Int).doc("The number of repetitions of each element."),
            opt("axis", Kind::Int, Default::None)
                .doc("The dimension to repeat along; the flattened tensor if absent."),
        ],
        repeat,
    )
    .doc(
        "Repeats each element along a dimension.",
        "data: (n, m) · repeats=2 · axis=0 → (n * 2, m)",
        "R.repeat(x, 2, axis=0)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.tile",
        &[
            req("data", Kind::Tensor).doc("The input tensor."),
            req("repeats", Kind::Ints).doc("The number of repetitions along each dimension."),
        ],
        tile,
    )
    .doc(
        "Repeats the whole tensor along dimensions.",
        "data: (n, m) · repeats=(2, 3) → (n * 2, m * 3)",
        "R.tile(x, (2, 3))",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.flip",
        &[
            req("data", Kind::Tensor).doc("The input tensor."),
            req("axis", Kind::Int).doc("The dimension to reverse."),
        ],
        flip,
    )
    .doc(
        "Reverses the order of elements along a dimension.",
        "data: (n, m) → (n, m)",
        "R.flip(x, axis=0)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.reverse_sequence",
        &[
            req("data", Kind::Tensor).doc("The input tensor."),
            req("seq_lengths", Kind::Tensor).doc("The length of each sequence, int32 or int64."),
            opt("seq_axis", Kind::Int, Default::Int(1)).doc("The dimension of the sequence."),
            opt("batch_axis", Kind::Int, Default::Int(0)).doc("The dimension of the batch."),
        ],
        reverse_sequence,
    )
    .doc(
        "Reverses the beginning of each sequence of a batch.",
        "data: (b, n, m) · seq_lengths: (b,) → (b, n, m)",
        "R.reverse_sequence(x, lengths, seq_axis=1, batch_axis=0)",
    )
    .releases(Releases::since(Release::V0_26))
    .source(SOURCE),
];

fn repeat(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let times = c.int(1)?;
    let axis = match data.ndim() {
        Some(ndim) => c.axis(2, ndim)?,
        None => None,
    };
    let (Some(dims), Some(times)) = (explicit_dims(&data), times) else {
        return Ok(match (c.is_given(2), times) {
            (true, Some(1)) => data.into(),
            (true, _) => with_ndim(&data, data.ndim()),
            (false, _) => with_ndim(&data, Some(1)),
        });
    };
    let times = SymExpr::int(times);
    let mut dims = dims.to_vec();
    match axis {
        Some(axis) => dims[axis] = dims[axis].mul(&times),
        None => dims = vec![product(&dims).mul(&times)],
    }
    Ok(with_dims(&data, dims))
}

fn tile(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let times = c.ints(1)?.unwrap_or_default();
    let Some(dims) = explicit_dims(&data) else {
        return Ok(match data.ndim() {
            Some(ndim) if times.len() > ndim => with_ndim(&data, Some(times.len())),
            Some(_) if times.iter().all(|&t| t == 1) => data.into(),
            ndim => with_ndim(&data, ndim),
        });
    };
    let rank = dims.len().max(times.len());
    let one = SymExpr::int(1);
    let dims = (0..rank)
        .map(|at| {
            let dim = (at + dims.len())
                .checked_sub(rank)
                .map_or(&one, |i| &dims[i]);
            let time = (at + times.len()).checked_sub(rank).map_or(1, |i| times[i]);
            dim.mul(&SymExpr::int(time))
        })
        .collect();
    Ok(with_dims(&data, dims))
}

fn flip(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    match data.ndim() {
        Some(ndim) => c.axis(1, ndim).map(|_| ())?,
        None => c.int(1).map(|_| ())?,
    }
    Ok(data.into())
}

fn reverse_sequence(c: &Call<'_>) -> Infer {
    let (data, lengths) = (c.tensor(0)?, c.tensor(1)?);
    if let Some(ndim) = lengths.ndim().filter(|&n| n != 1) {
        let message = format!("`{}` must have one dimension, but has {ndim}", c.name(1));
        return Err(c.error(OpErrorKind::Rank, At::param(1), message));
    }
    let wide = |d: DType| d.code == Code::Int && matches!(d.bits, 32 | 64);
    if let Some(dtype) = lengths.dtype.filter(|&d| !wide(d)) {
        let message = format!(
            "`{}` is `{dtype}` but must be `int32` or `int64`",
            c.name(1)
        );
        let error = c.error(OpErrorKind::DType, At::param(1), message);
        return Err(error.between(dtype, DType::I64));
    }
    let Some(rank) = data.ndim() else {
        return Ok(data.into());
    };
    c.axis(2, rank)?;
    let batch = c.axis(3, rank)?;
    if let (Some(dims), Some([count]), Some(batch)) = (data.dims(), lengths.dims(), batch)
        && c.cx.equal(&dims[batch], count) == Tri::No
    {
        return Err(super::broadcast::mismatch(
            c,
            1,
            0,
            count,
            0,
            batch,
            &dims[batch],
        ));
    }
    Ok(data.into())
}
