//! Gathers elements of a tensor by indices.

use super::args::axis_of;
use super::scatter::{check_within, replaced};
use super::shape::steps_of;
use super::{Args, Kernel, map};
use crate::error::{Fault, RunError, RunResult};
use crate::out_of_bounds::outside;
use crate::tensor::{Kind, Scalar, Tensor, dispatch_word, show_shape};
use crate::value::Value;

/// Returns the position of an index, or an error if it is out of range.
pub(super) fn position(index: i64, extent: usize) -> RunResult<usize> {
    within(index, extent).ok_or_else(|| out_of_range(index, extent).into())
}

/// Returns the position of an index; `None` if it is out of range and the run goes on.
fn place(index: i64, extent: usize) -> RunResult<Option<usize>> {
    match within(index, extent) {
        Some(at) => Ok(Some(at)),
        None => outside(out_of_range(index, extent)).map(|()| None),
    }
}

/// Like [`place`], for an index that counts from the end if it is negative.
pub(super) fn place_from_end(index: i64, extent: usize) -> RunResult<Option<usize>> {
    match within(index.wrapping_add(extent as i64), extent) {
        Some(at) if index < 0 => Ok(Some(at)),
        _ => place(index, extent),
    }
}

fn within(index: i64, extent: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&at| at < extent)
}

fn out_of_range(index: i64, extent: usize) -> Fault {
    Fault::Index {
        what: "index".into(),
        index,
        extent,
    }
}

/// Like [`place`], for the mode "fast" of `take`.
fn fast(index: i64, extent: usize) -> RunResult<Option<usize>> {
    if !(-(extent as i64)..0).contains(&index) {
        return place(index, extent);
    }
    let message = format!(
        "index {index} is out of range for extent {extent}: only mode=\"wrap\" counts from the end"
    );
    outside(Fault::Argument(message)).map(|()| None)
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
    // `None` is an element out of range.
    let places = indices
        .values::<i64>()?
        .iter()
        .map(|&index| match &*mode {
            "clip" if extent > 0 => Ok(Some(index.clamp(0, extent as i64 - 1) as usize)),
            "wrap" if extent > 0 => Ok(Some(index.rem_euclid(extent as i64) as usize)),
            "nan" => Ok(within(index, extent)),
            "fast" | "clip" | "wrap" => fast(index, extent),
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
    let missing = if mode == "nan" { f64::NAN } else { 0.0 };
    let missing = Tensor::full(kind, &[], Scalar::Float(missing))?;
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
                if let Some(at) = place(places[i], x.shape()[axis])? {
                    *slot = values[replaced(i, indices.shape(), x.shape(), axis, at)];
                }
            }
            Ok(())
        })?
    })
    .into())
}

/// Flat positions; `None` is one out of range, in a run that goes on.
pub(super) type Positions = Vec<Option<usize>>;

/// Returns the flat position in `x` of the slice that each row of `indices` selects, and the length of a slice. The
/// first `batch` dimensions are shared.
pub(super) fn slices(x: &Tensor, indices: &Tensor, batch: usize) -> RunResult<(Positions, usize)> {
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
            (0..depth).try_fold(Some(start), |at, level| {
                let axis = batch + level;
                let index = place(values[row * depth + level], x.shape()[axis])?;
                let moved = index.map(|index| index * steps[axis].unsigned_abs());
                Ok(at.zip(moved).map(|(at, moved)| at + moved))
            })
        })
        .collect::<RunResult<Positions>>()?;
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
fn picked(x: &Tensor, shape: &[usize], places: &[Option<usize>], size: usize) -> RunResult<Value> {
    Ok(dispatch_word!(x.kind(), W => {
        let values = x.words::<W>()?;
        Tensor::generate_words::<W>(x.kind(), shape, |out| {
            map::in_rows(out, size, 1, |i, row| {
                if let Some(at) = places[i] {
                    row.copy_from_slice(&values[at..at + size]);
                }
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
    place: fn(i64, usize) -> RunResult<Option<usize>>,
) -> RunResult<(Vec<usize>, Positions)> {
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
    let mut places = vec![Some(0); shape.iter().product()];
    for (axis, index) in indices.iter().enumerate() {
        let index = map::broadcast_to(&index.cast(Kind::I64)?, &shape)?;
        for (to, &index) in places.iter_mut().zip(index.values::<i64>()?.iter()) {
            let moved = place(index, x.shape()[axis])?;
            let moved = moved.map(|it| it * steps[axis].unsigned_abs());
            *to = to.zip(moved).map(|(to, moved)| to + moved);
        }
    }
    Ok((shape, places))
}

/// Computes `x[i, j, ...]`.
fn index_tensor(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let indices = args.tensors("indices")?;
    let (mut shape, places) = broadcast_places(&x, &indices, place)?;
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
