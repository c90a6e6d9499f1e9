//! Elementwise operators of one operand, including activations.
//!
//! Half floats are computed in float32 and rounded once. NaN and zeros are treated as by the loops that LegalizeOps makes:
//! `relu(NaN)` is `max(NaN, 0)`, which is 0.

use std::f64::consts::FRAC_1_SQRT_2;

use half::{bf16, f16};

use super::extreme::{larger, smaller};
use super::math::Math;
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::{Element, Kind, Tensor, dispatch, dispatch_float, dispatch_int};
use crate::value::Value;

/// Applies an expression over `$v`, which is `f32` or `f64`, to every element of a float tensor.
macro_rules! float_map {
    ($x:expr, $weight:expr, $v:ident => $body:expr) => {{
        let x: &Tensor = $x;
        match x.kind() {
            Kind::F32 => map::unary::<f32, f32>(x, $weight, |$v: f32| $body),
            Kind::F64 => map::unary::<f64, f64>(x, $weight, |$v: f64| $body),
            Kind::F16 => map::unary::<f16, f16>(x, $weight, |h: f16| {
                let $v = h.to_f32();
                f16::from_f32($body)
            }),
            Kind::BF16 => map::unary::<bf16, bf16>(x, $weight, |h: bf16| {
                let $v = h.to_f32();
                bf16::from_f32($body)
            }),
            kind => Err(RunError::dtype(format!(
                "needs floating point, but has {}",
                kind.dtype()
            ))),
        }
    }};
}

/// Defines kernels of one float operand: `name, weight, v => expression`.
macro_rules! float_kernels {
    ($($run:ident, $weight:literal, $v:ident => $body:expr;)+) => {
        $(pub(super) fn $run(args: &Args<'_>) -> RunResult<Value> {
            Ok(float_map!(&args.operand(0)?, $weight, $v => $body)?.into())
        })+
    };
}

float_kernels! {
    acos, 16, v => v.acos();
    acosh, 16, v => v.acosh();
    asin, 16, v => v.asin();
    asinh, 16, v => v.asinh();
    atan, 16, v => v.atan();
    // TVM's has no -0.
    atanh, 16, v => v.atanh() + 0.0;
    cos, 16, v => v.cos();
    cosh, 16, v => v.cosh();
    erf, 16, v => v.error_function();
    exp, 4, v => v.fast_exp();
    log, 16, v => v.ln();
    rsqrt, 2, v => 1.0 / v.sqrt();
    sigmoid, 4, v => v.logistic();
    sin, 16, v => v.sin();
    sinh, 16, v => v.sinh();
    sqrt, 2, v => v.sqrt();
    tan, 16, v => v.tan();
    tanh, 4, v => v.fast_tanh();
    gelu, 16, v => v * (0.5 + (v * v.like(FRAC_1_SQRT_2)).error_function() * 0.5);
    silu, 4, v => v * v.logistic();
}

/// Returns the square root of a float tensor, for other kernels.
pub(super) fn square_root(x: &Tensor) -> RunResult<Tensor> {
    float_map!(x, 2, v => v.sqrt())
}

/// Defines kernels that leave integers unchanged.
macro_rules! rounding_kernels {
    ($($run:ident, $v:ident => $body:expr;)+) => {
        $(pub(super) fn $run(args: &Args<'_>) -> RunResult<Value> {
            let x = args.operand(0)?;
            if !x.kind().is_float() {
                return Ok(x.into());
            }
            Ok(float_map!(&x, 1, $v => $body)?.into())
        })+
    };
}

rounding_kernels! {
    ceil, v => v.ceil();
    floor, v => v.floor();
    round, v => v.round_ties_even();
    trunc, v => v.trunc();
}

/// Defines kernels for all numbers: `int` for integers, `float` for floats. Bool is rejected.
macro_rules! number_kernels {
    ($($run:ident, $i:ident => $int:expr, $v:ident => $float:expr;)+) => {
        $(pub(super) fn $run(args: &Args<'_>) -> RunResult<Value> {
            let x = args.operand(0)?;
            Ok(dispatch_int!(
                x.kind(),
                T => map::unary::<T, T>(&x, 1, |$i: T| $int),
                other => float_map!(&x, 1, $v => $float)
            )?.into())
        })+
    };
}

number_kernels! {
    abs, i => if i < Default::default() { num_traits::WrappingNeg::wrapping_neg(&i) } else { i }, v => v.abs();
    negative, i => num_traits::WrappingNeg::wrapping_neg(&i), v => -v;
    square, i => num_traits::WrappingMul::wrapping_mul(&i, &i), v => v * v;
    relu, i => if i < Default::default() { Default::default() } else { i }, v => larger(v, 0.0);
    relu6, i => if i < Default::default() { Default::default() } else if i > 6 { 6 } else { i },
        v => larger(smaller(v, 6.0), 0.0);
    sign, i => i64::from(i > Default::default()).wrapping_sub(i64::from(i < Default::default())) as _,
        v => if v > 0.0 { 1.0 } else if v < 0.0 { -1.0 } else { 0.0 };
}

