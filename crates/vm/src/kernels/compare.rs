//! Comparison, logic and selection.

use std::cmp::Ordering;

use super::{Args, binary, map};
use crate::error::RunResult;
use crate::tensor::{Kind, dispatch, dispatch_word};
use crate::value::Value;

macro_rules! comparisons {
    ($($run:ident, $x:ident, $y:ident => $body:expr;)+) => {
        $(pub(super) fn $run(args: &Args<'_>) -> RunResult<Value> {
            let (a, b) = binary::operands(args)?;
            let truth = dispatch!(a.kind(), T => map::binary::<T, T, u8>(&a, &b, 1, |$x: T, $y: T| u8::from($body))?);
            Ok(truth.as_bool().into())
        })+
    };
}

comparisons! {
    equal, x, y => x == y;
    // TVM's code for processors compares ordered numbers: NaN is not unequal to anything.
    not_equal, x, y => x.partial_cmp(&y).is_some_and(Ordering::is_ne);
    greater, x, y => x > y;
    greater_equal, x, y => x >= y;
    less, x, y => x < y;
    less_equal, x, y => x <= y;
}

fn logic(args: &Args<'_>, f: fn(u8, u8) -> u8) -> RunResult<Value> {
    let a = args.operand(0)?.cast(Kind::Bool)?;
    let b = args.operand(1)?.cast(Kind::Bool)?;
    Ok(map::binary::<u8, u8, u8>(&a, &b, 1, f)?.as_bool().into())
}

pub(super) fn logical_and(args: &Args<'_>) -> RunResult<Value> {
    logic(args, |x, y| x & y)
}

pub(super) fn logical_or(args: &Args<'_>) -> RunResult<Value> {
    logic(args, |x, y| x | y)
}

pub(super) fn logical_xor(args: &Args<'_>) -> RunResult<Value> {
    logic(args, |x, y| x ^ y)
}

/// Returns `x1` where the condition holds, and `x2` elsewhere, with broadcasting.
pub(super) fn select(args: &Args<'_>) -> RunResult<Value> {
    let condition = args.operand(0)?.cast(Kind::Bool)?;
    let (a, b) = binary::same_kind(
        args.operand(1)?,
        args.operand(2)?,
        args.is_scalar(1),
        args.is_scalar(2),
    )?;
    let shape = map::broadcast_shape(
        condition.shape(),
        &map::broadcast_shape(a.shape(), b.shape())?,
    )?;
    let condition = map::broadcast_to(&condition, &shape)?;
    let (a, b) = (
        map::broadcast_to(&a, &shape)?,
        map::broadcast_to(&b, &shape)?,
    );
    let kind = a.kind();
    Ok(dispatch_word!(kind, W => {
        let (condition, a, b) = (condition.values::<u8>()?, a.words::<W>()?, b.words::<W>()?);
        crate::tensor::Tensor::generate_words::<W>(kind, &shape, |out| {
            let pairs = a.iter().zip(b.iter());
            for ((slot, &holds), (&x, &y)) in out.iter_mut().zip(condition.iter()).zip(pairs) {
                *slot = if holds == 0 { y } else { x };
            }
            Ok(())
        })?
    })
    .into())
}
