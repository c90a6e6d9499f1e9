//! Operators that TVM's lowering inserts: storage, calls of lowered functions.

use super::transform::unknown;
use super::{Op, op};
use crate::relay::site::{Answer, Site, Stop};
use crate::relay::types::Type;

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("call_lowered", "func call_args", "metadata: any = None", call_lowered),
    op("memory.alloc_storage", "size shape alignment", "dtype: dtype = float32, virtual_device: any", |_| Ok(Type::adt("Storage", []).into())),
    op("memory.alloc_tensor", "storage offset shape", "dtype: dtype = float32, const_shape: any, assert_shape: ints", unknown),
    op("memory.kill", "to_free", "", |_| Ok(Type::unit().into())),
    op("vm.invoke_tvm_op", "op ins outs", "", unknown),
];

/// Calls a function with the fields of a tuple.
fn call_lowered(site: &Site<'_>) -> Result<Answer, Stop> {
    match site.types {
        [Type::Hole(_), ..] => Err(Stop::Wait),
        [Type::Function(function), _] if function.type_params.is_empty() => {
            let params = Type::Tuple(function.params.clone());
            Ok(Answer::from(function.ret.clone()).expecting(1, params))
        }
        _ => Err(Stop::Unknown),
    }
}
