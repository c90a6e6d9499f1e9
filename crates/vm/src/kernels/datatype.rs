//! Operators that change the dtype of a tensor.

use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::Kind;
use crate::value::Value;

fn wrap_param(args: &Args<'_>) -> RunResult<Value> {
    let x = args.operand(0)?;
    Ok(x.cast(args.dtype("dtype")?.unwrap_or(Kind::F32))?.into())
}

fn astype(args: &Args<'_>) -> RunResult<Value> {
    let kind = args
        .dtype("dtype")?
        .or(args.out_kind())
        .ok_or_else(|| RunError::argument("argument dtype is missing"))?;
    Ok(args.operand(0)?.cast(kind)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.astype", astype),
    Kernel::new("relax.wrap_param", wrap_param),
];
