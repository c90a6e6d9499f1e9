//! Views of a tensor's bytes.

use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::value::Value;

/// Returns the same bytes with another shape and dtype.
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
    Ok(x.viewed(kind, &shape, offset)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.memory.ensure_zero_offset", super::identity),
    Kernel::new("relax.memory.view", view),
];
