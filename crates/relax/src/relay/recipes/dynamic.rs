//! Recipes of operators whose shapes are values.

use super::Recipe::Made;
use super::elementwise::as_dtype;
use super::indexing::topk_of;
use super::{Build, Refusal, Rows, Val};
use crate::dtype::DType;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("dyn.reshape", Made(|b| { let (x, shape) = (b.input(0)?, b.input(1)?); let shape = as_shape(b, &shape)?; b.call("reshape", &[&x, &shape]) })),
    ("dyn.broadcast_to", Made(|b| { let (x, shape) = (b.input(0)?, b.input(1)?); let shape = as_shape(b, &shape)?; b.call("broadcast_to", &[&x, &shape]) })),
    ("dyn.zeros", Made(|b| filled(b, "zeros"))),
    ("dyn.ones", Made(|b| filled(b, "ones"))),
    ("dyn.full", Made(full)),
    ("dyn.strided_slice", Made(strided_slice)),
    ("dyn.topk", Made(topk)),
];

/// A vector of integers as a shape.
fn as_shape(b: &mut Build<'_>, vector: &Val) -> Result<Val, Refusal> {
    let wide = as_dtype(b, vector, DType::I64)?;
    b.call("tensor_to_shape", &[&wide])
}

fn filled(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let shape = b.input(0)?;
    let dtype = b.dtype("dtype")?;
    let shape = as_shape(b, &shape)?;
    b.op(op, vec![shape.into(), dtype.into()], [])
}

fn full(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (value, shape) = (b.input(0)?, b.input(1)?);
    let dtype = b.opt_dtype("dtype")?.unwrap_or(b.dtype_of(&value)?);
    let shape = as_shape(b, &shape)?;
    b.op("full", vec![shape.into(), value.into(), dtype.into()], [])
}

fn strided_slice(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let mut args = Vec::new();
    let x = b.input(0)?;
    if b.str("slice_mode")? != "end" {
        return Refusal::new("`dyn.strided_slice` by sizes");
    }
    args.push(x.into());
    for at in 1..4 {
        let vector = b.input(at)?;
        args.push(as_dtype(b, &vector, DType::I64)?.into());
    }
    b.op("dynamic_strided_slice", args, [])
}

fn topk(b: &mut Build<'_>) -> Result<Val, Refusal> {
    match b.constant(1) {
        Some(k) => topk_of(b, k as i64),
        None => Refusal::new("`dyn.topk` of a number that only a run knows"),
    }
}
