//! Sorting along an axis.

use std::cmp::Ordering;

use super::args::axis_of;
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Element, Kind, Tensor, dispatch};
use crate::value::Value;

/// Compares numbers. NaN comes last.
pub(super) fn order<T: PartialOrd>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| {
        // Only NaN is not comparable with itself.
        let nan = |v: &T| v.partial_cmp(v).is_none();
        nan(&a).cmp(&nan(&b))
    })
}

/// Returns a view whose last axis is `axis`, and the permutation, which is its own inverse.
pub(super) fn axis_last(x: &Tensor, axis: i64) -> RunResult<(Tensor, Vec<usize>)> {
    let axis = axis_of(axis, x.ndim())?;
    let mut swap: Vec<usize> = (0..x.ndim()).collect();
    swap.swap(axis, x.ndim() - 1);
    Ok((x.permuted(&swap)?, swap))
}

/// Returns the positions of each line's elements in sorted order. The sort is stable.
fn sorted_positions<T: Element>(line: &[T], descending: bool) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..line.len()).collect();
    if descending {
        positions.sort_by(|&a, &b| order(line[b], line[a]));
    } else {
        positions.sort_by(|&a, &b| order(line[a], line[b]));
    }
    positions
}

/// Builds two tensors line by line: the first `count` elements in sorted order, and their positions.
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
    // A count below 1 means all elements.
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
        other => Err(RunError::argument(format!("unknown return type {other:?}"))),
    }
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.argsort", argsort),
    Kernel::new("relax.sort", sort),
    Kernel::new("relax.topk", topk),
];