fn bitwise_not(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    if x.kind() == Kind::Bool {
        return Ok(map::unary::<u8, u8>(&x, 1, |v| v ^ 1)?.as_bool().into());
    }
    Ok(dispatch_int!(
        x.kind(),
        T => map::unary::<T, T>(&x, 1, |v| !v),
        other => Err(RunError::dtype("needs integers or bool"))
    )?
    .into())
}

fn logical_not(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?.cast(Kind::Bool)?;
    Ok(map::unary::<u8, u8>(&x, 1, |v| v ^ 1)?.as_bool().into())
}

/// Defines predicates of floats. `whole` is the result for every integer.
macro_rules! question_kernels {
    ($($run:ident, $whole:literal, $v:ident => $body:expr;)+) => {
        $(pub(super) fn $run(args: &Args<'_>) -> RunResult<Value> {
            let x = args.operand(0)?;
            let answers = dispatch_float!(
                x.kind(),
                T => map::unary::<T, u8>(&x, 1, |h: T| { let $v = h.to_f64(); u8::from($body) })?,
                other => Tensor::full(Kind::U8, x.shape(), crate::tensor::Scalar::Int($whole))?
            );
            Ok(answers.as_bool().into())
        })+
    };
}

question_kernels! {
    isfinite, 1, v => v.is_finite();
    isinf, 0, v => v.is_infinite();
    isnan, 0, v => v.is_nan();
}

pub(super) fn gelu_tanh(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    Ok(float_map!(&x, 4, v => {
        0.5 * v * (1.0 + (v.like((2.0 / std::f64::consts::PI).sqrt()) * v * (1.0 + 0.044_715 * v * v)).fast_tanh())
    })?
    .into())
}

pub(super) fn selu(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    Ok(float_map!(&x, 4, v => {
        let negative = v.like(1.673_263_242_354_377_2) * (v.fast_exp() - 1.0);
        v.like(1.050_700_987_355_480_5) * (larger(v, 0.0) + smaller(0.0, negative))
    })?
    .into())
}

pub(super) fn softplus(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let beta = args.float_or("beta", 1.0)?;
    let threshold = args.float_or("threshold", 20.0)?;
    Ok(float_map!(&x, 16, v => {
        let beta = v.like(beta);
        if v * beta > v.like(threshold) { v } else { (1.0 + (v * beta).exp()).ln() / beta }
    })?
    .into())
}

pub(super) fn leakyrelu(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let alpha = args.float_or("alpha", 0.01)?;
    Ok(float_map!(&x, 1, v => {
        if v > 0.0 { v } else { v * v.like(alpha) }
    })?
    .into())
}

/// Clips elements to two bounds, which are scalars.
fn clip(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let (min, max) = (args.scalar("min")?, args.scalar("max")?);
    let kind = x.kind();
    Ok(dispatch!(kind, T => {
        let (min, max): (T, T) = (min.to(kind), max.to(kind));
        map::unary::<T, T>(&x, 1, |v| larger(smaller(v, max), min))?
        .with_kind(kind)
    })
    .into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.abs", abs),
    Kernel::new("relax.acos", acos),
    Kernel::new("relax.acosh", acosh),
    Kernel::new("relax.asin", asin),
    Kernel::new("relax.asinh", asinh),
    Kernel::new("relax.atan", atan),
    Kernel::new("relax.atanh", atanh),
    Kernel::new("relax.bitwise_not", bitwise_not),
    Kernel::new("relax.ceil", ceil),
    Kernel::new("relax.clip", clip),
    Kernel::new("relax.cos", cos),
    Kernel::new("relax.cosh", cosh),
    Kernel::new("relax.erf", erf),
    Kernel::new("relax.exp", exp),
    Kernel::new("relax.floor", floor),
    Kernel::new("relax.isfinite", isfinite),
    Kernel::new("relax.isinf", isinf),
    Kernel::new("relax.isnan", isnan),
    Kernel::new("relax.log", log),
    Kernel::new("relax.logical_not", logical_not),
    Kernel::new("relax.negative", negative),
    Kernel::new("relax.round", round),
    Kernel::new("relax.rsqrt", rsqrt),
    Kernel::new("relax.sigmoid", sigmoid),
    Kernel::new("relax.sign", sign),
    Kernel::new("relax.sin", sin),
    Kernel::new("relax.sinh", sinh),
    Kernel::new("relax.sqrt", sqrt),
    Kernel::new("relax.square", square),
    Kernel::new("relax.tan", tan),
    Kernel::new("relax.tanh", tanh),
    Kernel::new("relax.trunc", trunc),
];
