//! Operators that change the shape of a tensor and keep its elements.

use super::args::{axes_of, axis_of};
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Tensor, dispatch_word};
use crate::value::Value;

/// Reads `x` at `start + sum(index[i] * steps[i])` for every index of `shape`, row-major. The caller checks the range.
pub(super) fn gather_steps(
    x: &Tensor,
    start: usize,
    shape: &[usize],
    steps: &[isize],
) -> RunResult<Tensor> {
    let kind = x.kind();
    let inner = shape.last().copied().unwrap_or(1);
    let inner_step = steps.last().copied().unwrap_or(0);
    dispatch_word!(kind, W => {
        let values = x.words::<W>()?;
        Tensor::generate_words::<W>(kind, shape, |out| {
            map::in_rows(out, inner, 1, |row, out| {
                let mut at = start as isize;
                let mut rest = row;
                for (&extent, &step) in shape.iter().zip(steps).rev().skip(1) {
                    at += (rest % extent) as isize * step;
                    rest /= extent;
                }
                if inner_step == 1 {
                    let at = at as usize;
                    out.copy_from_slice(&values[at..at + inner]);
                } else {
                    for slot in out {
                        *slot = values[at as usize];
                        at += inner_step;
                    }
                }
            });
            Ok(())
        })
    })
}

/// Returns the row-major strides of a shape.
pub(super) fn steps_of(shape: &[usize]) -> Vec<isize> {
    let mut steps = vec![1isize; shape.len()];
    for i in (0..shape.len().saturating_sub(1)).rev() {
        // Only overflows if there are no elements.
        steps[i] = steps[i + 1].wrapping_mul(shape[i + 1] as isize);
    }
    steps
}

fn reshape(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let mut dims = args.ints("shape")?;
    let unknown: Vec<usize> = (0..dims.len()).filter(|&i| dims[i] == -1).collect();
    if let [hole] = *unknown {
        let rest: i64 = dims
            .iter()
            .filter(|&&dim| dim != -1)
            .try_fold(1i64, |n, &dim| n.checked_mul(dim))
            .unwrap_or(0);
        if rest > 0 && x.len() as i64 % rest == 0 {
            dims[hole] = x.len() as i64 / rest;
        }
    }
    let shape = dims
        .iter()
        .map(|&dim| usize::try_from(dim).ok())
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| {
            RunError::shape(format!(
                "{} elements do not fill the shape {dims:?}",
                x.len()
            ))
        })?;
    Ok(x.reshaped(&shape)?.into())
}

fn flatten(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    Ok(x.reshaped(&[x.len()])?.into())
}

fn permute_dims(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let axes = match args.opt_ints("axes")? {
        Some(axes) => axes
            .iter()
            .map(|&axis| axis_of(axis, x.ndim()))
            .collect::<RunResult<Vec<_>>>()?,
        None => (0..x.ndim()).rev().collect(),
    };
    Ok(x.permuted(&axes)?.into())
}

fn expand_dims(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let axis = args.ints("axis")?;
    let ndim = x.ndim() + axis.len();
    let axes = axes_of(Some(&axis), ndim)?;
    let mut shape = x.shape().to_vec();
    for axis in axes {
        shape.insert(axis, 1);
    }
    Ok(x.reshaped(&shape)?.into())
}

fn squeeze(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let axes = match args.opt_ints("axis")? {
        Some(axes) => axes_of(Some(&axes), x.ndim())?,
        None => (0..x.ndim()).collect(),
    };
    let shape: Vec<usize> = (0..x.ndim())
        .filter(|i| !(axes.contains(i) && x.shape()[*i] == 1))
        .map(|i| x.shape()[i])
        .collect();
    Ok(x.reshaped(&shape)?.into())
}

fn broadcast(args: &Args<'_>) -> RunResult<Value> {
    Ok(map::broadcast_to(&args.operand(0)?, &args.dims("shape")?)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.broadcast_to", broadcast),
    Kernel::new("relax.expand_dims", expand_dims),
    Kernel::new("relax.flatten", flatten),
    Kernel::new("relax.permute_dims", permute_dims),
    Kernel::new("relax.reshape", reshape),
    Kernel::new("relax.squeeze", squeeze),
];
