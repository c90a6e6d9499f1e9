//! Memory: storages, tensors in storages, views, and the end of a value's life.

use relax::dtype::DType;

use super::{Builtin, done, nothing};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::tensor::{Kind, Storage, Tensor};
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.alloc_tensor", run: alloc_or_place },
    Builtin { name: "vm.builtin.alloc_storage", run: |call| alloc_storage(call, Some(2)) },
    Builtin { name: "vm.builtin.memory_manager.clear", run: |_| nothing() },
    Builtin { name: "relax.builtin.alloc_tensor", run: |call| alloc(call, 0, 1) },
    Builtin { name: "relax.memory.alloc_tensor", run: alloc_in_storage },
    Builtin { name: "relax.vm.alloc_tensor", run: alloc_in_storage },
    Builtin { name: "relax.memory.alloc_storage", run: |call| alloc_storage(call, None) },
    Builtin { name: "relax.vm.alloc_storage", run: |call| alloc_storage(call, Some(2)) },
    Builtin { name: "relax.memory.kill_storage", run: kill },
    Builtin { name: "relax.memory.kill_tensor", run: kill },
    Builtin { name: "relax.vm.kill_object", run: kill_object },
    Builtin { name: "relax.memory.view", run: view },
    Builtin { name: "runtime.TVMTensorCreateView", run: view },
    Builtin { name: "relax.memory.ensure_zero_offset", run: first_argument },
    Builtin { name: "vm.builtin.ensure_zero_offset", run: first_argument },
    Builtin { name: "relax.builtin.stop_lift_params", run: first_argument },
    Builtin { name: "relax.to_vdevice", run: first_argument },
    Builtin { name: "relax.hint_on_device", run: first_argument },
    Builtin { name: "vm.builtin.to_device", run: first_argument },
    Builtin { name: "vm.builtin.reshape", run: reshape },
];

pub(super) fn shape(dims: &[i64]) -> RunResult<Vec<usize>> {
    dims.iter()
        .map(|&dim| {
            usize::try_from(dim)
                .map_err(|_| RunError::shape(format!("a tensor has no dimension {dim}")))
        })
        .collect()
}

fn alloc(call: &mut Call<'_, '_, '_>, dims: usize, dtype: usize) -> RunResult<Outcome> {
    let dims = shape(&call.dims(dims)?)?;
    let dtype = call
        .dtype(dtype)?
        .ok_or_else(|| RunError::argument("a tensor needs a dtype"))?;
    done(Tensor::allocated(Kind::of(dtype)?, &dims)?)
}

/// Allocates a tensor, or, called with TVM's arguments, one in a storage.
fn alloc_or_place(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    match call.peek(0) {
        Ok(Value::Storage(_)) => alloc_in_storage(call),
        _ => alloc(call, 0, 1),
    }
}

/// Arguments `(storage, offset, shape, dtype)`. The storage must be large enough.
fn alloc_in_storage(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let storage = call.value(0)?;
    let offset = call.int(1)?;
    let dims = shape(&call.dims(2)?)?;
    let dtype = call
        .dtype(3)?
        .ok_or_else(|| RunError::argument("a tensor needs a dtype"))?;
    let kind = Kind::of(dtype)?;
    match storage {
        Value::Storage(storage) => done(storage.tensor(kind, &dims, offset)?),
        _ => done(Tensor::allocated(kind, &dims)?),
    }
}

/// Allocates a storage for a shape, in elements of the dtype at `dtype`, or in bytes.
fn alloc_storage(call: &mut Call<'_, '_, '_>, dtype: Option<usize>) -> RunResult<Outcome> {
    let dims = call.dims(0)?;
    let dtype = match dtype {
        Some(at) => call.dtype(at)?.unwrap_or(DType::U8),
        None => DType::U8,
    };
    let bytes = dims
        .iter()
        .try_fold(dtype.bytes().max(1) as u64, |n, &d| {
            n.checked_mul(u64::try_from(d).ok()?)
        })
        .ok_or_else(|| RunError::shape(format!("a storage of shape {dims:?} cannot exist")))?;
    done(Value::Storage(Storage::new(bytes, dtype)))
}

/// Moves the value out of its register and drops it. The memory of a tensor remains in its storage.
fn kill(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    call.value(0)?;
    call.keep_for_debugger(0)?;
    nothing()
}

/// Drops an object in every register that holds it.
fn kill_object(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    call.forget(0)?;
    nothing()
}

fn first_argument(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    done(call.value(0)?)
}

fn reshape(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let tensor = call.tensor(0)?;
    let dims = shape(&call.dims(1)?)?;
    done(tensor.fitted(&dims)?)
}

/// Arguments `(data, shape, dtype, relative_byte_offset)`. Reinterprets the bytes of a tensor.
fn view(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let data = call.tensor(0)?;
    let dims = match call.peek(1)? {
        Value::Null => None,
        _ => Some(shape(&call.dims(1)?)?),
    };
    let kind = match call.dtype(2)? {
        Some(dtype) => Kind::of(dtype)?,
        None => data.kind(),
    };
    let offset = match call.peek(3) {
        Ok(Value::Null) | Err(_) => 0,
        Ok(_) => call.int(3)?,
    };
    let dims = dims.unwrap_or_else(|| data.shape().to_vec());
    done(data.viewed(kind, &dims, offset)?)
}
