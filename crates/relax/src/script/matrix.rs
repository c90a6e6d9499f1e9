//! Names directly under `T` for the matrix units, asynchronous copies and barriers of GPUs.

use super::Role::Intrinsic;
use super::{Also, Entry, call, row};
use crate::release::{Release, Releases};

const ALL: Releases = Releases::ALL;
const OLD: Releases = Releases::until(Release::V0_24);
const TYPE: Releases = Releases::since(Release::V0_25);

/// Returns the row of a call whose first parameter is its dtype, which may also be given by keyword.
const fn typed(name: &'static str, params: &'static str, doc: &'static str) -> Entry {
    row(name, params, Intrinsic, OLD, doc).also(Also::DtypeByName)
}

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    call("tvm_load_matrix_sync", "fragment, m, n, k, index, buffer_ptr, stride, layout", ALL, "Loads a fragment of a matrix; all threads of a warp take part."),
    call("tvm_mma_sync", "fragment_d, index_d, fragment_a, index_a, fragment_b, index_b, fragment_c, index_c", ALL, "`D = A @ B + C` of fragments; all threads of a warp take part."),
    call("tvm_bmma_sync", "fragment_d, index_d, fragment_a, index_a, fragment_b, index_b, fragment_c, index_c", ALL, "`D = A @ B + C` of fragments of single bits; all threads of a warp take part."),
    call("tvm_fill_fragment", "fragment, m, n, k, index, value", ALL, "Fills a fragment of a matrix with one value."),
    call("tvm_store_matrix_sync", "fragment, m, n, k, index, buffer_ptr, stride, layout", ALL, "Stores a fragment of a matrix; all threads of a warp take part."),
    row("tvm_warp_activemask", "", Intrinsic, ALL, "The mask of the warp's active threads."),
    row("tvm_warp_shuffle", "mask, value, warp_id, width, warp_size", Intrinsic, ALL, "The value of one thread of the warp."),
    row("tvm_warp_shuffle_up", "mask, value, offset, width, warp_size", Intrinsic, ALL, "The value of the thread `delta` positions before."),
    row("tvm_warp_shuffle_down", "mask, value, offset, width, warp_size", Intrinsic, ALL, "The value of the thread `delta` positions after."),
    row("tvm_warp_shuffle_xor", "mask, value, lane_mask, width, warp_size", Intrinsic, TYPE, "The value of the thread whose index is this one's XOR a mask."),

    typed("ptx_mma", "dtype, shape, A_layout, B_layout, A_dtype, B_dtype, C_dtype, multiplicand_a, a_index, multiplicand_b, b_index, accumulator, c_index, saturate, operator=None",
        "PTX `mma`: multiplies fragments of matrices and adds the product to the accumulator."),
    typed("ptx_mma_sp", "dtype, shape, A_layout, B_layout, A_dtype, B_dtype, C_dtype, multiplicand_a, a_index, multiplicand_b, b_index, accumulator, c_index, metadata, meta_index, sparse_selector, saturate",
        "PTX `mma.sp`: the same with a sparse first matrix, whose metadata holds the positions of its elements."),
    typed("ptx_ldmatrix", "dtype, trans, num, type, local_ptr, local_offset, smem_ptr, smem_offset", "PTX `ldmatrix`: loads 1, 2 or 4 matrices of 8 by 8 from shared memory."),
    typed("ptx_cp_async", "dtype, shared_ptr, shared_offset, global_ptr, global_offset, bytes", "PTX `cp.async`: starts a copy from global to shared memory."),
    typed("ptx_cp_async_bulk", "dtype, shared_ptr, shared_offset, global_ptr, global_offset, bytes, barrier_id", "PTX `cp.async.bulk`: starts a bulk copy from global to shared memory that signals a barrier at its end."),
    call("ptx_commit_group", "", OLD, "PTX `cp.async.commit_group`: groups the copies started since the previous group."),
    call("ptx_wait_group", "num", OLD, "PTX `cp.async.wait_group`: waits until at most this number of groups is in flight."),
    call("ptx_cp_async_barrier", "barrier_id", OLD, "PTX `cp.async.mbarrier.arrive`: the copies started so far arrive at a barrier when they end."),
    call("ptx_init_barrier_thread_count", "barrier_id, thread_count", OLD, "PTX `mbarrier.init`: initialises a barrier for a number of threads."),
    call("ptx_arrive_barrier", "barrier_id", OLD, "PTX `mbarrier.arrive`: this thread arrives at the barrier."),
    call("ptx_arrive_barrier_expect_tx", "barrier_id, byte_count", OLD, "PTX `mbarrier.arrive.expect_tx`: this thread arrives, and the barrier expects a number of bytes."),
    call("ptx_wait_barrier", "barrier_id", OLD, "PTX `mbarrier.try_wait`: waits until all threads have arrived."),
    call("create_barriers", "barrier_count", OLD, "Barriers in shared memory, named by number."),
    typed("mma_fill", "dtype, local_size, local_ptr, offset", "Fills the accumulator of `ptx_mma` with zeros."),
    typed("mma_store", "dtype, m, n, dst_ptr, src_ptr, src_offset, dst_stride", "Stores the accumulator of `ptx_mma`."),

    call("make_filled_simdgroup_matrix", "d, index, value, col=8, row=8", Releases::between(Release::V0_17, Release::V0_24), "Metal: fills a matrix of a SIMD group with one value."),
    call("simdgroup_load", "d, index, ptr, stride, col=8, row=8, transpose_matrix=False", Releases::between(Release::V0_17, Release::V0_24), "Metal: loads a matrix of a SIMD group from memory."),
    call("simdgroup_store", "d, index, ptr, stride, col=8, row=8, transpose_matrix=False", Releases::between(Release::V0_17, Release::V0_24), "Metal: stores a matrix of a SIMD group in memory."),
    call("simdgroup_multiply_accumulate", "d, index_d, a, index_a, b, index_b, c, index_c", Releases::between(Release::V0_17, Release::V0_24), "Metal: `d = a @ b + c` of matrices of a SIMD group."),
    call("cooperative_tensor_fill", "d, index, value, rows, cols", TYPE, "Metal: fills a cooperative tensor with one value."),
    call("cooperative_tensor_load", "d, index, ptr, stride, rows, cols, transpose_matrix=False, mma_M=0, mma_N=0, mma_K=0, operand_role=0", TYPE, "Metal: loads a cooperative tensor from memory."),
    call("cooperative_tensor_store", "d, index, ptr, stride, rows, cols, transpose_matrix=False, mma_M=0, mma_N=0, mma_K=0, operand_role=0", TYPE, "Metal: stores a cooperative tensor in memory."),
    call("cooperative_tensor_multiply_accumulate", "d, index_d, a, index_a, b, index_b, c, index_c, M, N, K, transpose_a=False, transpose_b=False", TYPE, "Metal: `d = a @ b + c` of cooperative tensors."),
];
