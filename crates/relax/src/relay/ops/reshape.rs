//! Operators that change the shape of a tensor.

use super::reduce::product;
use super::transform::list;
use super::{Op, op};
use crate::diagnostics::Code;
use crate::relay::site::{Answer, Mistake, Site, Stop};
use crate::relay::types::{Dim, Tensor};

const RESHAPE: &str = "newshape: ints, allowzero: bool = false";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("contrib_reverse_reshape", "data", RESHAPE, reverse_reshape),
    op("expand_dims", "data", "axis: int, num_newaxis: int = 1", expand_dims),
    op("nn.batch_flatten", "data", "", batch_flatten),
    op("reshape", "data", RESHAPE, reshape),
    op("vm.reshape_tensor", "data shape", "newshape: ints", reshape_tensor),
    op("reshape_like", "data shape_like", "lhs_begin: int = 0, lhs_end: int = None, rhs_begin: int = 0, rhs_end: int = None", reshape_like),
    op("squeeze", "data", "axis: ints = None", squeeze),
];

fn expand_dims(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let count = site.int("num_newaxis")?;
    if !(0..=64).contains(&count) {
        return site.wrong_value(
            "num_newaxis",
            format!("{count} is not a valid number of axes"),
        );
    }
    let axis = site.axis("axis", site.int("axis")?, data.rank() + 1)?;
    let mut shape = data.shape.to_vec();
    for _ in 0..count {
        shape.insert(axis, Dim::Int(1));
    }
    Answer::tensor(shape, data.dtype)
}

fn batch_flatten(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    match data.shape.first() {
        Some(batch) => Answer::tensor([batch.clone(), product(&data.shape[1..])], data.dtype),
        None => Err(Stop::Unknown),
    }
}

fn reshape(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let newshape = site.dims("newshape")?;
    let shape = new_shape(site, &data.shape, &newshape)?;
    same_size(data, &shape)?;
    Answer::tensor(shape, data.dtype)
}

fn reshape_tensor(site: &Site<'_>) -> Result<Answer, Stop> {
    Answer::tensor(site.dims("newshape")?, site.tensor(0)?.dtype)
}

fn reverse_reshape(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let reversed = |dims: &[Dim]| -> Vec<Dim> { dims.iter().rev().cloned().collect() };
    let newshape = reversed(&site.dims("newshape")?);
    let shape = new_shape(site, &reversed(&data.shape), &newshape)?;
    same_size(data, &shape)?;
    Answer::tensor(reversed(&shape), data.dtype)
}

fn same_size(data: &Tensor, shape: &[Dim]) -> Result<(), Stop> {
    let (from, to) = (product(&data.shape), product(shape));
    if !from.differs(&to) {
        return Ok(());
    }
    Mistake::new(
        Code::ShapeMismatch,
        format!(
            "{data} has {from} elements, the shape ({}) has {to}",
            list(shape)
        ),
    )
    .of([0])
    .attr("newshape")
    .between(from, to)
    .stop()
}

