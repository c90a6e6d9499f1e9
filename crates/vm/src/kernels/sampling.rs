//! Samples from a distribution.

use super::scan::prefixes;
use super::{Args, Kernel, gather};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

/// For each sample, returns the first class whose cumulative probability exceeds it, in the row of `prob` that it
/// selects.
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
            let row = gather::position(row, batch)?;
            let line = &running[row * classes..(row + 1) * classes];
            let class = line.iter().position(|&sum| sample < sum);
            Ok(class.unwrap_or(classes - 1) as i64)
        })
        .collect::<RunResult<Vec<i64>>>()?;
    Ok(Tensor::from_vec(&[picked.len(), 1], picked)?
        .cast(kind)?
        .into())
}

pub(super) static KERNELS: &[Kernel] = &[Kernel::new(
    "relax.multinomial_from_uniform",
    multinomial_from_uniform,
)];
