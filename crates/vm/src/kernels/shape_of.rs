//! Shapes as values.

use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

fn shape_of(args: &Args<'_>) -> RunResult<Value> {
    let dims: Vec<i64> = args.operand(0)?.shape().iter().map(|&d| d as i64).collect();
    Ok(dims.into())
}

fn shape_to_tensor(args: &Args<'_>) -> RunResult<Value> {
    let dims = args.first_ints()?;
    Ok(Tensor::from_vec(&[dims.len()], dims)?.into())
}

fn tensor_to_shape(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    if x.ndim() != 1 || x.kind().is_float() {
        return Err(RunError::shape("a shape is a vector of integers"));
    }
    Ok(x.cast(Kind::I64)?.values::<i64>()?.into_owned().into())
}

fn size(args: &Args<'_>) -> RunResult<Value> {
    Ok(Tensor::scalar(args.operand(0)?.len() as i64)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.shape_of", shape_of),
    Kernel::new("relax.shape_to_tensor", shape_to_tensor),
    Kernel::new("relax.size", size),
    Kernel::new("relax.tensor_to_shape", tensor_to_shape),
];
