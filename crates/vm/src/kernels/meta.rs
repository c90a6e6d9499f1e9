//! Operators about values rather than on them: shapes as values, inspection, placement.

use relax::dtype::{Code, DType};

use super::manipulate::steps_of;
use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Scalar, Tensor};
use crate::value::{Prim, Value};

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

fn identity(args: &Args<'_>) -> RunResult<Value> {
    args.first_value()
}

fn wrap_param(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    Ok(x.cast(args.dtype("dtype")?.unwrap_or(Kind::F32))?.into())
}

/// The same bytes under another shape and dtype.
fn view(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    let kind = args.dtype("dtype")?.unwrap_or(x.kind());
    let offset = args.int_or("relative_byte_offset", 0)?;
    let shape = match args.opt_ints("shape")? {
        Some(_) => args.dims("shape")?,
        None if kind.bytes() == x.kind().bytes() => x.shape().to_vec(),
        None => {
            let mut shape = x.shape().to_vec();
            let last = shape
                .last_mut()
                .ok_or_else(|| RunError::shape("a scalar needs a new shape too"))?;
            *last = *last * x.kind().bytes() / kind.bytes();
            shape
        }
    };
    let bytes = x.bytes()?;
    let wanted = crate::tensor::alloc::element_count(&shape, kind.bytes())? * kind.bytes();
    let start =
        usize::try_from(offset).map_err(|_| RunError::argument("the offset is negative"))?;
    let part = start
        .checked_add(wanted)
        .and_then(|end| bytes.get(start..end))
        .ok_or_else(|| {
            RunError::shape(format!(
                "a view of {wanted} bytes from byte {start} does not fit {} bytes",
                bytes.len()
            ))
        })?;
    Ok(Tensor::from_bytes(kind, &shape, part)?.into())
}

fn alloc_tensor(args: &Args<'_>) -> RunResult<Value> {
    let kind = args.dtype("dtype")?.unwrap_or(Kind::F32);
    Ok(Tensor::zeros(kind, &args.dims("shape")?)?.into())
}

fn prim(dtype: DType, value: usize) -> Value {
    let value = Scalar::Int(value as i64);
    Value::Prim(Prim { dtype, value })
}

fn dtype_code(args: &Args<'_>) -> RunResult<Value> {
    let code = match args.operand(0)?.dtype().code {
        Code::Int => 0,
        Code::UInt => 1,
        Code::Float => 2,
        Code::Handle | Code::Python => 3,
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

/// Every tensor here starts where its elements start.
fn offset(args: &Args<'_>) -> RunResult<Value> {
    args.operand(0)?;
    Ok(prim(DType::I64, 0))
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.builtin.alloc_tensor", alloc_tensor),
    Kernel::new("relax.builtin.stop_lift_params", identity),
    Kernel::new("relax.dist.annotate_sharding", identity),
    Kernel::new("relax.grad.end_checkpoint", identity),
    Kernel::new("relax.grad.no_grad", identity),
    Kernel::new("relax.grad.start_checkpoint", identity),
    Kernel::new("relax.hint_on_device", identity),
    Kernel::new("relax.inspect.tensor_byte_offset", offset),
    Kernel::new("relax.inspect.tensor_dtype_bits", dtype_bits),
    Kernel::new("relax.inspect.tensor_dtype_code", dtype_code),
    Kernel::new("relax.inspect.tensor_dtype_lanes", dtype_lanes),
    Kernel::new("relax.inspect.tensor_elem_offset", offset),
    Kernel::new("relax.inspect.tensor_ndim", ndim),
    Kernel::new("relax.inspect.tensor_shape_i", shape_i),
    Kernel::new("relax.inspect.tensor_stride_i", stride_i),
    Kernel::new("relax.memory.ensure_zero_offset", identity),
    Kernel::new("relax.memory.view", view),
    Kernel::new("relax.null_value", |_| Ok(Value::Null)),
    Kernel::new("relax.shape_of", shape_of),
    Kernel::new("relax.shape_to_tensor", shape_to_tensor),
    Kernel::new("relax.size", size),
    Kernel::new("relax.tensor_to_shape", tensor_to_shape),
    Kernel::new("relax.to_vdevice", identity),
    Kernel::new("relax.wrap_param", wrap_param),
];
