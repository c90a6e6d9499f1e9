//! Scatters elements to positions that index tensors give.

use super::args::axis_of;
use super::gather::{broadcast_places, place_from_end, slices};
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Element, Kind, Tensor, dispatch, show_shape};
use crate::value::Value;

/// How an update is combined with the current element.
#[derive(Clone, Copy)]
pub(super) enum Reduction {
    Update,
    Add,
    Multiply,
    Mean,
    Min,
    Max,
}

impl Reduction {
    fn of(name: &str) -> RunResult<Reduction> {
        Ok(match name {
            "update" => Reduction::Update,
            "add" => Reduction::Add,
            "mul" => Reduction::Multiply,
            "mean" => Reduction::Mean,
            "min" => Reduction::Min,
            "max" => Reduction::Max,
            _ => return Err(RunError::argument(format!("unknown reduction {name:?}"))),
        })
    }

    fn apply<T: Element>(self, kind: Kind, old: T, new: T) -> T {
        let float = |f: fn(f64, f64) -> f64| T::from_f64(f(old.to_f64(), new.to_f64()));
        let int = |f: fn(i64, i64) -> i64| T::from_i64(f(old.to_i64(), new.to_i64()));
        match (self, kind.is_float()) {
            (Reduction::Update, _) => new,
            (Reduction::Add, true) => float(|a, b| a + b),
            (Reduction::Add, false) => int(i64::wrapping_add),
            (Reduction::Multiply, true) => float(|a, b| a * b),
            (Reduction::Multiply, false) => int(i64::wrapping_mul),
            (Reduction::Mean, true) => float(f64::midpoint),
            (Reduction::Mean, false) => int(|a, b| a.wrapping_add(b) / 2),
            (Reduction::Min, _) => {
                if new < old {
                    new
                } else {
                    old
                }
            }
            (Reduction::Max, _) => {
                if new > old {
                    new
                } else {
                    old
                }
            }
        }
    }
}

/// Returns a copy of `data` in which `updates[i]` is written to the flat position `places(i)`, if there is one.
pub(super) fn put(
    data: &Tensor,
    updates: &Tensor,
    reduction: Reduction,
    places: impl Fn(usize) -> RunResult<Option<usize>>,
) -> RunResult<Tensor> {
    let kind = data.kind();
    let updates = updates.cast(kind)?;
    let mut result = data.contiguous()?;
    dispatch!(kind, T => {
        let updates = updates.values::<T>()?;
        let values = result.values_mut::<T>()?;
        for (i, &update) in updates.iter().enumerate() {
            if let Some(at) = places(i)? {
                values[at] = reduction.apply(kind, values[at], update);
            }
        }
    });
    Ok(result)
}

/// Returns the flat position in `shape` of element `i` of `within`, with its index along `axis` replaced.
pub(super) fn replaced(
    i: usize,
    within: &[usize],
    shape: &[usize],
    axis: usize,
    index: usize,
) -> usize {
    let (mut at, mut step, mut rest) = (0, 1, i);
    for level in (0..shape.len()).rev() {
        let own = rest % within[level];
        rest /= within[level];
        at += step * if level == axis { index } else { own };
        step *= shape[level];
    }
    at
}

pub(super) fn check_within(indices: &[usize], shape: &[usize], axis: usize) -> RunResult<()> {
    let fits = indices.len() == shape.len()
        && (0..shape.len()).all(|i| i == axis || indices[i] <= shape[i]);
    if fits {
        return Ok(());
    }
    Err(RunError::shape(format!(
        "indices of shape {} do not fit {}",
        show_shape(indices),
        show_shape(shape)
    )))
}

fn scatter_elements(args: &Args<'_>) -> RunResult<Value> {
    let (x, updates) = (args.operand(0)?, args.operand(2)?);
    let indices = args.operand(1)?.cast(Kind::I64)?;
    let axis = axis_of(args.int_or("axis", 0)?, x.ndim())?;
    let reduction = Reduction::of(&args.str_or("reduction", "update")?)?;
    check_within(indices.shape(), x.shape(), axis)?;
    if updates.shape() != indices.shape() {
        return Err(RunError::shape("updates and indices differ in shape"));
    }
    let places = indices.values::<i64>()?;
    Ok(put(&x, &updates, reduction, |i| {
        let at = place_from_end(places[i], x.shape()[axis])?;
        Ok(at.map(|at| replaced(i, indices.shape(), x.shape(), axis, at)))
    })?
    .into())
}

fn scatter_nd(args: &Args<'_>) -> RunResult<Value> {
    let (x, updates) = (args.operand(0)?, args.operand(2)?);
    let indices = args.operand(1)?.cast(Kind::I64)?;
    let reduction = Reduction::of(&args.str_or("reduction", "update")?)?;
    let (places, size) = slices(&x, &indices, 0)?;
    if updates.len() != places.len() * size {
        return Err(RunError::shape(format!(
            "{} slices of {size} elements do not take updates of shape {}",
            places.len(),
            show_shape(updates.shape())
        )));
    }
    Ok(put(&x, &updates, reduction, |i| {
        Ok(places[i / size].map(|at| at + i % size))
    })?
    .into())
}

fn index_put(args: &Args<'_>) -> RunResult<Value> {
    let (x, values) = (args.operand(0)?, args.operand(2)?);
    let indices = args.tensors("indices")?;
    let (mut shape, places) = broadcast_places(&x, &indices, place_from_end)?;
    let rest = &x.shape()[indices.len()..];
    shape.extend_from_slice(rest);
    let size: usize = rest.iter().product();
    let values = map::broadcast_to(&values, &shape)?;
    let reduction = if args.bool_or("accumulate", false)? {
        Reduction::Add
    } else {
        Reduction::Update
    };
    Ok(put(&x, &values, reduction, |i| {
        Ok(places[i / size].map(|at| at + i % size))
    })?
    .into())
}

/// Returns a copy of the input in which a slice along an axis is replaced.
fn slice_scatter(args: &Args<'_>) -> RunResult<Value> {
    let (x, source) = (args.operand(0)?, args.operand(1)?);
    let axis = axis_of(args.int_or("axis", 0)?, x.ndim())?;
    let extent = x.shape()[axis] as i64;
    let bound = |v: i64| (if v < 0 { v + extent } else { v }).clamp(0, extent);
    let (start, end) = (
        bound(args.int_or("start", 0)?),
        bound(args.int_or("end", extent)?),
    );
    let step = args.int_or("step", 1)?;
    if step < 1 {
        return Err(RunError::argument("the step must be positive"));
    }
    let count = (end - start).max(0) as u64;
    let count = count.div_ceil(step as u64) as usize;
    let mut wanted = x.shape().to_vec();
    wanted[axis] = count;
    if source.shape() != wanted {
        return Err(RunError::shape(format!(
            "the slice has shape {}, and the source {}",
            show_shape(&wanted),
            show_shape(source.shape())
        )));
    }
    Ok(put(&x, &source, Reduction::Update, |i| {
        let inner: usize = wanted[axis + 1..].iter().product();
        let index = start as usize + (i / inner % count) * step as usize;
        Ok(Some(replaced(i, &wanted, x.shape(), axis, index)))
    })?
    .into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.index_put", index_put),
    Kernel::new("relax.scatter_elements", scatter_elements),
    Kernel::new("relax.scatter_nd", scatter_nd),
    Kernel::new("relax.slice_scatter", slice_scatter),
];
