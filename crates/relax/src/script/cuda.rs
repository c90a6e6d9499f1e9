//! Names under `T.cuda`: CUDA functions, barriers and reductions composed of them, descriptors, measurements.

use super::Role::Intrinsic;
use super::{Entry, row, space};
use crate::release::{Release, Releases};

const TYPE: Releases = Releases::since(Release::V0_25);

const TIMER: &str = "event_type, profiler_buffer, profiler_tag, profiler_write_offset, profiler_write_stride, leader_cond";

const fn cuda(name: &'static str, params: &'static str, doc: &'static str) -> Entry {
    row(name, params, Intrinsic, TYPE, doc)
}

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    cuda("cuda.cta_sync", "", "`__syncthreads()`: waits for all threads of the block."),
    cuda("cuda.warp_sync", "", "`__syncwarp()`: waits for all threads of the warp."),
    cuda("cuda.warpgroup_sync", "bar_no", "Waits for the 128 threads of a group of four warps, at a named barrier."),
    cuda("cuda.cluster_sync", "", "Waits for all blocks of the cluster."),
    cuda("cuda.grid_sync", "", "Waits for all blocks of the kernel."),
    cuda("cuda.syncthreads_and", "cond", "`__syncthreads_and()`: waits for all threads of the block, and returns whether the condition holds for all of them."),
    cuda("cuda.syncthreads_or", "cond", "`__syncthreads_or()`: waits for all threads of the block, and returns whether the condition holds for any of them."),
    cuda("cuda.thread_fence", "", "`__threadfence()`: the device observes writes before it earlier than writes after it."),
    cuda("cuda.nano_sleep", "time", "`__nanosleep()`: suspends the thread for about this number of nanoseconds."),
    cuda("cuda.elect_sync", "", "Whether this is the elected thread of its warp.").since(Release::V0_27),
    cuda("cuda.thread_rank", "", "The number of this thread in its block, over all dimensions."),
    cuda("cuda.any_sync", "mask, pred", "`__any_sync()`: whether the predicate holds for any thread of the mask.").since(Release::V0_27),
    cuda("cuda.ballot_sync", "mask, pred", "`__ballot_sync()`: a bit for each thread of the mask, set if the predicate holds for it."),
    cuda("cuda.ffs_u32", "value", "`__ffs()`: the position of the lowest set bit, counted from 1; 0 if none is set."),
    cuda("cuda.reduce_add_sync_u32", "mask, value", "`__reduce_add_sync()`: the sum over threads of the mask."),
    cuda("cuda.reduce_min_sync_u32", "mask, value", "`__reduce_min_sync()`: the minimum over threads of the mask."),
    cuda("cuda.warp_reduce", "value, op, width=32", "Reduces over groups of `width` neighbouring threads of the warp: `\"sum\"`, `\"max\"`, `\"min\"`."),
    cuda("cuda.warp_sum", "value, width=32", "The sum over groups of `width` neighbouring threads of the warp."),
    cuda("cuda.warp_max", "value, width=32", "The maximum over groups of `width` neighbouring threads of the warp."),
    cuda("cuda.warp_min", "value, width=32", "The minimum over groups of `width` neighbouring threads of the warp."),
    cuda("cuda.cta_reduce", "value, op, num_warps, scratch", "Reduces over the threads of the block through shared memory: `\"sum\"`, `\"max\"`, `\"min\"`."),
    cuda("cuda.cta_sum", "value, num_warps, scratch", "The sum over the threads of the block."),
    cuda("cuda.cta_max", "value, num_warps, scratch", "The maximum over the threads of the block."),
    cuda("cuda.cta_min", "value, num_warps, scratch", "The minimum over the threads of the block."),
    cuda("cuda.mbarrier_wait", "bar, phase", "Waits until a barrier in shared memory has passed a phase.").since(Release::V0_27),
    cuda("cuda.mbarrier_wait_acquire_cluster", "bar, phase", "Waits until a barrier has passed a phase in which threads of other blocks of the cluster arrive.").since(Release::V0_27),
    cuda("cuda.wait_until", "dst, ptr, predicate, scope=\"gpu\", space=\"global\", ptx_type=None, backoff_ns=None",
        "Reads a word of memory repeatedly until a condition on it holds, and stores its value.").since(Release::V0_27),

    cuda("cuda.atomic_add", "res_addr, value", "`atomicAdd()`: adds to a value in memory and returns the old value."),
    cuda("cuda.atomic_cas", "ptr, old_val, new_val", "`atomicCAS()`: stores the new value if memory contains `old_val`, and returns the previous value."),
    cuda("cuda.ldg", "addr, dtype, *, dst=None, vec=\"\"", "`__ldg()`: loads through the read-only cache."),
    cuda("cuda.cvta_generic_to_shared", "ptr", "The shared-memory address of a generic pointer."),
    cuda("cuda.smem_addr_from_uint64", "cluster_addr", "The shared-memory address within a cluster address."),
    cuda("cuda.sm100_2sm_leader_smem_addr", "ptr", "The address in the shared memory of the leading block of a pair.").since(Release::V0_26),
    cuda("cuda.get_tmem_addr", "addr, row_offset, col_offset", "An address in tensor memory, moved by rows and columns."),
    cuda("cuda.mov_sreg", "bits, reg_name", "A special register of PTX, given its width in bits and its name.").since(Release::V0_27),

    cuda("cuda.half2float", "src", "A float16 as a float32."),
    cuda("cuda.bfloat162float", "src", "A bfloat16 as a float32."),
    cuda("cuda.float22half2", "dst, src", "Two float32 as two float16."),
    cuda("cuda.bfloat1622float2", "packed", "Two bfloat16 as two float32."),
    cuda("cuda.float22bfloat162_rn", "v0, v1", "Two float32 as two bfloat16, rounded to the nearest."),
    cuda("cuda.float22bfloat162_rn_from_float2", "packed", "A pair of float32 as two bfloat16, rounded to the nearest."),
    cuda("cuda.half8tofloat8", "src_addr, dst_addr", "Eight pairs of float16 as pairs of float32."),
    cuda("cuda.float8tohalf8", "src_addr, dst_addr", "Eight pairs of float32 as pairs of float16."),
    cuda("cuda.fp8x4_e4m3_from_float4", "x, y, z, w", "Four float32 as four float8_e4m3."),
    cuda("cuda.float_as_uint", "x", "The bits of a float32 as an integer."),
    cuda("cuda.uint_as_float", "bits", "The float32 with these bits."),
    cuda("cuda.make_float2", "x, y", "A pair of float32."),
    cuda("cuda.float2_x", "packed", "The first of a pair of float32."),
    cuda("cuda.float2_y", "packed", "The second of a pair of float32."),
    cuda("cuda.fadd2_rn", "a, b", "The sums of two pairs of float32."),
    cuda("cuda.fmul2_rn", "a, b", "The products of two pairs of float32."),
    cuda("cuda.hmax2", "a, b", "The larger ones of two pairs of float16."),
    cuda("cuda.hmin2", "a, b", "The smaller ones of two pairs of float16."),
    cuda("cuda.fdividef", "x, y", "`__fdividef()`: a fast quotient of float32.").since(Release::V0_26),

    cuda("cuda.func_call", "func_name, *args, source_code, return_type=\"void\", lazy_args=()", "Calls a CUDA function, given its source."),
    cuda("cuda.printf", "fmt, *args", "`printf()` of the device."),
    cuda("cuda.clock64", "", "`clock64()`: the cycles that the multiprocessor has counted."),
    cuda("cuda.trap_when_assert_failed", "cond", "Stops the kernel unless the condition holds."),
    cuda("cuda.mma_fill", "dtype, local_size, local_ptr, offset", "Fills the accumulator of `mma` with zeros."),
    cuda("cuda.mma_fill_legacy", "dtype, local_size, local_ptr, offset", "The same with separate pointer and offset."),
    cuda("cuda.mma_store", "dtype, m, n, dst_ptr, src_ptr, src_offset, dst_stride", "Stores the accumulator of `mma`."),
    cuda("cuda.mma_store_legacy", "dtype, m, n, dst_ptr, src_ptr, src_offset, dst_stride", "The same with separate pointers and offsets."),
    cuda("cuda.runtime_instr_desc", "desc, sf_id", "Changes the scale factors in an instruction descriptor."),

    space("cuda.wgmma", Releases::since(Release::V0_27), "Descriptors of matrix products by warp groups."),
    cuda("cuda.wgmma.encode_matrix_descriptor", "desc, addr, ldo, sdo, swizzle", "Builds the descriptor of a matrix in shared memory for `wgmma`.").since(Release::V0_27),
    cuda("cuda.wgmma.noop_barrier", "reg", "Prevents the compiler from moving uses of a register across this statement.").since(Release::V0_27),
    space("cuda.tcgen05", Releases::since(Release::V0_27), "Descriptors of matrix products by fifth-generation tensor cores."),
    cuda("cuda.tcgen05.encode_matrix_descriptor", "desc, addr, ldo, sdo, swizzle", "Builds the descriptor of a matrix in shared memory for `tcgen05.mma`.").since(Release::V0_27),
    cuda("cuda.tcgen05.encode_instr_descriptor", "desc, *, d_dtype, a_dtype, b_dtype, M, N, K, trans_a, trans_b, n_cta_groups=1, neg_a=False, neg_b=False, sat_d=False, is_sparse=False",
        "Builds the instruction descriptor of a product for `tcgen05.mma`.").since(Release::V0_27),
    cuda("cuda.tcgen05.encode_instr_descriptor_block_scaled", "desc, *, d_dtype, a_dtype, b_dtype, sfa_dtype, sfb_dtype, sfa_tmem_addr, sfb_tmem_addr, M, N, K, trans_a, trans_b, n_cta_groups=1, neg_a=False, neg_b=False, is_sparse=False",
        "Builds the instruction descriptor of a block-scaled product for `tcgen05.mma`.").since(Release::V0_27),

    cuda("cuda.timer_init", "profiler_buffer, profiler_tag, profiler_write_offset, num_groups, group_id", "Prepares a buffer for measurements."),
    cuda("cuda.timer_start", TIMER, "An event begins."),
    cuda("cuda.timer_end", TIMER, "An event ends."),
    cuda("cuda.timer_finalize", "profiler_buffer, profiler_tag, profiler_write_offset, profiler_write_stride, leader_cond", "Completes the measurements."),
    space("cuda.iket", Releases::since(Release::V0_26), "Markers for kernel traces of NVIDIA's profilers."),
    cuda("cuda.iket.mark", "name, payload=None", "A point in the trace.").since(Release::V0_26),
    cuda("cuda.iket.range_push", "name, payload=None", "Begins a range of the trace, inside the open ranges.").since(Release::V0_26),
    cuda("cuda.iket.range_pop", "", "Ends the innermost range of the trace.").since(Release::V0_26),
    cuda("cuda.iket.range_start", "name, payload=None", "Begins a range of the trace and returns its id.").since(Release::V0_26),
    cuda("cuda.iket.range_end", "token, payload=None", "Ends the range with the id from `range_start`.").since(Release::V0_26),
    cuda("cuda.iket.sentinel_token", "name", "The id of no range, for warps that begin none.").since(Release::V0_26),
    cuda("cuda.iket.official_event", "event_id, source_code=\"\", payload=None", "Ends a range, given the number of its event.").since(Release::V0_26),
];
