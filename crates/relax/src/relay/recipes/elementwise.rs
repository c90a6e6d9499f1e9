//! Recipes of operators that work on each element.

use std::f64::consts::{LN_2, LN_10};

use super::Recipe::{Input, Made, Plain};
use super::arithmetic::with_number;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::dtype::DType;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("abs", Plain("abs")), ("acos", Plain("acos")), ("acosh", Plain("acosh")), ("asin", Plain("asin")),
    ("asinh", Plain("asinh")), ("atan", Plain("atan")), ("atanh", Plain("atanh")), ("bitwise_not", Plain("bitwise_not")),
    ("ceil", Plain("ceil")), ("cos", Plain("cos")), ("cosh", Plain("cosh")), ("erf", Plain("erf")), ("exp", Plain("exp")),
    ("fast_erf", Plain("erf")), ("fast_exp", Plain("exp")), ("fast_tanh", Plain("tanh")), ("floor", Plain("floor")),
    ("log", Plain("log")), ("logical_not", Plain("logical_not")), ("negative", Plain("negative")),
    ("round", Plain("round")), ("rsqrt", Plain("rsqrt")), ("sigmoid", Plain("sigmoid")), ("sign", Plain("sign")),
    ("sin", Plain("sin")), ("sinh", Plain("sinh")), ("sqrt", Plain("sqrt")), ("tan", Plain("tan")), ("tanh", Plain("tanh")),
    ("trunc", Plain("trunc")), ("zeros_like", Plain("zeros_like")), ("ones_like", Plain("ones_like")),
    ("isfinite", Plain("isfinite")), ("isinf", Plain("isinf")), ("isnan", Plain("isnan")), ("nn.relu", Plain("nn.relu")),
    ("add", Plain("add")), ("bitwise_and", Plain("bitwise_and")), ("bitwise_or", Plain("bitwise_or")),
    ("bitwise_xor", Plain("bitwise_xor")), ("divide", Plain("divide")), ("floor_divide", Plain("floor_divide")),
    ("floor_mod", Plain("floor_mod")), ("left_shift", Plain("left_shift")), ("logical_and", Plain("logical_and")),
    ("logical_or", Plain("logical_or")), ("logical_xor", Plain("logical_xor")), ("maximum", Plain("maximum")),
    ("minimum", Plain("minimum")), ("mod", Plain("mod")), ("trunc_mod", Plain("mod")), ("multiply", Plain("multiply")),
    ("power", Plain("power")), ("right_shift", Plain("right_shift")), ("subtract", Plain("subtract")),
    ("equal", Plain("equal")), ("greater", Plain("greater")), ("greater_equal", Plain("greater_equal")),
    ("less", Plain("less")), ("less_equal", Plain("less_equal")), ("not_equal", Plain("not_equal")),
    ("where", Made(choose)),
    ("copy", Input), ("annotation.stop_fusion", Input), ("annotation.checkpoint", Input), ("annotation.cast_hint", Input),
    ("annotation.compiler_begin", Input), ("annotation.compiler_end", Input), ("annotation.bitpack_start", Input),
    ("annotation.with_funcid", Input), ("debug", Input), ("annotation.bitpack_end", Input), ("on_device", Input), ("device_copy", Input),
    ("log2", Made(|b| logarithm(b, LN_2))),
    ("log10", Made(|b| logarithm(b, LN_10))),
    ("trunc_divide", Made(trunc_divide)),
    ("clip", Made(clip)),
    ("cast", Made(|b| cast(b, "dtype"))),
    ("cast_like", Made(cast_like)),
    ("reinterpret", Made(reinterpret)),
    ("fixed_point_multiply", Made(fixed_point_multiply)),
    ("fixed_point_multiply_per_axis", Made(fixed_point_multiply_per_axis)),
    ("nn.leaky_relu", Made(leaky_relu)),
    ("shape_of", Made(shape_of)),
    ("vm.shape_of", Made(shape_of)),
    ("ndarray_size", Made(size)),
];

fn logarithm(b: &mut Build<'_>, base: f64) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let log = b.call("log", &[&x])?;
    let base = b.number(base, b.dtype_of(&x)?);
    b.call("divide", &[&log, &base])
}

fn trunc_divide(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, y) = (b.input(0)?, b.input(1)?);
    let divided = b.call("divide", &[&x, &y])?;
    if b.dtype_of(&x)?.is_float() {
        return b.call("trunc", &[&divided]);
    }
    Ok(divided)
}

