//! Names under `T` since the Type dialect for writing kernels: thread positions, layouts, scalars.

use super::Role::{Annotation, Buffer, Builder, Decorator, Intrinsic, Statement, Value};
use super::{Entry, plain, row, space};
use crate::release::{Release, Releases};

const TYPE: Releases = Releases::since(Release::V0_25);

const ALLOC: &str = "shape, dtype=\"float32\", data=None, strides=None, elem_offset=None, byte_offset=None, *, align=-1, offset_factor=0, layout=\"default\", allocated_addr=None, annotations=None";
const SCOPE_ID: &str = "extents=None, dtype=\"int32\"";
const CTA_ID: &str = "extents=None, preferred=None, dtype=\"int32\"";

/// Returns the row of a decorator, an annotation or a statement that exists since the Type dialect.
const fn new(
    name: &'static str,
    params: &'static str,
    role: super::Role,
    doc: &'static str,
) -> Entry {
    row(name, params, role, TYPE, doc)
}

/// Returns the row of a group of threads, which execute a tile operation under it together.
const fn scope(name: &'static str, doc: &'static str) -> Entry {
    space(name, TYPE, doc)
}

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    new("jit", "func=None, private=False, check_well_formed=True, is_stir=False, persistent=False", Decorator,
        "A PrimFunc that is parsed when `.specialize()` gives its `T.constexpr` parameters."),
    new("meta_class", "cls", Decorator, "A Python class whose instances the parser uses."),
    plain("constexpr", Annotation, TYPE, "A parameter of `@T.jit` whose value is given before the script is parsed."),
    row("Optional", "annotation", Annotation, Releases::since(Release::V0_26), "An optional parameter of `@T.jit`."),
    plain("let", Annotation, TYPE, "A variable that is bound once: `x: T.let[T.int32] = value`, or `x: T.let = value`."),
    new("TensorMap", "", Annotation, "A descriptor of a tensor for asynchronous copies of CUDA."),

    new("device_entry", "", Statement, "The following statements run on the device; earlier ones run on the host."),
    new("cta_id", CTA_ID, Value, "The number of this block of threads in the kernel, one for each extent."),
    new("cta_id_in_cluster", CTA_ID, Value, "The number of this block of threads in its cluster."),
    new("cta_id_in_pair", "dtype=\"int32\"", Value, "The number of this block of threads in its pair: 0 or 1."),
    new("cluster_id", SCOPE_ID, Value, "The number of this cluster in the kernel."),
    new("warpgroup_id", SCOPE_ID, Value, "The number of this group of four warps in its block of threads."),
    new("warp_id", SCOPE_ID, Value, "The number of this warp in its block of threads."),
    new("warp_id_in_wg", SCOPE_ID, Value, "The number of this warp in its group of four."),
    new("lane_id", SCOPE_ID, Value, "The number of this thread in its warp."),
    new("thread_id", SCOPE_ID, Value, "The number of this thread in its block, one for each extent."),
    new("thread_id_in_wg", SCOPE_ID, Value, "The number of this thread in its group of four warps."),
    new("scope_id", "extents, parent, cur, dtype=\"int32\"", Value, "The number of one kind of group of threads in another kind."),
    scope("cluster", "Tile primitives for all blocks of a cluster."),
    scope("cta", "Tile primitives for all threads of a block."),
    scope("warpgroup", "Tile primitives for four warps."),
    scope("wg", "Tile primitives for four warps."),
    scope("warp", "Tile primitives for a warp."),
    scope("thread", "Tile primitives for one thread."),

    new("alloc_local", ALLOC, Buffer, "A new buffer in registers of each thread."),
    new("alloc_shared", ALLOC, Buffer, "A new buffer in memory that the threads of a block share."),
    new("smem", ALLOC, Buffer, "A new buffer in memory that the threads of a block share."),
    new("tmem", ALLOC, Buffer, "A new buffer in tensor memory."),
    new("alloc_scalar", "dtype=\"float32\", scope=\"global\"", Buffer, "A new buffer without dimensions, used as a number."),
    new("local_scalar", "dtype=\"float32\"", Buffer, "A number in a register of each thread."),
    new("shared_scalar", "dtype=\"float32\"", Buffer, "A number in memory that the threads of a block share."),
    new("decl_scalar", "dtype, data, scope, elem_offset=None, byte_offset=None", Buffer, "A number in memory that exists already."),
    new("wg_reg_tile", "elem_per_thread, dtype=\"float32\"", Buffer, "A tile of 128 rows in registers, one row for each thread of four warps."),
    new("alloc_cast_frag", "src, dtype", Buffer, "Registers for a fragment converted to another dtype, laid out as it is."),
    new("alloc_tcgen05_ldst_frag", "instr_shape, tensor_shape, dtype", Buffer, "Registers that `tcgen05.ld` fills or `tcgen05.st` reads."),
    new("SMEMPool", "*args, **kwargs", Value, "Allocates parts of shared memory one after another."),
    new("TMEMPool", "*args, **kwargs", Value, "Allocates parts of tensor memory one after another."),

    plain("S", Value, TYPE, "A layout over dimensions: `T.S[(8, 4) : (4, 1)]`, extents and strides."),
    plain("R", Value, TYPE, "The replication of a layout: `T.R[4 : 1]`, extents and strides."),
    new("TileLayout", "spec", Value, "The layout of a tile, from `T.S[...]` and `T.R[...]`."),
    row("ComposeLayout", "per_element, swizzle_len, atom_len, tile_layout, swizzle_inner=True", Value, Releases::since(Release::V0_26), "A layout whose addresses are swizzled."),
    row("ComposeLayout", "layout_A, layout_B", Value, Releases::only(Release::V0_25), "The layout of a tile whose addresses are swizzled: a `T.SwizzleLayout` and a `T.TileLayout`."),
    row("SwizzleLayout", "per_element, swizzle_len, atom_len, swizzle_inner=True", Value, Releases::only(Release::V0_25), "A layout whose addresses are swizzled; since TVM 0.26, `T.ComposeLayout`."),
    row("TMEMStages", "buf, col_start, width, stages=1, stride=None", Value, Releases::only(Release::V0_25), "The pipeline stages of a buffer in tensor memory."),
    new("Layout", "", Builder, "The base class of layouts."),
    new("Iter", "extent, stride, axis", Builder, "One dimension of a layout."),
    new("ExecScope", "name", Builder, "A group of threads that work together, by name."),
    new("ScopeIdDef", "def_ids, extents, parent, cur, preferred_extents=None", Builder, "Defines thread indices."),
    new("scalar_wrapper", "scalar", Builder, "Names a scalar after its assignment target."),
    new("LetAnnotation", "type_spec=None", Builder, "The type of `T.let[...]`."),
    new("LocalVectorAnnotation", "dtype, shape", Builder, "The annotation `T.float32[4]`: registers of each thread."),
    new("register_script_namespace", "name, namespace", Builder, "Adds a namespace under `T`."),

    space("tile", TYPE, "Operations on whole tiles, by one thread or (under `T.cta` and similar) by several."),
    space("cuda", TYPE, "Functions of CUDA, and functions composed of them."),
    space("ptx", TYPE, "Instructions of PTX: their modifiers follow after dots, `T.ptx.ld.global_.b32(value, address)`."),
    space("ptx_legacy", TYPE, "Instructions of PTX under their older names."),
    space("nvshmem", TYPE, "Communication between GPUs by NVSHMEM."),
    space("nki", TYPE, "Instructions of AWS Neuron."),
    space("metal", TYPE, "Functions of Metal."),
    space("webgpu", TYPE, "Functions of WebGPU."),
    space("s_tir", TYPE, "Intrinsics of scheduled functions."),
    new("s_tir.cp_async_raw", "*args", Intrinsic, "PTX `cp.async` with its raw operands."),
    new("s_tir.cp_async_raw.legacy", "*all_args", Intrinsic, "The same with separate pointers and offsets."),
    new("s_tir.ldg32", "reg, guard, addr, local_addr", Intrinsic, "Loads 32 bits of global memory into a register if the guard holds."),
    new("ptx_legacy.mma", "*all_args, operator=None", Intrinsic, "PTX `mma` with separate pointers and offsets."),
    new("ptx_legacy.ldmatrix", "*all_args", Intrinsic, "PTX `ldmatrix` with separate pointers and offsets."),
];
