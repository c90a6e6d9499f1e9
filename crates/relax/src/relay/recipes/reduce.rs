//! Recipes of reductions.

use super::Recipe::Made;
use super::elementwise::as_dtype;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("max", Made(|b| reduce(b, "max"))),
    ("mean", Made(|b| reduce(b, "mean"))),
    ("min", Made(|b| reduce(b, "min"))),
    ("prod", Made(|b| reduce(b, "prod"))),
    ("sum", Made(|b| reduce(b, "sum"))),
    ("all", Made(|b| logical(b, "min"))),
    ("any", Made(|b| logical(b, "max"))),
    ("argmax", Made(|b| position(b, "argmax"))),
    ("argmin", Made(|b| position(b, "argmin"))),
    ("variance", Made(variance)),
    ("cumsum", Made(|b| scan(b, "cumsum"))),
    ("cumprod", Made(|b| scan(b, "cumprod"))),
];

/// Returns the axes that are reduced. If `exclude` is true, these are the axes that are not listed.
fn axes(b: &Build<'_>, x: &Val) -> Result<Vec<i64>, Refusal> {
    let rank = b.rank(x)?;
    let exclude = b.bool("exclude")?;
    let Some(listed) = b.opt_ints("axis")? else {
        return Ok((0..rank as i64).collect());
    };
    let listed: Vec<usize> = listed.iter().map(|it| b.axis(*it, rank)).collect();
    let all = 0..rank;
    Ok(all
        .filter(|it| listed.contains(it) != exclude)
        .map(|it| it as i64)
        .collect())
}

fn reduce(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let axes = axes(b, &x)?;
    reduced(b, op, &x, axes)
}

fn reduced(b: &mut Build<'_>, op: &'static str, x: &Val, axes: Vec<i64>) -> Result<Val, Refusal> {
    if axes.is_empty() {
        return Ok(x.clone());
    }
    let keep = b.bool("keepdims")?;
    let axis = if axes.len() == b.rank(x)? {
        Arg::None
    } else {
        axes.into()
    };
    b.op(
        op,
        vec![x.into()],
        [("axis", axis), ("keepdims", keep.into())],
    )
}

/// Reduces booleans as small integers: the minimum is true if all are, the maximum if any is.
fn logical(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let axes = axes(b, &x)?;
    let ints = as_dtype(b, &x, DType::I8)?;
    let reduced = reduced(b, op, &ints, axes)?;
    as_dtype(b, &reduced, DType::BOOL)
}

fn position(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let axes = axes(b, &x)?;
    let keep = b.bool("keepdims")?;
    let rank = b.rank(&x)?;
    if b.bool("select_last_index")? || axes.len() > 1 && axes.len() < rank {
        return position_in_row(b, op, &x, axes, keep);
    }
    let axis = match axes.as_slice() {
        [one] => (*one).into(),
        _ => Arg::None,
    };
    let found = b.op(
        op,
        vec![x.into()],
        [("axis", axis), ("keepdims", keep.into())],
    )?;
    as_dtype(b, &found, DType::I32)
}

/// Merges the axes into the last one. Relax finds the first of several equal elements.
fn position_in_row(
    b: &mut Build<'_>,
    op: &'static str,
    x: &Val,
    axes: Vec<i64>,
    keep: bool,
) -> Result<Val, Refusal> {
    let dims = b.dims(x)?;
    let kept: Vec<i64> = (0..dims.len() as i64)
        .filter(|it| !axes.contains(it))
        .collect();
    let order: Vec<i64> = kept.iter().chain(&axes).copied().collect();
    let mut row = x.clone();
    if !order.is_sorted() {
        row = b.op("permute_dims", vec![row.into()], [("axes", order.into())])?;
    }
    if axes.len() != 1 {
        let mut shape: Vec<SymExpr> = kept.iter().map(|it| dims[*it as usize].clone()).collect();
        shape.push(SymExpr::int(-1));
        row = b.op("reshape", vec![row.into(), shape.into()], [])?;
    }
    let last = b.bool("select_last_index")?;
    if last {
        row = b.op("flip", vec![row.into()], [("axis", (-1).into())])?;
    }
    let found = b.op(op, vec![row.into()], [("axis", (-1).into())])?;
    let mut found = as_dtype(b, &found, DType::I32)?;
    if last {
        let extents = axes.iter().map(|it| dims[*it as usize].as_int());
        let Some(count) = extents.product::<Option<i64>>() else {
            return Refusal::new(format!("`{op}` of the last element of an unknown extent"));
        };
        let count = b.number((count - 1) as f64, DType::I32);
        found = b.call("subtract", &[&count, &found])?;
    }
    if keep {
        found = b.op("expand_dims", vec![found.into()], [("axis", axes.into())])?;
    }
    Ok(found)
}

fn variance(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, mean) = (b.input(0)?, b.input(1)?);
    let axes = axes(b, &x)?;
    let difference = b.call("subtract", &[&x, &mean])?;
    let squares = b.call("multiply", &[&difference, &difference])?;
    if !b.bool("unbiased")? {
        return reduced(b, "mean", &squares, axes);
    }
    let dims = b.dims(&x)?;
    let count = axes.iter().try_fold(1, |all, at| {
        let extent = dims[*at as usize].as_int()?;
        Some(all * extent)
    });
    let dtype = b.dtype_of(&x)?;
    let sum = reduced(b, "sum", &squares, axes)?;
    let count = match count {
        Some(count) => b.number((count - 1) as f64, dtype),
        None => {
            let (all, left) = (b.call("size", &[&x])?, b.call("size", &[&sum])?);
            let count = b.call("floor_divide", &[&all, &left])?;
            let one = b.number(1.0, b.dtype_of(&count)?);
            let count = b.call("subtract", &[&count, &one])?;
            as_dtype(b, &count, dtype)?
        }
    };
    b.call("divide", &[&sum, &count])
}

fn scan(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let axis = b.opt_int("axis")?.map_or(Arg::None, Arg::Int);
    let dtype = b.opt_dtype("dtype")?.map_or(Arg::None, Arg::DType);
    let exclusive = b.bool("exclusive")?;
    b.op(
        op,
        vec![x.into()],
        [
            ("axis", axis),
            ("dtype", dtype),
            ("exclusive", exclusive.into()),
        ],
    )
}
