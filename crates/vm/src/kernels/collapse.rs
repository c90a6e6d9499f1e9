//! Sums that reverse a broadcast.

use super::{Args, Kernel, reduce};
use crate::error::{RunError, RunResult};
use crate::tensor::{Tensor, show_shape};
use crate::value::Value;

/// Sums a tensor to the shape that it was broadcast from.
fn collapse(x: &Tensor, shape: &[usize]) -> RunResult<Value> {
    let misfit = || {
        RunError::shape(format!(
            "{} does not collapse to {}",
            show_shape(x.shape()),
            show_shape(shape)
        ))
    };
    let extra = x.ndim().checked_sub(shape.len()).ok_or_else(misfit)?;
    let mut axes: Vec<i64> = (0..extra as i64).collect();
    for (i, &dim) in shape.iter().enumerate() {
        if dim == 1 && x.shape()[extra + i] != 1 {
            axes.push((extra + i) as i64);
        } else if dim != x.shape()[extra + i] {
            return Err(misfit());
        }
    }
    if axes.is_empty() {
        return Ok(x.reshaped(shape)?.into());
    }
    Ok(reduce::sum(x, &axes, true)?.reshaped(shape)?.into())
}

fn collapse_sum_to(args: &Args<'_>) -> RunResult<Value> {
    collapse(&args.operand(0)?, &args.dims("shape")?)
}

fn collapse_sum_like(args: &Args<'_>) -> RunResult<Value> {
    collapse(&args.operand(0)?, args.operand(1)?.shape())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.collapse_sum_like", collapse_sum_like),
    Kernel::new("relax.collapse_sum_to", collapse_sum_to),
];
