//! Running sums and products, and sampling by a running sum.

use super::search::axis_last;
use super::{Args, Kernel, index, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Element, Kind, Tensor};
use crate::value::Value;

/// Every prefix of each line, combined; `exclusive` leaves the element itself out.
fn prefixes<T: Element>(
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

fn cumsum(args: &Args<'_>) -> RunResult<Value> {
    scan(args, (0.0, |a, b| a + b), (0, i64::wrapping_add))
}

fn cumprod(args: &Args<'_>) -> RunResult<Value> {
    scan(args, (1.0, |a, b| a * b), (1, i64::wrapping_mul))
}

/// For each sample, the first class whose running probability exceeds it, in the row of `prob` it names.
fn multinomial_from_uniform(args: &Args<'_>) -> RunResult<Value> {
    let (prob, samples) = (args.operand(0)?, args.operand(1)?);
    let rows = args.operand(2)?.cast(Kind::I64)?;
    let kind = args.dtype("dtype")?.unwrap_or(Kind::I64);
    let &[batch, classes] = prob.shape() else {
        return Err(RunError::shape("the probabilities need two dimensions"));
    };
    if samples.len() != rows.len() || classes == 0 {
        return Err(RunError::shape("one row for each sample is needed"));
    }
    let running = prefixes::<f32>(&prob.cast(Kind::F32)?, false, 0.0, |a, b| a + b)?;
    let (running, samples) = (running.values::<f32>()?, samples.cast(Kind::F32)?);
    let (rows, samples) = (rows.values::<i64>()?, samples.values::<f32>()?);
    let picked = rows
        .iter()
        .zip(samples.iter())
        .map(|(&row, &sample)| {
            let row = index::position(row, batch)?;
            let line = &running[row * classes..(row + 1) * classes];
            let class = line.iter().position(|&sum| sample < sum);
            Ok(class.unwrap_or(classes - 1) as i64)
        })
        .collect::<RunResult<Vec<i64>>>()?;
    Ok(Tensor::from_vec(&[picked.len(), 1], picked)?
        .cast(kind)?
        .into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.cumprod", cumprod),
    Kernel::new("relax.cumsum", cumsum),
    Kernel::new("relax.multinomial_from_uniform", multinomial_from_uniform),
];
