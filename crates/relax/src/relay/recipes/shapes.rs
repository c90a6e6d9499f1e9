//! Recipes of operators that move elements or create tensors with a shape.

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

/// Returns the shape that Relay inferred, with the input's extents instead of `?`.
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
    // A single unknown extent is inferred.
    if unknown == 1 {
        let dims = tensor.shape.iter().map(|it| it.as_int().unwrap_or(-1));
        return Ok(dims.map(SymExpr::int).collect());
    }
    if unknown == 0 {
        let dims = tensor.shape.iter().filter_map(Dim::as_int);
        return Ok(dims.map(SymExpr::int).collect());
    }
    let codes = b.opt_ints("newshape").ok().flatten();
    if b.name() == "reshape"
        && let Some(codes) = codes
        && let Some(dims) = by_codes(&b.dims(x)?, &codes)
    {
        return Ok(dims);
    }
    Refusal::new(format!(
        "the shape of `{}` has several unknown extents",
        b.name()
    ))
}

/// Returns a shape by TVM's codes: 0 copies an extent, -1 is inferred, -2 copies all others, -3 merges two, -4 splits
/// one.
fn by_codes(from: &[SymExpr], codes: &[i64]) -> Option<Vec<SymExpr>> {
    let mut dims = Vec::new();
    let mut at = 0;
    let mut codes = codes.iter().copied();
    while let Some(code) = codes.next() {
        match code {
            0 => dims.push(from.get(at)?.clone()),
            -2 => {
                dims.extend_from_slice(from.get(at..)?);
                at = from.len();
            }
            -3 => {
                dims.push(from.get(at)?.mul(from.get(at + 1)?));
                at += 1;
            }
            -4 => {
                let whole = from.get(at)?;
                let (one, other) = (codes.next()?, codes.next()?);
                let rest = |known: i64| whole.floordiv(&SymExpr::int(known));
                dims.push(if one == -1 {
                    rest(other)
                } else {
                    SymExpr::int(one)
                });
                dims.push(if other == -1 {
                    rest(one)
                } else {
                    SymExpr::int(other)
                });
            }
            _ => dims.push(SymExpr::int(code)),
        }
        at += 1;
    }
    Some(dims)
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
    new_axes(b, &x, axis, count)
}

pub(super) fn new_axes(b: &mut Build<'_>, x: &Val, axis: i64, count: i64) -> Result<Val, Refusal> {
    if count == 0 {
        return Ok(x.clone());
    }
    let rank = b.rank(x)? as i64;
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

fn layout_transform(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (from, to) = (b.str("src_layout")?, b.str("dst_layout")?);
    converted(b, &x, &from, &to)
}

/// Returns the axes of a layout: each letter, with its factor if it is a part of a split axis.
fn layout_axes(layout: &str) -> Option<Vec<(char, Option<i64>)>> {
    let mut axes = Vec::new();
    let mut factor = None;
    for letter in layout.chars() {
        match letter {
            '0'..='9' => factor = Some(factor.unwrap_or(0) * 10 + i64::from(letter as u8 - b'0')),
            'A'..='Z' if factor.is_none() => axes.push((letter, None)),
            'a'..='z' if factor.is_some() => {
                axes.push((letter.to_ascii_uppercase(), factor.take()));
            }
            _ => return None,
        }
    }
    Some(axes)
}

/// Converts a tensor to another layout: merges split axes, splits others, and permutes the parts.
pub(super) fn converted(b: &mut Build<'_>, x: &Val, from: &str, to: &str) -> Result<Val, Refusal> {
    let no_way = || {
        Refusal(format!(
            "unsupported conversion of the layout {from} to {to}"
        ))
    };
    let (before, after) = (
        layout_axes(from).ok_or_else(no_way)?,
        layout_axes(to).ok_or_else(no_way)?,
    );
    let whole = |axes: &[(char, Option<i64>)]| -> Vec<char> {
        axes.iter()
            .filter(|it| it.1.is_none())
            .map(|it| it.0)
            .collect()
    };
    let letters = whole(&before);
    let split = |axes: &[(char, Option<i64>)], letter: char| {
        axes.iter().position(|it| it.0 == letter && it.1.is_some())
    };
    let is_once = |axes: &[(char, Option<i64>)]| {
        axes.iter()
            .enumerate()
            .all(|(at, it)| !axes[..at].contains(it))
    };
    let mut sorted = (letters.clone(), whole(&after));
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    let dims = b.dims(x)?;
    if sorted.0 != sorted.1 || !is_once(&before) || !is_once(&after) || dims.len() != before.len() {
        return Err(no_way());
    }
    let mut x = x.clone();
    // Move the parts next to their axes, then merge them.
    let mut order = Vec::new();
    let mut joined = Vec::new();
    for &letter in &letters {
        let at = before
            .iter()
            .position(|it| *it == (letter, None))
            .ok_or_else(no_way)?;
        order.push(at as i64);
        let mut extent = dims[at].clone();
        if let Some(part) = split(&before, letter) {
            order.push(part as i64);
            extent = extent.mul(&dims[part]);
        }
        joined.push(extent);
    }
    x = ordered(b, x, order)?;
    if joined.len() != dims.len() {
        x = b.op("reshape", vec![x.into(), joined.clone().into()], [])?;
    }
    // As in TVM, elements that do not fill a part are dropped.
    let mut parts = Vec::new();
    let mut places = Vec::new();
    for (axis, (&letter, extent)) in letters.iter().zip(&joined).enumerate() {
        places.push((letter, None));
        let Some(factor) = split(&after, letter).and_then(|at| after[at].1) else {
            parts.push(extent.clone());
            continue;
        };
        if extent.as_int().is_none_or(|it| it % factor != 0) {
            let axis = axis as i64;
            let factor = SymExpr::int(factor);
            let end = extent.floordiv(&factor).mul(&factor);
            let args = vec![
                Arg::from(&x),
                vec![axis].into(),
                vec![0].into(),
                vec![end].into(),
            ];
            x = b.op("strided_slice", args, [])?;
        }
        parts.push(extent.floordiv(&SymExpr::int(factor)));
        parts.push(SymExpr::int(factor));
        places.push((letter, Some(factor)));
    }
    if parts.len() != joined.len() {
        x = b.op("reshape", vec![x.into(), parts.into()], [])?;
    }
    let order: Option<Vec<i64>> = after
        .iter()
        .map(|axis| places.iter().position(|it| it == axis).map(|at| at as i64))
        .collect();
    ordered(b, x, order.ok_or_else(no_way)?)
}

/// Permutes the axes.
fn ordered(b: &mut Build<'_>, x: Val, order: Vec<i64>) -> Result<Val, Refusal> {
    if order.is_sorted() {
        return Ok(x);
    }
    b.op("permute_dims", vec![x.into()], [("axes", order.into())])
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
            None => return Refusal::new("`arange` between ends that are only known at run time"),
        }
    }
    ends.push(dtype.into());
    b.op("arange", ends, [])
}

