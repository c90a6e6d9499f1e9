//! Distinct elements of a tensor, and positions of nonzero elements.

use std::cmp::Ordering;

use super::args::axis_of;
use super::sort::order;
use super::{Args, Kernel};
use crate::error::RunResult;
use crate::tensor::{Kind, Tensor, dispatch};
use crate::value::Value;

/// Returns the positions of nonzero elements: one row for each dimension.
fn nonzero(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let x = if x.ndim() == 0 { x.reshaped(&[1])? } else { x };
    let truth = x.cast(Kind::Bool)?;
    let truth = truth.values::<u8>()?;
    let found: Vec<usize> = (0..truth.len()).filter(|&i| truth[i] != 0).collect();
    let steps = super::shape::steps_of(x.shape());
    let positions = Tensor::from_fn::<i64>(&[x.ndim(), found.len()], |i| {
        let (axis, which) = (i / found.len(), i % found.len());
        (found[which] / steps[axis].unsigned_abs() % x.shape()[axis]) as i64
    })?;
    Ok(positions.into())
}

/// Returns the distinct elements, or the distinct slices along an axis, as `numpy.unique` does.
fn unique(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let sorted = args.bool_or("sorted", true)?;
    let axis = args.opt_int("axis")?;
    // Reshape slices to rows.
    let (rows, shape_of) = match axis {
        None => (x.reshaped(&[x.len(), 1])?, None),
        Some(axis) => {
            let axis = axis_of(axis, x.ndim())?;
            let mut to_front: Vec<usize> = (0..x.ndim()).collect();
            to_front.remove(axis);
            to_front.insert(0, axis);
            let front = x.permuted(&to_front)?.contiguous()?;
            let shape = front.shape().to_vec();
            let width = shape[1..].iter().product();
            (front.reshaped(&[shape[0], width])?, Some((axis, shape)))
        }
    };
    let (count, width) = (rows.shape()[0], rows.shape()[1]);
    let (first, inverse, counts) = dispatch!(rows.kind(), T => {
        let values = rows.values::<T>()?;
        groups(count, |a, b| {
            let row = |i: usize| values[i * width..(i + 1) * width].iter();
            row(a)
                .zip(row(b))
                .map(|(&x, &y)| order(x, y))
                .find(|o| o.is_ne())
                .unwrap_or(Ordering::Equal)
        })
    });
    let mut ranks: Vec<usize> = (0..first.len()).collect();
    if !sorted {
        ranks.sort_by_key(|&group| first[group]);
    }
    let mut place = vec![0; ranks.len()];
    for (to, &group) in ranks.iter().enumerate() {
        place[group] = to;
    }
    let kind = rows.kind();
    let picked = dispatch!(kind, T => {
        let values = rows.values::<T>()?;
        Tensor::from_fn::<T>(&[ranks.len(), width], |i| {
            values[first[ranks[i / width]] * width + i % width]
        })?
        .with_kind(kind)
    });
    let picked = match shape_of {
        None => picked.reshaped(&[ranks.len()])?,
        Some((axis, mut shape)) => {
            shape[0] = ranks.len();
            let mut back: Vec<usize> = (1..shape.len()).collect();
            back.insert(axis, 0);
            picked.reshaped(&shape)?.permuted(&back)?.contiguous()?
        }
    };
    let vector = |values: Vec<i64>| Tensor::from_vec(&[values.len()], values).map(Value::from);
    let mut results = vec![picked.into()];
    if args.bool_or("return_index", false)? {
        results.push(vector(ranks.iter().map(|&g| first[g] as i64).collect())?);
    }
    if args.bool_or("return_inverse", false)? {
        results.push(vector(inverse.iter().map(|&g| place[g] as i64).collect())?);
    }
    if args.bool_or("return_counts", false)? {
        results.push(vector(ranks.iter().map(|&g| counts[g]).collect())?);
    }
    match <[Value; 1]>::try_from(results) {
        Ok([only]) => Ok(only),
        Err(results) => Ok(Value::tuple(results)),
    }
}

/// Groups equal items in order: returns the first item of each group, the group of each item, and the sizes.
fn groups(
    count: usize,
    compare: impl Fn(usize, usize) -> Ordering,
) -> (Vec<usize>, Vec<usize>, Vec<i64>) {
    let mut positions: Vec<usize> = (0..count).collect();
    positions.sort_by(|&a, &b| compare(a, b));
    let (mut first, mut counts): (Vec<usize>, Vec<i64>) = (Vec::new(), Vec::new());
    let mut inverse = vec![0; count];
    let mut previous = None;
    for &at in &positions {
        let same = previous.is_some_and(|previous| compare(previous, at).is_eq());
        match (same, first.last_mut(), counts.last_mut()) {
            (true, Some(first), Some(count)) => {
                *first = at.min(*first);
                *count += 1;
            }
            _ => {
                first.push(at);
                counts.push(1);
            }
        }
        inverse[at] = first.len() - 1;
        previous = Some(at);
    }
    (first, inverse, counts)
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.nonzero", nonzero),
    Kernel::new("relax.unique", unique),
];
