//! Creates tensors from shapes and scalars.

use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Scalar, Tensor, dispatch, dispatch_word};
use crate::value::Value;

fn constant(args: &Args<'_>, value: i64) -> RunResult<Value> {
    let kind = args
        .dtype("dtype")?
        .or(args.out_kind())
        .unwrap_or(Kind::F32);
    Ok(Tensor::full(kind, &args.dims("shape")?, Scalar::Int(value))?.into())
}

fn zeros(args: &Args<'_>) -> RunResult<Value> {
    constant(args, 0)
}

fn ones(args: &Args<'_>) -> RunResult<Value> {
    constant(args, 1)
}

fn constant_like(args: &Args<'_>, value: i64) -> RunResult<Value> {
    let x = args.operand(0)?;
    let kind = args.dtype("dtype")?.unwrap_or(x.kind());
    Ok(Tensor::full(kind, x.shape(), Scalar::Int(value))?.into())
}

fn zeros_like(args: &Args<'_>) -> RunResult<Value> {
    constant_like(args, 0)
}

fn ones_like(args: &Args<'_>) -> RunResult<Value> {
    constant_like(args, 1)
}

fn fill_value(args: &Args<'_>) -> RunResult<(Scalar, Kind)> {
    let fill = args.operand(1)?;
    let value = fill
        .get(0)
        .filter(|_| fill.len() == 1)
        .ok_or_else(|| RunError::argument("the fill value must be one number"))?;
    Ok((value, fill.kind()))
}

fn full(args: &Args<'_>) -> RunResult<Value> {
    let (value, own) = fill_value(args)?;
    let kind = args.dtype("dtype")?.or(args.out_kind()).unwrap_or(own);
    Ok(Tensor::full(kind, &args.dims("shape")?, value)?.into())
}

fn full_like(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let (value, _) = fill_value(args)?;
    let kind = args.dtype("dtype")?.unwrap_or(x.kind());
    Ok(Tensor::full(kind, x.shape(), value)?.into())
}

fn arange(args: &Args<'_>) -> RunResult<Value> {
    let start = args.scalar("start")?;
    let (start, end) = match args.opt_tensor("end")? {
        None => (Scalar::Int(0), start),
        Some(end) => (
            start,
            end.get(0)
                .ok_or_else(|| RunError::argument("end is empty"))?,
        ),
    };
    let step = match args.opt_tensor("step")? {
        None => Scalar::Int(1),
        Some(step) => step
            .get(0)
            .ok_or_else(|| RunError::argument("step is empty"))?,
    };
    let whole = (start.as_i64(), end.as_i64(), step.as_i64());
    let kind = args
        .dtype("dtype")?
        .or(args.out_kind())
        .unwrap_or(match whole {
            (Some(_), Some(_), Some(_)) => Kind::I64,
            _ => Kind::F32,
        });
    if step.as_f64() == 0.0 {
        return Err(RunError::argument("step is zero"));
    }
    if let (Some(start), Some(end), Some(step)) = whole {
        let distance = i128::from(end) - i128::from(start);
        let step_wide = i128::from(step);
        let count = if (distance > 0) == (step_wide > 0) {
            distance.unsigned_abs().div_ceil(step_wide.unsigned_abs())
        } else {
            0
        };
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let values = Tensor::from_fn::<i64>(&[count], |i| {
            start.wrapping_add((i as i64).wrapping_mul(step))
        })?;
        return Ok(values.cast(kind)?.into());
    }
    let (start, end, step) = (start.as_f64(), end.as_f64(), step.as_f64());
    let count = ((end - start) / step).ceil().max(0.0) as usize;
    let values = Tensor::from_fn::<f64>(&[count], |i| start + i as f64 * step)?;
    Ok(values.cast(kind)?.into())
}

fn identity(rows: i64, columns: i64, k: i64, kind: Kind) -> RunResult<Value> {
    let (rows, columns) = (rows.max(0) as usize, columns.max(0) as usize);
    let ones = Tensor::from_fn::<u8>(&[rows, columns], |i| {
        let (row, column) = (i / columns, i % columns);
        u8::from(column as i64 == (row as i64).saturating_add(k))
    })?;
    Ok(ones.cast(kind)?.into())
}

