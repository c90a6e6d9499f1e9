//! Normalizations: layer, group, instance, batch, root mean square.
//!
//! Each brings its tensor to rows, which are normalized one by one in float32 (float64 for float64).

use num_traits::Float;

use super::args::{axes_of, axis_of};
use super::softmax::{compute_kind, total};
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Tensor, show_shape};
use crate::value::Value;

/// Runs `body` with `$T` bound to `f32` or `f64`.
macro_rules! computed {
    ($kind:expr, $T:ident => $body:expr) => {
        if $kind == Kind::F64 {
            type $T = f64;
            $body
        } else {
            type $T = f32;
            $body
        }
    };
}

fn number<T: Float>(value: f64) -> T {
    T::from(value).unwrap_or_else(T::zero)
}

/// Returns the mean and the reciprocal standard deviation.
fn moments<T: Float>(row: &[T], epsilon: T) -> (T, T) {
    let count = number::<T>(row.len() as f64);
    let mean = total(row) / count;
    let mut lanes = [T::zero(); 16];
    let chunks = row.chunks_exact(16);
    let rest = chunks.remainder();
    let mut add = |lane: usize, v: T| lanes[lane] = lanes[lane] + (v - mean) * (v - mean);
    for chunk in chunks {
        for (lane, &v) in chunk.iter().enumerate() {
            add(lane, v);
        }
    }
    for (lane, &v) in rest.iter().enumerate() {
        add(lane, v);
    }
    let squares = lanes.into_iter().fold(T::zero(), |a, b| a + b);
    (mean, (squares / count + epsilon).sqrt().recip())
}

/// Returns a view with `axes` last, and the permutation that reverses it.
fn axes_last(x: &Tensor, axes: &[usize]) -> RunResult<(Tensor, Vec<usize>)> {
    let order: Vec<usize> = (0..x.ndim())
        .filter(|i| !axes.contains(i))
        .chain(axes.iter().copied())
        .collect();
    let mut undo = vec![0; order.len()];
    for (to, &from) in order.iter().enumerate() {
        undo[from] = to;
    }
    let in_order = order.windows(2).all(|pair| pair[0] < pair[1]);
    let moved = if in_order {
        x.clone()
    } else {
        x.permuted(&order)?
    };
    Ok((moved, undo))
}

fn restore(x: &Tensor, undo: &[usize]) -> RunResult<Tensor> {
    if undo.windows(2).all(|pair| pair[0] < pair[1]) {
        Ok(x.clone())
    } else {
        x.permuted(undo)?.contiguous()
    }
}

fn check_len(name: &str, parameter: &Tensor, wanted: usize) -> RunResult<()> {
    if parameter.len() == wanted {
        return Ok(());
    }
    Err(RunError::shape(format!(
        "{name} of shape {} has {} elements, and {wanted} are normalised",
        show_shape(parameter.shape()),
        parameter.len()
    )))
}

fn layer_norm(args: &Args<'_>) -> RunResult<Value> {
    let (x, gamma, beta) = (args.operand(0)?, args.operand(1)?, args.operand(2)?);
    let axes = axes_of(Some(&args.opt_ints("axes")?.unwrap_or(vec![-1])), x.ndim())?;
    let epsilon = args.float_or("epsilon", 1e-5)?;
    let compute = compute_kind(x.kind())?;
    let (moved, undo) = axes_last(&x.cast(compute)?, &axes)?;
    let row: usize = axes.iter().map(|&i| x.shape()[i]).product();
    check_len("gamma", &gamma, row)?;
    check_len("beta", &beta, row)?;
    let (gamma, beta) = (gamma.cast(compute)?, beta.cast(compute)?);
    let normal = computed!(compute, T => {
        let (values, gamma, beta) =
            (moved.values::<T>()?, gamma.values::<T>()?, beta.values::<T>()?);
        Tensor::generate::<T>(moved.shape(), |out| {
            map::in_rows(out, row, 4, |i, out| {
                let values = &values[i * row..(i + 1) * row];
                let (mean, scale) = moments(values, number::<T>(epsilon));
                for (j, (slot, &v)) in out.iter_mut().zip(values).enumerate() {
                    *slot = (v - mean) * scale * gamma[j] + beta[j];
                }
            });
            Ok(())
        })?
    });
    Ok(restore(&normal, &undo)?.cast(x.kind())?.into())
}