fn one_hot(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let depth = b.int("depth")?;
    one_hot_of(b, depth)
}

pub(super) fn one_hot_of(b: &mut Build<'_>, depth: i64) -> Result<Val, Refusal> {
    let (indices, dtype) = (b.input(0)?, b.dtype("dtype")?);
    let axis = b.int("axis")?;
    let (Some(on), Some(off)) = (b.constant(1), b.constant(2)) else {
        return one_hot_of_values(b, &indices, depth, axis, dtype);
    };
    let indices = as_dtype(b, &indices, DType::I64)?;
    // Python numbers are wide.
    let wide = if dtype.is_float() {
        DType::F64
    } else {
        DType::I64
    };
    let prim = |value: f64| Arg::Prim(value, wide);
    let args = vec![indices.into(), prim(on), prim(off), depth.into()];
    let found = b.op("one_hot", args, [("axis", axis.into())])?;
    as_dtype(b, &found, dtype)
}

/// Returns one value where the index equals the position along the new axis, and the other value elsewhere.
fn one_hot_of_values(
    b: &mut Build<'_>,
    indices: &Val,
    depth: i64,
    axis: i64,
    dtype: DType,
) -> Result<Val, Refusal> {
    let (on, off) = (b.input(1)?, b.input(2)?);
    let rank = b.rank(indices)? + 1;
    let at = b.axis(axis, rank);
    let named = [("axis", vec![at as i64].into())];
    let indices = b.op("expand_dims", vec![indices.into()], named)?;
    let own = b.dtype_of(&indices)?;
    let places = b.op(
        "arange",
        vec![0.into(), depth.into(), 1.into(), own.into()],
        [],
    )?;
    let mut shape = vec![SymExpr::int(1); rank];
    shape[at] = SymExpr::int(depth);
    let places = b.op("reshape", vec![places.into(), shape.into()], [])?;
    let is_hot = b.call("equal", &[&indices, &places])?;
    let found = b.call("where", &[&is_hot, &on, &off])?;
    as_dtype(b, &found, dtype)
}

fn trilu(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let Some(k) = b.constant(1) else {
        return Refusal::new("`trilu` with a diagonal that is only known at run time");
    };
    let op = if b.bool("upper")? { "triu" } else { "tril" };
    b.op(op, vec![x.into(), (k as i64).into()], [])
}
