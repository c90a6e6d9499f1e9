//! Kernels that move elements: shapes, axes, concatenation, splitting, broadcasting.
//!
//! They see elements as words of their width and never compute with them.

use super::args::{axes_of, axis_of};
use super::{Args, Kernel, map, reduce};
use crate::error::{RunError, RunResult};
use crate::tensor::{Tensor, dispatch_word, show_shape};
use crate::value::Value;

/// Reads `x` at `start + sum(index[i] * steps[i])` for every index of `shape`, row-major; the caller keeps it in range.
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

/// Row-major steps of a shape.
pub(super) fn steps_of(shape: &[usize]) -> Vec<isize> {
    let mut steps = vec![1isize; shape.len()];
    for i in (0..shape.len().saturating_sub(1)).rev() {
        // Wraps only where there are no elements.
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

fn batch_flatten(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let [batch, rest @ ..] = x.shape() else {
        return Err(RunError::shape("needs a batch dimension"));
    };
    Ok(x.reshaped(&[*batch, rest.iter().product()])?.into())
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

pub(super) fn concatenate(parts: &[Tensor], axis: usize) -> RunResult<Tensor> {
    let first = parts
        .first()
        .ok_or_else(|| RunError::argument("nothing to concatenate"))?;
    for part in parts {
        let fits = part.ndim() == first.ndim()
            && (0..first.ndim()).all(|i| i == axis || part.shape()[i] == first.shape()[i]);
        if !fits {
            return Err(RunError::shape(format!(
                "shapes {} and {} differ outside axis {axis}",
                show_shape(first.shape()),
                show_shape(part.shape())
            )));
        }
        if part.kind() != first.kind() {
            return Err(RunError::dtype(format!(
                "operands are {} and {}",
                first.dtype(),
                part.dtype()
            )));
        }
    }
    let mut shape = first.shape().to_vec();
    shape[axis] = parts.iter().map(|part| part.shape()[axis]).sum();
    let outer: usize = shape[..axis].iter().product();
    let inner: usize = shape[axis + 1..].iter().product();
    let row = shape[axis] * inner;
    dispatch_word!(first.kind(), W => {
        Tensor::generate_words::<W>(first.kind(), &shape, |out| {
            let mut start = 0;
            for part in parts {
                let values = part.words::<W>()?;
                let width = part.shape()[axis] * inner;
                for i in 0..outer {
                    let at = i * row + start;
                    out[at..at + width].copy_from_slice(&values[i * width..(i + 1) * width]);
                }
                start += width;
            }
            Ok(())
        })
    })
}

fn concat(args: &Args<'_>) -> RunResult<Value> {
    let mut parts = args.tensors("tensors")?;
    let axis = args.opt_int("axis")?;
    if axis.is_none() {
        for part in &mut parts {
            *part = part.reshaped(&[part.len()])?;
        }
    }
    let ndim = parts.first().map_or(0, Tensor::ndim);
    Ok(concatenate(&parts, axis_of(axis.unwrap_or(0), ndim)?)?.into())
}

fn stack(args: &Args<'_>) -> RunResult<Value> {
    let parts = args.tensors("tensors")?;
    let ndim = parts.first().map_or(0, Tensor::ndim);
    let axis = axis_of(args.int_or("axis", 0)?, ndim + 1)?;
    let parts = parts
        .iter()
        .map(|part| {
            let mut shape = part.shape().to_vec();
            if axis > shape.len() {
                return Err(RunError::shape("the tensors differ in rank"));
            }
            shape.insert(axis, 1);
            part.reshaped(&shape)
        })
        .collect::<RunResult<Vec<_>>>()?;
    Ok(concatenate(&parts, axis)?.into())
}

/// The part of an axis from `start` to `end`.
pub(super) fn part_of(x: &Tensor, axis: usize, start: usize, end: usize) -> RunResult<Tensor> {
    let steps = steps_of(x.shape());
    let mut shape = x.shape().to_vec();
    shape[axis] = end - start;
    gather_steps(x, start * steps[axis] as usize, &shape, &steps)
}

/// Parts of a split beyond its extent, which are empty.
const MOST_PARTS: usize = 1 << 12;

fn split(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let axis = axis_of(args.int_or("axis", 0)?, x.ndim())?;
    let extent = x.shape()[axis];
    let name = "indices_or_sections";
    let mut bounds = vec![0];
    if let super::Arg::Int(sections) = args.get(name) {
        let sections = usize::try_from(sections)
            .ok()
            .filter(|&n| n > 0 && n <= extent.max(MOST_PARTS))
            .ok_or_else(|| RunError::argument(format!("{extent} cannot be split in {sections}")))?;
        let each = extent.div_ceil(sections);
        bounds.extend((1..=sections).map(|i| (i * each).min(extent)));
    } else {
        for index in args.ints(name)? {
            let index = if index < 0 {
                index + extent as i64
            } else {
                index
            };
            let previous = *bounds.last().unwrap_or(&0);
            bounds.push((index.max(0) as usize).min(extent).max(previous));
        }
        bounds.push(extent);
    }
    let parts = bounds
        .windows(2)
        .map(|pair| Ok(part_of(&x, axis, pair[0], pair[1])?.into()))
        .collect::<RunResult<Vec<Value>>>()?;
    Ok(Value::tuple(parts))
}

fn broadcast(args: &Args<'_>) -> RunResult<Value> {
    Ok(map::broadcast_to(&args.operand(0)?, &args.dims("shape")?)?.into())
}

/// The sum that undoes a broadcast.
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
    Kernel::new("relax.broadcast_to", broadcast),
    Kernel::new("relax.collapse_sum_like", collapse_sum_like),
    Kernel::new("relax.collapse_sum_to", collapse_sum_to),
    Kernel::new("relax.concat", concat),
    Kernel::new("relax.expand_dims", expand_dims),
    Kernel::new("relax.flatten", flatten),
    Kernel::new("relax.nn.batch_flatten", batch_flatten),
    Kernel::new("relax.permute_dims", permute_dims),
    Kernel::new("relax.reshape", reshape),
    Kernel::new("relax.split", split),
    Kernel::new("relax.squeeze", squeeze),
    Kernel::new("relax.stack", stack),
];
