//! Recipes of reductions.

use super::Recipe::Made;
use super::elementwise::as_dtype;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;

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

/// The axes that are reduced. TVM leaves out those that are listed where `exclude` is true.
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

/// Booleans as small integers: the least is true if all are, the greatest if any is.
fn logical(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let axes = axes(b, &x)?;
    let ints = as_dtype(b, &x, DType::I8)?;
    let reduced = reduced(b, op, &ints, axes)?;
    as_dtype(b, &reduced, DType::BOOL)
}

fn position(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    if b.bool("select_last_index")? {
        return Refusal::new(format!("`{op}` of the last of several equal elements"));
    }
    let axes = axes(b, &x)?;
    let keep = b.bool("keepdims")?;
    let axis = match axes.as_slice() {
        [one] => (*one).into(),
        all if all.len() == b.rank(&x)? => Arg::None,
        _ => return Refusal::new(format!("`{op}` over several axes")),
    };
    let found = b.op(
        op,
        vec![x.into()],
        [("axis", axis), ("keepdims", keep.into())],
    )?;
    as_dtype(b, &found, DType::I32)
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
    let Some(count) = count else {
        return Refusal::new("an unbiased variance over an extent that only a run knows");
    };
    let sum = reduced(b, "sum", &squares, axes)?;
    let count = b.number((count - 1) as f64, b.dtype_of(&x)?);
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
