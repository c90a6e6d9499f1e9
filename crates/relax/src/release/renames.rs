//! Names of TVM's Python API that changed, and of attributes: a row each, with its release and source.

use super::Release;

/// A dotted path that a release spells otherwise than the releases before it.
#[derive(Debug)]
pub struct Rename {
    /// The first release with the new name.
    pub since: Release,
    pub old: &'static str,
    pub new: &'static str,
    /// The change of TVM: a pull request, or the files of a tag.
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

/// Modules, functions and classes, oldest change first; a longer path counts before a shorter one.
#[rustfmt::skip]
pub static RENAMES: &[Rename] = &[
    row(Release::V0_21, "tvm.runtime.relax_vm", "tvm.runtime.vm", "tag v0.21.0"),
    row(Release::V0_21, "tvm.relax.Executable", "tvm.relax.VMExecutable", "tag v0.21.0"),
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
    row(Release::V0_24, "tvm.tir.Schedule", "tvm.s_tir.Schedule", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.ScheduleError", "tvm.s_tir.ScheduleError", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.ScheduleState", "tvm.s_tir.ScheduleState", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.StmtSRef", "tvm.s_tir.StmtSRef", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.TensorIntrin", "tvm.s_tir.TensorIntrin", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.schedule", "tvm.s_tir.schedule", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.tensor_intrin", "tvm.s_tir.tensor_intrin", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.Block", "tvm.tirx.SBlock", "#18689"),
    row(Release::V0_24, "tvm.tir.BlockRealize", "tvm.tirx.SBlockRealize", "#18689"),
    row(Release::V0_24, "tvm.tir.BlockScope", "tvm.s_tir.SBlockScope", "#18689"),
    row(Release::V0_24, "tvm.tir.transform.CompactBufferAllocation", "tvm.s_tir.transform.CompactBufferAllocation", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.ConvertBlocksToOpaque", "tvm.s_tir.transform.ConvertBlocksToOpaque", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.DecorateDeviceScope", "tvm.s_tir.transform.DecorateDeviceScope", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.DefaultGPUSchedule", "tvm.s_tir.transform.DefaultGPUSchedule", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.HoistExpression", "tvm.s_tir.transform.HoistExpression", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.HoistIfThenElse", "tvm.s_tir.transform.HoistIfThenElse", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.InferFragment", "tvm.s_tir.transform.InferFragment", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.InjectDoubleBuffer", "tvm.s_tir.transform.InjectDoubleBuffer", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.InjectPTXAsyncCopy", "tvm.s_tir.transform.InjectPTXAsyncCopy", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.InjectPermutedLayout", "tvm.s_tir.transform.InjectPermutedLayout", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.InjectSoftwarePipeline", "tvm.s_tir.transform.InjectSoftwarePipeline", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.InjectVirtualThread", "tvm.s_tir.transform.InjectVirtualThread", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.LiftThreadBinding", "tvm.s_tir.transform.LiftThreadBinding", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.LoopPartition", "tvm.s_tir.transform.LoopPartition", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.LowerAutoCopy", "tvm.s_tir.transform.LowerAutoCopy", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.LowerCrossThreadReduction", "tvm.s_tir.transform.LowerCrossThreadReduction", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.LowerInitBlock", "tvm.s_tir.transform.LowerInitBlock", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.LowerMatchBuffer", "tvm.s_tir.transform.LowerMatchBuffer", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.LowerOpaqueBlock", "tvm.s_tir.transform.LowerOpaqueBlock", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.LowerThreadAllreduce", "tvm.s_tir.transform.LowerThreadAllreduce", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.MergeSharedMemoryAllocations", "tvm.s_tir.transform.MergeSharedMemoryAllocations", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.PlanAndUpdateBufferAllocationLocation", "tvm.s_tir.transform.PlanAndUpdateBufferAllocationLocation", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.RenormalizeSplitPattern", "tvm.s_tir.transform.RenormalizeSplitPattern", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.RewriteUnsafeSelect", "tvm.s_tir.transform.RewriteUnsafeSelect", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.ThreadSync", "tvm.s_tir.transform.ThreadSync", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.TransformMmaBufferLayout", "tvm.s_tir.transform.TransformMmaBufferLayout", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.UnifyThreadBinding", "tvm.s_tir.transform.UnifyThreadBinding", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.transform.VerifyVTCMLimit", "tvm.s_tir.transform.VerifyVTCMLimit", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.analysis.calculate_allocated_bytes", "tvm.s_tir.analysis.calculate_allocated_bytes", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.analysis.estimate_tir_flops", "tvm.s_tir.analysis.estimate_tir_flops", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.analysis.is_pure_function", "tvm.s_tir.analysis.is_pure_function", "tag v0.24.0"),
    row(Release::V0_24, "tvm.tir.analysis.verify_gpu_code", "tvm.s_tir.analysis.verify_gpu_code", "tag v0.24.0"),
    row(Release::V0_24, "tvm.dlight", "tvm.s_tir.dlight", "tag v0.24.0"),
    row(Release::V0_24, "tvm.meta_schedule", "tvm.s_tir.meta_schedule", "tag v0.24.0"),
    row(Release::V0_26, "tvm.relax.StructInfo", "tvm.relax.Type", "#19853"),
    row(Release::V0_26, "tvm.relax.ObjectStructInfo", "tvm.relax.AnyType", "#19853"),
    row(Release::V0_26, "tvm.relax.PrimStructInfo", "tvm.ir.PrimType", "#19853"),
    row(Release::V0_26, "tvm.relax.ShapeStructInfo", "tvm.relax.ShapeType", "#19853"),
    row(Release::V0_26, "tvm.relax.TensorStructInfo", "tvm.relax.TensorType", "#19853"),
    row(Release::V0_26, "tvm.relax.TupleStructInfo", "tvm.relax.TupleType", "#19853"),
    row(Release::V0_26, "tvm.relax.FuncStructInfo", "tvm.relax.FuncType", "#19853"),
    row(Release::V0_26, "tvm.relax.PrimValue", "tvm.relax.prim_value", "#19891"),
    row(Release::V0_26, "tvm.relax.expr.Call", "tvm.ir.Call", "tag v0.26.0"),
    row(Release::V0_26, "tvm.relax.analysis.struct_info_base_check", "tvm.relax.analysis.type_base_check", "#19853"),
    row(Release::V0_26, "tvm.relax.analysis.struct_info_lca", "tvm.relax.analysis.type_lca", "#19853"),
    row(Release::V0_26, "tvm.relax.analysis.derive_call_ret_struct_info", "tvm.relax.analysis.derive_call_ret_type", "#19853"),
    row(Release::V0_26, "tvm.relax.analysis.tir_vars_in_struct_info", "tvm.relax.analysis.tir_vars_in_type", "#19853"),
    row(Release::V0_26, "tvm.relax.analysis.definable_tir_vars_in_struct_info", "tvm.relax.analysis.definable_tir_vars_in_type", "#19853"),
    row(Release::V0_27, "tvm.ir.VDevice", "tvm.relax.VDevice", "package 0.27.0"),
    row(Release::V0_27, "tvm.ir.DummyGlobalInfo", "tvm.relax.DummyGlobalInfo", "package 0.27.0"),
    row(Release::V0_27, "tvm.tirx.SBlock", "tvm.s_tir.SBlock", "package 0.27.0"),
    row(Release::V0_27, "tvm.tirx.SBlockRealize", "tvm.s_tir.SBlockRealize", "package 0.27.0"),
];

/// Keys of attributes of functions and blocks, and options of passes: strings that mean nothing else.
#[rustfmt::skip]
pub static ATTRIBUTES: &[Rename] = &[
    row(Release::V0_24, "tir.noalias", "tirx.noalias", "#18913"),
    row(Release::V0_24, "tir.is_scheduled", "tirx.is_scheduled", "#18913"),
    row(Release::V0_24, "tir.is_host_func", "tirx.is_host_func", "#18913"),
    row(Release::V0_24, "tir.is_entry_func", "tirx.is_entry_func", "#18913"),
    row(Release::V0_24, "tir.is_global_func", "tirx.is_global_func", "#18913"),
    row(Release::V0_24, "tir.HoistIfThenElseExprWithBlock", "tirx.HoistIfThenElseExprWithBlock", "#18913"),
    row(Release::V0_24, "tir.Simplify", "tirx.StmtSimplify", "tag v0.24.0"),
    row(Release::V0_24, "tir.RemoveNoOp", "tirx.RemoveNoOp", "tag v0.24.0"),
    row(Release::V0_24, "tir.UnrollLoop", "tirx.UnrollLoop", "tag v0.24.0"),
    row(Release::V0_24, "tir.add_lower_pass", "tirx.add_lower_pass", "tag v0.24.0"),
    row(Release::V0_24, "tir.debug_keep_trivial_loop", "tirx.debug_keep_trivial_loop", "tag v0.24.0"),
    row(Release::V0_24, "tir.disable_assert", "tirx.disable_assert", "tag v0.24.0"),
    row(Release::V0_24, "tir.disable_cse_tir", "tirx.disable_cse_tir", "tag v0.24.0"),
    row(Release::V0_24, "tir.disable_storage_rewrite", "tirx.disable_storage_rewrite", "tag v0.24.0"),
    row(Release::V0_24, "tir.disable_vectorize", "tirx.disable_vectorize", "tag v0.24.0"),
    row(Release::V0_24, "tir.enable_buffer_level_predication", "tirx.enable_buffer_level_predication", "tag v0.24.0"),
    row(Release::V0_24, "tir.enable_debug", "tirx.enable_debug", "tag v0.24.0"),
    row(Release::V0_24, "tir.instrument_bound_checkers", "tirx.instrument_bound_checkers", "tag v0.24.0"),
    row(Release::V0_24, "tir.instrument_lwp", "tirx.instrument_lwp", "tag v0.24.0"),
    row(Release::V0_24, "tir.merge_static_smem", "tirx.merge_static_smem", "tag v0.24.0"),
    row(Release::V0_24, "tir.use_async_copy", "tirx.use_async_copy", "tag v0.24.0"),
    row(Release::V0_24, "tir.vtcm_capacity", "tirx.vtcm_capacity", "tag v0.24.0"),
    row(Release::V0_24, "tir.HoistExpression", "s_tir.HoistExpression", "tag v0.24.0"),
    row(Release::V0_24, "tir.HoistIfThenElse", "s_tir.HoistIfThenElse", "tag v0.24.0"),
    row(Release::V0_24, "tir.InjectDoubleBuffer", "s_tir.InjectDoubleBuffer", "tag v0.24.0"),
    row(Release::V0_24, "tir.LoopPartition", "s_tir.LoopPartition", "tag v0.24.0"),
    row(Release::V0_24, "tir.instr_siblings", "s_tir.instr_siblings", "tag v0.24.0"),
    row(Release::V0_24, "tir.lwp_disable_func_prof", "s_tir.lwp_disable_func_prof", "tag v0.24.0"),
    row(Release::V0_24, "tir.lwp_max_depth", "s_tir.lwp_max_depth", "tag v0.24.0"),
    row(Release::V0_24, "tir.lwp_min_height", "s_tir.lwp_min_height", "tag v0.24.0"),
    row(Release::V0_24, "tir.reset_start_id", "s_tir.reset_start_id", "tag v0.24.0"),
];

/// Attributes of objects of Relax. No other library has these names, so they are certain in a file that imports TVM.
#[rustfmt::skip]
pub static FIELDS: &[Rename] = &[
    row(Release::V0_26, "struct_info", "ty", "#19853"),
    row(Release::V0_26, "struct_info_", "ty", "#19853"),
    row(Release::V0_26, "emit_with_struct_info", "emit_with_type", "#19853"),
    row(Release::V0_26, "ret_struct_info", "ret_ty", "#19853"),
    row(Release::V0_26, "sinfo_args", "ty_args", "#19853"),
];

/// Attributes whose new name depends on the kind of the object: listed, never renamed.
pub static UNCERTAIN_FIELDS: &[Rename] = &[row(Release::V0_26, "name_hint", "name", "#20016")];

/// Functions that replace a class: only calls of it are renamed.
pub static FUNCTIONS_FOR_CLASSES: &[&str] = &["tvm.relax.prim_value"];

/// Keywords of calls of `tvm.relax`.
pub static KEYWORDS: &[Rename] = &[
    row(Release::V0_26, "out_sinfo", "out_ty", "#19853"),
    row(Release::V0_26, "sinfo_args", "ty_args", "#19853"),
];

/// A path of `from` as `to` has it; the same where nothing changed.
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
        let rows = RENAMES.iter().filter(|row| row.since == release);
        let ends = rows.map(|row| {
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
        // Of two rows with one new name, the first is the usual one.
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
    fn the_longest_path_is_renamed_at_each_border() {
        let up = |path| renamed(path, Release::V0_19, Release::V0_27);
        assert_eq!(up("tvm.tir.IterVar.dom"), "tvm.tirx.IterVar.dom");
        assert_eq!(up("tvm.tir.Schedule"), "tvm.s_tir.Schedule");
        assert_eq!(up("tvm.tirade"), "tvm.tirade");
        assert_eq!(up("tvm._ffi.register_func"), "tvm.register_global_func");
    }

    #[test]
    fn the_way_back_takes_the_usual_name() {
        let down = |path| renamed(path, Release::V0_27, Release::V0_19);
        assert_eq!(down("tvm.s_tir.Schedule.get"), "tvm.tir.Schedule.get");
        assert_eq!(down("tvm.relax.TensorType"), "tvm.relax.TensorStructInfo");
        assert_eq!(down("tvm.runtime.tensor"), "tvm.nd.array");
    }
}
