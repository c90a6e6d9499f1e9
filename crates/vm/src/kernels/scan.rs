//! Cumulative sums and products, and sampling by a cumulative sum.

use super::sort::axis_last;
use super::{Args, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Element, Kind, Tensor, dispatch_float};
use crate::value::Value;

/// Returns the combination of every prefix of each line. With `exclusive`, a prefix does not include its last element.
pub(super) fn prefixes<T: Element>(
    x: &Tensor,
    exclusive: bool,
    identity: T,
    combine: impl Fn(T, T) -> T + Sync,
) -> RunResult<Tensor> {
    let extent = x.shape().last().copied().unwrap_or(1);
    let values = x.values::<T>()?;
    Tensor::generate::<T>(x.shape(), |out| {
        map::in_rows(out, extent, 2, |i, out| {
            let line = &values[i * extent..];
            // The first element is a sum of its own: with the identity, -0 would become 0.
            let first = line.first().copied().filter(|_| !exclusive);
            let mut running = first.unwrap_or(identity);
            let shift = usize::from(!exclusive);
            for (at, slot) in out.iter_mut().enumerate() {
                *slot = running;
                if let Some(&next) = line.get(at + shift) {
                    running = combine(running, next);
                }
            }
        });
        Ok(())
    })
}

/// Scans as TVM does: each step is rounded to the dtype.
fn scan(
    args: &Args<'_>,
    identity: f64,
    float: fn(f64, f64) -> f64,
    int: fn(i64, i64) -> i64,
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
        dispatch_float!(
            kind,
            T => prefixes(&moved, exclusive, T::from_f64(identity), |a: T, b: T| {
                T::from_f64(float(a.to_f64(), b.to_f64()))
            })?,
            other => return Err(RunError::dtype("needs numbers"))
        )
    } else {
        prefixes::<i64>(&moved.cast(Kind::I64)?, exclusive, identity as i64, int)?
    };
    Ok(result.permuted(&undo)?.cast(kind)?.contiguous()?.into())
}

pub(super) fn cumsum(args: &Args<'_>) -> RunResult<Value> {
    scan(args, 0.0, |a, b| a + b, i64::wrapping_add)
}

pub(super) fn cumprod(args: &Args<'_>) -> RunResult<Value> {
    scan(args, 1.0, |a, b| a * b, i64::wrapping_mul)
}
