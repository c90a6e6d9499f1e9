//! Elementwise operators of one tensor.

use super::{At, Call, Infer, Kind, OpDef, OpErrorKind, Param, Sharding, Topi, req};
use crate::dtype::{Code, DType};
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor};

const SOURCE: &str = "src/relax/op/tensor/unary.cc";

const OPERAND: &[Param] = &[req("x", Kind::Tensor).doc("The input tensor.")];

/// An operator for any dtype.
const fn any(name: &'static str, summary: &'static str, example: &'static str) -> OpDef {
    OpDef::new(name, OPERAND, infer_same)
        .doc(summary, "x: (…) → (…), the same dtype", example)
        .source(SOURCE)
}

/// An operator for floats only.
const fn float(name: &'static str, summary: &'static str, example: &'static str) -> OpDef {
    OpDef::new(name, OPERAND, infer_float)
        .doc(
            summary,
            "x: (…) of a float dtype → (…), the same dtype",
            example,
        )
        .source(SOURCE)
}

/// An operator that returns a truth value for each element.
const fn check(name: &'static str, summary: &'static str, example: &'static str) -> OpDef {
    OpDef::new(name, OPERAND, infer_check)
        .doc(summary, "x: (…) → (…), bool", example)
        .source(SOURCE)
}

pub(super) static OPS: &[OpDef] = &[
    any(
        "relax.abs",
        "The absolute value of each element.",
        "R.abs(x)",
    )
    .sharding(Sharding::Same)
    .topi(Topi::elementwise("abs"))
    .familiar(&["absolute"]),
    float("relax.acos", "The arc cosine of each element.", "R.acos(x)")
        .sharding(Sharding::Same)
        .familiar(&["arccos"]),
    float(
        "relax.acosh",
        "The inverse hyperbolic cosine of each element.",
        "R.acosh(x)",
    )
    .sharding(Sharding::Same)
    .familiar(&["arccosh"]),
    float("relax.asin", "The arc sine of each element.", "R.asin(x)")
        .sharding(Sharding::Same)
        .familiar(&["arcsin"]),
    float(
        "relax.asinh",
        "The inverse hyperbolic sine of each element.",
        "R.asinh(x)",
    )
    .sharding(Sharding::Same)
    .familiar(&["arcsinh"]),
    float(
        "relax.atan",
        "The arc tangent of each element.",
        "R.atan(x)",
    )
    .sharding(Sharding::Same)
    .familiar(&["arctan"]),
    float(
        "relax.atanh",
        "The inverse hyperbolic tangent of each element.",
        "R.atanh(x)",
    )
    .sharding(Sharding::Same)
    .familiar(&["arctanh"]),
    any(
        "relax.bitwise_not",
        "Inverts the bits of each element.",
        "R.bitwise_not(x)",
    )
    .sharding(Sharding::Same)
    .familiar(&["invert"]),
    any("relax.ceil", "Rounds each element up.", "R.ceil(x)")
        .sharding(Sharding::Same)
        .topi(Topi::elementwise("ceil")),
    float("relax.cos", "The cosine of each element.", "R.cos(x)")
        .sharding(Sharding::Same)
        .topi(Topi::elementwise("cos")),
    float(
        "relax.cosh",
        "The hyperbolic cosine of each element.",
        "R.cosh(x)",
    )
    .sharding(Sharding::Same),
    float(
        "relax.erf",
        "The error function of each element.",
        "R.erf(x)",
    )
    .sharding(Sharding::Same)
    .topi(Topi::elementwise("erf")),
    float("relax.exp", "The exponential of each element.", "R.exp(x)")
        .sharding(Sharding::Same)
        .topi(Topi::elementwise("exp")),
    any("relax.floor", "Rounds each element down.", "R.floor(x)")
        .sharding(Sharding::Same)
        .topi(Topi::elementwise("floor")),
    float(
        "relax.log",
        "The natural logarithm of each element.",
        "R.log(x)",
    )
    .sharding(Sharding::Same)
    .topi(Topi::elementwise("log")),
    any(
        "relax.logical_not",
        "Negates each truth value.",
        "R.logical_not(p)",
    )
    .sharding(Sharding::Same),
    any("relax.negative", "Negates each element.", "R.negative(x)")
        .sharding(Sharding::Same)
        .topi(Topi::elementwise("negative"))
        .familiar(&["neg"]),
    any(
        "relax.round",
        "Rounds each element to the nearest integer.",
        "R.round(x)",
    )
    .sharding(Sharding::Same),
    float(
        "relax.rsqrt",
        "One over the square root of each element.",
        "R.rsqrt(x)",
    )
    .sharding(Sharding::Same)
    .topi(Topi::elementwise("rsqrt")),
    float(
        "relax.sigmoid",
        "The logistic function of each element.",
        "R.sigmoid(x)",
    )
    .sharding(Sharding::Same)
    .topi(Topi::elementwise("sigmoid")),
    any(
        "relax.sign",
        "The sign of each element: -1, 0 or 1.",
        "R.sign(x)",
    )
    .sharding(Sharding::Same),
    float("relax.sin", "The sine of each element.", "R.sin(x)")
        .sharding(Sharding::Same)
        .topi(Topi::elementwise("sin")),
    float(
        "relax.sinh",
        "The hyperbolic sine of each element.",
        "R.sinh(x)",
    )
    .sharding(Sharding::Same),
    any("relax.square", "The square of each element.", "R.square(x)").sharding(Sharding::Same),
    float(
        "relax.sqrt",
        "The square root of each element.",
        "R.sqrt(x)",
    )
    .sharding(Sharding::Same)
    .topi(Topi::elementwise("sqrt")),
    float("relax.tan", "The tangent of each element.", "R.tan(x)").sharding(Sharding::Same),
    float(
        "relax.tanh",
        "The hyperbolic tangent of each element.",
        "R.tanh(x)",
    )
    .sharding(Sharding::Same)
    .topi(Topi::elementwise("tanh")),
    any(
        "relax.trunc",
        "Rounds each element towards zero.",
        "R.trunc(x)",
    )
    .releases(Releases::since(Release::V0_21)),
    check(
        "relax.isfinite",
        "Whether each element is neither infinite nor NaN.",
        "R.isfinite(x)",
    )
    .sharding(Sharding::Same),
    check(
        "relax.isinf",
        "Whether each element is infinite.",
        "R.isinf(x)",
    )
    .sharding(Sharding::Same),
    check("relax.isnan", "Whether each element is NaN.", "R.isnan(x)").sharding(Sharding::Same),
    OpDef::new(
        "relax.clip",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            req("min", Kind::Expr).doc("The lower bound, a scalar."),
            req("max", Kind::Expr).doc("The upper bound, a scalar."),
        ],
        infer_clip,
    )
    .doc(
        "Limits each element to the range from `min` to `max`.",
        "x: (…) → (…), the same dtype",
        "R.clip(x, 0, 6)",
    )
    .source(SOURCE)
    .familiar(&["clamp"]),
];

