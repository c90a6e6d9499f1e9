//! Recipes of operators that move elements, and of those that make tensors of a shape.

use super::Recipe::Made;
use super::elementwise::as_dtype;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;
use crate::relay::attrs::Value as Attr;
use crate::relay::types::Dim;
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("reshape", Made(reshape)),
    ("contrib_reverse_reshape", Made(reshape)),
    ("reshape_like", Made(reshape)),
    ("nn.batch_flatten", Made(batch_flatten)),
    ("transpose", Made(transpose)),
    ("expand_dims", Made(expand_dims)),
    ("squeeze", Made(squeeze)),
    ("broadcast_to", Made(broadcast_to)),
    ("broadcast_to_like", Made(broadcast_to_like)),
    ("collapse_sum_to", Made(collapse_sum_to)),
    ("collapse_sum_like", Made(|b| { let (x, y) = (b.input(0)?, b.input(1)?); b.call("collapse_sum_like", &[&x, &y]) })),
    ("concatenate", Made(|b| { let x = b.input(0)?; let axis = b.int("axis")?; b.op("concat", vec![x.into()], [("axis", axis.into())]) })),
    ("stack", Made(stack)),
    ("split", Made(split)),
    ("tile", Made(|b| { let x = b.input(0)?; let reps = b.ints("reps")?; b.op("tile", vec![x.into(), reps.into()], []) })),
    ("repeat", Made(repeat)),
    ("reverse", Made(|b| { let x = b.input(0)?; let axis = b.int("axis")?; b.op("flip", vec![x.into()], [("axis", axis.into())]) })),
    ("reverse_sequence", Made(reverse_sequence)),
    ("layout_transform", Made(layout_transform)),
    ("meshgrid", Made(|b| { let x = b.input(0)?; let kind = b.str("indexing")?; b.op("meshgrid", vec![x.into()], [("indexing", kind.into())]) })),
    ("zeros", Made(|b| filled(b, "zeros"))),
    ("ones", Made(|b| filled(b, "ones"))),
    ("full", Made(full)),
    ("full_like", Made(|b| { let (x, y) = (b.input(0)?, b.input(1)?); b.call("full_like", &[&x, &y]) })),
    ("arange", Made(arange)),
    ("one_hot", Made(one_hot)),
    ("trilu", Made(trilu)),
];

/// The shape that Relay inferred, with the extents of the input in the place of those that it calls `?`.
fn out_shape(b: &Build<'_>, x: &Val) -> Result<Vec<SymExpr>, Refusal> {
    let relation = b.site().entry.op.relation;
    let Ok(answer) = relation(b.site()) else {
        return Refusal::new(format!("the shape of `{}` is not known", b.name()));
    };
    let Some(tensor) = answer.out.as_tensor() else {
        return Refusal::new(format!("the shape of `{}` is not known", b.name()));
    };
    let mut left: Vec<SymExpr> = b.dims(x).unwrap_or_default();
    left.retain(|it| it.as_int().is_none());
    let unknown = tensor
        .shape
        .iter()
        .filter(|it| it.as_int().is_none())
        .count();
    // One extent that is left open is what remains.
    if unknown == 1 {
        let dims = tensor.shape.iter().map(|it| it.as_int().unwrap_or(-1));
        return Ok(dims.map(SymExpr::int).collect());
    }
    let codes = b.opt_ints("newshape").ok().flatten().unwrap_or_default();
    let copies = codes.iter().all(|it| *it >= 0);
    if unknown == 0 {
        let dims = tensor.shape.iter().filter_map(Dim::as_int);
        return Ok(dims.map(SymExpr::int).collect());
    }
    if copies && codes.len() == tensor.shape.len() {
        let from = b.dims(x)?;
        let dims = codes.iter().enumerate().map(|(at, code)| match code {
            0 => from.get(at).cloned(),
            _ => Some(SymExpr::int(*code)),
        });
        if let Some(dims) = dims.collect() {
            return Ok(dims);
        }
    }
    Refusal::new(format!(
        "the shape of `{}` has several unknown extents",
        b.name()
    ))
}

fn reshape(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let shape = out_shape(b, &x)?;
    b.op("reshape", vec![x.into(), shape.into()], [])
}

fn batch_flatten(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let Some(batch) = b.dims(&x)?.first().cloned() else {
        return Refusal::new("`nn.batch_flatten` of a scalar");
    };
    b.op(
        "reshape",
        vec![x.into(), vec![batch, SymExpr::int(-1)].into()],
        [],
    )
}

fn transpose(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    match b.opt_ints("axes")? {
        Some(axes) => b.op("permute_dims", vec![x.into()], [("axes", axes.into())]),
        None => b.call("permute_dims", &[&x]),
    }
}

fn expand_dims(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (axis, count) = (b.int("axis")?, b.int("num_newaxis")?);
    if count == 0 {
        return Ok(x);
    }
    let rank = b.rank(&x)? as i64;
    let first = if axis < 0 { axis + rank + 1 } else { axis };
    let axes: Vec<i64> = (first..first + count).collect();
    b.op("expand_dims", vec![x.into()], [("axis", axes.into())])
}

