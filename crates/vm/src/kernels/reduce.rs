//! Reductions over axes.
//!
//! 16-bit floats are accumulated in float32. Integers wrap in their own width.

use half::{bf16, f16};
use num_traits::{Float, WrappingAdd, WrappingMul};

use super::args::{axes_of, axis_of};
use super::extreme::{larger, smaller};
use super::{Args, Kernel, binary, extreme, map, scan};
use crate::error::{RunError, RunResult};
use crate::tensor::{Element, Kind, Tensor, dispatch, dispatch_int};
use crate::value::Value;

/// A tensor as three dimensions: kept, reduced, kept.
struct Plan {
    x: Tensor,
    outer: usize,
    reduced: usize,
    inner: usize,
    shape: Vec<usize>,
}

fn plan(x: &Tensor, axes: &[usize], keepdims: bool) -> RunResult<Plan> {
    let shape = x.shape();
    let kept = |i: &usize| !axes.contains(i);
    let out: Vec<usize> = (0..shape.len())
        .filter(|i| keepdims || kept(i))
        .map(|i| if kept(&i) { shape[i] } else { 1 })
        .collect();
    let reduced = axes.iter().map(|&i| shape[i]).product();
    let adjacent = axes.windows(2).all(|pair| pair[1] == pair[0] + 1);
    if let (true, Some(&first), Some(&last)) = (adjacent, axes.first(), axes.last()) {
        return Ok(Plan {
            outer: shape[..first].iter().product(),
            inner: shape[last + 1..].iter().product(),
            x: x.contiguous()?,
            reduced,
            shape: out,
        });
    }
    let order: Vec<usize> = (0..shape.len())
        .filter(kept)
        .chain(axes.iter().copied())
        .collect();
    Ok(Plan {
        outer: (0..shape.len()).filter(kept).map(|i| shape[i]).product(),
        inner: 1,
        x: x.permuted(&order)?.contiguous()?,
        reduced,
        shape: out,
    })
}

const LANES: usize = 16;

/// Folds the reduced dimension. `combine` must be associative and commutative with the neutral element `identity`.
fn fold<T: Element, A: Copy + Send + Sync, U: Element>(
    plan: &Plan,
    identity: A,
    lift: impl Fn(T) -> A + Sync + Send,
    combine: impl Fn(A, A) -> A + Sync + Send,
    finish: impl Fn(A) -> U + Sync + Send,
) -> RunResult<Tensor> {
    let values = plan.x.values::<T>()?;
    let (reduced, inner) = (plan.reduced, plan.inner);
    Tensor::generate::<U>(&plan.shape, |out| {
        if inner == 1 {
            map::in_parts(out, reduced.max(1), |start, part| {
                for (i, slot) in part.iter_mut().enumerate() {
                    let row = &values[(start + i) * reduced..(start + i + 1) * reduced];
                    let mut lanes = [identity; LANES];
                    let chunks = row.chunks_exact(LANES);
                    let rest = chunks.remainder();
                    for chunk in chunks {
                        for (lane, &value) in lanes.iter_mut().zip(chunk) {
                            *lane = combine(*lane, lift(value));
                        }
                    }
                    for (lane, &value) in lanes.iter_mut().zip(rest) {
                        *lane = combine(*lane, lift(value));
                    }
                    *slot = finish(lanes.into_iter().fold(identity, &combine));
                }
            });
        } else {
            map::in_rows(out, inner, reduced.max(1), |i, row| {
                let mut sums = vec![identity; inner];
                let block = &values[i * reduced * inner..(i + 1) * reduced * inner];
                for line in block.chunks_exact(inner) {
                    for (sum, &value) in sums.iter_mut().zip(line) {
                        *sum = combine(*sum, lift(value));
                    }
                }
                for (slot, sum) in row.iter_mut().zip(sums) {
                    *slot = finish(sum);
                }
            });
        }
        Ok(())
    })
}

