//! Numbers and TIR's arithmetic on them. Integers are exact and wrap to their dtype. Floats of fewer than 64 bits are
//! computed in 32 bits and rounded after every step.

use half::{bf16, f16};
use hir::tir::{Binary, Compare, Math, Unary, int};
use relax::dtype::{Code, DType};

use crate::tensor::Truncate;
use crate::tir::functions::{self, Body};

/// A value whose dtype is known from the context.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// An integer or a truth value.
    Int(i128),
    /// A float that its dtype can represent.
    Float(f64),
}

impl Number {
    pub fn truth(value: bool) -> Number {
        Number::Int(i128::from(value))
    }

    pub fn is_true(self) -> bool {
        self.int() != 0
    }

    /// Returns the integer, or 0 for a float.
    pub fn int(self) -> i128 {
        match self {
            Number::Int(value) => value,
            Number::Float(_) => 0,
        }
    }

    pub fn float(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

/// Computes in `f64` or in `f32` depending on the dtype, and rounds.
macro_rules! float {
    ($dtype:expr, ($($x:ident),+) => $value:expr) => {
        if $dtype.bits == 64 {
            Number::Float($value)
        } else {
            $(let $x = $x as f32;)+
            Number::Float(f64::from(round($value, $dtype)))
        }
    };
}

/// Rounds a 32-bit float to the dtype.
fn round(value: f32, dtype: DType) -> f32 {
    match (dtype.code, dtype.bits) {
        (Code::BFloat, _) => bf16::from_f32(value).to_f32(),
        (_, 16) => f16::from_f32(value).to_f32(),
        _ => value,
    }
}

/// Converts a constant.
pub(super) fn constant(value: f64, dtype: DType) -> Number {
    Number::Float(match (dtype.code, dtype.bits) {
        (_, 64) => value,
        (Code::BFloat, _) => bf16::from_f64(value).to_f64(),
        (_, 16) => f16::from_f64(value).to_f64(),
        _ => f64::from(value as f32),
    })
}

/// Applies a binary operator. Returns `None` for a division by zero.
pub(super) fn binary(op: Binary, dtype: DType, a: Number, b: Number) -> Option<Number> {
    if !dtype.is_float() {
        return int::binary(op, dtype, a.int(), b.int()).map(Number::Int);
    }
    let (a, b) = (a.float(), b.float());
    Some(match op {
        Binary::Add => float!(dtype, (a, b) => a + b),
        Binary::Sub => float!(dtype, (a, b) => a - b),
        Binary::Mul => float!(dtype, (a, b) => a * b),
        Binary::FloorDiv => float!(dtype, (a, b) => (a / b).floor()),
        Binary::FloorMod => float!(dtype, (a, b) => a - (a / b).floor() * b),
        Binary::TruncMod => float!(dtype, (a, b) => a % b),
        // As in TVM's generated code, an unordered pair gives the second operand.
        Binary::Min => Number::Float(if a < b { a } else { b }),
        Binary::Max => Number::Float(if a > b { a } else { b }),
        _ => float!(dtype, (a, b) => a / b),
    })
}

pub(super) fn compare(op: Compare, dtype: DType, a: Number, b: Number) -> bool {
    if !dtype.is_float() {
        return int::compare(op, a.int(), b.int());
    }
    let (a, b) = (a.float(), b.float());
    match op {
        Compare::Eq => a == b,
        // As in TVM's generated code, an unordered pair is not unequal.
        #[expect(clippy::double_comparisons, reason = "NaN is not unequal to anything")]
        Compare::Ne => a < b || a > b,
        Compare::Lt => a < b,
        Compare::Le => a <= b,
        Compare::Gt => a > b,
        Compare::Ge => a >= b,
    }
}

/// Converts a number. A float becomes an integer by the rule of [`Truncate`].
pub(super) fn cast(value: Number, to: DType) -> Number {
    match value {
        Number::Int(value) if to.is_float() => {
            if to.bits == 64 {
                Number::Float(value as f64)
            } else {
                Number::Float(f64::from(round(value as f32, to)))
            }
        }
        Number::Int(value) => Number::Int(int::wrap(value, to)),
        Number::Float(value) if to.is_float() => float!(to, (value) => value),
        Number::Float(value) if to.is_bool() => Number::truth(value != 0.0),
        Number::Float(value) => {
            let whole = match (to.code, to.bits) {
                (Code::UInt, 64) => i128::from(value.whole_u64()),
                (Code::UInt, 32) | (_, 64) => i128::from(value.whole_i64()),
                _ => i128::from(value.whole_i32()),
            };
            Number::Int(int::wrap(whole, to))
        }
    }
}

/// Reinterprets the bits of a number as another dtype of the same width.
pub(super) fn reinterpret(value: Number, from: DType, to: DType) -> Number {
    let bits = match (from.is_float(), from.bits) {
        (true, 64) => u128::from(value.float().to_bits()),
        (true, _) => u128::from((value.float() as f32).to_bits()),
        (false, _) => value.int() as u128,
    };
    match (to.is_float(), to.bits) {
        (true, 64) => Number::Float(f64::from_bits(bits as u64)),
        (true, _) => Number::Float(f64::from(f32::from_bits(bits as u32))),
        (false, _) => Number::Int(int::wrap(bits as i128, to)),
    }
}

pub(super) fn unary(function: Unary, dtype: DType, value: Number) -> Number {
    if !dtype.is_float() {
        return Number::Int(unary_int(function, dtype, value.int()));
    }
    let x = value.float();
    match function {
        Unary::Neg => Number::Float(-x),
        Unary::Abs => Number::Float(x.abs()),
        Unary::Floor => Number::Float(x.floor()),
        Unary::Ceil => Number::Float(x.ceil()),
        Unary::Trunc => Number::Float(x.trunc()),
        Unary::Round => Number::Float(x.round_ties_even()),
        Unary::IsNan => Number::truth(x.is_nan()),
        Unary::IsInf => Number::truth(x.is_infinite()),
        Unary::IsFinite => Number::truth(x.is_finite()),
        Unary::Sqrt => float!(dtype, (x) => x.sqrt()),
        Unary::Rsqrt => float!(dtype, (x) => 1.0 / x.sqrt()),
        Unary::Sigmoid => {
            let power = call_function("exp", dtype, -x, 0.0);
            float!(dtype, (power) => 1.0 / (1.0 + power))
        }
        function => {
            let x = call_function(function.name(), dtype, x, 0.0);
            float!(dtype, (x) => x)
        }
    }
}

fn unary_int(function: Unary, dtype: DType, x: i128) -> i128 {
    let bits = u32::from(dtype.bits);
    let raw = (x as u128) << (128 - bits);
    match function {
        Unary::Neg => int::wrap(-x, dtype),
        Unary::Abs => int::wrap(x.abs(), dtype),
        Unary::BitNot => int::wrap(!x, dtype),
        Unary::Popcount => i128::from(raw.count_ones()),
        Unary::Clz => i128::from(raw.leading_zeros().min(bits)),
        Unary::IsNan | Unary::IsInf => 0,
        Unary::IsFinite => 1,
        _ => x,
    }
}

pub(super) fn math(function: Math, dtype: DType, a: Number, b: Number) -> Number {
    if !dtype.is_float() {
        let (a, b) = (a.int(), b.int());
        let power = match dtype.code {
            Code::UInt => i128::from(functions::upow(a as u64, b as u64)),
            _ => i128::from(functions::ipow(a as i64, b as i64)),
        };
        return Number::Int(int::wrap(power, dtype));
    }
    let (x, y) = (a.float(), b.float());
    match function {
        Math::CopySign => Number::Float(x.copysign(y)),
        function => {
            let x = call_function(function.name(), dtype, x, y);
            float!(dtype, (x) => x)
        }
    }
}

/// Calls a function of the table in the precision of a dtype.
fn call_function(name: &str, dtype: DType, x: f64, y: f64) -> f64 {
    match functions::of(name) {
        Some(Body::One(_, double)) if dtype.bits == 64 => double(x),
        Some(Body::One(single, _)) => f64::from(single(x as f32)),
        Some(Body::Two(_, double)) if dtype.bits == 64 => double(x, y),
        Some(Body::Two(single, _)) => f64::from(single(x as f32, y as f32)),
        None => f64::NAN,
    }
}
