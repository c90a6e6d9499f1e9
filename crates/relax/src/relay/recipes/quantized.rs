//! Recipes of operators on quantized tensors: computed with integers minus their zero points, or with floats.

use super::Recipe::Made;
use super::arithmetic::with_number;
use super::elementwise::as_dtype;
use super::products::{swapped, typed_product};
use super::windows::{conv_of, pool_of, transposed_of};
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("qnn.quantize", Made(|b| { let (x, s, z) = (b.input(0)?, b.input(1)?, b.input(2)?); let (axis, dtype) = (b.int("axis")?, b.dtype("out_dtype")?); quantize(b, &x, &s, &z, axis, dtype) })),
    ("qnn.dequantize", Made(dequantize_call)),
    ("qnn.requantize", Made(requantize)),
    ("qnn.dense", Made(dense)),
    ("qnn.batch_matmul", Made(batch_matmul)),
    ("qnn.conv2d", Made(conv2d)),
    ("qnn.conv2d_transpose", Made(conv2d_transpose)),
    ("qnn.add", Made(|b| binary(b, "add"))),
    ("qnn.mul", Made(|b| binary(b, "multiply"))),
    ("qnn.subtract", Made(|b| binary(b, "subtract"))),
    ("qnn.abs", Made(|b| unary(b, "abs"))),
    ("qnn.erf", Made(|b| unary(b, "erf"))),
    ("qnn.exp", Made(|b| unary(b, "exp"))),
    ("qnn.log", Made(|b| unary(b, "log"))),
    ("qnn.rsqrt", Made(|b| unary(b, "rsqrt"))),
    ("qnn.sigmoid", Made(|b| unary(b, "sigmoid"))),
    ("qnn.sqrt", Made(|b| unary(b, "sqrt"))),
    ("qnn.tanh", Made(|b| unary(b, "tanh"))),
    ("qnn.hardswish", Made(hardswish)),
    ("qnn.leaky_relu", Made(|b| { let alpha = b.float("alpha")?; unary_with(b, "nn.leakyrelu", ("alpha", alpha.into())) })),
    ("qnn.softmax", Made(|b| { let axis = b.int("axis")?; unary_with(b, "nn.softmax", ("axis", axis.into())) })),
    ("qnn.avg_pool2d", Made(avg_pool)),
    ("qnn.concatenate", Made(concatenate)),
];

fn quantize(
    b: &mut Build<'_>,
    x: &Val,
    scale: &Val,
    zero: &Val,
    axis: i64,
    dtype: DType,
) -> Result<Val, Refusal> {
    if dtype == DType::I32 {
        // Relax can only quantize to fewer bits.
        let scale = along(b, x, scale, axis)?;
        let steps = b.call("divide", &[x, &scale])?;
        let whole = b.call("round", &[&steps])?;
        let whole = as_dtype(b, &whole, dtype)?;
        let zero = along(b, x, zero, axis)?;
        let zero = as_dtype(b, &zero, dtype)?;
        return b.call("add", &[&whole, &zero]);
    }
    let args = vec![Arg::from(x), scale.into(), zero.into()];
    b.op(
        "quantize",
        args,
        [("axis", axis.into()), ("out_dtype", dtype.into())],
    )
}

fn dequantize_call(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, scale, zero) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let (axis, dtype) = (b.int("axis")?, b.dtype("out_dtype")?);
    let args = vec![Arg::from(&x), (&scale).into(), (&zero).into()];
    let named = [("axis", axis.into()), ("out_dtype", dtype.into())];
    if let Ok(val) = b.op("dequantize", args, named) {
        return Ok(val);
    }
    let floats = dequantize(b, &x, &scale, &zero, axis)?;
    as_dtype(b, &floats, dtype)
}

/// Reshapes a scale or zero point so that it broadcasts along `axis` of a tensor.
fn along(b: &mut Build<'_>, x: &Val, vector: &Val, axis: i64) -> Result<Val, Refusal> {
    let dims = b.dims(vector)?;
    let [extent] = dims.as_slice() else {
        return Ok(vector.clone());
    };
    let rank = b.rank(x)?;
    let axis = b.axis(axis, rank);
    if rank == 0 || axis + 1 == rank {
        return Ok(vector.clone());
    }
    let mut shape = vec![SymExpr::int(1); rank - axis];
    shape[0] = extent.clone();
    b.op("reshape", vec![vector.into(), shape.into()], [])
}

