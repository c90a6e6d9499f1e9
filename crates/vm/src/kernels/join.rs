//! Operators that concatenate, stack and split tensors.

use super::args::axis_of;
use super::shape::{gather_steps, steps_of};
use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::{Tensor, dispatch_word, show_shape};
use crate::value::Value;

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

/// Returns the part of an axis from `start` to `end`.
pub(super) fn part_of(x: &Tensor, axis: usize, start: usize, end: usize) -> RunResult<Tensor> {
    let steps = steps_of(x.shape());
    let mut shape = x.shape().to_vec();
    shape[axis] = end - start;
    gather_steps(x, start * steps[axis] as usize, &shape, &steps)
}

/// The maximum number of empty parts that a split may have beyond its extent.
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

fn meshgrid(args: &Args<'_>) -> RunResult<Value> {
    let vectors = args.tensors("tensors")?;
    let swap = args.str_or("indexing", "ij")? == "xy" && vectors.len() > 1;
    let mut shape: Vec<usize> = vectors.iter().map(Tensor::len).collect();
    let place = |i: usize| if swap && i < 2 { 1 - i } else { i };
    if swap {
        shape.swap(0, 1);
    }
    let grids = vectors
        .iter()
        .enumerate()
        .map(|(i, vector)| {
            let mut steps = vec![0; shape.len()];
            steps[place(i)] = 1;
            Ok(gather_steps(vector, 0, &shape, &steps)?.into())
        })
        .collect::<RunResult<Vec<Value>>>()?;
    Ok(Value::tuple(grids))
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.concat", concat),
    Kernel::new("relax.meshgrid", meshgrid),
    Kernel::new("relax.split", split),
    Kernel::new("relax.stack", stack),
];
