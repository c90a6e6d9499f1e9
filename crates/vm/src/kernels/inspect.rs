//! Properties of a tensor: dtype, extents, strides, offsets.

use relax::dtype::{Code, DType};

use super::shape::steps_of;
use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::{Scalar, Tensor};
use crate::value::{Prim, Value};

fn prim(dtype: DType, value: usize) -> Value {
    let value = Scalar::Int(value as i64);
    Value::Prim(Prim { dtype, value })
}

fn dtype_code(args: &Args<'_>) -> RunResult<Value> {
    let code = match args.operand(0)?.dtype().code {
        Code::Int => 0,
        Code::UInt => 1,
        Code::Float => 2,
        Code::Handle | Code::Void | Code::Python => 3,
        Code::BFloat => 4,
        Code::Bool => 6,
        Code::Tiny(_) => 7,
    };
    Ok(prim(DType::U8, code))
}

fn dtype_bits(args: &Args<'_>) -> RunResult<Value> {
    let dtype = args.operand(0)?.dtype();
    Ok(prim(
        DType::U8,
        if dtype.is_bool() {
            8
        } else {
            dtype.bits as usize
        },
    ))
}

fn dtype_lanes(args: &Args<'_>) -> RunResult<Value> {
    Ok(prim(DType::U16, args.operand(0)?.dtype().lanes as usize))
}

fn ndim(args: &Args<'_>) -> RunResult<Value> {
    Ok(prim(DType::I32, args.operand(0)?.ndim()))
}

fn axis(args: &Args<'_>, x: &Tensor) -> RunResult<usize> {
    let axis = args.int("axis")?;
    usize::try_from(axis)
        .ok()
        .filter(|&axis| axis < x.ndim())
        .ok_or_else(|| {
            RunError::argument(format!(
                "axis {axis} is out of range for {} dimensions",
                x.ndim()
            ))
        })
}

fn shape_i(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    Ok(prim(DType::I64, x.shape()[axis(args, &x)?]))
}

fn stride_i(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    Ok(prim(
        DType::I64,
        steps_of(x.shape())[axis(args, &x)?].unsigned_abs(),
    ))
}

/// Always 0: here every tensor starts at its own elements.
fn offset(args: &Args<'_>) -> RunResult<Value> {
    args.operand(0)?;
    Ok(prim(DType::I64, 0))
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.inspect.tensor_byte_offset", offset),
    Kernel::new("relax.inspect.tensor_dtype_bits", dtype_bits),
    Kernel::new("relax.inspect.tensor_dtype_code", dtype_code),
    Kernel::new("relax.inspect.tensor_dtype_lanes", dtype_lanes),
    Kernel::new("relax.inspect.tensor_elem_offset", offset),
    Kernel::new("relax.inspect.tensor_ndim", ndim),
    Kernel::new("relax.inspect.tensor_shape_i", shape_i),
    Kernel::new("relax.inspect.tensor_stride_i", stride_i),
];
