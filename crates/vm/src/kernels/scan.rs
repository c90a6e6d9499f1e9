//! Cumulative sums and products, and sampling by a cumulative sum.

use super::sort::axis_last;
use super::{Args, map};
use crate::error::RunResult;
use crate::tensor::{Element, Kind, Tensor};
use crate::value::Value;

/// Returns the combination of every prefix of each line. With `exclusive`, a prefix does not include its last element.
pub(super) fn prefixes<T: Element>(
    x: &Tensor,
    exclusive: bool,
    identity: T,
    combine: fn(T, T) -> T,
) -> RunResult<Tensor> {
    let extent = x.shape().last().copied().unwrap_or(1);
    let values = x.values::<T>()?;
    Tensor::generate::<T>(x.shape(), |out| {
        map::in_rows(out, extent, 2, |i, out| {
            let mut running = identity;
            for (slot, &value) in out.iter_mut().zip(&values[i * extent..]) {
                let next = combine(running, value);
                *slot = if exclusive { running } else { next };
                running = next;
            }
        });
        Ok(())
    })
}

fn scan(
    args: &Args<'_>,
    float: (f64, fn(f64, f64) -> f64),
    int: (i64, fn(i64, i64) -> i64),
) -> RunResult<Value> {
    let x = args.operand(0)?;
    let kind = args.dtype("dtype")?.unwrap_or(x.kind());
    let exclusive = args.bool_or("exclusive", false)?;
    let (x, axis) = match args.opt_int("axis")? {
        Some(axis) => (x, axis),
        None => (x.reshaped(&[x.len()])?, 0),
    };
    let (moved, undo) = axis_last(&x.cast(kind)?, axis)?;
    let result = if kind.is_float() {
        prefixes::<f64>(&moved.cast(Kind::F64)?, exclusive, float.0, float.1)?
    } else {
        prefixes::<i64>(&moved.cast(Kind::I64)?, exclusive, int.0, int.1)?
    };
    Ok(result.permuted(&undo)?.cast(kind)?.contiguous()?.into())
}

pub(super) fn cumsum(args: &Args<'_>) -> RunResult<Value> {
    scan(args, (0.0, |a, b| a + b), (0, i64::wrapping_add))
}

pub(super) fn cumprod(args: &Args<'_>) -> RunResult<Value> {
    scan(args, (1.0, |a, b| a * b), (1, i64::wrapping_mul))
}
