//! Kernels that move elements: shapes, axes, concatenation, repetition, padding.
//!
//! They see elements as words of their width and never compute with them.

use super::args::{axes_of, axis_of};
use super::{Args, Kernel, map, reduce};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Tensor, dispatch_word, show_shape};
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

fn split(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let axis = axis_of(args.int_or("axis", 0)?, x.ndim())?;
    let extent = x.shape()[axis];
    let name = "indices_or_sections";
    let mut bounds = vec![0];
    if let super::Arg::Int(sections) = args.get(name) {
        let sections = usize::try_from(sections)
            .ok()
            .filter(|&n| n > 0 && n <= extent.max(1))
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

fn count_of(value: i64) -> RunResult<usize> {
    usize::try_from(value).map_err(|_| RunError::argument(format!("{value} repeats are negative")))
}

fn repeat(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let repeats = count_of(args.int("repeats")?)?;
    let (x, axis) = match args.opt_int("axis")? {
        Some(axis) => {
            let axis = axis_of(axis, x.ndim())?;
            (x, axis)
        }
        None => (x.reshaped(&[x.len()])?, 0),
    };
    let mut shape = x.shape().to_vec();
    shape.insert(axis + 1, repeats);
    let mut steps = steps_of(x.shape());
    steps.insert(axis + 1, 0);
    let repeated = gather_steps(&x, 0, &shape, &steps)?;
    shape[axis] *= repeats;
    shape.remove(axis + 1);
    Ok(repeated.reshaped(&shape)?.into())
}

fn tile(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let mut repeats = args
        .ints("repeats")?
        .into_iter()
        .map(count_of)
        .collect::<RunResult<Vec<_>>>()?;
    let ndim = repeats.len().max(x.ndim());
    repeats.splice(0..0, std::iter::repeat_n(1, ndim - repeats.len()));
    let mut dims = vec![1; ndim - x.ndim()];
    dims.extend_from_slice(x.shape());
    let own = steps_of(&dims);
    let (mut shape, mut steps, mut result) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..ndim {
        shape.extend([repeats[i], dims[i]]);
        steps.extend([0, own[i]]);
        result.push(
            repeats[i]
                .checked_mul(dims[i])
                .ok_or_else(|| RunError::shape("the result is too large"))?,
        );
    }
    Ok(gather_steps(&x, 0, &shape, &steps)?
        .reshaped(&result)?
        .into())
}

fn flip(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let mut steps = steps_of(x.shape());
    let mut start = 0;
    for axis in args.ints("axis")? {
        let axis = axis_of(axis, x.ndim())?;
        start += x.shape()[axis].saturating_sub(1) * steps[axis].unsigned_abs();
        steps[axis] = -steps[axis];
    }
    Ok(gather_steps(&x, start, x.shape(), &steps)?.into())
}

/// Reverses the first `seq_lengths[b]` elements of each batch element along an axis.
fn reverse_sequence(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let lengths = args.operand(1)?.cast(Kind::I64)?;
    let lengths = lengths.values::<i64>()?;
    let sequence = axis_of(args.int_or("seq_axis", 1)?, x.ndim())?;
    let batch = axis_of(args.int_or("batch_axis", 0)?, x.ndim())?;
    if lengths.len() != x.shape()[batch] {
        return Err(RunError::shape(
            "one length for each batch element is needed",
        ));
    }
    let (shape, steps) = (x.shape().to_vec(), steps_of(x.shape()));
    index_map(&x, &shape, |i, _| {
        let at = |axis: usize| i / steps[axis] as usize % shape[axis];
        let length = lengths[at(batch)].clamp(0, shape[sequence] as i64) as usize;
        let here = at(sequence);
        if here < length {
            let there = length - 1 - here;
            (i as isize + (there as isize - here as isize) * steps[sequence]) as usize
        } else {
            i
        }
    })
    .map(Value::from)
}

/// Element `i` of the result is element `source(i)` of `x`; both row-major and in range.
fn index_map(
    x: &Tensor,
    shape: &[usize],
    source: impl Fn(usize, &[usize]) -> usize + Sync + Send,
) -> RunResult<Tensor> {
    dispatch_word!(x.kind(), W => {
        let values = x.words::<W>()?;
        Tensor::generate_words::<W>(x.kind(), shape, |out| {
            map::in_parts(out, 4, |start, part| {
                for (i, slot) in part.iter_mut().enumerate() {
                    *slot = values[source(start + i, shape)];
                }
            });
            Ok(())
        })
    })
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

fn pad(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let widths = args.ints("pad_width")?;
    if widths.len() != 2 * x.ndim() || widths.iter().any(|w| !(0..1 << 40).contains(w)) {
        return Err(RunError::argument(format!(
            "the widths {widths:?} do not fit {} dimensions",
            x.ndim()
        )));
    }
    // The 0.19 dialect gives the value before the mode.
    let mode = args.str_or("pad_mode", "constant")?;
    let shape: Vec<usize> = (0..x.ndim())
        .map(|i| x.shape()[i] + (widths[2 * i] + widths[2 * i + 1]) as usize)
        .collect();
    let (steps, own) = (steps_of(&shape), steps_of(x.shape()));
    let dims = x.shape().to_vec();
    if mode != "constant" && dims.contains(&0) {
        return Err(RunError::shape("nothing to pad with"));
    }
    let locate = |i: usize, fold: &dyn Fn(i64, i64) -> Option<i64>| -> Option<usize> {
        let mut at = 0;
        for axis in 0..dims.len() {
            let index = (i / steps[axis] as usize % shape[axis]) as i64 - widths[2 * axis];
            at += fold(index, dims[axis] as i64)? as usize * own[axis] as usize;
        }
        Some(at)
    };
    let fold: fn(i64, i64) -> Option<i64> = match &*mode {
        "constant" => |i, n| (0..n).contains(&i).then_some(i),
        "reflect" => |i, n| {
            if n == 1 {
                return Some(0);
            }
            let period = 2 * (n - 1);
            let i = i.rem_euclid(period);
            Some(if i < n { i } else { period - i })
        },
        "replicate" | "edge" => |i, n| Some(i.clamp(0, n - 1)),
        "circular" => |i, n| Some(i.rem_euclid(n)),
        _ => return Err(RunError::argument(format!("{mode:?} is no padding mode"))),
    };
    let kind = x.kind();
    let value = Tensor::full(
        kind,
        &[],
        crate::tensor::Scalar::Float(args.float_or("pad_value", 0.0)?),
    )?;
    Ok(dispatch_word!(kind, W => {
        let (values, fill) = (x.words::<W>()?, value.words::<W>()?[0]);
        Tensor::generate_words::<W>(kind, &shape, |out| {
            map::in_parts(out, 8, |start, part| {
                for (i, slot) in part.iter_mut().enumerate() {
                    *slot = locate(start + i, &fold).map_or(fill, |at| values[at]);
                }
            });
            Ok(())
        })?
    })
    .into())
}

/// Channels moved into space: `(.., c * r * r, h, w)` to `(.., c, h * r, w * r)`.
fn pixel_shuffle(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let r = usize::try_from(args.int("upscale_factor")?)
        .ok()
        .filter(|r| (1..1 << 20).contains(r))
        .ok_or_else(|| RunError::argument("the factor is out of range"))?;
    let &[ref outer @ .., c, h, w] = x.shape() else {
        return Err(RunError::shape("needs three dimensions or more"));
    };
    if c % (r * r) != 0 {
        return Err(RunError::shape(format!(
            "{c} channels are no multiple of {}",
            r * r
        )));
    }
    let n: usize = outer.iter().product();
    let c = c / (r * r);
    let moved = x
        .reshaped(&[n, c, r, r, h, w])?
        .permuted(&[0, 1, 4, 2, 5, 3])?;
    let mut shape = outer.to_vec();
    shape.extend([c, h * r, w * r]);
    Ok(moved.reshaped(&shape)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.broadcast_to", broadcast),
    Kernel::new("relax.collapse_sum_like", collapse_sum_like),
    Kernel::new("relax.collapse_sum_to", collapse_sum_to),
    Kernel::new("relax.concat", concat),
    Kernel::new("relax.expand_dims", expand_dims),
    Kernel::new("relax.flatten", flatten),
    Kernel::new("relax.flip", flip),
    Kernel::new("relax.meshgrid", meshgrid),
    Kernel::new("relax.nn.batch_flatten", batch_flatten),
    Kernel::new("relax.nn.pad", pad),
    Kernel::new("relax.nn.pixel_shuffle", pixel_shuffle),
    Kernel::new("relax.permute_dims", permute_dims),
    Kernel::new("relax.repeat", repeat),
    Kernel::new("relax.reshape", reshape),
    Kernel::new("relax.reverse_sequence", reverse_sequence),
    Kernel::new("relax.split", split),
    Kernel::new("relax.squeeze", squeeze),
    Kernel::new("relax.stack", stack),
    Kernel::new("relax.tile", tile),
];
