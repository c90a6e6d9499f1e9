//! Operators that reorder, join or repeat elements without computing any.

use super::{Op, op};
use crate::diagnostics::Code;
use crate::relay::attrs::Value;
use crate::relay::site::{Answer, Mistake, Site, Stop, convert, dimensions};
use crate::relay::types::{Dim, Type};

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("broadcast_to", "data", "shape: ints, dtype: dtype = void", broadcast_to),
    op("broadcast_to_like", "data broadcast_type", "", second),
    op("collapse_sum_like", "data collapse_type", "", second),
    op("collapse_sum_to", "data shape", "shape: ints, dtype: dtype = void", collapse_sum_to).keyed("relay.attrs.InitOpAttrs"),
    op("layout_transform", "data", "src_layout: str, dst_layout: str", layout_transform),
    op("auto_scheduler_layout_transform", "data", "src_layout: str, dst_layout: str", unknown),
    op("meta_schedule_layout_transform", "data", "index_map: any", unknown),
    op("repeat", "data", "repeats: int, axis: int = None", repeat),
    op("reverse", "data", "axis: int = None", reverse),
    op("reverse_sequence", "data seq_lengths", "seq_axis: int = 1, batch_axis: int = 0", reverse_sequence),
    op("tile", "data", "reps: ints", tile),
    op("transpose", "data", "axes: ints", transpose),
];

pub(super) fn unknown(_: &Site<'_>) -> Result<Answer, Stop> {
    Err(Stop::Unknown)
}

fn second(site: &Site<'_>) -> Result<Answer, Stop> {
    Ok(Type::Tensor(site.tensor(1)?.clone()).into())
}

fn broadcast_to(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let shape = site.dims("shape")?;
    let misfit = data.rank() > shape.len()
        || data
            .shape
            .iter()
            .rev()
            .zip(shape.iter().rev())
            .any(|(from, to)| !from.is(1) && !to.is(1) && from.differs(to));
    if misfit {
        return Mistake::new(
            Code::ShapeMismatch,
            format!("{data} does not broadcast to the shape ({})", list(&shape)),
        )
        .of([0])
        .attr("shape")
        .stop();
    }
    Answer::tensor(shape, data.dtype)
}

fn collapse_sum_to(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, target) = (site.tensor(0)?, site.tensor(1)?);
    if let Some(shape) = site.opt_dims("shape")? {
        return Answer::tensor(shape, data.dtype);
    }
    let rank = target.shape.first().and_then(Dim::as_int);
    let rank = rank.ok_or(Stop::Unknown)?;
    Answer::tensor(vec![Dim::Any; rank.clamp(0, 64) as usize], data.dtype)
}

fn layout_transform(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let (from, to) = (site.layout("src_layout")?, site.layout("dst_layout")?);
    match convert(&data.shape, &from, &to) {
        Some(shape) => Answer::tensor(shape, data.dtype),
        None if !from.converts_to(&to) => site.wrong_value(
            "dst_layout",
            "is not a permutation of the axes of `src_layout`".into(),
        ),
        None => site.wrong_rank(0, &dimensions(from.ndim() as i64)),
    }
}

fn repeat(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let repeats = site.int("repeats")?;
    if repeats < 1 {
        return site.wrong_value("repeats", format!("{repeats} is less than 1"));
    }
    let axis = site.axis("axis", site.int("axis")?, data.rank())?;
    let mut shape = data.shape.to_vec();
    shape[axis] = shape[axis].map(|it| it.checked_mul(repeats));
    Answer::tensor(shape, data.dtype)
}

fn reverse(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    site.axis("axis", site.int("axis")?, data.rank())?;
    Ok(Type::Tensor(data.clone()).into())
}

fn reverse_sequence(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let lengths = site.of_rank(1, 1)?;
    if !lengths.dtype.is_int() {
        return site.wrong_dtype(1, "an integer");
    }
    let batch = site.axis("batch_axis", site.int("batch_axis")?, data.rank())?;
    site.axis("seq_axis", site.int("seq_axis")?, data.rank())?;
    site.same_dim((1, 0), (0, batch))?;
    Ok(Type::Tensor(data.clone()).into())
}

fn tile(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let reps = site.dims("reps")?;
    if let Some(wrong) = reps.iter().find(|it| it.as_int().is_some_and(|it| it < 1)) {
        return site.wrong_value("reps", format!("{wrong} is less than 1"));
    }
    let rank = data.rank().max(reps.len());
    let padded = |dims: &[Dim]| {
        let mut all = vec![Dim::Int(1); rank - dims.len()];
        all.extend_from_slice(dims);
        all
    };
    let pairs = padded(&data.shape).into_iter().zip(padded(&reps));
    let shape: Vec<Dim> = pairs.map(|(a, b)| a.with(&b, i64::checked_mul)).collect();
    Answer::tensor(shape, data.dtype)
}

fn transpose(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let axes = match site.attr("axes") {
        Value::None => (0..data.rank()).rev().collect(),
        _ => permutation(site, data.rank())?,
    };
    let shape: Vec<Dim> = axes.iter().map(|&it| data.shape[it].clone()).collect();
    Answer::tensor(shape, data.dtype)
}

fn permutation(site: &Site<'_>, rank: usize) -> Result<Vec<usize>, Stop> {
    let axes = site.ints_of("axes", rank)?;
    let mut order = Vec::with_capacity(rank);
    for axis in axes {
        let axis = site.axis("axes", axis, rank)?;
        if order.contains(&axis) {
            return site.wrong_value("axes", format!("it contains the axis {axis} twice"));
        }
        order.push(axis);
    }
    Ok(order)
}

pub(super) fn list(dims: &[Dim]) -> String {
    let dims: Vec<String> = dims.iter().map(Dim::to_string).collect();
    dims.join(", ")
}
