//! Views of a tensor's bytes.

use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;
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

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.memory.ensure_zero_offset", super::identity),
    Kernel::new("relax.memory.view", view),
];