/// Returns the shape for the codes of `newshape`: 0 copies an extent, -1 is inferred, -2 copies the rest, -3 merges
/// two extents, -4 splits one into the two that follow.
fn new_shape(site: &Site<'_>, from: &[Dim], codes: &[Dim]) -> Result<Vec<Dim>, Stop> {
    let allow_zero = site.bool("allowzero")?;
    let too_short = || {
        site.wrong_value(
            "newshape",
            format!("asks for more extents than {}", list(from)),
        )
    };
    let mut shape: Vec<Dim> = Vec::new();
    let (mut used_in, mut used_out) = (vec![false; from.len()], Vec::new());
    let (mut at, mut inferred) = (0, None);
    let mut codes = codes.iter();
    while let Some(code) = codes.next() {
        let Some(code) = code.as_int() else {
            shape.push(Dim::Any);
            used_out.push(false);
            at += 1;
            continue;
        };
        match code {
            0 if !allow_zero => {
                let Some(dim) = from.get(at) else {
                    return too_short();
                };
                used_in[at] = true;
                shape.push(dim.clone());
                used_out.push(true);
                at += 1;
            }
            0.. => {
                shape.push(Dim::Int(code));
                used_out.push(false);
                at += 1;
            }
            -1 => {
                if inferred.is_some() {
                    return site.wrong_value("newshape", "has more than one -1".into());
                }
                inferred = Some(shape.len());
                shape.push(Dim::Int(1));
                used_out.push(false);
                at += 1;
            }
            -2 => {
                while at < from.len() {
                    used_in[at] = true;
                    shape.push(from[at].clone());
                    used_out.push(true);
                    at += 1;
                }
            }
            -3 => {
                let [one, other] = from.get(at..at + 2).unwrap_or_default() else {
                    return too_short();
                };
                used_in[at..at + 2].fill(true);
                shape.push(one.with(other, i64::checked_mul));
                used_out.push(true);
                at += 2;
            }
            -4 => {
                let (Some(dim), Some(one), Some(other)) =
                    (from.get(at), codes.next(), codes.next())
                else {
                    return too_short();
                };
                used_in[at] = true;
                let rest = |by: &Dim| dim.with(by, i64::checked_div);
                let (one, other) = match (one.is(-1), other.is(-1)) {
                    (true, true) => {
                        return site.wrong_value("newshape", "splits into two -1".into());
                    }
                    (true, false) => (rest(other), other.clone()),
                    (false, true) => (one.clone(), rest(one)),
                    (false, false) => (one.clone(), other.clone()),
                };
                shape.extend([one, other]);
                used_out.extend([true, true]);
                at += 1;
            }
            _ => return site.wrong_value("newshape", format!("{code} means nothing")),
        }
    }
    if let Some(inferred) = inferred {
        let unused = |dims: &[Dim], used: &[bool]| -> Vec<Dim> {
            let pairs = dims.iter().zip(used);
            pairs.filter(|it| !it.1).map(|it| it.0.clone()).collect()
        };
        let whole = product(&unused(from, &used_in));
        let others = product(&unused(&shape, &used_out));
        shape[inferred] = whole.with(&others, i64::checked_div);
    }
    Ok(shape)
}

fn reshape_like(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, like) = (site.tensor(0)?, site.tensor(1)?);
    let bounds = |begin: &str, end: &str, rank: usize| -> Result<(usize, usize), Stop> {
        let from_front = |at: i64| if at < 0 { at + rank as i64 } else { at };
        let begin = from_front(site.int(begin)?);
        let end = from_front(site.opt_int(end)?.unwrap_or(rank as i64));
        if begin >= 0 && end >= begin && end <= rank as i64 {
            Ok((begin as usize, end as usize))
        } else {
            Err(Stop::Unknown)
        }
    };
    let (begin, end) = bounds("lhs_begin", "lhs_end", data.rank())?;
    let (from, to) = bounds("rhs_begin", "rhs_end", like.rank())?;
    let mut shape = data.shape[..begin].to_vec();
    shape.extend_from_slice(&like.shape[from..to]);
    shape.extend_from_slice(&data.shape[end..]);
    let (one, other) = (product(&data.shape), product(&shape));
    if one.differs(&other) {
        return Mistake::new(
            Code::ShapeMismatch,
            format!(
                "{data} has {one} elements, the shape ({}) has {other}",
                list(&shape)
            ),
        )
        .of([0, 1])
        .between(one, other)
        .stop();
    }
    Answer::tensor(shape, data.dtype)
}

fn squeeze(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let Some(axes) = site.opt_ints("axis")? else {
        if data.shape.contains(&Dim::Any) {
            return Err(Stop::Unknown);
        }
        let kept = data.shape.iter().filter(|it| !it.is(1)).cloned();
        return Answer::tensor(kept.collect::<Vec<_>>(), data.dtype);
    };
    let mut is_kept = vec![true; data.rank()];
    for axis in axes {
        let axis = site.axis("axis", axis, data.rank())?;
        is_kept[axis] = false;
        let dim = &data.shape[axis];
        if dim.as_int().is_some_and(|it| it != 1) {
            return Mistake::new(
                Code::ShapeMismatch,
                format!("dimension {axis} of `data` is {dim}: `squeeze` removes extents of 1"),
            )
            .at_dims([(0, axis)])
            .between(dim, 1)
            .stop();
        }
    }
    let pairs = data.shape.iter().zip(is_kept);
    let kept: Vec<Dim> = pairs.filter(|it| it.1).map(|it| it.0.clone()).collect();
    Answer::tensor(kept, data.dtype)
}
