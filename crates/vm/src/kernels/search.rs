//! Sorting and searching, results of data-dependent shape included.

use std::cmp::Ordering;

use super::args::axis_of;
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Element, Kind, Tensor, dispatch};
use crate::value::Value;

/// Numbers in order, NaN last.
pub(super) fn order<T: PartialOrd>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| {
        // Only NaN differs from itself.
        let nan = |v: &T| v.partial_cmp(v).is_none();
        nan(&a).cmp(&nan(&b))
    })
}

/// A view whose last axis is `axis`, and the order of axes that both makes and undoes it.
pub(super) fn axis_last(x: &Tensor, axis: i64) -> RunResult<(Tensor, Vec<usize>)> {
    let axis = axis_of(axis, x.ndim())?;
    let mut swap: Vec<usize> = (0..x.ndim()).collect();
    swap.swap(axis, x.ndim() - 1);
    Ok((x.permuted(&swap)?, swap))
}

/// The positions of each line's elements in order, ties as they were.
fn sorted_positions<T: Element>(line: &[T], descending: bool) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..line.len()).collect();
    if descending {
        positions.sort_by(|&a, &b| order(line[b], line[a]));
    } else {
        positions.sort_by(|&a, &b| order(line[a], line[b]));
    }
    positions
}

/// Builds two tensors line by line: the `count` elements that come first in order, and where they were.
fn ranked<T: Element>(x: &Tensor, count: usize, descending: bool) -> RunResult<(Tensor, Tensor)> {
    let extent = x.shape().last().copied().unwrap_or(1);
    let values = x.values::<T>()?;
    let mut shape = x.shape().to_vec();
    if let Some(last) = shape.last_mut() {
        *last = count;
    }
    let positions = Tensor::generate::<i64>(&shape, |out| {
        map::in_rows(out, count, 32, |i, out| {
            let line = &values[i * extent..(i + 1) * extent];
            for (slot, at) in out.iter_mut().zip(sorted_positions(line, descending)) {
                *slot = at as i64;
            }
        });
        Ok(())
    })?;
    let places = positions.values::<i64>()?;
    let picked = Tensor::from_fn::<T>(&shape, |i| {
        values[i / count.max(1) * extent + places[i] as usize]
    })?
    .with_kind(x.kind());
    drop(places);
    Ok((picked, positions))
}

fn sort(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let (moved, undo) = axis_last(&x, args.int_or("axis", -1)?)?;
    let descending = args.bool_or("descending", false)?;
    let count = moved.shape().last().copied().unwrap_or(1);
    let (picked, _) = dispatch!(x.kind(), T => ranked::<T>(&moved, count, descending))?;
    Ok(picked.permuted(&undo)?.contiguous()?.into())
}

fn argsort(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let (moved, undo) = axis_last(&x, args.int_or("axis", -1)?)?;
    let descending = args.bool_or("descending", false)?;
    let kind = args
        .dtype("dtype")?
        .or(args.out_kind())
        .unwrap_or(Kind::I32);
    let count = moved.shape().last().copied().unwrap_or(1);
    let (_, positions) = dispatch!(x.kind(), T => ranked::<T>(&moved, count, descending))?;
    Ok(positions.permuted(&undo)?.cast(kind)?.contiguous()?.into())
}

fn topk(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let (moved, undo) = axis_last(&x, args.int_or("axis", -1)?)?;
    let extent = moved.shape().last().copied().unwrap_or(1);
    let k = args.int_or("k", 1)?;
    // Fewer than one means all of them.
    let count = usize::try_from(k).ok().filter(|&k| k > 0).unwrap_or(extent);
    if count > extent {
        return Err(RunError::argument(format!(
            "k is {k}, and the axis has {extent} elements"
        )));
    }
    let largest = args.bool_or("largest", true)?;
    let kind = args.dtype("dtype")?.unwrap_or(Kind::I32);
    let (picked, positions) = dispatch!(x.kind(), T => ranked::<T>(&moved, count, largest))?;
    let picked: Value = picked.permuted(&undo)?.contiguous()?.into();
    let positions: Value = positions.permuted(&undo)?.cast(kind)?.contiguous()?.into();
    match &*args.str_or("ret_type", "both")? {
        "values" => Ok(picked),
        "indices" => Ok(positions),
        "both" => Ok(Value::tuple([picked, positions])),
        other => Err(RunError::argument(format!("{other:?} is no return type"))),
    }
}

/// The positions of what is not zero: one row for each dimension.
fn nonzero(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let x = if x.ndim() == 0 { x.reshaped(&[1])? } else { x };
    let truth = x.cast(Kind::Bool)?;
    let truth = truth.values::<u8>()?;
    let found: Vec<usize> = (0..truth.len()).filter(|&i| truth[i] != 0).collect();
    let steps = super::manipulate::steps_of(x.shape());
    let positions = Tensor::from_fn::<i64>(&[x.ndim(), found.len()], |i| {
        let (axis, which) = (i / found.len(), i % found.len());
        (found[which] / steps[axis].unsigned_abs() % x.shape()[axis]) as i64
    })?;
    Ok(positions.into())
}

/// Distinct elements, or distinct slices along an axis, as `numpy.unique` gives them.
fn unique(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let sorted = args.bool_or("sorted", true)?;
    let axis = args.opt_int("axis")?;
    // Slices become rows.
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

/// Groups of equal items, in order: the first item of each, the group of each item, how many.
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

/// The bucket between sorted boundaries that each element falls in.
fn bucketize(args: &Args<'_>) -> RunResult<Value> {
    let (x, boundaries) = (args.operand(0)?, args.operand(1)?);
    let right = args.bool_or("right", false)?;
    let kind = if args.bool_or("out_int32", false)? {
        Kind::I32
    } else {
        Kind::I64
    };
    let (x, boundaries) = (x.cast(Kind::F64)?, boundaries.cast(Kind::F64)?);
    let boundaries = boundaries.values::<f64>()?;
    // The steps are TVM's, so that boundaries out of order give what they give there.
    let buckets = map::unary::<f64, i64>(&x, 8, |v| {
        let (mut low, mut high) = (0, boundaries.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let boundary = boundaries[middle];
            if boundary < v || right && boundary == v {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low as i64
    })?;
    Ok(buckets.cast(kind)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.argsort", argsort),
    Kernel::new("relax.bucketize", bucketize),
    Kernel::new("relax.nonzero", nonzero),
    Kernel::new("relax.sort", sort),
    Kernel::new("relax.topk", topk),
    Kernel::new("relax.unique", unique),
];
