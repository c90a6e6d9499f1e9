//! Quantization: `round(x / scale) + zero_point`, clipped; and dequantization.

use super::args::axis_of;
use super::extreme::{larger, smaller};
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

/// Returns a parameter of one element, or of one element for each index of an axis, in a shape that broadcasts to `x`.
fn parameter(x: &Tensor, parameter: &Tensor, axis: i64) -> RunResult<Tensor> {
    let wide = parameter.cast(Kind::F32)?;
    if wide.len() == 1 {
        return wide.reshaped(&[]);
    }
    let axis = axis_of(axis, x.ndim())?;
    let mut shape = vec![1; x.ndim()];
    shape[axis] = wide.len();
    wide.reshaped(&shape)
}

/// Returns the minimum and the maximum of a kind as `float32`.
fn range(kind: Kind) -> RunResult<(f32, f32)> {
    Ok(match kind {
        Kind::I8 => (-128.0, 127.0),
        Kind::U8 => (0.0, 255.0),
        Kind::I16 => (-32768.0, 32767.0),
        Kind::U16 => (0.0, 65535.0),
        Kind::I32 => (i32::MIN as f32, i32::MAX as f32),
        // The largest float32 that fits.
        Kind::U32 => (0.0, 4_294_967_040.0),
        Kind::F16 => (-65504.0, 65504.0),
        Kind::BF16 | Kind::F32 => (f32::MIN, f32::MAX),
        _ => {
            return Err(RunError::dtype(format!(
                "{} is not quantised",
                kind.dtype()
            )));
        }
    })
}

fn quantize(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let axis = args.int_or("axis", -1)?;
    let kind = args.dtype("out_dtype")?.unwrap_or(Kind::I8);
    let (low, high) = range(kind)?;
    let scale = parameter(&x, &args.operand(1)?, axis)?;
    let zero = parameter(&x, &args.operand(2)?, axis)?;
    let scaled = map::binary::<f32, f32, f32>(&x.cast(Kind::F32)?, &scale, 2, |x, s| x / s)?;
    let whole = !kind.is_float();
    let placed = map::binary::<f32, f32, f32>(&scaled, &zero, 2, |x, z| {
        let x = if whole { x.round_ties_even() } else { x };
        larger(smaller(x + z, high), low)
    })?;
    Ok(placed.cast(kind)?.into())
}

fn dequantize(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let axis = args.int_or("axis", -1)?;
    let kind = args.dtype("out_dtype")?.unwrap_or(Kind::F32);
    let scale = parameter(&x, &args.operand(1)?, axis)?;
    let zero = parameter(&x, &args.operand(2)?, axis)?;
    let moved = map::binary::<f32, f32, f32>(&x.cast(Kind::F32)?, &zero, 1, |x, z| x - z)?;
    let (low, high) = range(kind)?;
    let scaled =
        map::binary::<f32, f32, f32>(&moved, &scale, 1, |x, s| (x * s).min(high).max(low))?;
    Ok(scaled.cast(kind)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.dequantize", dequantize),
    Kernel::new("relax.quantize", quantize),
];