/// Computes `(x - zero) * scale` in float32 for any integer dtype.
fn dequantize(
    b: &mut Build<'_>,
    x: &Val,
    scale: &Val,
    zero: &Val,
    axis: i64,
) -> Result<Val, Refusal> {
    let centred = centred(b, x, zero, axis)?;
    let floats = as_dtype(b, &centred, DType::F32)?;
    let scale = along(b, x, scale, axis)?;
    b.call("multiply", &[&floats, &scale])
}

/// Computes `x - zero` in int32.
fn centred(b: &mut Build<'_>, x: &Val, zero: &Val, axis: i64) -> Result<Val, Refusal> {
    let x = as_dtype(b, x, DType::I32)?;
    let zero = along(b, &x, zero, axis)?;
    let zero = as_dtype(b, &zero, DType::I32)?;
    b.call("subtract", &[&x, &zero])
}

/// Rounds floats to integers in steps of the scale. Halves round up, as in TVM.
fn requantized(
    b: &mut Build<'_>,
    floats: &Val,
    scale: &Val,
    zero: &Val,
    dtype: DType,
) -> Result<Val, Refusal> {
    let steps = b.call("divide", &[floats, scale])?;
    let half = b.number(0.5, DType::F32);
    let up = b.call("add", &[&steps, &half])?;
    let whole = b.call("floor", &[&up])?;
    let zero = as_dtype(b, zero, DType::F32)?;
    let moved = b.call("add", &[&whole, &zero])?;
    let (low, high) = range(dtype);
    let clipped = b.op("clip", vec![moved.into(), low.into(), high.into()], [])?;
    as_dtype(b, &clipped, dtype)
}

/// Returns the minimum and the maximum.
fn range(dtype: DType) -> (f64, f64) {
    let is_signed = dtype.code == crate::dtype::Code::Int;
    let bits = i32::from(dtype.bits) - i32::from(is_signed);
    let high = 2f64.powi(bits) - 1.0;
    (if is_signed { -high - 1.0 } else { 0.0 }, high)
}

fn requantize(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, scale, zero) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let (out_scale, out_zero) = (b.input(3)?, b.input(4)?);
    let (axis, dtype) = (b.int("axis")?, b.dtype("out_dtype")?);
    let floats = dequantize(b, &x, &scale, &zero, axis)?;
    requantized(b, &floats, &out_scale, &out_zero, dtype)
}

fn dense(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, w) = (b.input(0)?, b.input(1)?);
    let (x_zero, w_zero) = (b.input(2)?, b.input(3)?);
    let dtype = b.dtype("out_dtype")?;
    let x = centred(b, &x, &x_zero, -1)?;
    let w = centred(b, &w, &w_zero, 0)?;
    let w = swapped(b, &w)?;
    typed_product(b, &x, &w, Some(dtype).filter(|it| *it != DType::I32))
}

fn batch_matmul(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, y) = (b.input(0)?, b.input(1)?);
    let (x_zero, y_zero) = (b.input(2)?, b.input(3)?);
    let mut x = centred(b, &x, &x_zero, -1)?;
    let mut y = centred(b, &y, &y_zero, -1)?;
    if b.bool("transpose_a")? {
        x = swapped(b, &x)?;
    }
    if b.bool("transpose_b")? {
        y = swapped(b, &y)?;
    }
    b.call("matmul", &[&x, &y])
}

fn conv2d(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, w) = (b.input(0)?, b.input(1)?);
    let (x_zero, w_zero) = (b.input(2)?, b.input(3)?);
    let dtype = b.dtype("out_dtype")?;
    let layout = b.str("kernel_layout")?;
    let channels = layout.find('O').unwrap_or(0) as i64;
    let x = centred(b, &x, &x_zero, -1)?;
    let w = centred(b, &w, &w_zero, channels)?;
    conv_of(b, "nn.conv2d", &x, &w, Some(dtype))
}