fn rms_norm(args: &Args<'_>) -> RunResult<Value> {
    let (x, weight) = (args.operand(0)?, args.operand(1)?);
    let axes = axes_of(Some(&args.opt_ints("axes")?.unwrap_or(vec![-1])), x.ndim())?;
    let epsilon = args.float_or("epsilon", 1e-5)?;
    let compute = compute_kind(x.kind())?;
    let (moved, undo) = axes_last(&x.cast(compute)?, &axes)?;
    let row: usize = axes.iter().map(|&i| x.shape()[i]).product();
    check_len("weight", &weight, row)?;
    let weight = weight.cast(compute)?;
    let normal = computed!(compute, T => {
        let (values, weight) = (moved.values::<T>()?, weight.values::<T>()?);
        Tensor::generate::<T>(moved.shape(), |out| {
            map::in_rows(out, row, 4, |i, out| {
                let values = &values[i * row..(i + 1) * row];
                let mut squares = 0.0;
                let mut lanes = [squares; 16];
                let chunks = values.chunks_exact(16);
                for &v in chunks.remainder() {
                    squares += v * v;
                }
                for chunk in chunks {
                    for (lane, &v) in lanes.iter_mut().zip(chunk) {
                        *lane += v * v;
                    }
                }
                squares += lanes.iter().sum::<T>();
                let scale = (squares / row as T + epsilon as T).sqrt().recip();
                for (j, (slot, &v)) in out.iter_mut().zip(values).enumerate() {
                    *slot = v * scale * weight[j];
                }
            });
            Ok(())
        })?
    });
    Ok(restore(&normal, &undo)?.cast(x.kind())?.into())
}

/// Splits the channels into `groups`, and normalizes each over itself and `axes`.
fn grouped(args: &Args<'_>, groups: Option<i64>) -> RunResult<Value> {
    let (x, gamma, beta) = (args.operand(0)?, args.operand(1)?, args.operand(2)?);
    let channel = axis_of(args.int_or("channel_axis", 1)?, x.ndim())?;
    let axes = axes_of(Some(&args.ints("axes")?), x.ndim())?;
    let epsilon = args.float_or("epsilon", 1e-5)?;
    let channels = x.shape()[channel];
    let groups = match groups {
        None => channels,
        Some(groups) => usize::try_from(groups)
            .ok()
            .filter(|&groups| groups > 0 && channels.is_multiple_of(groups))
            .ok_or_else(|| {
                RunError::shape(format!("{channels} channels do not make {groups} groups"))
            })?,
    };
    check_len("gamma", &gamma, channels)?;
    check_len("beta", &beta, channels)?;
    let compute = compute_kind(x.kind())?;
    let last: Vec<usize> = std::iter::once(channel)
        .chain(axes.iter().copied().filter(|&axis| axis != channel))
        .collect();
    let (moved, undo) = axes_last(&x.cast(compute)?, &last)?;
    let area: usize = last[1..].iter().map(|&i| x.shape()[i]).product();
    let per_group = channels / groups.max(1);
    let row = per_group * area;
    let (gamma, beta) = (gamma.cast(compute)?, beta.cast(compute)?);
    let normal = computed!(compute, T => {
        let (values, gamma, beta) =
            (moved.values::<T>()?, gamma.values::<T>()?, beta.values::<T>()?);
        Tensor::generate::<T>(moved.shape(), |out| {
            map::in_rows(out, row, 4, |i, out| {
                let values = &values[i * row..(i + 1) * row];
                let (mean, scale) = moments(values, number::<T>(epsilon));
                let first = i % groups * per_group;
                let lines = out.chunks_mut(area).zip(values.chunks(area));
                for (c, (out, values)) in lines.enumerate() {
                    let (gamma, beta) = (gamma[first + c] * scale, beta[first + c]);
                    for (slot, &v) in out.iter_mut().zip(values) {
                        *slot = (v - mean) * gamma + beta;
                    }
                }
            });
            Ok(())
        })?
    });
    Ok(restore(&normal, &undo)?.cast(x.kind())?.into())
}

