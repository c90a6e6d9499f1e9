//! Elementwise arithmetic of two operands with broadcasting.
//!
//! Integers wrap. `divide` and `mod` of integers truncate as in C; `floor_divide` and `floor_mod` round down.

use half::{bf16, f16};
use num_traits::{WrappingAdd, WrappingMul, WrappingSub};

use super::{Args, Kernel, compare, map};
use crate::error::{Fault, RunError, RunResult};
use crate::tensor::{Kind, Tensor, dispatch_int};
use crate::value::Value;

/// Returns the two operands as the same kind. A scalar takes the kind of the tensor.
pub(super) fn operands(args: &Args<'_>) -> RunResult<(Tensor, Tensor)> {
    let (a, b) = (args.operand(0)?, args.operand(1)?);
    same_kind(a, b, args.is_scalar(0), args.is_scalar(1))
}

pub(super) fn same_kind(
    a: Tensor,
    b: Tensor,
    a_is_scalar: bool,
    b_is_scalar: bool,
) -> RunResult<(Tensor, Tensor)> {
    if a.kind() == b.kind() {
        Ok((a, b))
    } else if b_is_scalar {
        let b = b.cast(a.kind())?;
        Ok((a, b))
    } else if a_is_scalar {
        Ok((a.cast(b.kind())?, b))
    } else {
        Err(RunError::dtype(format!(
            "operands are {} and {}",
            a.dtype(),
            b.dtype()
        )))
    }
}

/// Applies an expression over `$x` and `$y`, which are `f32` or `f64`.
macro_rules! float_zip {
    ($a:expr, $b:expr, $weight:expr, $x:ident, $y:ident => $body:expr) => {{
        let (a, b): (&Tensor, &Tensor) = ($a, $b);
        match a.kind() {
            Kind::F32 => map::binary::<f32, f32, f32>(a, b, $weight, |$x: f32, $y: f32| $body),
            Kind::F64 => map::binary::<f64, f64, f64>(a, b, $weight, |$x: f64, $y: f64| $body),
            Kind::F16 => map::binary::<f16, f16, f16>(a, b, $weight, |p: f16, q: f16| {
                let ($x, $y) = (p.to_f32(), q.to_f32());
                f16::from_f32($body)
            }),
            Kind::BF16 => map::binary::<bf16, bf16, bf16>(a, b, $weight, |p: bf16, q: bf16| {
                let ($x, $y) = (p.to_f32(), q.to_f32());
                bf16::from_f32($body)
            }),
            kind => Err(RunError::dtype(format!(
                "is not defined for {}",
                kind.dtype()
            ))),
        }
    }};
}

/// Defines kernels of two numbers: `int` for integers, `float` for floats.
macro_rules! arithmetic {
    ($($run:ident, $weight:literal, $i:ident, $j:ident => $int:expr, $x:ident, $y:ident => $float:expr;)+) => {
        $(fn $run(args: &Args<'_>) -> RunResult<Value> {
            let (a, b) = operands(args)?;
            Ok(dispatch_int!(
                a.kind(),
                T => map::binary::<T, T, T>(&a, &b, $weight, |$i: T, $j: T| $int),
                other => float_zip!(&a, &b, $weight, $x, $y => $float)
            )?.into())
        })+
    };
}

arithmetic! {
    add, 1, i, j => WrappingAdd::wrapping_add(&i, &j), x, y => x + y;
    subtract, 1, i, j => WrappingSub::wrapping_sub(&i, &j), x, y => x - y;
    multiply_numbers, 1, i, j => WrappingMul::wrapping_mul(&i, &j), x, y => x * y;
    maximum_numbers, 1, i, j => if i > j { i } else { j }, x, y => if x > y { x } else { y };
    minimum_numbers, 1, i, j => if i < j { i } else { j }, x, y => if x < y { x } else { y };
    power, 16, i, j => integer_power(i, j), x, y => x.powf(y);
}

/// Returns the sum of two float tensors, for other kernels.
pub(super) fn sum(a: &Tensor, b: &Tensor) -> RunResult<Tensor> {
    float_zip!(a, b, 1, x, y => x + y)
}

/// Returns the difference of two float tensors, for other kernels.
pub(super) fn difference(a: &Tensor, b: &Tensor) -> RunResult<Tensor> {
    float_zip!(a, b, 1, x, y => x - y)
}

