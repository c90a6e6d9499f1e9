//! The table of renamed names in TVM's Python API and of renamed attributes, with the release and the source of each.

use super::Release;

/// A dotted path that was renamed.
#[derive(Debug)]
pub struct Rename {
    /// The first release with the new name.
    pub since: Release,
    pub old: &'static str,
    pub new: &'static str,
    /// The pull request in apache/tvm.
    pub source: &'static str,
}

const fn row(since: Release, old: &'static str, new: &'static str, source: &'static str) -> Rename {
    Rename {
        since,
        old,
        new,
        source,
    }
}

/// Modules, functions and classes, oldest change first. A longer path takes precedence over a shorter one.
#[rustfmt::skip]
pub static RENAMES: &[Rename] = &[
    row(Release::V0_20, "tvm.relax.Executable", "tvm.relax.VMExecutable", "#17710"),
    row(Release::V0_21, "tvm.runtime.relax_vm", "tvm.runtime.vm", "#18049"),
    row(Release::V0_22, "tvm._ffi.register_func", "tvm.register_global_func", "#18275"),
    row(Release::V0_22, "tvm._ffi.get_global_func", "tvm.get_global_func", "#18275"),
    row(Release::V0_22, "tvm.register_func", "tvm.register_global_func", "#18275"),
    row(Release::V0_22, "tvm.nd.array", "tvm.runtime.tensor", "#18275"),
    row(Release::V0_22, "tvm.nd.empty", "tvm.runtime.empty", "#18275"),
    row(Release::V0_22, "tvm.nd.NDArray", "tvm.runtime.Tensor", "#18275"),
    row(Release::V0_22, "tvm.runtime.ndarray.array", "tvm.runtime.tensor", "#18275"),
    row(Release::V0_22, "tvm.runtime.NDArray", "tvm.runtime.Tensor", "#18275"),
    row(Release::V0_24, "tvm.script.tir", "tvm.script.tirx", "#18913"),
    row(Release::V0_24, "tvm.script.parser.tir", "tvm.script.parser.tirx", "#18913"),
    row(Release::V0_24, "tvm.script.ir_builder.tir", "tvm.script.ir_builder.tirx", "#18913"),
    row(Release::V0_24, "tvm.tir", "tvm.tirx", "#18913"),
    row(Release::V0_24, "tvm.tir.Schedule", "tvm.s_tir.Schedule", "#18712"),
    row(Release::V0_24, "tvm.tir.ScheduleError", "tvm.s_tir.ScheduleError", "#18712"),
    row(Release::V0_24, "tvm.tir.ScheduleState", "tvm.s_tir.ScheduleState", "#18712"),
    row(Release::V0_24, "tvm.tir.StmtSRef", "tvm.s_tir.StmtSRef", "#18712"),
    row(Release::V0_24, "tvm.tir.TensorIntrin", "tvm.s_tir.TensorIntrin", "#18712"),
    row(Release::V0_24, "tvm.tir.schedule", "tvm.s_tir.schedule", "#18712"),
    row(Release::V0_24, "tvm.tir.tensor_intrin", "tvm.s_tir.tensor_intrin", "#18712"),
    row(Release::V0_24, "tvm.tir.Block", "tvm.tirx.SBlock", "#18689"),
    row(Release::V0_24, "tvm.tir.BlockRealize", "tvm.tirx.SBlockRealize", "#18689"),
    row(Release::V0_24, "tvm.tir.BlockScope", "tvm.s_tir.SBlockScope", "#18689"),
    row(Release::V0_24, "tvm.tir.transform.CompactBufferAllocation", "tvm.s_tir.transform.CompactBufferAllocation", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.ConvertBlocksToOpaque", "tvm.s_tir.transform.ConvertBlocksToOpaque", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.DecorateDeviceScope", "tvm.s_tir.transform.DecorateDeviceScope", "#18776"),
    row(Release::V0_24, "tvm.tir.transform.DefaultGPUSchedule", "tvm.s_tir.transform.DefaultGPUSchedule", "#18776"),
    row(Release::V0_24, "tvm.tir.transform.HoistExpression", "tvm.s_tir.transform.HoistExpression", "#18771"),
    row(Release::V0_24, "tvm.tir.transform.HoistIfThenElse", "tvm.s_tir.transform.HoistIfThenElse", "#18771"),
    row(Release::V0_24, "tvm.tir.transform.InferFragment", "tvm.s_tir.transform.InferFragment", "#18771"),
    row(Release::V0_24, "tvm.tir.transform.InjectDoubleBuffer", "tvm.s_tir.transform.InjectDoubleBuffer", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.InjectPTXAsyncCopy", "tvm.s_tir.transform.InjectPTXAsyncCopy", "#18771"),
    row(Release::V0_24, "tvm.tir.transform.InjectPermutedLayout", "tvm.s_tir.transform.InjectPermutedLayout", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.InjectSoftwarePipeline", "tvm.s_tir.transform.InjectSoftwarePipeline", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.InjectVirtualThread", "tvm.s_tir.transform.InjectVirtualThread", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.LiftThreadBinding", "tvm.s_tir.transform.LiftThreadBinding", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.LoopPartition", "tvm.s_tir.transform.LoopPartition", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.LowerAutoCopy", "tvm.s_tir.transform.LowerAutoCopy", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.LowerCrossThreadReduction", "tvm.s_tir.transform.LowerCrossThreadReduction", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.LowerInitBlock", "tvm.s_tir.transform.LowerInitBlock", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.LowerMatchBuffer", "tvm.s_tir.transform.LowerMatchBuffer", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.LowerOpaqueBlock", "tvm.s_tir.transform.LowerOpaqueBlock", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.LowerThreadAllreduce", "tvm.s_tir.transform.LowerThreadAllreduce", "#18771"),
    row(Release::V0_24, "tvm.tir.transform.MergeSharedMemoryAllocations", "tvm.s_tir.transform.MergeSharedMemoryAllocations", "#18771"),
    row(Release::V0_24, "tvm.tir.transform.PlanAndUpdateBufferAllocationLocation", "tvm.s_tir.transform.PlanAndUpdateBufferAllocationLocation", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.RenormalizeSplitPattern", "tvm.s_tir.transform.RenormalizeSplitPattern", "#18771"),
    row(Release::V0_24, "tvm.tir.transform.RewriteUnsafeSelect", "tvm.s_tir.transform.RewriteUnsafeSelect", "#18771"),
    row(Release::V0_24, "tvm.tir.transform.ThreadSync", "tvm.s_tir.transform.ThreadSync", "#18771"),
    row(Release::V0_24, "tvm.tir.transform.TransformMmaBufferLayout", "tvm.s_tir.transform.TransformMmaBufferLayout", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.UnifyThreadBinding", "tvm.s_tir.transform.UnifyThreadBinding", "#18722"),
    row(Release::V0_24, "tvm.tir.transform.VerifyVTCMLimit", "tvm.s_tir.transform.VerifyVTCMLimit", "#18771"),
    row(Release::V0_24, "tvm.tir.analysis.calculate_allocated_bytes", "tvm.s_tir.analysis.calculate_allocated_bytes", "#18776"),
    row(Release::V0_24, "tvm.tir.analysis.estimate_tir_flops", "tvm.s_tir.analysis.estimate_tir_flops", "#18776"),
    row(Release::V0_24, "tvm.tir.analysis.is_pure_function", "tvm.s_tir.analysis.is_pure_function", "#18776"),
    row(Release::V0_24, "tvm.tir.analysis.verify_gpu_code", "tvm.s_tir.analysis.verify_gpu_code", "#18776"),
    row(Release::V0_24, "tvm.dlight", "tvm.s_tir.dlight", "#18734"),
    row(Release::V0_24, "tvm.meta_schedule", "tvm.s_tir.meta_schedule", "#18735"),
    row(Release::V0_25, "tvm.tirx.transform.Simplify", "tvm.tirx.transform.StmtSimplify", "#19604"),
    row(Release::V0_25, "tvm.contrib.cc", "tvm.support.cc", "#19624"),
    row(Release::V0_25, "tvm.contrib.clang", "tvm.support.clang", "#19624"),
    row(Release::V0_25, "tvm.contrib.emcc", "tvm.support.emcc", "#19624"),
    row(Release::V0_25, "tvm.contrib.ndk", "tvm.support.ndk", "#19624"),
    row(Release::V0_25, "tvm.contrib.nvcc", "tvm.support.nvcc", "#19624"),
    row(Release::V0_25, "tvm.contrib.popen_pool", "tvm.support.popen_pool", "#19624"),
    row(Release::V0_25, "tvm.contrib.rocm", "tvm.support.rocm", "#19624"),
    row(Release::V0_25, "tvm.contrib.tar", "tvm.support.tar", "#19624"),
    row(Release::V0_25, "tvm.contrib.utils", "tvm.support.utils", "#19624"),
    row(Release::V0_25, "tvm.contrib.xcode", "tvm.support.xcode", "#19624"),
    row(Release::V0_25, "tvm.relax.analysis.well_formed", "tvm.relax.analysis.check_well_formed", "#19722"),
    row(Release::V0_26, "tvm.relax.StructInfo", "tvm.relax.Type", "#19853"),
    row(Release::V0_26, "tvm.script.parser.relax.entry.StructInfoProxy", "tvm.script.parser.relax.entry.TypeProxy", "#19853"),
    row(Release::V0_26, "tvm.relax.script.parser.entry.StructInfoProxy", "tvm.relax.script.parser.entry.TypeProxy", "#19853"),
    row(Release::V0_26, "tvm.relax.ObjectStructInfo", "tvm.relax.AnyType", "#19853"),
    row(Release::V0_26, "tvm.relax.PrimStructInfo", "tvm.ir.PrimType", "#19853"),
    row(Release::V0_26, "tvm.relax.ShapeStructInfo", "tvm.relax.ShapeType", "#19853"),
    row(Release::V0_26, "tvm.relax.TensorStructInfo", "tvm.relax.TensorType", "#19853"),
    row(Release::V0_26, "tvm.relax.TupleStructInfo", "tvm.relax.TupleType", "#19853"),
    row(Release::V0_26, "tvm.relax.FuncStructInfo", "tvm.relax.FuncType", "#19853"),
    row(Release::V0_26, "tvm.relax.struct_info.ObjectStructInfo", "tvm.relax.AnyType", "#19853"),
    row(Release::V0_26, "tvm.relax.struct_info.PrimStructInfo", "tvm.ir.PrimType", "#19853"),
    row(Release::V0_26, "tvm.relax.struct_info.ShapeStructInfo", "tvm.relax.ShapeType", "#19853"),
    row(Release::V0_26, "tvm.relax.struct_info.TensorStructInfo", "tvm.relax.TensorType", "#19853"),
    row(Release::V0_26, "tvm.relax.struct_info.TupleStructInfo", "tvm.relax.TupleType", "#19853"),
    row(Release::V0_26, "tvm.relax.struct_info.FuncStructInfo", "tvm.relax.FuncType", "#19853"),
    row(Release::V0_26, "tvm.relax.expr.StructInfo", "tvm.relax.Type", "#19853"),
    row(Release::V0_26, "tvm.relax.distributed.DTensorStructInfo", "tvm.relax.distributed.DTensorType", "#19853"),
    row(Release::V0_26, "tvm.relax.dpl.StructInfoPattern", "tvm.relax.dpl.TypePattern", "#19853"),
    row(Release::V0_26, "tvm.relax.transform.UpdateParamStructInfo", "tvm.relax.transform.UpdateParamType", "#19853"),
    row(Release::V0_26, "tvm.relax.PrimValue", "tvm.relax.prim_value", "#19891"),
    row(Release::V0_26, "tvm.relax.expr.Call", "tvm.ir.Call", "#19910"),
    row(Release::V0_26, "tvm.relax.analysis.struct_info_base_check", "tvm.relax.analysis.type_base_check", "#19853"),
    row(Release::V0_26, "tvm.relax.analysis.struct_info_lca", "tvm.relax.analysis.type_lca", "#19853"),
    row(Release::V0_26, "tvm.relax.analysis.derive_call_ret_struct_info", "tvm.relax.analysis.derive_call_ret_type", "#19853"),
    row(Release::V0_26, "tvm.relax.analysis.tir_vars_in_struct_info", "tvm.relax.analysis.tir_vars_in_type", "#19853"),
    row(Release::V0_26, "tvm.relax.analysis.definable_tir_vars_in_struct_info", "tvm.relax.analysis.definable_tir_vars_in_type", "#19853"),
    row(Release::V0_27, "tvm.arith", "tvm.sym", "#20381"),
    row(Release::V0_27, "tvm.ir.VDevice", "tvm.relax.VDevice", "#20363"),
    row(Release::V0_27, "tvm.ir.DummyGlobalInfo", "tvm.relax.DummyGlobalInfo", "#20363"),
    row(Release::V0_27, "tvm.ir.register_intrin_lowering", "tvm.tirx.register_intrin_lowering", "#20368"),
    row(Release::V0_27, "tvm.tirx.SBlock", "tvm.s_tir.SBlock", "#20378"),
    row(Release::V0_27, "tvm.tirx.SBlockRealize", "tvm.s_tir.SBlockRealize", "#20378"),
    row(Release::V0_27, "tvm.tirx.MatchBufferRegion", "tvm.s_tir.MatchBufferRegion", "#20378"),
    row(Release::V0_27, "tvm.tirx.analysis.expr_deep_equal", "tvm.ir.prim.expr_deep_equal", "#20356"),
];

/// Names that were merged into a more general one. They are only renamed upwards.
#[rustfmt::skip]
pub static MERGED: &[Rename] = &[
    row(Release::V0_16, "tvm.relax.vm.build", "tvm.relax.build", "#14088"),
    row(Release::V0_16, "tvm.relax.vm.Executable", "tvm.relax.Executable", "#14088"),
    row(Release::V0_26, "tvm.tirx.SizeVar", "tvm.tirx.Var", "#19930"),
    row(Release::V0_26, "tvm.te.size_var", "tvm.te.var", "#19930"),
    row(Release::V0_26, "tvm.tirx.Call", "tvm.ir.Call", "#19910"),
    row(Release::V0_26, "tvm.tirx.PrimExpr", "tvm.tirx.Expr", "#19910"),
    row(Release::V0_26, "tvm.ir.PrimExpr", "tvm.ir.Expr", "#19910"),
    row(Release::V0_26, "tvm.ir.BaseExpr", "tvm.ir.Expr", "#19891"),
    row(Release::V0_26, "tvm.ir.RelaxExpr", "tvm.ir.Expr", "#19891"),
    row(Release::V0_27, "tvm.relax.StringImm", "tvm.ir.StringImm", "#20386"),
    row(Release::V0_27, "tvm.tirx.StringImm", "tvm.ir.StringImm", "#20386"),
    row(Release::V0_27, "tvm.tirx.TensorIntrin", "tvm.s_tir.TensorIntrin", "#20378"),
];

/// Names that were removed, with their replacements. They are listed, but never renamed.
#[rustfmt::skip]
pub static REMOVED: &[Rename] = &[
    row(Release::V0_16, "tvm.relax.MatchShape", "tvm.relax.MatchCast", "tlc-pack/relax#323"),
    row(Release::V0_16, "tvm.relax.RuntimeDepShape", "tvm.relax.ShapeStructInfo", "tlc-pack/relax#320"),
    row(Release::V0_16, "tvm.relax.transform.VMMemoryLower", "tvm.relax.transform.VMBuiltinLower", "tlc-pack/relax#326"),
    row(Release::V0_16, "tvm.relax.transform.RemoveUnusedFunctions", "tvm.relax.transform.DeadCodeElimination", "#14336"),
    row(Release::V0_20, "tvm.lower", "tvm.compile", "#17665"),
    row(Release::V0_20, "tvm.relay", "tvm.relax", "#17656"),
    row(Release::V0_20, "tvm.relax.DynTensorType", "tvm.relax.TensorStructInfo", "#17662"),
    row(Release::V0_21, "tvm.runtime.convert_to_object", "tvm.runtime.convert", "#17920"),
    row(Release::V0_22, "tvm.runtime.ObjectGeneric", "tvm.runtime.ObjectConvertible", "#18277"),
    row(Release::V0_24, "tvm.relax.transform.FewShotTuning", "tvm.s_tir.meta_schedule", "#18864"),
    row(Release::V0_24, "tvm.runtime.String", "str", "#19442"),
    row(Release::V0_24, "tvm.target.create", "tvm.target.Target", "#18793"),
    row(Release::V0_24, "tvm.target.cuda", "tvm.target.Target", "#18793"),
    row(Release::V0_24, "tvm.testing.CompareBeforeAfter", "tvm.ir.assert_structural_equal", "#18711"),
    row(Release::V0_25, "tvm.ir.structural_equal", "tvm_ffi.structural_equal", "#19661"),
    row(Release::V0_25, "tvm.ir.structural_hash", "tvm_ffi.structural_hash", "#19661"),
    row(Release::V0_25, "tvm.testing.requires_aarch64", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_aarch64_sme", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_aarch64_sve", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_aprofile_aem_fvp", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_arm_dot", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_arm_fp16", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_cuda_compute_version", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_cutlass", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_llvm_minimum_version", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_nnapi", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_nvcc_version", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_openclml", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_package", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_rpc", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_tensorcore", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_x86", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_x86_amx", "pytest.mark.skipif", "#19777"),
    row(Release::V0_25, "tvm.testing.uses_gpu", "pytest.mark.gpu", "#19777"),
    row(Release::V0_26, "tvm.testing.exclude_targets", "pytest.mark.parametrize", "#19826"),
    row(Release::V0_26, "tvm.testing.known_failing_targets", "pytest.mark.xfail", "#19826"),
    row(Release::V0_26, "tvm.testing.parameters", "pytest.mark.parametrize", "#19807"),
    row(Release::V0_26, "tvm.testing.parametrize_targets", "pytest.mark.parametrize", "#19826"),
    row(Release::V0_26, "tvm.tirx.generic", "tvm.tirx", "#19943"),
    row(Release::V0_26, "tvm.tirx.ret", "tvm.tirx.Return", "#20018"),
    row(Release::V0_26, "tvm.relax.Id", "tvm.relax.Var", "#19959"),
    row(Release::V0_27, "tvm.relax.Constant", "tvm.ir.GenericConst", "#20386"),
    row(Release::V0_27, "tvm.relax.expr.Constant", "tvm.ir.GenericConst", "#20386"),
    row(Release::V0_27, "tvm.relax.DataTypeImm", "tvm.ir.GenericConst", "#20386"),
    row(Release::V0_27, "tvm.tirx.stmt_functor.post_order_visit", "tvm_ffi.structural_walk", "#20308"),
    row(Release::V0_27, "tvm.tirx.stmt_functor.pre_order_visit", "tvm_ffi.structural_walk", "#20308"),
    row(Release::V0_27, "tvm.tirx.stmt_functor.ir_transform", "tvm_ffi.structural_map", "#20304"),
    row(Release::V0_27, "tvm.tirx.stmt_functor.substitute", "tvm_ffi.structural_map", "#20317"),
    row(Release::V0_27, "tvm.tirx.stmt_functor", "tvm_ffi.structural_walk", "#20309"),
    row(Release::V0_27, "tvm.tirx.PyStmtExprVisitor", "tvm_ffi.structural_walk", "#20309"),
    row(Release::V0_27, "tvm.tirx.PyStmtExprMutator", "tvm_ffi.structural_map", "#20309"),
    row(Release::V0_27, "tvm.target.VirtualDevice", "tvm.relax.VDevice", "#20363"),
];

/// Names that Python itself has now. They are only replaced upwards, and their imports are removed.
pub static BUILTINS: &[Rename] = &[
    row(Release::V0_25, "tvm.TVMError", "RuntimeError", "#19727"),
    row(
        Release::V0_25,
        "tvm.error.TVMError",
        "RuntimeError",
        "#19727",
    ),
    row(
        Release::V0_25,
        "tvm._ffi.base.TVMError",
        "RuntimeError",
        "#19727",
    ),
];

/// Decorators of tests that need some hardware, and the functions that say whether it is there.
#[rustfmt::skip]
pub static GATES: &[Rename] = &[
    row(Release::V0_25, "tvm.testing.requires_adreno_opencl", "tvm.testing.env.has_adreno_opencl", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_cublas", "tvm.testing.env.has_cublas", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_cuda", "tvm.testing.env.has_cuda", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_cudagraph", "tvm.testing.env.has_cudagraph", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_cudnn", "tvm.testing.env.has_cudnn", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_gpu", "tvm.testing.env.has_gpu", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_hexagon", "tvm.testing.env.has_hexagon", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_hipblas", "tvm.testing.env.has_hipblas", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_llvm", "tvm.testing.env.has_llvm", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_matrixcore", "tvm.testing.env.has_matrixcore", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_metal", "tvm.testing.env.has_metal", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_multi_gpu", "tvm.testing.env.has_multi_gpu", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_nccl", "tvm.testing.env.has_nccl", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_nvptx", "tvm.testing.env.has_nvptx", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_opencl", "tvm.testing.env.has_opencl", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_rocm", "tvm.testing.env.has_rocm", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_vulkan", "tvm.testing.env.has_vulkan", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_x86_avx512", "tvm.testing.env.has_x86_avx512", "#19777"),
    row(Release::V0_25, "tvm.testing.requires_x86_vnni", "tvm.testing.env.has_x86_vnni", "#19777"),
];

/// Keys of attributes of functions and blocks, and options of passes: strings without another meaning.
#[rustfmt::skip]
pub static ATTRIBUTES: &[Rename] = &[
    row(Release::V0_24, "tir.noalias", "tirx.noalias", "#18913"),
    row(Release::V0_24, "tir.is_scheduled", "tirx.is_scheduled", "#18913"),
    row(Release::V0_24, "tir.is_host_func", "tirx.is_host_func", "#18913"),
    row(Release::V0_24, "tir.is_entry_func", "tirx.is_entry_func", "#18913"),
    row(Release::V0_24, "tir.is_global_func", "tirx.is_global_func", "#18913"),
    row(Release::V0_24, "tir.HoistIfThenElseExprWithBlock", "tirx.HoistIfThenElseExprWithBlock", "#18913"),
    row(Release::V0_24, "tir.Simplify", "tirx.Simplify", "#18913"),
    row(Release::V0_25, "tirx.Simplify", "tirx.StmtSimplify", "#19604"),
    row(Release::V0_24, "tir.RemoveNoOp", "tirx.RemoveNoOp", "#18913"),
    row(Release::V0_24, "tir.UnrollLoop", "tirx.UnrollLoop", "#18913"),
    row(Release::V0_24, "tir.add_lower_pass", "tirx.add_lower_pass", "#18913"),
    row(Release::V0_24, "tir.debug_keep_trivial_loop", "tirx.debug_keep_trivial_loop", "#18913"),
    row(Release::V0_24, "tir.disable_assert", "tirx.disable_assert", "#18913"),
    row(Release::V0_24, "tir.disable_cse_tir", "tirx.disable_cse_tir", "#18913"),
    row(Release::V0_24, "tir.disable_storage_rewrite", "tirx.disable_storage_rewrite", "#18913"),
    row(Release::V0_24, "tir.disable_vectorize", "tirx.disable_vectorize", "#18913"),
    row(Release::V0_24, "tir.enable_buffer_level_predication", "tirx.enable_buffer_level_predication", "#18913"),
    row(Release::V0_24, "tir.enable_debug", "tirx.enable_debug", "#18913"),
    row(Release::V0_24, "tir.instrument_bound_checkers", "tirx.instrument_bound_checkers", "#18913"),
    row(Release::V0_24, "tir.instrument_lwp", "tirx.instrument_lwp", "#18913"),
    row(Release::V0_24, "tir.merge_static_smem", "tirx.merge_static_smem", "#18913"),
    row(Release::V0_24, "tir.use_async_copy", "tirx.use_async_copy", "#18913"),
    row(Release::V0_24, "tir.vtcm_capacity", "tirx.vtcm_capacity", "#18913"),
    row(Release::V0_24, "tir.HoistExpression", "s_tir.HoistExpression", "#18771"),
    row(Release::V0_24, "tir.HoistIfThenElse", "s_tir.HoistIfThenElse", "#18771"),
    row(Release::V0_24, "tir.InjectDoubleBuffer", "s_tir.InjectDoubleBuffer", "#18722"),
    row(Release::V0_24, "tir.LoopPartition", "s_tir.LoopPartition", "#18722"),
    row(Release::V0_24, "tir.instr_siblings", "s_tir.instr_siblings", "#18771"),
    row(Release::V0_24, "tir.lwp_disable_func_prof", "s_tir.lwp_disable_func_prof", "#18771"),
    row(Release::V0_24, "tir.lwp_max_depth", "s_tir.lwp_max_depth", "#18771"),
    row(Release::V0_24, "tir.lwp_min_height", "s_tir.lwp_min_height", "#18771"),
    row(Release::V0_24, "tir.reset_start_id", "s_tir.reset_start_id", "#18771"),
];

/// Attributes of TVM's objects. Other libraries do not use these names, so renaming them is safe in a file that
/// imports TVM.
#[rustfmt::skip]
pub static FIELDS: &[Rename] = &[
    row(Release::V0_24, "get_block", "get_sblock", "#18689"),
    row(Release::V0_26, "struct_info", "ty", "#19853"),
    row(Release::V0_26, "struct_info_", "ty", "#19853"),
    row(Release::V0_26, "emit_with_struct_info", "emit_with_type", "#19853"),
    row(Release::V0_26, "ret_struct_info", "ret_ty", "#19853"),
    row(Release::V0_26, "sinfo_args", "ty_args", "#19853"),
];

/// Attributes whose new name depends on the type of the object. They are listed, but never renamed.
pub static UNCERTAIN_FIELDS: &[Rename] = &[row(Release::V0_26, "name_hint", "name", "#20016")];

/// Functions that replace a class. Only calls of the class are renamed.
pub static FUNCTIONS_FOR_CLASSES: &[&str] = &["tvm.relax.prim_value"];

/// Keywords of calls, by the module or the class that is called.
pub static KEYWORDS: &[(&str, &[Rename])] =
    &[("tvm.relax", OF_RELAX), ("tvm.tirx.Var", OF_VARIABLES)];

#[rustfmt::skip]
const OF_RELAX: &[Rename] = &[
    row(Release::V0_26, "out_sinfo", "out_ty", "#19853"),
    row(Release::V0_26, "sinfo_args", "ty_args", "#19853"),
    row(Release::V0_26, "struct_info", "ty", "#19853"),
    row(Release::V0_26, "ret_struct_info", "ret_ty", "#19853"),
    row(Release::V0_26, "check_struct_info", "check_ty", "#19853"),
    row(Release::V0_26, "include_struct_info_annotations", "include_ty_annotations", "#19853"),
];

const OF_VARIABLES: &[Rename] = &[row(Release::V0_26, "dtype", "ty", "#20004")];

/// The tables with their titles, for documentation.
#[cfg(test)]
pub const TABLES: &[(&str, &[Rename])] = &[
    ("Modules, functions and classes", RENAMES),
    ("Names merged into another one", MERGED),
    ("Removed names (`migrate` only lists them)", REMOVED),
    ("Names that Python has", BUILTINS),
    (
        "Decorators of tests, which become `pytest.mark.skipif`",
        GATES,
    ),
    ("Attribute keys and pass options", ATTRIBUTES),
    ("Attributes of objects", FIELDS),
    (
        "Attributes that other objects have too (`migrate` only lists them)",
        UNCERTAIN_FIELDS,
    ),
    ("Keyword arguments of `tvm.relax`", OF_RELAX),
    ("Keyword arguments of `tvm.tirx.Var`", OF_VARIABLES),
];

/// Returns the path in release `to` of a path in release `from`.
pub fn renamed(path: &str, from: Release, to: Release) -> String {
    let mut path = path.to_owned();
    let up = from < to;
    let (low, high) = (from.min(to), from.max(to));
    let mut releases: Vec<Release> = Release::ALL
        .into_iter()
        .filter(|it| low < *it && *it <= high)
        .collect();
    if !up {
        releases.reverse();
    }
    for release in releases {
        let merged = MERGED.iter().filter(|_| up);
        let rows = RENAMES.iter().chain(merged);
        let rows: Vec<&Rename> = rows.filter(|row| row.since == release).collect();
        let ends = rows.iter().map(|row| {
            if up {
                (row.old, row.new)
            } else {
                (row.new, row.old)
            }
        });
        let fitting = ends.filter_map(|(old, new)| {
            let rest = path.strip_prefix(old)?;
            let is_whole = rest.is_empty() || rest.starts_with('.');
            is_whole.then(|| (old.len(), format!("{new}{rest}")))
        });
        // If two rows have the same new name, the first is the usual one.
        if let Some((_, new)) = fitting.rev().max_by_key(|(length, _)| *length) {
            path = new;
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_path_is_renamed_at_each_release_border() {
        let up = |path| renamed(path, Release::V0_19, Release::V0_27);
        assert_eq!(up("tvm.tir.IterVar.dom"), "tvm.tirx.IterVar.dom");
        assert_eq!(up("tvm.tir.Schedule"), "tvm.s_tir.Schedule");
        assert_eq!(up("tvm.tirade"), "tvm.tirade");
        assert_eq!(up("tvm.tir.SizeVar"), "tvm.tirx.Var");
        assert_eq!(up("tvm._ffi.register_func"), "tvm.register_global_func");
        assert_eq!(up("tvm.tir.StringImm"), "tvm.ir.StringImm");
    }

    #[test]
    fn every_row_has_a_source() {
        for row in TABLES.iter().flat_map(|it| it.1) {
            let starts = ["#", "tlc-pack/relax#"];
            let has_source = starts.iter().any(|it| row.source.starts_with(it));
            assert!(has_source, "{row:?}");
        }
    }

    #[test]
    fn migrating_back_chooses_the_usual_name() {
        let down = |path| renamed(path, Release::V0_27, Release::V0_19);
        assert_eq!(down("tvm.s_tir.Schedule.get"), "tvm.tir.Schedule.get");
        assert_eq!(down("tvm.tirx.Var"), "tvm.tir.Var");
        assert_eq!(down("tvm.relax.TensorType"), "tvm.relax.TensorStructInfo");
        assert_eq!(down("tvm.runtime.tensor"), "tvm.nd.array");
    }
}
