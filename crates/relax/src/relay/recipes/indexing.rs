//! Recipes of slices, gathers, sorts.

use super::Recipe::Made;
use super::elementwise::as_dtype;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("strided_slice", Made(strided_slice)),
    ("slice_like", Made(slice_like)),
    ("take", Made(take)),
    ("gather", Made(gather)),
    ("gather_nd", Made(gather_nd)),
    ("scatter_elements", Made(scatter_elements)),
    ("scatter_nd", Made(scatter_nd)),
    ("adv_index", Made(adv_index)),
    ("argwhere", Made(argwhere)),
    ("argsort", Made(argsort)),
    ("sort", Made(sort)),
    ("topk", Made(topk)),
];

fn strided_slice(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let rank = b.rank(&x)?;
    let (begin, mut end) = (b.ints("begin")?, b.ints("end")?);
    let mut strides = b.ints("strides")?;
    let axes: Vec<i64> = match b.opt_ints("axes")? {
        Some(axes) => axes.iter().map(|it| b.axis(*it, rank) as i64).collect(),
        None => (0..begin.len().min(end.len()) as i64).collect(),
    };
    let count = axes.len();
    if b.opt_ints("axes")?.is_none() && begin.len() != end.len() {
        return Refusal::new("`strided_slice` with as many begins as ends only");
    }
    strides.resize(count, 1);
    if b.str("slice_mode")? == "size" {
        let dims = b.dims(&x)?;
        for at in 0..count {
            end[at] = match (end[at], dims[axes[at] as usize].as_int()) {
                (size, _) if size >= 0 => begin[at] + size,
                (_, Some(extent)) => extent,
                _ => return Refusal::new("`strided_slice` to an end that only a run knows"),
            };
        }
        strides = vec![1; count];
    }
    let args = vec![x.into(), axes.into(), begin.into(), end.into()];
    b.op("strided_slice", args, [("strides", strides.into())])
}

fn slice_like(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, like) = (b.input(0)?, b.input(1)?);
    let (rank, dims) = (b.rank(&x)?, b.dims(&like)?);
    let axes: Vec<i64> = match b.opt_ints("axes")? {
        Some(axes) => axes.iter().map(|it| b.axis(*it, rank) as i64).collect(),
        None => (0..rank.min(dims.len()) as i64).collect(),
    };
    let end: Vec<_> = axes.iter().map(|it| dims[*it as usize].clone()).collect();
    let begin = vec![0; axes.len()];
    b.op(
        "strided_slice",
        vec![x.into(), axes.into(), begin.into(), end.into()],
        [],
    )
}

fn take(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, indices) = (b.input(0)?, b.input(1)?);
    if b.int("batch_dims")? != 0 {
        return Refusal::new("`take` with batch dimensions");
    }
    let mode = b.str("mode")?;
    let (x, axis) = match b.opt_int("axis")? {
        Some(axis) => (x, axis),
        None => (b.op("reshape", vec![x.into(), vec![-1].into()], [])?, 0),
    };
    let args = vec![Arg::from(&x), Arg::from(&indices)];
    let clipped = b.op(
        "take",
        args.clone(),
        [("axis", axis.into()), ("mode", mode.into())],
    );
    // Releases before 0.20 say nothing of indices out of bounds.
    clipped.or_else(|_| b.op("take", args, [("axis", axis.into())]))
}

fn gather(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, indices) = (b.input(0)?, b.input(1)?);
    let axis = b.int("axis")?;
    let indices = as_dtype(b, &indices, DType::I64)?;
    b.op(
        "gather_elements",
        vec![x.into(), indices.into()],
        [("axis", axis.into())],
    )
}

/// Relay has the coordinates along the first axis of the indices, Relax along the last.
fn coordinates_last(b: &mut Build<'_>, indices: &Val) -> Result<Val, Refusal> {
    let rank = b.rank(indices)? as i64;
    let indices = as_dtype(b, indices, DType::I64)?;
    if rank < 2 {
        return Ok(indices);
    }
    let axes: Vec<i64> = (1..rank).chain([0]).collect();
    b.op(
        "permute_dims",
        vec![indices.into()],
        [("axes", axes.into())],
    )
}

fn gather_nd(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, indices) = (b.input(0)?, b.input(1)?);
    let batch = b.int("batch_dims")?;
    let indices = coordinates_last(b, &indices)?;
    b.op(
        "gather_nd",
        vec![x.into(), indices.into()],
        [("batch_dims", batch.into())],
    )
}

fn scatter_elements(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, indices, updates) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let (axis, how) = (b.int("axis")?, b.str("reduction")?);
    let indices = as_dtype(b, &indices, DType::I64)?;
    b.op(
        "scatter_elements",
        vec![x.into(), indices.into(), updates.into()],
        [("axis", axis.into()), ("reduction", how.into())],
    )
}

fn scatter_nd(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, indices, updates) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let how = b.str("mode")?;
    let indices = coordinates_last(b, &indices)?;
    b.op(
        "scatter_nd",
        vec![x.into(), indices.into(), updates.into()],
        [("reduction", how.into())],
    )
}

fn adv_index(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let inputs = b.input(0)?;
    let fields = b.fields(&inputs)?;
    let Some((x, indices)) = fields.split_first() else {
        return Refusal::new("`adv_index` of nothing");
    };
    let indices = b.tuple(indices);
    b.op("index_tensor", vec![x.into(), indices.into()], [])
}

fn argwhere(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let found = b.call("nonzero", &[&x])?;
    let rows = b.call("permute_dims", &[&found])?;
    as_dtype(b, &rows, DType::I32)
}

fn argsort(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (axis, ascend, dtype) = (b.int("axis")?, b.bool("is_ascend")?, b.dtype("dtype")?);
    let found = b.op(
        "argsort",
        vec![x.into()],
        [
            ("axis", axis.into()),
            ("descending", (!ascend).into()),
            ("dtype", sortable(dtype).into()),
        ],
    )?;
    as_dtype(b, &found, dtype)
}

/// Relax counts in integers; TVM's tests count in floats too.
fn sortable(dtype: DType) -> DType {
    if dtype.is_int() { dtype } else { DType::I32 }
}

fn sort(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (axis, ascend) = (b.int("axis")?, b.bool("is_ascend")?);
    b.op(
        "sort",
        vec![x.into()],
        [("axis", axis.into()), ("descending", (!ascend).into())],
    )
}

fn topk(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let k = b.int("k")?;
    topk_of(b, k)
}

pub(super) fn topk_of(b: &mut Build<'_>, k: i64) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (axis, kind) = (b.int("axis")?, b.str("ret_type")?);
    let (ascend, dtype) = (b.bool("is_ascend")?, b.dtype("dtype")?);
    let rank = b.rank(&x)?;
    let k = if k >= 1 {
        k
    } else {
        match b.dims(&x)?[b.axis(axis, rank)].as_int() {
            Some(extent) => extent,
            None => return Refusal::new("`topk` of all of an extent that only a run knows"),
        }
    };
    let found = b.op(
        "topk",
        vec![x.into()],
        [
            ("k", k.into()),
            ("axis", axis.into()),
            ("ret_type", kind.clone().into()),
            ("largest", (!ascend).into()),
            ("dtype", sortable(dtype).into()),
        ],
    )?;
    if sortable(dtype) == dtype || kind == "values" {
        return Ok(found);
    }
    if kind == "indices" {
        return as_dtype(b, &found, dtype);
    }
    let (values, indices) = (b.field(&found, 0)?, b.field(&found, 1)?);
    let indices = as_dtype(b, &indices, dtype)?;
    Ok(b.tuple(&[values, indices]))
}