fn infer_same(c: &Call<'_>) -> Infer {
    c.tensor(0).map(StructInfo::Tensor)
}

/// Returns the tensor operand of a function on real numbers.
pub(super) fn float_operand(c: &Call<'_>, i: usize) -> Result<Tensor, super::Stop> {
    let tensor = c.tensor(i)?;
    match tensor.dtype {
        // bfloat16 is accepted since TVM 0.20.
        Some(dtype)
            if dtype.code != Code::Float && (c.release < Release::V0_20 || !is_real(dtype)) =>
        {
            let message = format!("`{}` is `{dtype}` but must have a float dtype", c.name(i));
            let error = c.error(OpErrorKind::DType, At::param(i), message);
            Err(error.between(dtype, DType::F32))
        }
        _ => Ok(tensor),
    }
}

/// Returns `true` for float16 to float64 and bfloat16. Floats of eight bits or fewer are for storage only.
pub(super) fn is_real(dtype: DType) -> bool {
    matches!(dtype.code, Code::Float | Code::BFloat)
}

fn infer_float(c: &Call<'_>) -> Infer {
    float_operand(c, 0).map(StructInfo::Tensor)
}

fn infer_check(c: &Call<'_>) -> Infer {
    let mut tensor = c.tensor(0)?;
    tensor.dtype = Some(DType::BOOL);
    Ok(tensor.into())
}

fn infer_clip(c: &Call<'_>) -> Infer {
    for bound in 1..=2 {
        match c.prim(bound) {
            Ok(_) | Err(super::Stop::Unknown) => {}
            Err(error) => return Err(error),
        }
    }
    c.sinfo(0)
}
