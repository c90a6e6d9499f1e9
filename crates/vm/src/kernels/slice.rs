//! Slices of a tensor.

use super::args::axis_of;
use super::shape::{gather_steps, steps_of};
use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;
use crate::value::Value;

/// Returns the start and the number of elements of a slice along one axis, clipped as in Python.
fn clip_slice(begin: i64, end: i64, stride: i64, extent: usize) -> RunResult<(i64, usize)> {
    if stride == 0 {
        return Err(RunError::argument("a stride is zero"));
    }
    let n = extent as i64;
    let (low, high) = if stride < 0 { (-1, n - 1) } else { (0, n) };
    let clip = |index: i64| {
        let index = if index < 0 {
            index.saturating_add(n)
        } else {
            index
        };
        index.clamp(low, high.max(low))
    };
    let (begin, end) = (clip(begin), clip(end));
    let distance = if stride > 0 { end - begin } else { begin - end };
    let count = if distance <= 0 {
        0
    } else {
        (distance as u64).div_ceil(stride.unsigned_abs())
    };
    Ok((begin, count as usize))
}

fn slice(x: &Tensor, parts: &[(usize, i64, i64, i64)]) -> RunResult<Tensor> {
    let mut steps = steps_of(x.shape());
    let mut shape = x.shape().to_vec();
    let mut start = 0;
    for &(axis, begin, end, stride) in parts {
        let (begin, count) = clip_slice(begin, end, stride, x.shape()[axis])?;
        shape[axis] = count;
        if count > 0 {
            start += begin as usize * steps[axis] as usize;
        }
        steps[axis] = if count > 1 {
            steps[axis] * stride as isize
        } else {
            0
        };
        if count == 1 && axis + 1 == x.ndim() {
            steps[axis] = 1;
        }
    }
    gather_steps(x, start, &shape, &steps)
}

fn strided_slice(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let (axes, begin, end) = (args.ints("axes")?, args.ints("begin")?, args.ints("end")?);
    let strides = args.opt_ints("strides")?.unwrap_or(vec![1; axes.len()]);
    if begin.len() != axes.len() || end.len() != axes.len() || strides.len() != axes.len() {
        return Err(RunError::argument(
            "axes, begin, end and strides differ in length",
        ));
    }
    let parts = (0..axes.len())
        .map(|i| Ok((axis_of(axes[i], x.ndim())?, begin[i], end[i], strides[i])))
        .collect::<RunResult<Vec<_>>>()?;
    Ok(slice(&x, &parts)?.into())
}

fn dynamic_strided_slice(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let (begin, end, strides) = (
        args.ints("begin")?,
        args.ints("end")?,
        args.ints("strides")?,
    );
    if begin.len() != x.ndim() || end.len() != x.ndim() || strides.len() != x.ndim() {
        return Err(RunError::shape(
            "begin, end and strides need one number for each dimension",
        ));
    }
    let parts: Vec<_> = (0..x.ndim())
        .map(|i| (i, begin[i], end[i], strides[i]))
        .collect();
    Ok(slice(&x, &parts)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.dynamic_strided_slice", dynamic_strided_slice),
    Kernel::new("relax.strided_slice", strided_slice),
];