fn conv2d_transpose(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, w) = (b.input(0)?, b.input(1)?);
    let (x_zero, w_zero) = (b.input(2)?, b.input(3)?);
    let dtype = b.dtype("out_dtype")?;
    let channels = b.str("kernel_layout")?.find('O').unwrap_or(1) as i64;
    let x = centred(b, &x, &x_zero, -1)?;
    let w = centred(b, &w, &w_zero, channels)?;
    transposed_of(b, "nn.conv2d_transpose", &x, &w, Some(dtype))
}

fn binary(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let vals: Vec<Val> = b.inputs().to_vec();
    let [x, y, x_scale, x_zero, y_scale, y_zero, scale, zero] = vals.as_slice() else {
        return Refusal::new(format!("`{}` lacks an input", b.name()));
    };
    let (x_axis, y_axis) = (b.int("lhs_axis")?, b.int("rhs_axis")?);
    let dtype = b.dtype_of(x)?;
    let left = dequantize(b, x, x_scale, x_zero, x_axis)?;
    let right = dequantize(b, y, y_scale, y_zero, y_axis)?;
    let floats = b.call(op, &[&left, &right])?;
    requantized(b, &floats, scale, zero, dtype)
}

fn unary(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    on_floats(b, |b, floats| b.call(op, &[floats]))
}

fn hardswish(b: &mut Build<'_>) -> Result<Val, Refusal> {
    on_floats(b, |b, floats| {
        let moved = with_number(b, "add", floats, 3.0)?;
        let gate = b.op("clip", vec![moved.into(), 0.0.into(), 6.0.into()], [])?;
        let gated = b.call("multiply", &[floats, &gate])?;
        with_number(b, "divide", &gated, 6.0)
    })
}

fn unary_with(
    b: &mut Build<'_>,
    op: &'static str,
    attr: (&'static str, Arg),
) -> Result<Val, Refusal> {
    on_floats(b, |b, floats| b.op(op, vec![floats.into()], [attr]))
}

fn on_floats(
    b: &mut Build<'_>,
    compute: impl FnOnce(&mut Build<'_>, &Val) -> Result<Val, Refusal>,
) -> Result<Val, Refusal> {
    let vals: Vec<Val> = b.inputs().to_vec();
    let [x, scale, zero, out_scale, out_zero] = vals.as_slice() else {
        return Refusal::new(format!("`{}` lacks an input", b.name()));
    };
    let dtype = b.dtype_of(x)?;
    let floats = dequantize(b, x, scale, zero, -1)?;
    let floats = compute(b, &floats)?;
    quantize(b, &floats, out_scale, out_zero, -1, dtype)
}

fn avg_pool(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let vals: Vec<Val> = b.inputs().to_vec();
    let [x, scale, zero, out_scale, out_zero] = vals.as_slice() else {
        return Refusal::new("`qnn.avg_pool2d` lacks an input");
    };
    let dtype = b.dtype_of(x)?;
    // TVM averages integers in steps of the result.
    let floats = dequantize(b, x, scale, zero, -1)?;
    let ints = requantized(b, &floats, out_scale, out_zero, DType::I32)?;
    let pooled = pool_of(b, "nn.avg_pool2d", &ints)?;
    let (low, high) = range(dtype);
    let args = vec![pooled.into(), (low as i64).into(), (high as i64).into()];
    let clipped = b.op("clip", args, [])?;
    as_dtype(b, &clipped, dtype)
}

fn concatenate(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (parts, scales, zeros) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let (scale, zero) = (b.input(3)?, b.input(4)?);
    let (parts, scales, zeros) = (b.fields(&parts)?, b.fields(&scales)?, b.fields(&zeros)?);
    let mut floats = Vec::new();
    let mut dtype = DType::I8;
    for (part, (scale, zero)) in parts.iter().zip(scales.iter().zip(&zeros)) {
        dtype = b.dtype_of(part)?;
        floats.push(dequantize(b, part, scale, zero, -1)?);
    }
    let floats = b.tuple(&floats);
    let axis = b.int("axis")?;
    let joined = b.op("concat", vec![floats.into()], [("axis", axis.into())])?;
    requantized(b, &joined, &scale, &zero, dtype)
}
