//! Reading parts of a tensor: by position, by slice, by index tensors.

use super::args::axis_of;
use super::manipulate::{gather_steps, steps_of};
use super::{Args, Kernel, map};
use crate::error::{Fault, RunError, RunResult};
use crate::tensor::{Kind, Scalar, Tensor, dispatch_word};
use crate::value::Value;

/// An index counted from either end, in range.
pub(super) fn position(index: i64, extent: usize) -> RunResult<usize> {
    let from_start = if index < 0 {
        index + extent as i64
    } else {
        index
    };
    usize::try_from(from_start)
        .ok()
        .filter(|&at| at < extent)
        .ok_or_else(|| {
            Fault::Index {
                what: "index".into(),
                index,
                extent,
            }
            .into()
        })
}

/// Elements at `indices` along an axis.
fn take(args: &Args<'_>) -> RunResult<Value> {
    let (x, indices) = (args.operand(0)?, args.operand(1)?.cast(Kind::I64)?);
    let (x, axis) = match args.opt_int("axis")? {
        Some(axis) => {
            let axis = axis_of(axis, x.ndim())?;
            (x, axis)
        }
        None => (x.reshaped(&[x.len()])?, 0),
    };
    let extent = x.shape()[axis];
    let mode = args.str_or("mode", "fast")?;
    // `None` is an element that does not exist and reads as NaN.
    let places = indices
        .values::<i64>()?
        .iter()
        .map(|&index| match &*mode {
            "clip" if extent > 0 => Ok(Some(index.clamp(0, extent as i64 - 1) as usize)),
            "wrap" if extent > 0 => Ok(Some(index.rem_euclid(extent as i64) as usize)),
            "nan" => Ok(usize::try_from(index).ok().filter(|&at| at < extent)),
            "fast" | "clip" | "wrap" => position(index, extent).map(Some),
            _ => Err(RunError::argument(format!("{mode:?} is no indexing mode"))),
        })
        .collect::<RunResult<Vec<_>>>()?;
    let mut shape = x.shape()[..axis].to_vec();
    shape.extend_from_slice(indices.shape());
    shape.extend_from_slice(&x.shape()[axis + 1..]);
    let inner: usize = x.shape()[axis + 1..].iter().product();
    let kind = x.kind();
    let missing = Tensor::full(kind, &[], Scalar::Float(f64::NAN))?;
    Ok(dispatch_word!(kind, W => {
        let (values, missing) = (x.words::<W>()?, missing.words::<W>()?[0]);
        Tensor::generate_words::<W>(kind, &shape, |out| {
            map::in_rows(out, inner, 1, |i, row| {
                let (outer, which) = (i / places.len(), i % places.len());
                match places[which] {
                    Some(place) => {
                        let at = (outer * extent + place) * inner;
                        row.copy_from_slice(&values[at..at + inner]);
                    }
                    None => row.fill(missing),
                }
            });
            Ok(())
        })?
    })
    .into())
}

/// One axis of a slice: where it starts and how many elements it has, clipped as Python clips.
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
    Kernel::new("relax.take", take),
];
