//! Kernels that place elements anew: repetition, reversal, grids, padding, channels into space.
//!
//! They see elements as words of their width and never compute with them.

use super::args::axis_of;
use super::manipulate::{gather_steps, steps_of};
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Tensor, dispatch_word};
use crate::value::Value;

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
    Kernel::new("relax.flip", flip),
    Kernel::new("relax.meshgrid", meshgrid),
    Kernel::new("relax.nn.pad", pad),
    Kernel::new("relax.nn.pixel_shuffle", pixel_shuffle),
    Kernel::new("relax.repeat", repeat),
    Kernel::new("relax.reverse_sequence", reverse_sequence),
    Kernel::new("relax.tile", tile),
];
