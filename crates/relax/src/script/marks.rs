//! Annotations inside PrimFuncs that TVM interprets.

/// A key of the annotations of a loop, a block or a buffer, or of `T.attr`.
#[derive(Debug)]
pub struct Mark {
    pub key: &'static str,
    pub of: Marked,
    pub releases: Releases,
    /// An example value.
    pub example: &'static str,
    pub doc: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marked {
    Loop,
    Block,
    Buffer,
    /// The statements after `T.attr`.
    Statement,
}

impl Marked {
    const ALL: [Marked; 4] = [
        Marked::Loop,
        Marked::Block,
        Marked::Buffer,
        Marked::Statement,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Marked::Loop => "loop",
            Marked::Block => "block",
            Marked::Buffer => "buffer",
            Marked::Statement => "statement",
        }
    }

    pub fn from_name(name: &str) -> Option<Marked> {
        Marked::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Returns what the dict or the key of a script function annotates, given the function and the parameter.
    pub fn by(function: &str, param: &str) -> Option<Marked> {
        Some(match (function, param) {
            ("block_attr" | "sblock_attr", "attrs") => Marked::Block,
            ("attr", "attr_key" | "node_or_dict") => Marked::Statement,
            ("alloc_buffer" | "allocate" | "allocate_const", "annotations") => Marked::Buffer,
            (_, "annotations") => Marked::Loop,
            _ => return None,
        })
    }
}

/// Returns the rows for a kind of annotation in a release.
pub fn marks_of(of: Marked, release: Release) -> impl Iterator<Item = &'static Mark> {
    let rows = MARKS.iter();
    rows.filter(move |mark| mark.of == of && mark.releases.contains(release))
}

/// Returns the row of a key: the one for the release if there is one, otherwise any.
pub fn mark(key: &str, of: Marked, release: Release) -> Option<&'static Mark> {
    let mut rows = MARKS.iter().filter(|mark| mark.key == key && mark.of == of);
    let first = rows.clone().next();
    rows.find(|mark| mark.releases.contains(release)).or(first)
}

const fn on(
    of: Marked,
    key: &'static str,
    releases: Releases,
    example: &'static str,
    doc: &'static str,
) -> Mark {
    Mark {
        key,
        of,
        releases,
        example,
        doc,
    }
}

use crate::release::{Release, Releases};
use Marked::{Block, Buffer, Loop, Statement};

const ALL: Releases = Releases::ALL;
const OLD: Releases = Releases::until(Release::V0_23);
const TYPE: Releases = Releases::since(Release::V0_24);

const MAX_STEP: &str = "The greatest number of steps of a loop that is unrolled.";
const UNROLL: &str =
    "Whether TVM writes the unrolled loop out, or leaves that to the compiler of the device.";
const DETECT: &str = "The regions that TVM detects from the statements of the block: 1 the reads, 2 the writes, 3 both.";
const LOCAL_STAGE: &str = "Copies through shared memory pass through registers.";
const EXTENT: &str = "The number of threads.";
const IMPORT_C: &str = "C source, or the path of a C file, that is compiled with the function.";
const IMPORT_LLVM: &str =
    "LLVM IR, or the path of a file with LLVM IR, that is linked with the function.";

