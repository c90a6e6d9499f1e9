//! `relax.inspect.*`: the dtype, shape and strides of a tensor.

use relax::dtype::Code;

use super::{Builtin, done};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "relax.inspect.tensor_dtype_code", run: |call| {
        // The dtype codes of DLPack.
        let code = match call.tensor(0)?.dtype().code {
            Code::Int => 0,
            Code::UInt => 1,
            Code::Float => 2,
            Code::Handle | Code::Void | Code::Python => 3,
            Code::BFloat => 4,
            Code::Bool => 6,
            Code::Tiny(_) => 7,
        };
        done(Value::int(code))
    } },
    Builtin { name: "relax.inspect.tensor_dtype_bits", run: |call| {
        done(Value::int(i64::from(call.tensor(0)?.dtype().bits)))
    } },
    Builtin { name: "relax.inspect.tensor_dtype_lanes", run: |call| {
        done(Value::int(i64::from(call.tensor(0)?.dtype().lanes)))
    } },
    Builtin { name: "relax.inspect.tensor_ndim", run: |call| {
        done(Value::int(call.tensor(0)?.ndim() as i64))
    } },
    Builtin { name: "relax.inspect.tensor_shape_i", run: shape_i },
    Builtin { name: "relax.inspect.tensor_stride_i", run: stride_i },
    Builtin { name: "relax.inspect.tensor_byte_offset", run: offset },
    Builtin { name: "relax.inspect.tensor_elem_offset", run: offset },
];

fn axis(call: &mut Call<'_, '_, '_>, ndim: usize) -> RunResult<usize> {
    let axis = call.int(1)?;
    usize::try_from(axis)
        .ok()
        .filter(|&axis| axis < ndim)
        .ok_or_else(|| {
            RunError::argument(format!("axis {axis} is out of range for {ndim} dimensions"))
        })
}

fn shape_i(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let dims = call.dims(0)?;
    let axis = axis(call, dims.len())?;
    done(Value::int(dims[axis]))
}

/// Reports row-major strides, whatever the layout in memory.
fn stride_i(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let dims = call.dims(0)?;
    let axis = axis(call, dims.len())?;
    let stride = dims[axis + 1..]
        .iter()
        .try_fold(1i64, |n, &d| n.checked_mul(d));
    done(Value::int(stride.unwrap_or(i64::MAX)))
}

fn offset(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    call.tensor(0)?;
    done(Value::int(0))
}
