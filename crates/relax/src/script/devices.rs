//! Names under `T.nvshmem`, `T.nki`, `T.metal` and `T.webgpu`, which are specific to a device.

use super::Role::Intrinsic;
use super::{Entry, row};
use crate::release::{Release, Releases};

const TYPE: Releases = Releases::since(Release::V0_25);

const GET: &str = "Starts a copy from another GPU without waiting.";
const PUT: &str = "Starts a copy to another GPU without waiting.";
const PUT_SIGNAL: &str = "Starts a copy to another GPU, followed by a signal, without waiting.";

const fn device(name: &'static str, params: &'static str, doc: &'static str) -> Entry {
    row(name, params, Intrinsic, TYPE, doc)
}

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    device("nvshmem.my_pe", "", "The number of this GPU."),
    device("nvshmem.n_pes", "", "The number of GPUs."),
    device("nvshmem.getmem_nbi", "dst, src, nelems, pe", GET),
    device("nvshmem.getmem_nbi.warp", "dst, src, nelems, pe", "The same, executed by all threads of a warp."),
    device("nvshmem.getmem_nbi.block", "dst, src, nelems, pe", "The same, executed by all threads of a block."),
    device("nvshmem.putmem_nbi", "dst, src, nelems, pe", PUT),
    device("nvshmem.putmem_nbi.warp", "dst, src, nelems, pe", "The same, executed by all threads of a warp."),
    device("nvshmem.putmem_nbi.block", "dst, src, nelems, pe", "The same, executed by all threads of a block."),
    device("nvshmem.putmem_signal_nbi", "dst, src, nelems, sig_addr, signal, sig_op, pe", PUT_SIGNAL),
    device("nvshmem.putmem_signal_nbi.warp", "dst, src, nelems, sig_addr, signal, sig_op, pe", "The same, executed by all threads of a warp."),
    device("nvshmem.putmem_signal_nbi.block", "dst, src, nelems, sig_addr, signal, sig_op, pe", "The same, executed by all threads of a block."),
    device("nvshmem.signal_op", "sig_addr, signal, sig_op, pe", "Changes a word on which another GPU waits: `\"set\"`, `\"add\"`."),
    device("nvshmem.wait_until", "ivar, cmp, cmp_value, type=\"uint64_t\"", "Waits until a comparison with a word holds: `\"eq\"`, `\"ne\"`, `\"gt\"`, `\"ge\"`, `\"lt\"`, `\"le\"`."),
    device("nvshmem.quiet", "", "Waits until all operations of this GPU are done."),
    device("nvshmem.fence", "", "Orders earlier copies before later ones."),
    device("nvshmem.barrier_all", "", "A barrier of all GPUs that also waits for their operations."),

    device("nki.load", "res, data", "Loads from global memory."),
    device("nki.store", "res, data", "Stores in global memory."),
    device("nki.tensor_copy", "res, data", "Copies between memories of the core."),
    device("nki.matmul", "res, lhs, rhs, accum=True", "A matrix product, optionally accumulated."),
    device("nki.memset", "result, value", "Fills with one value."),
    device("nki.identity", "result, size", "The identity matrix."),
    device("nki.reciprocal", "result, data", "One over each element."),
    device("nki.activation", "result, data, opcode, bias=0.0, scale=1.0", "A function of each element, after scaling and adding a bias."),
    device("nki.activation_reduce", "reduce_res, act_res, data, opcode, reduce_opcode, bias=0.0, scale=1.0", "A function of each element, followed by a reduction."),
    device("nki.affine_select", "result, pred, true_value, false_value", "Selects between two tiles by a condition on the indices."),
    device("nki.tensorreduce", "result, data, opcode, negate, *axes", "Reduces over axes."),
    device("nki.tensortensor", "result, operand0, operand1, opcode", "An operation on the elements of two tensors."),
    device("nki.tensorscalar", "result, operand0, operand1, opcode, reverse=False", "An operation on the elements of a tensor and a number."),
    device("nki.tensorscalar_reduce", "reduce_res, tensorscalar_res, operand0, operand1, opcode, reduce_opcode, reverse=False", "The same, followed by a reduction."),
    device("nki.scalar_tensor_scalar", "result, data, operand0, operand1, opcode0, opcode1, reverse0=False, reverse1=False", "An operation with a number, then another with a number."),
    device("nki.scalar_tensor_tensor", "result, data, operand0, operand1, opcode0, opcode1, reverse0=False, reverse1=False", "An operation with a number, then another with a tensor."),

    device("metal.make_filled_simdgroup_matrix", "d, index, value, col=8, row=8", "Fills a matrix of a SIMD group with one value."),
    device("metal.simdgroup_load", "d, index, ptr, stride, col=8, row=8, transpose_matrix=False", "Loads a matrix of a SIMD group from memory."),
    device("metal.simdgroup_store", "d, index, ptr, stride, col=8, row=8, transpose_matrix=False", "Stores a matrix of a SIMD group in memory."),
    device("metal.simdgroup_multiply_accumulate", "d, index_d, a, index_a, b, index_b, c, index_c", "`d = a @ b + c` of matrices of a SIMD group."),
    device("metal.simd_shuffle", "var, lane", "The value of one thread of the SIMD group."),
    device("metal.simd_shuffle_up", "var, delta", "The value of the thread `delta` positions before."),
    device("metal.simd_shuffle_down", "var, delta", "The value of the thread `delta` positions after."),
    device("webgpu.subgroup_shuffle", "var, lane", "The value of one thread of the subgroup."),
    device("webgpu.subgroup_shuffle_up", "var, delta", "The value of the thread `delta` positions before."),
    device("webgpu.subgroup_shuffle_down", "var, delta", "The value of the thread `delta` positions after."),
];
