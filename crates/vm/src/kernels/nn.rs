//! Activations, padding, and other neural network layers without a family of their own.

use super::shape::steps_of;
use super::{Args, Kernel, binary, map, softmax, unary};
use crate::error::{RunError, RunResult};
use crate::tensor::{Tensor, dispatch_word};
use crate::value::Value;

fn batch_flatten(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let [batch, rest @ ..] = x.shape() else {
        return Err(RunError::shape("needs a batch dimension"));
    };
    Ok(x.reshaped(&[*batch, rest.iter().product()])?.into())
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
        _ => return Err(RunError::argument(format!("unknown padding mode {mode:?}"))),
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

/// Moves channels to spatial dimensions: `(.., c * r * r, h, w)` to `(.., c, h * r, w * r)`.
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
            "{c} channels are not a multiple of {}",
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

/// Dropout at inference: returns the tensor itself, and a mask of ones.
fn dropout(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let mask = Tensor::full(x.kind(), x.shape(), crate::tensor::Scalar::Int(1))?;
    Ok(Value::tuple([x.into(), mask.into()]))
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.nn.batch_flatten", batch_flatten),
    Kernel::new("relax.nn.dropout", dropout),
    Kernel::new("relax.nn.gelu", unary::gelu),
    Kernel::new("relax.nn.gelu_tanh", unary::gelu_tanh),
    Kernel::new("relax.nn.leakyrelu", unary::leakyrelu),
    Kernel::new("relax.nn.log_softmax", softmax::log_softmax),
    Kernel::new("relax.nn.pad", pad),
    Kernel::new("relax.nn.pixel_shuffle", pixel_shuffle),
    Kernel::new("relax.nn.prelu", binary::prelu),
    Kernel::new("relax.nn.relu", unary::relu),
    Kernel::new("relax.nn.relu6", unary::relu6),
    Kernel::new("relax.nn.selu", unary::selu),
    Kernel::new("relax.nn.silu", unary::silu),
    Kernel::new("relax.nn.softmax", softmax::softmax),
    Kernel::new("relax.nn.softplus", unary::softplus),
];