/// Folds floats in `f32` or `f64`. `$n` is the number of reduced elements.
macro_rules! fold_float {
    ($plan:expr, $identity:expr, $v:ident => $lift:expr, $a:ident, $b:ident => $combine:expr, $r:ident, $n:ident => $finish:expr) => {{
        let plan: &Plan = $plan;
        let $n = plan.reduced;
        match plan.x.kind() {
            Kind::F32 => {
                let $n = $n as f32;
                let _ = $n;
                fold::<f32, f32, f32>(plan, $identity, |$v| $lift, |$a, $b| $combine, |$r| $finish)
            }
            Kind::F64 => {
                let $n = $n as f64;
                let _ = $n;
                fold::<f64, f64, f64>(plan, $identity, |$v| $lift, |$a, $b| $combine, |$r| $finish)
            }
            Kind::F16 => fold_float!(@half f16, plan, $identity, $v => $lift, $a, $b => $combine, $r, $n => $finish),
            Kind::BF16 => fold_float!(@half bf16, plan, $identity, $v => $lift, $a, $b => $combine, $r, $n => $finish),
            kind => Err(RunError::dtype(format!(
                "needs floating point, but has {}",
                kind.dtype()
            ))),
        }
    }};
    (@half $T:ident, $plan:ident, $identity:expr, $v:ident => $lift:expr, $a:ident, $b:ident => $combine:expr, $r:ident, $n:ident => $finish:expr) => {{
        let $n = $n as f32;
        let _ = $n;
        fold::<$T, f32, $T>(
            $plan,
            $identity,
            |h| {
                let $v = h.to_f32();
                $lift
            },
            |$a, $b| $combine,
            |$r| $T::from_f32($finish),
        )
    }};
}

fn planned(args: &Args<'_>) -> RunResult<Plan> {
    let x = args.operand(0)?;
    let axes = axes_of(args.opt_ints("axis")?.as_deref(), x.ndim())?;
    plan(&x, &axes, args.bool_or("keepdims", false)?)
}

/// Returns the sum over `axes`, for other kernels.
pub(super) fn sum(x: &Tensor, axes: &[i64], keepdims: bool) -> RunResult<Tensor> {
    sum_of(&plan(x, &axes_of(Some(axes), x.ndim())?, keepdims)?)
}

fn sum_of(plan: &Plan) -> RunResult<Tensor> {
    let kind = plan.x.kind();
    if kind == Kind::Bool {
        return Ok(fold::<u8, u8, u8>(plan, 0, |v| v, |a, b| a | b, |r| r)?.as_bool());
    }
    dispatch_int!(
        kind,
        T => fold::<T, T, T>(plan, 0, |v| v, |a, b| WrappingAdd::wrapping_add(&a, &b), |r| r),
        other => fold_float!(plan, 0.0, v => v, a, b => a + b, r, n => r)
    )
}

fn sum_kernel(args: &Args<'_>) -> RunResult<Value> {
    Ok(sum_of(&planned(args)?)?.into())
}

fn prod(args: &Args<'_>) -> RunResult<Value> {
    let plan = planned(args)?;
    let kind = plan.x.kind();
    if kind == Kind::Bool {
        return Ok(fold::<u8, u8, u8>(&plan, 1, |v| v, |a, b| a & b, |r| r)?
            .as_bool()
            .into());
    }
    Ok(dispatch_int!(
        kind,
        T => fold::<T, T, T>(&plan, 1, |v| v, |a, b| WrappingMul::wrapping_mul(&a, &b), |r| r),
        other => fold_float!(&plan, 1.0, v => v, a, b => a * b, r, n => r)
    )?
    .into())
}

/// Returns the largest or the smallest floats. As in TVM, the search starts with the lowest or the highest finite
/// number.
fn extreme_float(plan: Plan, largest: bool) -> RunResult<Tensor> {
    let kind = plan.x.kind();
    if kind == Kind::F64 {
        let end = end_of::<f64>(kind, largest);
        return extremes(&plan, end, if largest { larger } else { smaller });
    }
    let plan = Plan {
        x: plan.x.cast(super::softmax::compute_kind(kind)?)?,
        ..plan
    };
    let start: f64 = end_of(kind, largest);
    extremes(&plan, start as f32, if largest { larger } else { smaller })?.cast(kind)
}

