//! The operators and host functions that may return memory of their arguments.

/// The functions by TVM's name.
const VIEWS: &[&str] = &[
    "relax.reshape",
    "relax.flatten",
    "relax.squeeze",
    "relax.expand_dims",
    "relax.permute_dims",
    "relax.broadcast_to",
    "relax.collapse_sum_to",
    "relax.collapse_sum_like",
    "relax.split",
    "relax.astype",
    "relax.wrap_param",
    "relax.nn.dropout",
    "relax.strided_slice",
    "relax.layout_transform",
    "relax.builtin.stop_lift_params",
    "relax.call_tir_inplace",
    "relax.hint_on_device",
    "relax.memory.ensure_zero_offset",
    "relax.memory.view",
    "relax.to_vdevice",
    "runtime.TVMTensorCreateView",
    "vm.builtin.copy",
    "vm.builtin.ensure_zero_offset",
    "vm.builtin.make_tuple",
    "vm.builtin.reshape",
    "vm.builtin.to_device",
    "vm.builtin.tuple_getitem",
];

/// Returns `true` if the result may be or contain the memory of an argument.
pub fn returns_view(name: &str) -> bool {
    VIEWS.contains(&name)
}
