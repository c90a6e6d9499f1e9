//! Operators that repeat elements or change their order.

use super::args::axis_of;
use super::shape::{gather_steps, steps_of};
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

/// Returns a tensor whose element `i` is element `source(i)` of `x`. Both are row-major and in range.
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

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.flip", flip),
    Kernel::new("relax.repeat", repeat),
    Kernel::new("relax.reverse_sequence", reverse_sequence),
    Kernel::new("relax.tile", tile),
];