fn group_norm(args: &Args<'_>) -> RunResult<Value> {
    grouped(args, Some(args.int("num_groups")?))
}

fn instance_norm(args: &Args<'_>) -> RunResult<Value> {
    grouped(args, None)
}

/// Returns the normalized tensor, and the moving mean and variance, which only change in training.
fn batch_norm(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let channel = axis_of(args.int_or("axis", 1)?, x.ndim())?;
    let epsilon = args.float_or("epsilon", 1e-5)?;
    let momentum = args.float_or("momentum", 0.1)?;
    let training = args.bool_or("training", false)?;
    let (center, scaled) = (args.bool_or("center", true)?, args.bool_or("scale", true)?);
    let channels = x.shape()[channel];
    let compute = compute_kind(x.kind())?;
    let mut parameters = Vec::new();
    for (index, name) in ["gamma", "beta", "moving_mean", "moving_var"]
        .iter()
        .enumerate()
    {
        let parameter = args.operand(index + 1)?;
        check_len(name, &parameter, channels)?;
        parameters.push(parameter);
    }
    let (mean_kind, var_kind) = (parameters[2].kind(), parameters[3].kind());
    let outer: usize = x.shape()[..channel].iter().product();
    let inner: usize = x.shape()[channel + 1..].iter().product();
    let x_wide = x.cast(compute)?;
    computed!(compute, T => {
        let parameters = parameters
            .iter()
            .map(|p| Ok(p.cast(compute)?.values::<T>()?.into_owned()))
            .collect::<RunResult<Vec<Vec<T>>>>()?;
        let values = x_wide.values::<T>()?;
        let (mut mean, mut var) = (parameters[2].clone(), parameters[3].clone());
        let (mut moving_mean, mut moving_var) = (mean.clone(), var.clone());
        if training {
            let (m, count) = (momentum as T, (outer * inner) as T);
            for c in 0..channels {
                let lines = || (0..outer).flat_map(|o| {
                    let start = (o * channels + c) * inner;
                    values[start..start + inner].iter()
                });
                mean[c] = lines().sum::<T>() / count;
                var[c] = lines().map(|&v| (v - mean[c]) * (v - mean[c])).sum::<T>() / count;
                moving_mean[c] = (1.0 - m) * moving_mean[c] + m * mean[c];
                moving_var[c] = (1.0 - m) * moving_var[c] + m * var[c];
            }
        }
        let normal = Tensor::generate::<T>(x.shape(), |out| {
            map::in_rows(out, inner.max(1), 1, |i, out| {
                let c = i % channels;
                let mut factor = (var[c] + epsilon as T).sqrt().recip();
                if scaled {
                    factor *= parameters[0][c];
                }
                let shift = if center { parameters[1][c] } else { 0.0 };
                for (slot, &v) in out.iter_mut().zip(&values[i * inner..]) {
                    *slot = (v - mean[c]) * factor + shift;
                }
            });
            Ok(())
        })?;
        let vector = |values: Vec<T>, kind: Kind| Tensor::from_vec(&[channels], values)?.cast(kind);
        Ok(Value::tuple([
            normal.cast(x.kind())?.into(),
            vector(moving_mean, mean_kind)?.into(),
            vector(moving_var, var_kind)?.into(),
        ]))
    })
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.nn.batch_norm", batch_norm),
    Kernel::new("relax.nn.group_norm", group_norm),
    Kernel::new("relax.nn.instance_norm", instance_norm),
    Kernel::new("relax.nn.layer_norm", layer_norm),
    Kernel::new("relax.nn.rms_norm", rms_norm),
];