fn extremes<T: Element + Float>(plan: &Plan, start: T, choose: fn(T, T) -> T) -> RunResult<Tensor> {
    let values = plan.x.values::<T>()?;
    let (reduced, inner) = (plan.reduced, plan.inner);
    Tensor::generate::<T>(&plan.shape, |out| {
        map::in_rows(out, inner, reduced.max(1), |i, row| {
            let block = &values[i * reduced * inner..(i + 1) * reduced * inner];
            if let [slot] = row {
                *slot = extreme::fold(start, block, choose);
                return;
            }
            row.fill(start);
            for line in block.chunks_exact(inner.max(1)) {
                for (slot, &value) in row.iter_mut().zip(line) {
                    *slot = choose(*slot, value);
                }
            }
        });
        Ok(())
    })
}

fn max(args: &Args<'_>) -> RunResult<Value> {
    let plan = planned(args)?;
    let kind = plan.x.kind();
    if kind == Kind::Bool {
        return Ok(fold::<u8, u8, u8>(&plan, 0, |v| v, |a, b| a | b, |r| r)?
            .as_bool()
            .into());
    }
    Ok(dispatch_int!(
        kind,
        T => fold::<T, T, T>(&plan, T::MIN, |v| v, |a, b| if a > b { a } else { b }, |r| r),
        other => extreme_float(plan, true)
    )?
    .into())
}

fn min(args: &Args<'_>) -> RunResult<Value> {
    let plan = planned(args)?;
    let kind = plan.x.kind();
    if kind == Kind::Bool {
        return Ok(fold::<u8, u8, u8>(&plan, 1, |v| v, |a, b| a & b, |r| r)?
            .as_bool()
            .into());
    }
    Ok(dispatch_int!(
        kind,
        T => fold::<T, T, T>(&plan, T::MAX, |v| v, |a, b| if a < b { a } else { b }, |r| r),
        other => extreme_float(plan, false)
    )?
    .into())
}

fn mean_of(plan: &Plan) -> RunResult<Tensor> {
    if plan.x.kind().is_float() {
        return fold_float!(plan, 0.0, v => v, a, b => a + b, r, n => r / n);
    }
    let total = sum_of(plan)?;
    let count = plan.reduced as i64;
    if count == 0 {
        return Err(crate::error::Fault::DivideByZero.into());
    }
    let mean = map::unary::<i64, i64>(&total.cast(Kind::I64)?, 4, |v| v.wrapping_div(count))?;
    mean.cast(total.kind())
}

fn mean(args: &Args<'_>) -> RunResult<Value> {
    Ok(mean_of(&planned(args)?)?.into())
}

/// Returns the population variance.
fn variance_of(args: &Args<'_>) -> RunResult<Tensor> {
    let x = args.operand(0)?;
    let axes = axes_of(args.opt_ints("axis")?.as_deref(), x.ndim())?;
    let mean = mean_of(&plan(&x, &axes, true)?)?;
    let distance = binary::difference(&x, &mean)?;
    let plan = plan(&distance, &axes, args.bool_or("keepdims", false)?)?;
    if x.kind().is_float() {
        return fold_float!(&plan, 0.0, v => v * v, a, b => a + b, r, n => r / n);
    }
    Err(RunError::dtype(format!(
        "needs floating point, but has {}",
        x.dtype()
    )))
}

fn variance(args: &Args<'_>) -> RunResult<Value> {
    Ok(variance_of(args)?.into())
}

fn std_deviation(args: &Args<'_>) -> RunResult<Value> {
    Ok(super::unary::square_root(&variance_of(args)?)?.into())
}

