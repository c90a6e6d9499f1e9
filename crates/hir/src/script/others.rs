//! Names under `T` and `I` that exist and that nobody describes here: what lowering writes, what devices have,
//! what only builders say.

/// In any version of TVM from 0.19 on; sorted.
#[rustfmt::skip]
pub(super) const TIR: &[&str] = &[
    "Add", "Bind", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Break", "BufferLoad",
    "Call", "CallEffectKind", "CommReducer", "ComposeLayout", "Continue", "Div", "DtypeConstructor",
    "EQ", "Else", "ExecScope", "FloatImm", "FloorDiv", "FloorMod", "GE", "GT", "If", "IntImm",
    "Iter", "IterVar", "LE", "LShift", "LT", "Layout", "Let", "LetAnnotation", "LetStmt",
    "LocalVectorAnnotation", "Max", "Min", "Mod", "Mul", "NE", "Optional", "ProducerLoad", "R",
    "RShift", "Range", "Reduce", "S", "SMEMPool", "ScopeIdDef", "StringImm", "Sub", "TMEMPool",
    "TVMBackendAllocWorkspace", "TVMBackendFreeWorkspace", "TensorMap", "Then", "TileLayout",
    "Tuple", "While", "add_to_parent", "alloc_cast_frag", "alloc_local", "alloc_scalar",
    "alloc_shared", "alloc_tcgen05_ldst_frag", "anylist_getitem", "anylist_resetitem",
    "anylist_setitem_call_cpacked", "anylist_setitem_call_packed", "arg", "axis", "bf16", "bind",
    "block_name_suffix_context", "boolean", "break_loop", "broadcast", "buffer", "buffer_decl",
    "buffer_var", "builder", "call_cpacked", "call_cpacked_lowered", "call_ffi_kernel",
    "call_kernel", "call_llvm_pure_intrin", "call_packed_lowered", "cluster", "cluster_id",
    "constexpr", "continue_loop", "cooperative_tensor_fill", "cooperative_tensor_load",
    "cooperative_tensor_multiply_accumulate", "cooperative_tensor_store", "create_barriers", "cta",
    "cta_id", "cta_id_in_cluster", "cta_id_in_pair", "cuda", "decl_scalar", "device_entry", "dp4a",
    "end_profile_intrinsic", "f16", "f32", "f64", "filter", "get_active_lane_mask",
    "handle_add_byte_offset", "hint", "i16", "i32", "i64", "i8", "ignore_loop_partition",
    "iter_var", "jit", "lane_id", "let", "llvm_lookup_intrinsic_id", "local_scalar", "lookup_param",
    "make_filled_simdgroup_matrix", "masked_load", "masked_store", "meta_class", "metal",
    "mma_fill", "mma_store", "nki", "nvshmem", "parser", "print_buffer", "ptr", "ptr_byte_offset",
    "ptx", "ptx_arrive_barrier", "ptx_arrive_barrier_expect_tx", "ptx_commit_group", "ptx_cp_async",
    "ptx_cp_async_barrier", "ptx_cp_async_bulk", "ptx_init_barrier_thread_count", "ptx_ldmatrix",
    "ptx_legacy", "ptx_mma", "ptx_mma_sp", "ptx_wait_barrier", "ptx_wait_group",
    "q_multiply_shift_per_axis", "ramp", "register_script_namespace", "s_tir", "scalar_wrapper",
    "scope_id", "selector", "shared_scalar", "simdgroup_load", "simdgroup_multiply_accumulate",
    "simdgroup_store", "smem", "start_profile_intrinsic", "static_assert", "tensormap_encode_tiled",
    "thread", "thread_id", "thread_id_in_wg", "thread_return", "tile", "tmem", "tvm_access_ptr",
    "tvm_bmma_sync", "tvm_call_cpacked", "tvm_call_cpacked_lowered", "tvm_call_packed",
    "tvm_call_packed_lowered", "tvm_check_return", "tvm_fill_fragment", "tvm_global_barrier_kinit",
    "tvm_kernel_replace_point", "tvm_load_matrix_sync", "tvm_mma_sync", "tvm_stack_alloca",
    "tvm_stack_make_array", "tvm_stack_make_shape", "tvm_store_matrix_sync", "tvm_struct_get",
    "tvm_struct_set", "tvm_thread_allreduce", "tvm_thread_invariant", "tvm_throw_last_error",
    "tvm_tuple", "tvm_warp_activemask", "tvm_warp_shuffle", "tvm_warp_shuffle_down",
    "tvm_warp_shuffle_up", "tvm_warp_shuffle_xor", "type_annotation", "u16", "u32", "u64", "u8",
    "vectorcombine", "vectorhigh", "vectorlow", "void", "warp", "warp_id", "warp_id_in_wg",
    "warpgroup", "warpgroup_id", "webgpu", "wg", "wg_reg_tile",
];

#[rustfmt::skip]
pub(super) const IR: &[&str] = &[
    "GenericConst", "IRModuleFrame", "Range", "StringImm", "StringType", "decl_function",
    "def_function", "entry", "frame", "ir", "lookup_name", "parser",
];
