//! Operators that TVM's lowering inserts: storage, calls of lowered functions.

use super::transform::unknown;
use super::{Op, op};

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("call_lowered", "func call_args", "metadata: any = None", unknown),
    op("memory.alloc_storage", "size shape alignment", "dtype: dtype = float32, virtual_device: any", unknown),
    op("memory.alloc_tensor", "storage offset shape", "dtype: dtype = float32, const_shape: any, assert_shape: ints", unknown),
    op("memory.kill", "to_free", "", unknown),
    op("vm.invoke_tvm_op", "op ins outs", "", unknown),
];
