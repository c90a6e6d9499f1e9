//! Gradients of operators, and annotations for automatic differentiation.

use super::args::axis_of;
use super::nn_loss::classes;
use super::scatter::{Reduction, put, replaced};
use super::{Args, Kernel, nn_pool, window};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

/// Distributes each output's gradient to the inputs in its window.
fn pool_backward(
    args: &Args<'_>,
    give: impl Fn(&nn_pool::Planes, &[f64], [usize; 3], &mut dyn FnMut(usize, f64)),
) -> RunResult<Value> {
    let p = nn_pool::planes(args, 1, 2)?;
    let layout = args.str_or("layout", "NCHW")?;
    let gradient = window::to_layout(&args.operand(0)?, &layout, "NCHW")?.cast(Kind::F64)?;
    let data = p.data.cast(Kind::F64)?;
    let (data_values, gradient_values) = (data.values::<f64>()?, gradient.values::<f64>()?);
    let [_, out_h, out_w] = p.output;
    let (area, out_area) = (p.input[1] * p.input[2], out_h * out_w);
    let planes = data_values.len() / area.max(1);
    if gradient_values.len() != planes * out_area {
        return Err(RunError::shape(
            "the shape of the gradient does not match this pooling",
        ));
    }
    let mut result = vec![0.0; data_values.len()];
    for plane in 0..planes {
        let values = &data_values[plane * area..(plane + 1) * area];
        let sums = &mut result[plane * area..(plane + 1) * area];
        for at in 0..out_area {
            let own = gradient_values[plane * out_area + at];
            give(&p, values, [0, at / out_w, at % out_w], &mut |i, share| {
                sums[i] += own * share;
            });
        }
    }
    let kind = args.operand(1)?.kind();
    let result = Tensor::from_vec(data.shape(), result)?.cast(kind)?;
    Ok(window::from_layout(&result, &layout, "NCHW")?.into())
}

fn window_elements(p: &nn_pool::Planes, [_, h, w]: [usize; 3]) -> impl Iterator<Item = usize> {
    let (h_lo, h_hi) = nn_pool::taps(p, 1, h);
    let (w_lo, w_hi) = nn_pool::taps(p, 2, w);
    let (geometry, width) = (p.window, p.input[2]);
    (h_lo..h_hi).flat_map(move |kh| {
        let row = geometry.input(1, kh, h) * width;
        (w_lo..w_hi).map(move |kw| row + geometry.input(2, kw, w))
    })
}

fn max_pool2d_backward(args: &Args<'_>) -> RunResult<Value> {
    pool_backward(args, |p, values, at, give| {
        let best = window_elements(p, at).reduce(|a, b| if values[b] > values[a] { b } else { a });
        if let Some(best) = best {
            give(best, 1.0);
        }
    })
}

fn avg_pool2d_backward(args: &Args<'_>) -> RunResult<Value> {
    let pad = args.bool_or("count_include_pad", false)?;
    pool_backward(args, |p, _, at, give| {
        let count = nn_pool::divisor(p, at, pad).max(1) as f64;
        for i in window_elements(p, at) {
            give(i, 1.0 / count);
        }
    })
}

fn nll_loss_backward(args: &Args<'_>) -> RunResult<Value> {
    let mut c = classes(args, 1)?;
    let kind = c.predictions.kind();
    if let Ok(ignored) = usize::try_from(c.ignored)
        && let Some(weight) = c.weights.get_mut(ignored)
    {
        *weight = 0.0;
    }
    let gradient = args.operand(0)?.cast(Kind::F64)?;
    let gradient = gradient.values::<f64>()?;
    let targets = c.targets.values::<i64>()?;
    let weights = targets
        .iter()
        .map(|&target| c.weight(target))
        .collect::<RunResult<Vec<f64>>>()?;
    let scale = match &*args.str_or("reduction", "mean")? {
        "mean" => weights.iter().sum::<f64>(),
        _ => 1.0,
    };
    if gradient.len() != 1 && gradient.len() != targets.len() {
        return Err(RunError::shape("one gradient for each loss is needed"));
    }
    let mut result = vec![0.0; c.batch * c.classes * c.inner];
    for (i, &target) in targets.iter().enumerate() {
        let own = gradient[if gradient.len() == 1 { 0 } else { i }] / scale;
        let class = super::gather::position(target, c.classes)?;
        let (batch, rest) = (i / c.inner, i % c.inner);
        result[(batch * c.classes + class) * c.inner + rest] = -weights[i] * own;
    }
    Ok(Tensor::from_vec(c.predictions.shape(), result)?
        .cast(kind)?
        .into())
}

/// The gradient of `take`. Elements that were taken several times accumulate.
fn take_backward(args: &Args<'_>) -> RunResult<Value> {
    let (gradient, x) = (args.operand(0)?, args.operand(1)?);
    let indices = args.operand(2)?.cast(Kind::I64)?;
    let places = indices.values::<i64>()?;
    let shape = x.shape().to_vec();
    let (zeros, axis) = match args.opt_int("axis")? {
        Some(axis) => (Tensor::zeros(x.kind(), &shape)?, axis_of(axis, x.ndim())?),
        None => (Tensor::zeros(x.kind(), &[x.len()])?, 0),
    };
    let flat = zeros.shape().to_vec();
    let mut within = flat.clone();
    within[axis] = places.len();
    if gradient.len() != within.iter().product::<usize>() {
        return Err(RunError::shape(
            "the shape of the gradient does not match a take with these indices",
        ));
    }
    let inner: usize = flat[axis + 1..].iter().product();
    let result = put(&zeros, &gradient, Reduction::Add, |i| {
        let at = super::gather::position(places[i / inner % places.len()], flat[axis])?;
        Ok(Some(replaced(i, &within, &flat, axis, at)))
    })?;
    Ok(result.reshaped(&shape)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.grad.avg_pool2d_backward", avg_pool2d_backward),
    Kernel::new("relax.grad.end_checkpoint", super::identity),
    Kernel::new("relax.grad.max_pool2d_backward", max_pool2d_backward),
    Kernel::new("relax.grad.nll_loss_backward", nll_loss_backward),
    Kernel::new("relax.grad.no_grad", super::identity),
    Kernel::new("relax.grad.start_checkpoint", super::identity),
    Kernel::new("relax.grad.take_backward", take_backward),
];