fn squeeze(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    match b.opt_ints("axis")? {
        Some(axes) if axes.is_empty() => Ok(x),
        Some(axes) => b.op("squeeze", vec![x.into()], [("axis", axes.into())]),
        None => b.call("squeeze", &[&x]),
    }
}

fn broadcast_to(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, shape) = (b.input(0)?, b.ints("shape")?);
    b.op("broadcast_to", vec![x.into(), shape.into()], [])
}

fn broadcast_to_like(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, like) = (b.input(0)?, b.input(1)?);
    let shape = b.dims(&like)?;
    b.op("broadcast_to", vec![x.into(), shape.into()], [])
}

fn collapse_sum_to(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, shape) = (b.input(0)?, b.ints("shape")?);
    b.op("collapse_sum_to", vec![x.into(), shape.into()], [])
}

fn stack(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let tuple = b.input(0)?;
    let axis = b.int("axis")?;
    let mut parts = Vec::new();
    for part in b.fields(&tuple)? {
        parts.push(b.op("expand_dims", vec![part.into()], [("axis", axis.into())])?);
    }
    let rank = b.rank(&parts[0])?;
    let axis = b.axis(axis, rank) as i64;
    let parts = b.tuple(&parts);
    b.op("concat", vec![parts.into()], [("axis", axis.into())])
}

fn split(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let axis = b.int("axis")?;
    let at: Arg = match b.attr("indices_or_sections") {
        Attr::Int(sections) => sections.into(),
        Attr::List(_) => b.ints("indices_or_sections")?.into(),
        _ => return Refusal::new("`indices_or_sections` is not a plain value"),
    };
    b.op("split", vec![x.into(), at], [("axis", axis.into())])
}

fn repeat(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, repeats) = (b.input(0)?, b.int("repeats")?);
    let axis = b.int("axis")?;
    b.op(
        "repeat",
        vec![x.into(), repeats.into()],
        [("axis", axis.into())],
    )
}

fn reverse_sequence(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, lengths) = (b.input(0)?, b.input(1)?);
    let (seq, batch) = (b.int("seq_axis")?, b.int("batch_axis")?);
    b.op(
        "reverse_sequence",
        vec![x.into(), lengths.into()],
        [("seq_axis", seq.into()), ("batch_axis", batch.into())],
    )
}

/// Layouts that order the same axes, none of them split.
fn layout_transform(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (from, to) = (b.str("src_layout")?, b.str("dst_layout")?);
    let axes: Option<Vec<i64>> = to
        .chars()
        .map(|letter| from.find(letter).map(|it| it as i64))
        .collect();
    let is_plain = |layout: &str| layout.bytes().all(|it| it.is_ascii_uppercase());
    match axes {
        Some(axes) if is_plain(&from) && is_plain(&to) && from.len() == to.len() => {
            b.op("permute_dims", vec![x.into()], [("axes", axes.into())])
        }
        _ => Refusal::new(format!("the layouts {from} and {to} split axes")),
    }
}

fn filled(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let (shape, dtype) = (b.ints("shape")?, b.dtype("dtype")?);
    b.op(op, vec![shape.into(), dtype.into()], [])
}

fn full(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (value, shape) = (b.input(0)?, b.ints("shape")?);
    let dtype = b.opt_dtype("dtype")?.unwrap_or(b.dtype_of(&value)?);
    b.op("full", vec![shape.into(), value.into(), dtype.into()], [])
}

fn arange(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let dtype = b.dtype("dtype")?;
    let mut ends: Vec<Arg> = Vec::new();
    for at in 0..3 {
        match b.constant(at) {
            Some(value) if dtype.is_float() => ends.push(value.into()),
            Some(value) => ends.push((value as i64).into()),
            None => return Refusal::new("`arange` between ends that only a run knows"),
        }
    }
    ends.push(dtype.into());
    b.op("arange", ends, [])
}

fn one_hot(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (indices, dtype) = (b.input(0)?, b.dtype("dtype")?);
    let (Some(on), Some(off)) = (b.constant(1), b.constant(2)) else {
        return Refusal::new("`one_hot` of values that only a run knows");
    };
    let (depth, axis) = (b.int("depth")?, b.int("axis")?);
    let indices = as_dtype(b, &indices, DType::I64)?;
    // Python's numbers are wide integers and single floats.
    let wide = if dtype.is_float() {
        DType::F32
    } else {
        DType::I64
    };
    let prim = |value: f64| Arg::Prim(value, wide);
    let args = vec![indices.into(), prim(on), prim(off), depth.into()];
    let found = b.op("one_hot", args, [("axis", axis.into())])?;
    as_dtype(b, &found, dtype)
}

fn trilu(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let Some(k) = b.constant(1) else {
        return Refusal::new("`trilu` with a diagonal that only a run knows");
    };
    let op = if b.bool("upper")? { "triu" } else { "tril" };
    b.op(op, vec![x.into(), (k as i64).into()], [])
}
