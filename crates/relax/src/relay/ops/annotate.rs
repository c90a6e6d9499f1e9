//! Annotations that passes of TVM leave in a program. Their results are their inputs.

use super::elementwise::same;
use super::transform::unknown;
use super::{Op, op};

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("annotation.bitpack_end", "data", "", same),
    op("annotation.bitpack_start", "data", "", same),
    op("annotation.cast_hint", "data", "dtype: dtype", same).keyed("relay.attrs.CastHintAttrs"),
    op("annotation.checkpoint", "data", "", same),
    op("annotation.compiler_begin", "data", "compiler: str", same).keyed("relay.attrs.CompilerAttrs"),
    op("annotation.compiler_end", "data", "compiler: str", same).keyed("relay.attrs.CompilerAttrs"),
    op("annotation.stop_fusion", "data", "", same),
    op("annotation.with_funcid", "func", "fid: any = -1", same).keyed("relay.attrs.WithFuncIdAttrs"),
    op("debug", "program", "debug_func: any", same),
    op("device_copy", "data", "src_virtual_device: any, dst_virtual_device: any", same),
    op("on_device", "body", "virtual_device: any = None, constrain_result: bool = false, constrain_body: bool = true", same),
    op("parser.MetaRef", "", "node_type_key: str, node_index: int", unknown),
    op("relay.op.annotation.simulated_quantize", "data dom_scale clip_min clip_max", "kind: int, sign: bool = true, rounding: str = \"round\"", same),
    op("torch_op", "", "serialized_function: str = \"\", len: int = -1", unknown).variadic(),
];
