//! Allocation, and annotations that passes leave behind.

use super::{Args, Kernel};
use crate::error::RunResult;
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

fn alloc_tensor(args: &Args<'_>) -> RunResult<Value> {
    let kind = args.dtype("dtype")?.unwrap_or(Kind::F32);
    Ok(Tensor::zeros(kind, &args.dims("shape")?)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.builtin.alloc_tensor", alloc_tensor),
    Kernel::new("relax.builtin.stop_lift_params", super::identity),
    Kernel::new("relax.null_value", |_| Ok(Value::Null)),
];
