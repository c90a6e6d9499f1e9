//! Softmax, log-softmax and losses based on them.

use num_traits::Float;

use super::args::axis_of;
use super::math::Math;
use super::{Args, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Element, Kind, Tensor};
use crate::value::Value;

/// Returns float32 for half floats, and other floats unchanged.
pub(super) fn compute_kind(kind: Kind) -> RunResult<Kind> {
    match kind {
        Kind::F64 => Ok(Kind::F64),
        Kind::F16 | Kind::BF16 | Kind::F32 => Ok(Kind::F32),
        _ => Err(RunError::dtype(format!(
            "needs floating point, but has {}",
            kind.dtype()
        ))),
    }
}

/// Replaces a row with its softmax.
pub(super) fn soften<T: Float + Math>(row: &mut [T]) {
    let top = row
        .iter()
        .fold(T::neg_infinity(), |m, &v| if v > m { v } else { m });
    for v in row.iter_mut() {
        *v = (*v - top).fast_exp();
    }
    let total = total(row);
    for v in row.iter_mut() {
        *v = *v / total;
    }
}

/// Sums a row, using several sums so that it is vectorised.
pub(super) fn total<T: Float>(row: &[T]) -> T {
    let mut lanes = [T::zero(); 16];
    let chunks = row.chunks_exact(16);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, &v) in lanes.iter_mut().zip(chunk) {
            *lane = *lane + v;
        }
    }
    for (lane, &v) in lanes.iter_mut().zip(rest) {
        *lane = *lane + v;
    }
    lanes.into_iter().fold(T::zero(), |a, b| a + b)
}

fn log_soften<T: Float + Math>(row: &mut [T]) {
    let top = row
        .iter()
        .fold(T::neg_infinity(), |m, &v| if v > m { v } else { m });
    let total = row
        .iter()
        .fold(T::zero(), |sum, &v| sum + (v - top).fast_exp())
        .ln();
    for v in row.iter_mut() {
        *v = *v - top - total;
    }
}

/// Applies `f` to copies of the lines along an axis.
fn along<T: Element>(x: &Tensor, axis: usize, f: fn(&mut [T])) -> RunResult<Tensor> {
    let last = x.ndim() - 1;
    let mut order: Vec<usize> = (0..x.ndim()).collect();
    order.swap(axis, last);
    let moved = if axis == last {
        x.clone()
    } else {
        x.permuted(&order)?
    };
    let extent = x.shape()[axis];
    let values = moved.values::<T>()?;
    let shape = moved.shape().to_vec();
    let lines = Tensor::generate::<T>(&shape, |out| {
        map::in_rows(out, extent, 4, |i, row| {
            row.copy_from_slice(&values[i * extent..(i + 1) * extent]);
            f(row);
        });
        Ok(())
    })?;
    if axis == last {
        Ok(lines)
    } else {
        lines.permuted(&order)?.contiguous()
    }
}

fn over_axis(args: &Args<'_>, wide: fn(&mut [f64]), narrow: fn(&mut [f32])) -> RunResult<Value> {
    let x = args.operand(0)?;
    if x.ndim() == 0 {
        return Err(RunError::shape("a tensor without dimensions has no axis"));
    }
    let axis = axis_of(args.int_or("axis", -1)?, x.ndim())?;
    let compute = compute_kind(x.kind())?;
    let operand = x.cast(compute)?;
    let result = if compute == Kind::F64 {
        along::<f64>(&operand, axis, wide)?
    } else {
        along::<f32>(&operand, axis, narrow)?
    };
    Ok(result.cast(x.kind())?.into())
}

pub(super) fn softmax(args: &Args<'_>) -> RunResult<Value> {
    over_axis(args, soften::<f64>, soften::<f32>)
}

pub(super) fn log_softmax(args: &Args<'_>) -> RunResult<Value> {
    over_axis(args, log_soften::<f64>, log_soften::<f32>)
}
