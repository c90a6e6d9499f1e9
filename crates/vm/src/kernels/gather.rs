//! Gathers elements of a tensor by indices.

use super::args::axis_of;
use super::scatter::{check_within, replaced};
use super::shape::steps_of;
use super::{Args, Kernel, map};
use crate::error::{Fault, RunError, RunResult};
use crate::tensor::{Kind, Scalar, Tensor, dispatch_word, show_shape};
use crate::value::Value;

/// Normalizes an index that may be negative, and checks its range.
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

/// Returns the elements at `indices` along an axis.
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
    // `None` is an element out of range, which reads as NaN.
    let places = indices
        .values::<i64>()?
        .iter()
        .map(|&index| match &*mode {
            "clip" if extent > 0 => Ok(Some(index.clamp(0, extent as i64 - 1) as usize)),
            "wrap" if extent > 0 => Ok(Some(index.rem_euclid(extent as i64) as usize)),
            "nan" => Ok(usize::try_from(index).ok().filter(|&at| at < extent)),
            "fast" | "clip" | "wrap" => position(index, extent).map(Some),
            _ => Err(RunError::argument(format!(
                "unknown indexing mode {mode:?}"
            ))),
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

fn gather_elements(args: &Args<'_>) -> RunResult<Value> {
    let (x, indices) = (args.operand(0)?, args.operand(1)?.cast(Kind::I64)?);
    let axis = axis_of(args.int_or("axis", 0)?, x.ndim())?;
    check_within(indices.shape(), x.shape(), axis)?;
    let places = indices.values::<i64>()?;
    Ok(dispatch_word!(x.kind(), W => {
        let values = x.words::<W>()?;
        Tensor::generate_words::<W>(x.kind(), indices.shape(), |out| {
            for (i, slot) in out.iter_mut().enumerate() {
                *slot = values[replaced(i, indices.shape(), x.shape(), axis, places[i])?];
            }
            Ok(())
        })?
    })
    .into())
}

/// Returns the flat position in `x` of the slice that each row of `indices` selects, and the length of a slice. The
/// first `batch` dimensions are shared.
pub(super) fn slices(x: &Tensor, indices: &Tensor, batch: usize) -> RunResult<(Vec<usize>, usize)> {
    let depth = indices.shape().last().copied().unwrap_or(0);
    let fits = batch < indices.ndim()
        && batch + depth <= x.ndim()
        && indices.shape()[..batch] == x.shape()[..batch];
    if !fits {
        return Err(RunError::shape(format!(
            "indices of shape {} do not point into {}",
            show_shape(indices.shape()),
            show_shape(x.shape())
        )));
    }
    let steps = steps_of(x.shape());
    let size: usize = x.shape()[batch + depth..].iter().product();
    let shared: usize = x.shape()[..batch].iter().product();
    let batch_size: usize = x.shape()[batch..].iter().product();
    let values = indices.values::<i64>()?;
    let rows: usize = indices.shape()[..indices.ndim() - 1].iter().product();
    let per_batch = rows / shared.max(1);
    let places = (0..rows)
        .map(|row| {
            let start = if batch == 0 {
                0
            } else {
                row / per_batch.max(1) * batch_size
            };
            (0..depth).try_fold(start, |at, level| {
                let axis = batch + level;
                let index = position(values[row * depth + level], x.shape()[axis])?;
                Ok(at + index * steps[axis].unsigned_abs())
            })
        })
        .collect::<RunResult<Vec<usize>>>()?;
    Ok((places, size))
}

fn gather_nd(args: &Args<'_>) -> RunResult<Value> {
    let (x, indices) = (args.operand(0)?, args.operand(1)?.cast(Kind::I64)?);
    let batch = usize::try_from(args.int_or("batch_dims", 0)?)
        .map_err(|_| RunError::argument("batch_dims is negative"))?;
    let (places, size) = slices(&x, &indices, batch)?;
    let depth = indices.shape()[indices.ndim() - 1];
    let mut shape = indices.shape()[..indices.ndim() - 1].to_vec();
    shape.extend_from_slice(&x.shape()[batch + depth..]);
    picked(&x, &shape, &places, size)
}

/// Concatenates the slices of `x` at `places`.
fn picked(x: &Tensor, shape: &[usize], places: &[usize], size: usize) -> RunResult<Value> {
    Ok(dispatch_word!(x.kind(), W => {
        let values = x.words::<W>()?;
        Tensor::generate_words::<W>(x.kind(), shape, |out| {
            map::in_rows(out, size, 1, |i, row| {
                row.copy_from_slice(&values[places[i]..places[i] + size]);
            });
            Ok(())
        })?
    })
    .into())
}

/// Broadcasts index tensors, and returns the resulting shape and the flat positions of slices of `x`.
pub(super) fn broadcast_places(
    x: &Tensor,
    indices: &[Tensor],
) -> RunResult<(Vec<usize>, Vec<usize>)> {
    if indices.len() > x.ndim() {
        return Err(RunError::shape(format!(
            "{} index tensors for {} dimensions",
            indices.len(),
            x.ndim()
        )));
    }
    let shape = indices.iter().try_fold(Vec::new(), |shape, index| {
        map::broadcast_shape(&shape, index.shape())
    })?;
    let steps = steps_of(x.shape());
    let mut places = vec![0; shape.iter().product()];
    for (axis, index) in indices.iter().enumerate() {
        let index = map::broadcast_to(&index.cast(Kind::I64)?, &shape)?;
        for (place, &at) in places.iter_mut().zip(index.values::<i64>()?.iter()) {
            *place += position(at, x.shape()[axis])? * steps[axis].unsigned_abs();
        }
    }
    Ok((shape, places))
}

/// Computes `x[i, j, ...]` as NumPy does.
fn index_tensor(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let indices = args.tensors("indices")?;
    let (mut shape, places) = broadcast_places(&x, &indices)?;
    let rest = &x.shape()[indices.len()..];
    shape.extend_from_slice(rest);
    picked(&x, &shape, &places, rest.iter().product())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.gather_elements", gather_elements),
    Kernel::new("relax.gather_nd", gather_nd),
    Kernel::new("relax.index_tensor", index_tensor),
    Kernel::new("relax.take", take),
];