#[rustfmt::skip]
const MARKS: &[Mark] = &[
    on(Loop, "pragma_unroll_explicit", ALL, "1", UNROLL),
    on(Loop, "pragma_auto_unroll_max_step", ALL, "16", MAX_STEP),
    on(Loop, "pragma_loop_partition_hint", ALL, "True", "The loop is split where its conditions change."),
    on(Loop, "software_pipeline_stage", ALL, "[0, 1]", "The stage of each statement in a software pipeline."),
    on(Loop, "software_pipeline_order", ALL, "[0, 1]", "The order of the statements in a software pipeline."),
    on(Loop, "software_pipeline_async_stages", ALL, "[0]", "The asynchronous stages of a software pipeline, such as copies to shared memory."),
    on(Loop, "nki_dim", TYPE, "\"P\"", "The dimension of a Neuron instruction that replaces the loop."),
    on(Loop, "pragma_vectorize", ALL, "1", "The loop becomes vector instructions."),
    on(Loop, "pragma_import_c", ALL, "\"\"", IMPORT_C),
    on(Loop, "pragma_import_llvm", ALL, "\"\"", IMPORT_LLVM),
    on(Loop, "pragma_tensor_core", OLD, "1", "The products of the loop use tensor cores."),
    on(Loop, "preserve_unit_loop", ALL, "True", "The loop is kept although it has one step."),
    on(Loop, "irregular_loop_mark", ALL, "1", "The loop may be left before its end."),
    on(Loop, "disable_unroll", ALL, "True", "The loop is not unrolled."),

    on(Block, "meta_schedule.tiling_structure", ALL, "\"SSRSRS\"", "The levels of tiles into which the block is split: spatial and reduction."),
    on(Block, "meta_schedule.cooperative_fetch", ALL, "1", "The number of elements that each thread fetches at once; the threads fetch together."),
    on(Block, "meta_schedule.unroll_explicit", ALL, "16", MAX_STEP),
    on(Block, "meta_schedule.unroll_implicit", ALL, "16", MAX_STEP),
    on(Block, "meta_schedule.parallel", ALL, "160", "The greatest number of parallel tasks made from the outer loops."),
    on(Block, "meta_schedule.vectorize", ALL, "32", "The greatest number of vector lanes made from the inner loop."),
    on(Block, "meta_schedule.auto_tensorize", ALL, "\"dp4a\"", "The intrinsic that replaces the block."),
    on(Block, "meta_schedule.auto_tensorize_init", ALL, "\"\"", "The intrinsic that replaces the init statement of the block."),
    on(Block, "meta_schedule.thread_extent_low_inclusive", ALL, "32", "The least number of threads in a thread block."),
    on(Block, "meta_schedule.thread_extent_high_inclusive", ALL, "1024", "The greatest number of threads in a thread block."),
    on(Block, "meta_schedule.random_compute_producer", ALL, "1", "The place where the block's inputs are computed is chosen at random."),
    on(Block, "meta_schedule.layout_rewrite_preproc", ALL, "True", "The block only changes the layout of a weight, ahead of time."),
    on(Block, "meta_schedule.inline_rule", ALL, "\"disable\"", "Whether the scheduler may inline the block."),
    on(Block, "meta_schedule.cache_type", ALL, "0", "The block is a cache: 0 for reads, 1 for writes."),
    on(Block, "meta_schedule.tensor_core_enabled", ALL, "\"1\"", "The block may use tensor cores."),
    on(Block, "schedule_rule", ALL, "\"None\"", "The rule that schedules the block; `\"None\"` for none."),
    on(Block, "buffer_dim_align", ALL, "[[0, 0, 32, 8]]", "Aligns written buffers: the stride of a dimension is a multiple of a factor, plus an offset."),
    on(Block, "double_buffer_scope", ALL, "0", "The index of the written buffer that is double-buffered: one half is filled while the other is read."),
    on(Block, "warp_execution", ALL, "1", "A whole warp executes the block."),
    on(Block, "auto_copy", ALL, "1", "The block only copies, and TVM schedules the copy."),
    on(Block, "local_stage", ALL, "1", LOCAL_STAGE),
    on(Block, "vector_bytes", ALL, "16", "The number of bytes that the copy moves at once."),
    on(Block, "permuted_layout", ALL, "\"g2s_A\"", "The copy permutes the layout, so that banks of shared memory do not conflict."),
    on(Block, "layout_free_placeholders", ALL, "[]", "Buffers whose layout the scheduler may change."),
    on(Block, "explicit_read_region", ALL, "0", "The index of a buffer whose declared read region is used unchanged."),
    on(Block, "explicit_write_region", ALL, "0", "The index of a buffer whose declared write region is used unchanged."),
    on(Block, "require_bound_predicate", ALL, "True", "Bounds of the axes are checked when the block is lowered."),
    on(Block, "axis_separators", ALL, "[]", "The dimensions between which a buffer is split when it is flattened."),
    on(Block, "tir.manifest_shared_memory_local_stage", OLD, "1", LOCAL_STAGE),
    on(Block, "tirx.manifest_shared_memory_local_stage", TYPE, "1", LOCAL_STAGE),
    on(Block, "tir.script_parsing_detect_access", OLD, "3", DETECT),
    on(Block, "tirx.script_parsing_detect_access", TYPE, "3", DETECT),

    on(Buffer, "buffer_data_alignment", TYPE, "64", "The alignment of the memory in bytes."),
    on(Buffer, "buffer_allocated_addr", TYPE, "[0]", "The address of the memory, if it is chosen by hand."),
    on(Buffer, "tirx.volatile", TYPE, "True", "Each access reaches the memory."),
    on(Buffer, "disable_lower_builtin", ALL, "True", "The allocation is left to the code generator."),

    on(Statement, "thread_extent", ALL, "128", EXTENT),
    on(Statement, "virtual_thread", ALL, "2", "The number of virtual threads."),
    on(Statement, "storage_alignment", ALL, "128", "The alignment of the buffer's memory in bytes."),
    on(Statement, "storage_scope", OLD, "\"shared\"", "The memory scope of the buffer."),
    on(Statement, "realize_scope", OLD, "\"shared\"", "The memory scope of the buffer."),
    on(Statement, "double_buffer_scope", OLD, "1", "The buffer is double-buffered: one half is filled while the other is read."),
    on(Statement, "double_buffer_write", OLD, "1", "The statements fill the half that is not read."),
    on(Statement, "rolling_buffer_scope", OLD, "True", "The buffer keeps only the elements that are still needed."),
    on(Statement, "async_scope", OLD, "1", "The statements run asynchronously with those after them."),
    on(Statement, "async_commit_queue_scope", OLD, "0", "The statements are a group in a queue."),
    on(Statement, "async_wait_queue_scope", OLD, "0", "The statements wait for groups of a queue."),
    on(Statement, "async_wait_inflight_count", OLD, "1", "The number of groups of the queue that may be in flight."),
    on(Statement, "reduce_scope", ALL, "T.reinterpret(\"handle\", T.uint64(0))", "A reduction across threads."),
    on(Statement, "compute_scope", ALL, "\"\"", "The statements can become a separate function."),
    on(Statement, "extern_scope", ALL, "0", "The statements are opaque to passes."),
    on(Statement, "device_scope", ALL, "0", "The statements run on the device."),
    on(Statement, "device_id", ALL, "0", "The index of the device on which memory is allocated."),
    on(Statement, "device_type", ALL, "2", "The type of the device on which memory is allocated."),
    on(Statement, "volatile_scope", OLD, "1", "Each access of the pointer reaches the memory."),
    on(Statement, "fragment_shape", OLD, "\"16, 16, 16\"", "The shape of a fragment of a matrix."),
    on(Statement, "fragment_layout", OLD, "\"row_major\"", "The layout of a fragment of a matrix."),
    on(Statement, "hand_threaded", OLD, "0", "The kernel contains its own synchronisation; TVM adds none."),
    on(Statement, "buffer_bind_scope", OLD, "0", "Binds a buffer to a region of another."),
    on(Statement, "buffer_dim_align", OLD, "T.tvm_tuple(0, 32, 8)", "The stride of a dimension is a multiple of a factor, plus an offset."),
    on(Statement, "buffer_data_alignment", TYPE, "64", "The alignment of the buffer's memory in bytes."),
    on(Statement, "buffer_allocated_addr", TYPE, "0", "The address of the memory, if it is chosen by hand."),
    on(Statement, "tensorized_nki_instruction", TYPE, "True", "The inner loops become one Neuron instruction."),
    on(Statement, "tirx.volatile", TYPE, "True", "Each access reaches the memory."),
    on(Statement, "tirx.persistent_kernel", TYPE, "True", "The kernel stays on the device and fetches its work."),
    on(Statement, "tirx.dyn_smem_bytes", TYPE, "0", "The bytes of dynamic shared memory of the launch."),
    on(Statement, "tirx.max_registers", TYPE, "128", "The greatest number of registers per thread."),
    on(Statement, "tirx.launch_bounds_min_blocks_per_sm", TYPE, "1", "The minimum number of blocks on a multiprocessor."),
    on(Statement, "target", ALL, "T.target(\"cuda\")", "The target that the statements are compiled for."),
    on(Statement, "pragma_unroll_explicit", ALL, "1", UNROLL),
    on(Statement, "pragma_auto_unroll_max_step", ALL, "16", MAX_STEP),
    on(Statement, "pragma_import_c", ALL, "\"\"", IMPORT_C),
    on(Statement, "pragma_import_llvm", ALL, "\"\"", IMPORT_LLVM),
];