/// TVM broadcasts all three at once. A condition that is not boolean is compared with zero.
fn choose(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (condition, x, y) = (b.input(0)?, b.input(1)?, b.input(2)?);
    let dtype = b.dtype_of(&condition)?;
    let condition = if dtype.is_bool() {
        condition
    } else {
        let zero = b.number(0.0, dtype);
        b.call("not_equal", &[&condition, &zero])?
    };
    b.call("where", &[&condition, &x, &y])
}

fn clip(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let dtype = b.dtype_of(&x)?;
    let (low, high) = (b.float("a_min")?, b.float("a_max")?);
    let end = |value: f64| {
        if dtype.is_float() {
            Arg::Float(value)
        } else {
            Arg::Int(value as i64)
        }
    };
    b.op("clip", vec![x.into(), end(low), end(high)], [])
}

pub(super) fn cast(b: &mut Build<'_>, name: &str) -> Result<Val, Refusal> {
    let (x, dtype) = (b.input(0)?, b.dtype(name)?);
    as_dtype(b, &x, dtype)
}

/// Casts the value to a dtype, unless it already has it.
pub(super) fn as_dtype(b: &mut Build<'_>, x: &Val, dtype: DType) -> Result<Val, Refusal> {
    if b.dtype_of(x)? == dtype {
        return Ok(x.clone());
    }
    b.op("astype", vec![x.into(), dtype.into()], [])
}

fn cast_like(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, like) = (b.input(0)?, b.input(1)?);
    let dtype = b.dtype_of(&like)?;
    as_dtype(b, &x, dtype)
}

/// Integers of the same width keep their bits in a cast.
fn reinterpret(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, dtype) = (b.input(0)?, b.dtype("dtype")?);
    let own = b.dtype_of(&x)?;
    if own == dtype || own.is_int() && dtype.is_int() && own.bits == dtype.bits {
        return as_dtype(b, &x, dtype);
    }
    b.op("memory.view", vec![x.into()], [("dtype", dtype.into())])
}

/// Computes `x * multiplier * 2 ** (shift - 31)`, rounded, in 64-bit integers.
fn fixed_point_multiply(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, multiplier, shift) = (b.input(0)?, b.int("multiplier")?, b.int("shift")?);
    let dtype = b.dtype_of(&x)?;
    let wide = as_dtype(b, &x, DType::I64)?;
    let factor = b.number((multiplier << shift.clamp(0, 31)) as f64, DType::I64);
    let product = b.call("multiply", &[&wide, &factor])?;
    let right = 31 - shift.min(0);
    let half = b.number(2f64.powi(right as i32 - 1), DType::I64);
    let up = b.call("add", &[&product, &half])?;
    let right = b.number(right as f64, DType::I64);
    let shifted = b.call("right_shift", &[&up, &right])?;
    as_dtype(b, &shifted, dtype)
}

/// Like `fixed_point_multiply`, where each part along the axes has its own multiplier and shifts.
fn fixed_point_multiply_per_axis(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let (dtype, rank) = (b.dtype_of(&x)?, b.rank(&x)?);
    let axes = b.ints("axes")?;
    let others: Vec<i64> = (0..rank as i64).filter(|it| !axes.contains(it)).collect();
    let beside = |b: &mut Build<'_>, at: usize| {
        let wide = as_dtype(b, &b.input(at)?, DType::I64)?;
        if others.is_empty() {
            return Ok(wide);
        }
        b.op(
            "expand_dims",
            vec![wide.into()],
            [("axis", others.clone().into())],
        )
    };
    let mut wide = as_dtype(b, &x, DType::I64)?;
    if b.bool("is_lshift_required")? {
        let left = beside(b, 2)?;
        wide = b.call("left_shift", &[&wide, &left])?;
    }
    let factor = beside(b, 1)?;
    let product = b.call("multiply", &[&wide, &factor])?;
    let right = beside(b, 3)?;
    let right = with_number(b, "add", &right, 31.0)?;
    let one = b.number(1.0, DType::I64);
    let below = b.call("subtract", &[&right, &one])?;
    let half = b.call("left_shift", &[&one, &below])?;
    let up = b.call("add", &[&product, &half])?;
    let shifted = b.call("right_shift", &[&up, &right])?;
    as_dtype(b, &shifted, dtype)
}

fn leaky_relu(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, alpha) = (b.input(0)?, b.float("alpha")?);
    b.op("nn.leakyrelu", vec![x.into()], [("alpha", alpha.into())])
}

fn shape_of(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, dtype) = (b.input(0)?, b.dtype("dtype")?);
    let shape = b.call("shape_of", &[&x])?;
    let tensor = b.call("shape_to_tensor", &[&shape])?;
    as_dtype(b, &tensor, dtype)
}

fn size(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, dtype) = (b.input(0)?, b.dtype("dtype")?);
    let size = b.call("size", &[&x])?;
    as_dtype(b, &size, dtype)
}