/// For bool, runs `on_bool`: product and minimum are `and`, the maximum is `or`.
fn with_bool(
    args: &Args<'_>,
    on_bool: fn(u8, u8) -> u8,
    otherwise: fn(&Args<'_>) -> RunResult<Value>,
) -> RunResult<Value> {
    let (a, b) = operands(args)?;
    if a.kind() == Kind::Bool {
        return Ok(map::binary::<u8, u8, u8>(&a, &b, 1, on_bool)?
            .as_bool()
            .into());
    }
    otherwise(args)
}

fn multiply(args: &Args<'_>) -> RunResult<Value> {
    with_bool(args, |x, y| x & y, multiply_numbers)
}

fn maximum(args: &Args<'_>) -> RunResult<Value> {
    with_bool(args, |x, y| x | y, maximum_numbers)
}

fn minimum(args: &Args<'_>) -> RunResult<Value> {
    with_bool(args, |x, y| x & y, minimum_numbers)
}

/// Defines kernels similar to division: a zero integer divisor is an error.
macro_rules! division {
    ($($run:ident, $i:ident, $j:ident => $int:expr, $float:expr;)+) => {
        $(fn $run(args: &Args<'_>) -> RunResult<Value> {
            let (a, b) = operands(args)?;
            Ok(dispatch_int!(
                a.kind(),
                T => {
                    if b.values::<T>()?.contains(&0) && !a.is_empty() {
                        return Err(Fault::DivideByZero.into());
                    }
                    map::binary::<T, T, T>(&a, &b, 4, |$i: T, $j: T| $int)
                },
                other => $float(&a, &b)
            )?.into())
        })+
    };
}

division! {
    divide, i, j => i.wrapping_div(j), quotient;
    modulo, i, j => i.wrapping_rem(j), remainder;
    floor_divide, i, j => floor_div(i, j), floor_quotient;
    floor_mod, i, j => WrappingSub::wrapping_sub(&i, &WrappingMul::wrapping_mul(&floor_div(i, j), &j)),
        floor_remainder;
}

fn quotient(a: &Tensor, b: &Tensor) -> RunResult<Tensor> {
    float_zip!(a, b, 1, x, y => x / y)
}

fn remainder(a: &Tensor, b: &Tensor) -> RunResult<Tensor> {
    float_zip!(a, b, 1, x, y => x % y)
}

/// Rounds the quotient to the dtype before it rounds it down.
fn floor_quotient(a: &Tensor, b: &Tensor) -> RunResult<Tensor> {
    let quotient = quotient(a, b)?;
    float_zip!(&quotient, &quotient, 1, x, _y => x.floor())
}

fn floor_remainder(a: &Tensor, b: &Tensor) -> RunResult<Tensor> {
    let whole = floor_quotient(a, b)?;
    let back = float_zip!(&whole, b, 1, x, y => x * y)?;
    difference(a, &back)
}

fn floor_div<T>(i: T, j: T) -> T
where
    T: num_traits::PrimInt + WrappingSub + WrappingMul,
{
    if j == T::zero().wrapping_sub(&T::one()) && T::min_value() < T::zero() {
        return T::zero().wrapping_sub(&i);
    }
    let quotient = i / j;
    let inexact = quotient.wrapping_mul(&j) != i;
    if inexact && ((i < T::zero()) != (j < T::zero())) {
        quotient.wrapping_sub(&T::one())
    } else {
        quotient
    }
}

/// Computes a power, wrapping. Returns 0 for a negative exponent.
fn integer_power<T>(base: T, exponent: T) -> T
where
    T: num_traits::PrimInt + WrappingMul,
{
    let Some(mut left) = exponent.to_u64() else {
        return T::zero();
    };
    let (mut power, mut square) = (T::one(), base);
    while left > 0 {
        if left & 1 == 1 {
            power = power.wrapping_mul(&square);
        }
        square = square.wrapping_mul(&square);
        left >>= 1;
    }
    power
}

fn atan2(args: &Args<'_>) -> RunResult<Value> {
    let (a, b) = operands(args)?;
    Ok(float_zip!(&a, &b, 16, x, y => x.atan2(y))?.into())
}

fn log_add_exp(args: &Args<'_>) -> RunResult<Value> {
    let (a, b) = operands(args)?;
    Ok(float_zip!(&a, &b, 16, x, y => (x.exp() + y.exp()).ln())?.into())
}

/// Defines bitwise kernels on integers and bool.
macro_rules! bitwise {
    ($($run:ident, $x:ident, $y:ident => $body:expr;)+) => {
        $(fn $run(args: &Args<'_>) -> RunResult<Value> {
            let (a, b) = operands(args)?;
            let kind = a.kind();
            if kind == Kind::Bool {
                return Ok(map::binary::<u8, u8, u8>(&a, &b, 1, |$x, $y| $body)?.as_bool().into());
            }
            Ok(dispatch_int!(
                kind,
                T => map::binary::<T, T, T>(&a, &b, 1, |$x: T, $y: T| $body),
                other => Err(RunError::dtype(format!("needs integers, but has {}", kind.dtype())))
            )?.into())
        })+
    };
}

bitwise! {
    bitwise_and, x, y => x & y;
    bitwise_or, x, y => x | y;
    bitwise_xor, x, y => x ^ y;
    left_shift, x, y => x.wrapping_shl(y as u32);
    right_shift, x, y => x.wrapping_shr(y as u32);
}

/// Returns `x` where it is positive, and `alpha * x` elsewhere. `alpha` runs along one axis.
pub(super) fn prelu(args: &Args<'_>) -> RunResult<Value> {
    let (x, alpha) = (args.operand(0)?, args.operand(1)?);
    let axis = super::args::axis_of(args.int_or("axis", 1)?, x.ndim())?;
    let mut shape = vec![1; x.ndim()];
    shape[axis] = alpha.len();
    let alpha = alpha.reshaped(&shape)?;
    let (x, alpha) = same_kind(x, alpha, false, false)?;
    Ok(float_zip!(&x, &alpha, 1, v, slope => if v > 0.0 { v } else { v * slope })?.into())
}

/// Returns `x1 * x2 + x3`.
pub(super) fn ewise_fma(args: &Args<'_>) -> RunResult<Value> {
    let (a, b, c) = (args.operand(0)?, args.operand(1)?, args.operand(2)?);
    let (a, b) = same_kind(a, b, false, false)?;
    let (a, c) = same_kind(a, c, false, false)?;
    let product = dispatch_int!(
        a.kind(),
        T => map::binary::<T, T, T>(&a, &b, 1, |x: T, y: T| WrappingMul::wrapping_mul(&x, &y))?,
        other => float_zip!(&a, &b, 1, x, y => x * y)?
    );
    Ok(dispatch_int!(
        a.kind(),
        T => map::binary::<T, T, T>(&product, &c, 1, |x: T, y: T| WrappingAdd::wrapping_add(&x, &y)),
        other => float_zip!(&product, &c, 1, x, y => x + y)
    )?
    .into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.add", add),
    Kernel::new("relax.atan2", atan2),
    Kernel::new("relax.bitwise_and", bitwise_and),
    Kernel::new("relax.bitwise_or", bitwise_or),
    Kernel::new("relax.bitwise_xor", bitwise_xor),
    Kernel::new("relax.divide", divide),
    Kernel::new("relax.equal", compare::equal),
    Kernel::new("relax.floor_divide", floor_divide),
    Kernel::new("relax.floor_mod", floor_mod),
    Kernel::new("relax.greater", compare::greater),
    Kernel::new("relax.greater_equal", compare::greater_equal),
    Kernel::new("relax.left_shift", left_shift),
    Kernel::new("relax.less", compare::less),
    Kernel::new("relax.less_equal", compare::less_equal),
    Kernel::new("relax.log_add_exp", log_add_exp),
    Kernel::new("relax.logical_and", compare::logical_and),
    Kernel::new("relax.logical_or", compare::logical_or),
    Kernel::new("relax.logical_xor", compare::logical_xor),
    Kernel::new("relax.maximum", maximum),
    Kernel::new("relax.minimum", minimum),
    Kernel::new("relax.mod", modulo),
    Kernel::new("relax.multiply", multiply),
    Kernel::new("relax.not_equal", compare::not_equal),
    Kernel::new("relax.power", power),
    Kernel::new("relax.right_shift", right_shift),
    Kernel::new("relax.subtract", subtract),
];