fn eye(args: &Args<'_>) -> RunResult<Value> {
    let n = args.int("n")?;
    let kind = args
        .dtype("dtype")?
        .or(args.out_kind())
        .unwrap_or(Kind::F32);
    identity(n, args.int_or("m", n)?, args.int_or("k", 0)?, kind)
}

fn eye_like(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let [rows, columns] = *x.shape() else {
        return Err(RunError::shape("needs a matrix"));
    };
    let kind = args.dtype("dtype")?.unwrap_or(x.kind());
    identity(rows as i64, columns as i64, args.int_or("k", 0)?, kind)
}

/// Keeps the elements of the last two dimensions for which `keep(column - row)` holds.
fn triangle(args: &Args<'_>, keep: impl Fn(i64) -> bool) -> RunResult<Value> {
    let x = args.operand(0)?;
    let &[.., rows, columns] = x.shape() else {
        return Err(RunError::shape("needs two dimensions or more"));
    };
    let kind = x.kind();
    Ok(dispatch_word!(kind, W => {
        let values = x.words::<W>()?;
        Tensor::generate_words::<W>(kind, x.shape(), |out| {
            for (i, slot) in out.iter_mut().enumerate() {
                let (row, column) = (i / columns % rows, i % columns);
                if keep(column as i64 - row as i64) {
                    *slot = values[i];
                }
            }
            Ok(())
        })?
    })
    .into())
}

fn tril(args: &Args<'_>) -> RunResult<Value> {
    let k = args.int_or("k", 0)?;
    triangle(args, |d| d <= k)
}

fn triu(args: &Args<'_>) -> RunResult<Value> {
    let k = args.int_or("k", 0)?;
    triangle(args, |d| d >= k)
}

fn hamming_window(args: &Args<'_>) -> RunResult<Value> {
    let size = usize::try_from(args.int("window_size")?)
        .map_err(|_| RunError::argument("the window size is negative"))?;
    let periodic = args.bool_or("periodic", true)?;
    let (alpha, beta) = (args.float_or("alpha", 0.54)?, args.float_or("beta", 0.46)?);
    let kind = args
        .dtype("dtype")?
        .or(args.out_kind())
        .unwrap_or(Kind::F32);
    let length = if periodic {
        size
    } else {
        size.saturating_sub(1)
    } as f64;
    let window = Tensor::from_fn::<f64>(&[size], |i| {
        if size == 1 {
            return 1.0;
        }
        alpha - beta * (2.0 * std::f64::consts::PI * i as f64 / length).cos()
    })?;
    Ok(window.cast(kind)?.into())
}

/// Adds an axis of extent `depth` with `on_value` at the index and `off_value` elsewhere.
fn one_hot(args: &Args<'_>) -> RunResult<Value> {
    let indices = args.operand(0)?.cast(Kind::I64)?;
    let (on, off) = (args.tensor("on_value")?, args.scalar("off_value")?);
    let depth = usize::try_from(args.int("depth")?)
        .map_err(|_| RunError::argument("the depth is negative"))?;
    let axis = super::args::axis_of(args.int_or("axis", -1)?, indices.ndim() + 1)?;
    let kind = args.out_kind().unwrap_or(on.kind());
    let on = on
        .get(0)
        .ok_or_else(|| RunError::argument("on_value is empty"))?;
    let mut shape = indices.shape().to_vec();
    shape.insert(axis, depth);
    let inner: usize = shape[axis + 1..].iter().product();
    let indices = indices.values::<i64>()?;
    Ok(dispatch!(kind, T => {
        let (on, off): (T, T) = (on.to(kind), off.to(kind));
        Tensor::from_fn::<T>(&shape, |i| {
            let (outer, class) = (i / inner / depth, i / inner % depth);
            if indices[outer * inner + i % inner] == class as i64 { on } else { off }
        })?
        .with_kind(kind)
    })
    .into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.arange", arange),
    Kernel::new("relax.eye", eye),
    Kernel::new("relax.eye_like", eye_like),
    Kernel::new("relax.full", full),
    Kernel::new("relax.full_like", full_like),
    Kernel::new("relax.hamming_window", hamming_window),
    Kernel::new("relax.one_hot", one_hot),
    Kernel::new("relax.ones", ones),
    Kernel::new("relax.ones_like", ones_like),
    Kernel::new("relax.tril", tril),
    Kernel::new("relax.triu", triu),
    Kernel::new("relax.zeros", zeros),
    Kernel::new("relax.zeros_like", zeros_like),
];
