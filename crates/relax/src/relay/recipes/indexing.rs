//! Recipes of slices, gathers, sorts.

use super::Recipe::Made;
use super::elementwise::as_dtype;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("strided_slice", Made(strided_slice)),
    ("strided_set", Made(strided_set)),
    ("sparse_to_dense", Made(|b| { let shape = b.ints("output_shape")?; dense_of(b, shape) })),
    ("sequence_mask", Made(sequence_mask)),
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
    let (begin, end) = (b.ints("begin")?, b.ints("end")?);
    let strides = b.ints("strides")?;
    let axes: Option<Vec<i64>> = b
        .opt_ints("axes")?
        .map(|it| it.iter().map(|it| b.axis(*it, rank) as i64).collect());
    slice(b, &x, begin, end, strides, axes)
}

/// Slices with constants. Missing begins or ends are the full extents.
pub(super) fn slice(
    b: &mut Build<'_>,
    x: &Val,
    mut begin: Vec<i64>,
    mut end: Vec<i64>,
    mut strides: Vec<i64>,
    axes: Option<Vec<i64>>,
) -> Result<Val, Refusal> {
    let axes = axes.unwrap_or_else(|| (0..begin.len().max(end.len()) as i64).collect());
    let count = axes.len();
    begin.resize(count, 0);
    strides.resize(count, 1);
    for axis in axes.iter().skip(end.len()) {
        match b.dims(x)?.get(*axis as usize).and_then(SymExpr::as_int) {
            Some(extent) => end.push(extent),
            None => {
                return Refusal::new("`strided_slice` to an end that is only known at run time");
            }
        }
    }
    if b.str("slice_mode")? == "size" {
        let dims = b.dims(x)?;
        for at in 0..count {
            end[at] = match (end[at], dims[axes[at] as usize].as_int()) {
                (size, _) if size >= 0 => begin[at] + size,
                (_, Some(extent)) => extent,
                _ => {
                    return Refusal::new(
                        "`strided_slice` to an end that is only known at run time",
                    );
                }
            };
        }
        strides = vec![1; count];
    }
    let args = vec![x.into(), axes.into(), begin.into(), end.into()];
    b.op("strided_slice", args, [("strides", strides.into())])
}

/// Replaces a part of the tensor: along the first axis within its slice of the others.
fn strided_set(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, mut value) = (b.input(0)?, b.input(1)?);
    let (begin, end) = (b.int_elements(2)?, b.int_elements(3)?);
    let mut strides = b.int_elements(4)?;
    strides.resize(begin.len(), 1);
    let mut slices = Vec::new();
    for (at, dim) in b.dims(&x)?.iter().enumerate() {
        let Some(extent) = dim.as_int() else {
            return Refusal::new("`strided_set` of an extent that is only known at run time");
        };
        let from_front = |it: i64| if it < 0 { it + extent } else { it };
        let (from, to) = (begin.get(at).copied(), end.get(at).copied());
        let (from, to) = (
            from_front(from.unwrap_or(0)),
            from_front(to.unwrap_or(extent)),
        );
        let slice = match strides.get(at).copied().unwrap_or(1) {
            stride if stride > 0 => (from.clamp(0, extent), to.clamp(0, extent), stride),
            stride => {
                // From the last visited element to the first.
                let (first, past) = (from.clamp(-1, extent - 1), to.clamp(-1, extent - 1));
                let count = (first - past + -stride - 1) / stride.min(-1).abs();
                let args = vec![value.into()];
                value = b.op("flip", args, [("axis", (at as i64).into())])?;
                (first + (count - 1).max(0) * stride, first + 1, -stride)
            }
        };
        if slice != (0, extent, 1) {
            slices.push((at as i64, slice));
        }
    }
    set(b, &x, &value, &slices)
}

fn set(
    b: &mut Build<'_>,
    x: &Val,
    value: &Val,
    slices: &[(i64, (i64, i64, i64))],
) -> Result<Val, Refusal> {
    let Some((&(axis, (from, to, step)), rest)) = slices.split_first() else {
        return Ok(value.clone());
    };
    let mut inner = value.clone();
    if !rest.is_empty() {
        let args = vec![
            x.into(),
            vec![axis].into(),
            vec![from].into(),
            vec![to].into(),
        ];
        let part = b.op("strided_slice", args, [("strides", vec![step].into())])?;
        inner = set(b, &part, value, rest)?;
    }
    let args = vec![x.into(), inner.into(), from.into(), to.into(), step.into()];
    b.op("slice_scatter", args, [("axis", axis.into())])
}

/// Creates a dense tensor: the default everywhere, then the values at their positions.
pub(super) fn dense_of(b: &mut Build<'_>, shape: Vec<i64>) -> Result<Val, Refusal> {
    let (indices, values) = (b.input(0)?, b.input(1)?);
    let dtype = b.dtype_of(&values)?;
    let default = match b.input(2) {
        Ok(default) => default,
        Err(_) => b.number(0.0, dtype),
    };
    let rank = shape.len() as i64;
    let args = vec![shape.into(), default.into(), dtype.into()];
    let full = b.op("full", args, [])?;
    let rows =
        |columns: Vec<i64>| -> Vec<SymExpr> { columns.into_iter().map(SymExpr::int).collect() };
    let indices = as_dtype(b, &indices, DType::I64)?;
    let indices = b.op(
        "reshape",
        vec![indices.into(), rows(vec![-1, rank]).into()],
        [],
    )?;
    let values = b.op("reshape", vec![values.into(), rows(vec![-1]).into()], [])?;
    b.op(
        "scatter_nd",
        vec![full.into(), indices.into(), values.into()],
        [],
    )
}

/// Masks the elements after the end of each sequence.
fn sequence_mask(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, lengths) = (b.input(0)?, b.input(1)?);
    let (axis, value) = (b.int("axis")?, b.float("mask_value")?);
    let dims = b.dims(&x)?;
    let rank = dims.len();
    let (axis, dtype) = (b.axis(axis, rank), b.dtype_of(&x)?);
    let Some(extent) = dims.get(axis).and_then(SymExpr::as_int) else {
        return Refusal::new("`sequence_mask` of an extent that is only known at run time");
    };
    let index = b.dtype_of(&lengths)?;
    let steps = b.op(
        "arange",
        vec![0.into(), extent.into(), 1.into(), index.into()],
        [],
    )?;
    let mut shape = vec![SymExpr::int(1); rank];
    shape[axis] = SymExpr::int(-1);
    let steps = b.op("reshape", vec![steps.into(), shape.into()], [])?;
    let mut shape = vec![SymExpr::int(1); rank];
    shape[1 - axis.min(1)] = SymExpr::int(-1);
    let lengths = b.op("reshape", vec![lengths.into(), shape.into()], [])?;
    let is_kept = b.call("less", &[&steps, &lengths])?;
    let masked = b.number(value, dtype);
    b.call("where", &[&is_kept, &x, &masked])
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
    // Releases before 0.20 have no mode for indices out of bounds.
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

/// Relax's result has an integer dtype; TVM's tests also use floats.
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
            None => {
                return Refusal::new("`topk` of all of an extent that is only known at run time");
            }
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