/// Returns the position of the first maximum or minimum. As in TVM, the search starts with the lowest or the highest
/// finite number at position -1, and NaN hides what is before it.
fn position(args: &Args<'_>, largest: bool) -> RunResult<Value> {
    let x = args.operand(0)?;
    let axes = match args.opt_int("axis")? {
        Some(axis) => vec![axis_of(axis, x.ndim())?],
        None => (0..x.ndim()).collect(),
    };
    let plan = plan(&x, &axes, args.bool_or("keepdims", false)?)?;
    if plan.reduced == 0 && plan.outer * plan.inner > 0 {
        return Err(RunError::shape("no element to choose from"));
    }
    let (reduced, inner) = (plan.reduced, plan.inner);
    let kind = plan.x.kind();
    let positions = dispatch!(kind, T => {
        let values = plan.x.values::<T>()?;
        let end = end_of::<T>(kind, largest);
        Tensor::generate::<i64>(&plan.shape, |out| {
            map::in_parts(out, reduced.max(1), |start, part| {
                for (i, slot) in part.iter_mut().enumerate() {
                    let (row, column) = ((start + i) / inner, (start + i) % inner);
                    let at = |r: usize| values[(row * reduced + r) * inner + column];
                    let (mut best, mut place) = (end, -1);
                    for r in 0..reduced {
                        let value = at(r);
                        let is_kept = if largest { best > value } else { best < value };
                        if !is_kept {
                            // Of equal numbers, the first.
                            place = if best == value { place } else { r as i64 };
                            best = value;
                        }
                    }
                    *slot = place;
                }
            });
            Ok(())
        })?
    });
    positions
        .cast(args.out_kind().unwrap_or(Kind::I64))
        .map(Value::from)
}

/// Returns the lowest or the highest finite number of a kind.
fn end_of<T: Element>(kind: Kind, lowest: bool) -> T {
    let float = |most: f64| T::from_f64(if lowest { -most } else { most });
    match kind {
        Kind::Bool => T::from_i64(i64::from(!lowest)),
        Kind::F16 => float(f16::MAX.to_f64()),
        Kind::BF16 => float(bf16::MAX.to_f64()),
        Kind::F32 => float(f32::MAX.into()),
        Kind::F64 => float(f64::MAX),
        Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 if lowest => T::from_i64(0),
        Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 => T::from_i64(-1),
        _ => {
            let highest = i64::MAX >> (64 - 8 * kind.bytes());
            T::from_i64(if lowest { !highest } else { highest })
        }
    }
}

fn argmax(args: &Args<'_>) -> RunResult<Value> {
    position(args, true)
}

fn argmin(args: &Args<'_>) -> RunResult<Value> {
    position(args, false)
}

/// Returns the lower median; with an axis, also its position.
fn median(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let keepdims = args.bool_or("keepdims", false)?;
    let axis = args.opt_ints("axis")?.filter(|axes| !axes.is_empty());
    let axes = axes_of(axis.as_deref(), x.ndim())?;
    if axis.is_some() && axes.len() > 1 {
        return Err(RunError::unsupported("the median over several axes"));
    }
    let plan = plan(&x, &axes, keepdims)?;
    if plan.reduced == 0 {
        return Err(RunError::shape("no element to choose from"));
    }
    let (reduced, inner) = (plan.reduced, plan.inner);
    let positions = dispatch!(plan.x.kind(), T => {
        let values = plan.x.values::<T>()?;
        Tensor::from_fn::<i64>(&plan.shape, |i| {
            let (row, column) = (i / inner, i % inner);
            let at = |r: usize| values[(row * reduced + r) * inner + column];
            let mut order: Vec<usize> = (0..reduced).collect();
            order.sort_by(|&a, &b| super::sort::order(at(a), at(b)));
            order[(reduced - 1) / 2] as i64
        })?
    });
    let kind = x.kind();
    let picked = dispatch!(kind, T => {
        let (values, positions) = (plan.x.values::<T>()?, positions.values::<i64>()?);
        Tensor::from_fn::<T>(&plan.shape, |i| {
            values[((i / inner) * reduced + positions[i] as usize) * inner + i % inner]
        })?
        .with_kind(kind)
    });
    if axis.is_none() {
        return Ok(picked.into());
    }
    Ok(Value::tuple([picked.into(), positions.into()]))
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.argmax", argmax),
    Kernel::new("relax.argmin", argmin),
    Kernel::new("relax.cumprod", scan::cumprod),
    Kernel::new("relax.cumsum", scan::cumsum),
    Kernel::new("relax.max", max),
    Kernel::new("relax.mean", mean),
    Kernel::new("relax.median", median),
    Kernel::new("relax.min", min),
    Kernel::new("relax.prod", prod),
    Kernel::new("relax.std", std_deviation),
    Kernel::new("relax.sum", sum_kernel),
    Kernel::new("relax.variance", variance),
];
