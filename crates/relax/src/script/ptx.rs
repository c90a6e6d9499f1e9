//! Names under `T.ptx`: PTX instructions. Their modifiers follow after dots in any order. A trailing `_` avoids Python
//! keywords, and `__` stands for `::`.

use super::Role::Intrinsic;
use super::{Also, Entry, row, space};
use crate::release::{Release, Releases};

const TYPE: Releases = Releases::since(Release::V0_25);

/// Defines an instruction: its operands for each overload (`a...` means that its words determine the number of
/// registers), and the words that may follow its name.
macro_rules! ptx {
    ($name:literal, [], $words:literal, $doc:literal) => {
        row($name, "*, pred=None, preserve_dst=False", Intrinsic, TYPE, $doc).instruction($words)
    };
    ($name:literal, [$first:literal $(, $form:literal)* $(,)?], $words:literal, $doc:literal) => {
        row($name, concat!($first, ", *, pred=None, preserve_dst=False"), Intrinsic, TYPE, $doc)
            .also(Also::Forms(&[$(concat!($form, ", *, pred=None, preserve_dst=False")),*]))
            .instruction($words)
    };
}

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    row("ptx.addr", "base, byte_offset", Intrinsic, TYPE, "An operand: an address plus an offset in bytes."),
    row("ptx.pred", "value", Intrinsic, TYPE, "A value as a predicate."),
    super::plain("ptx.SINK", Intrinsic, TYPE, "A placeholder for an unused destination."),
    ptx!("ptx.abs", ["d, a"], "s16 s32 s64 ftz f32 f64 f16 f16x2 bf16 bf16x2", "The absolute value."),
    ptx!("ptx.activemask", ["d"], "b32", "The mask of the warp's active threads."),
    ptx!("ptx.add", ["d, a, c", "d, a, b"],
        "rn rz rm rp f32x2 f16x2 bf16x2 ftz sat u16 u32 u64 u16x2 s16 s32 s64 s16x2 f32 f64 f16 bf16",
        "The sum."),
    ptx!("ptx.and_", ["d, a, b"], "pred b16 b32 b64", "The bits set in both operands."),
    ptx!("ptx.applypriority", ["addr"], "global_ L2__evict_normal", "Sets the priority of cache lines."),
    ptx!("ptx.applypriority.async_.bulk", ["addr, size"], "global_ bulk_group L2__evict_normal", "Starts to set the priority of a range of the cache."),
    ptx!("ptx.applypriority.async_.bulk.tensor", [
            "tmap, coords...",
            "tmap, coords..., im2col_info...",
            "tmap, global_address, coords...",
            "tmap, global_address, tensor_size, coords",
        ],
        "1d 2d 3d 4d 5d global_ bulk_group tile tile__gather4 L2__evict_normal im2col im2col__w im2col__w__128 \
         override__global_address override__global_dim override__global_dim_stride",
        "Starts to set the cache priority of a tile of a tensor."),
    ptx!("ptx.atom", [
            "addr, value, cache_policy",
            "addr, compare, value",
            "d, addr, value, cache_policy",
            "d, addr, compare, value",
        ],
        "relaxed acquire release acq_rel cta cluster gpu sys global_ shared shared__cta shared__cluster add \
         noftz L2__cache_hint f32 v2 v4 and_ or_ xor inc dec min max b32 b64 u32 u64 s32 s64 f64 cas b16 b128 \
         exch f16 bf16 f16x2 bf16x2 v8",
        "Updates a value in memory atomically; `d` is the old value."),
    ptx!("ptx.bar", ["a", "a, b", "d, a, c", "d, a, b, c"], "cta sync arrive red popc u32 and_ or_ pred", "Waits or arrives at a numbered barrier of the block."),
    ptx!("ptx.bar.warp.sync", ["membermask"], "", "Waits for the threads of the warp in a mask."),
    ptx!("ptx.barrier", ["a", "a, b", "d, a, c", "d, a, b, c"],
        "cta sync aligned arrive red popc u32 and_ or_ pred",
        "Waits or arrives at a numbered barrier of the block."),
    ptx!("ptx.barrier.cluster.arrive", [], "release relaxed aligned", "Arrives at the barrier of the cluster."),
    ptx!("ptx.barrier.cluster.wait", [], "acquire aligned", "Waits at the barrier of the cluster."),
    ptx!("ptx.bfe", ["d, a, b, c"], "u32 u64 s32 s64", "A bit field of `a`: `c` bits from bit `b`."),
    ptx!("ptx.bfi", ["f, a, b, c, d"], "b32 b64", "Inserts a bit field into another value."),
    ptx!("ptx.bfind", ["d, a"], "shiftamt u32 u64 s32 s64", "The position of the highest set bit."),
    ptx!("ptx.bmsk", ["d, a, b"], "clamp wrap b32", "A mask of consecutive bits, given its first bit and its length."),
    ptx!("ptx.brev", ["d, a"], "b32 b64", "The bits in reverse order."),
    ptx!("ptx.clmad", ["d, a, b, c"], "hi lo u64", "A carry-less product, and a sum."),
    space("ptx.clusterlaunchcontrol", TYPE, "Takes over work from clusters that are not launched yet."),
    ptx!("ptx.clusterlaunchcontrol.query_cancel", ["p, response", "d, response"],
        "is_canceled pred b128 get_first_ctaid__x get_first_ctaid__y get_first_ctaid__z b32 get_first_ctaid v4",
        "Decodes the response of `try_cancel`."),
    ptx!("ptx.clusterlaunchcontrol.try_cancel.async_", ["addr, mbar"],
        "shared__cta mbarrier__complete_tx__bytes multicast__cluster__all b128",
        "Requests that a cluster that is not launched yet is cancelled; a barrier signals the response."),
    ptx!("ptx.clz", ["d, a"], "b32 b64", "The number of leading zero bits."),
    ptx!("ptx.cnot", ["d, a"], "b16 b32 b64", "Whether the value is 0, as 1 or 0."),
    ptx!("ptx.copysign", ["d, a, b"], "f32 f64", "A value with the sign of another."),
    ptx!("ptx.cos", ["d, value"], "approx ftz f32", "The cosine."),
    space("ptx.cp", TYPE, "Asynchronous copies."),
    ptx!("ptx.cp.async_.bulk", [
            "dst_mem, src_mem, size, mbar",
            "dst_mem, src_mem, size, cache_policy..., byte_mask...",
            "dst_mem, src_mem, size, mbar, cta_mask, cache_policy",
            "dst_mem, src_mem, size, ignore_bytes_left..., ignore_bytes_right..., mbar, cache_policy...",
        ],
        "weak relaxed cta cluster gpu sys shared__cluster global_ mbarrier__complete_tx__bytes \
         multicast__cluster__32b L2__cache_hint b128 multicast__cluster__16b shared__cta \
         mbarrier__report__disabled mbarrier__report__validity__per_16bytes__80000000 \
         mbarrier__report__validity__per_16bytes__8000 mbarrier__report__validity__per_16bytes__80 \
         mbarrier__report__validity__per_16bytes__8 mbarrier__report__validity__per_element__ff ignore_oob \
         multicast__cluster bulk_group cp_mask",
        "Starts a bulk copy between memories."),
    ptx!("ptx.cp.async_.bulk.commit_group", [], "", "Groups the bulk copies started since the previous group."),
    ptx!("ptx.cp.async_.bulk.prefetch", [
            "src_mem, size",
            "tmap, coords...",
            "tmap, coords..., im2col_info...",
            "tmap, global_address, coords...",
        ],
        "L2 global_ L2__evict_last tensor 1d 2d 3d 4d 5d tile tile__gather4 im2col im2col__w im2col__w__128 \
         L2__cache_hint override__global_address override__global_dim override__global_dim_stride",
        "Starts to prefetch a range of memory, or a tile, into the cache."),
    ptx!("ptx.cp.async_.bulk.tensor", [
            "tmap, coords..., src_mem, cache_policy...",
            "dst_mem, tmap, coords..., mbar, cache_policy...",
            "tmap, global_address, coords..., src_mem, cache_policy...",
            "dst_mem, tmap, coords, mbar, cta_mask, cache_policy",
        ],
        "1d 2d 3d 4d 5d shared__cluster global_ tile tile__gather4 mbarrier__complete_tx__bytes \
         multicast__cluster__32b cta_group__1 cta_group__2 L2__cache_hint multicast__cluster__16b shared__cta \
         mbarrier__report__disabled mbarrier__report__validity__per_16bytes__80000000 \
         mbarrier__report__validity__per_16bytes__8000 mbarrier__report__validity__per_16bytes__80 \
         mbarrier__report__validity__per_16bytes__8 mbarrier__report__validity__per_element__ff \
         multicast__cluster im2col im2col__w im2col__w__128 im2col_no_offs im2col_no_offs__w bulk_group reduce \
         add min max inc dec and_ or_ xor override__global_address tile__scatter4 override__global_dim \
         override__global_dim_stride",
        "Starts to copy a tile of a tensor, which a tensor map describes."),
    ptx!("ptx.cp.async_.bulk.wait_group", ["group"], "read", "Waits until at most this number of groups of bulk copies is in flight."),
    ptx!("ptx.cp.async_.ca", [
            "dst_mem, src_mem, cp_size, cache_policy...",
            "dst_mem, src_mem, cp_size, src_size, cache_policy...",
            "dst_mem, src_mem, cp_size, ignore_src, cache_policy...",
        ],
        "shared shared__cta global_ L2__cache_hint L2__64B L2__128B L2__256B",
        "Starts to copy 4, 8 or 16 bytes from global to shared memory, cached at all levels."),
    ptx!("ptx.cp.async_.cg", [
            "dst_mem, src_mem, cp_size, cache_policy...",
            "dst_mem, src_mem, cp_size, src_size, cache_policy...",
            "dst_mem, src_mem, cp_size, ignore_src, cache_policy...",
        ],
        "shared shared__cta global_ L2__cache_hint L2__64B L2__128B L2__256B",
        "Starts to copy 16 bytes from global to shared memory, cached in L2 only."),
    ptx!("ptx.cp.async_.commit_group", [], "", "Groups the copies started since the previous group."),
    ptx!("ptx.cp.async_.mbarrier.arrive", ["addr"], "noinc shared shared__cta b64", "The copies started so far arrive at a barrier when they end."),
    ptx!("ptx.cp.async_.wait_all", [], "", "Waits for all started copies."),
    ptx!("ptx.cp.async_.wait_group", ["group"], "", "Waits until at most this number of groups of copies is in flight."),
    ptx!("ptx.cp.reduce.async_.bulk", ["dst_mem, src_mem, size, cache_policy...", "dst_mem, src_mem, size, mbar"],
        "relaxed cta cluster gpu sys global_ shared__cta bulk_group L2__cache_hint add noftz f32 \
         shared__cluster mbarrier__complete_tx__bytes min max inc dec and_ or_ xor b32 u32 s32 u64 f16 bf16 b64 \
         s64 f64",
        "Starts an elementwise reduction into memory."),
    ptx!("ptx.createpolicy", [
            "cache_policy",
            "cache_policy, fraction",
            "cache_policy, access_property",
            "cache_policy, addr, primary_size, total_size",
        ],
        "range global_ L2__evict_last L2__evict_normal L2__evict_first L2__evict_unchanged b64 fractional cvt \
         L2",
        "A cache policy for loads and stores."),
    ptx!("ptx.cvt", ["d, a", "d, a, b", "d, a, scale_factor", "d, abef..., rbits"],
        "rn rz relu satfinite pzo f16 bf16 f32 f16x2 bf16x2 tf32 scaled__n1__ue8m0 e4m3x2 e5m2x2 e2m1x2 e2m3x2 \
         e3m2x2 rp ue5m3x2 scaled__n2__ue8m0 rni rzi rmi rpi rm ftz sat u8 u16 u32 u64 s8 s16 s32 s64 f64 rna \
         rs ue8m0x2 e4m3x4 e5m2x4 e2m1x4 e2m3x4 e3m2x4 s2f6x2",
        "Converts between dtypes."),
    ptx!("ptx.cvt_pack", ["d, a, b", "d, a, b, c"], "sat u16 s16 s32 u2 s2 u4 s4 u8 s8 b32", "Converts numbers and packs them together."),
    ptx!("ptx.cvta", ["d, ptr", "d, a"],
        "to const global_ local shared shared__cta shared__cluster param param__entry u64",
        "Converts between addresses of a space and generic addresses."),
    ptx!("ptx.discard", ["addr"], "global_ L2", "Discards cache lines without writing them back."),
    ptx!("ptx.div", ["d, a, b"], "u16 u32 u64 s16 s32 s64 approx full rn rz rm rp ftz f32 f64", "The quotient."),
    ptx!("ptx.dp2a", ["d, a, b, c"], "lo hi u32 s32", "A dot product of two elements each, added to a number."),
    ptx!("ptx.dp4a", ["d, a, b, c"], "u32 s32", "A dot product of four elements each, added to a number."),
    row("ptx.elect_sync", "", Intrinsic, Releases::between(Release::V0_25, Release::V0_26), "Elects one thread of the warp."),
    ptx!("ptx.elect_sync", ["d, p, membermask"], "", "Elects one thread of the warp.").since(Release::V0_27),
    ptx!("ptx.ex2", ["d, value"], "approx ftz f32 f16 f16x2 bf16 bf16x2", "Two to the power of the value."),
    space("ptx.fabric", TYPE, "Transfers over the fabric between devices."),
    ptx!("ptx.fabric.submit", [], "op_restrict__fetching", "Commits the requests to the fabric."),
    ptx!("ptx.fabric.try_get.async_", ["dst_mem, src_le_id, src_data_off, size, mbar"],
        "shared__cta relaxed sys b128",
        "Starts to read from the fabric."),
    ptx!("ptx.fabric.try_pullred.async_", ["dst_mem, src_le_id, src_data_off, size, mbar"],
        "multimem shared__cta relaxed sys and_ or_ xor min max add b32 b64 u32 s32 u64 s64 f16 bf16 f32 sync",
        "Starts to reduce values from the fabric."),
    ptx!("ptx.fabric.try_put.async_", [
            "dst_le_id, dst_data_off, src_mem, size, mbar",
            "dst_le_id, dst_data_off, src_mem, size, mbar, byte_mask",
            "dst_le_id, dst_data_off, dst_counter_off, src_mem, size, mbar",
        ],
        "multimem shared__cta relaxed sys b128 cp_mask",
        "Starts to write to the fabric."),
    ptx!("ptx.fabric.try_red.async_", [
            "dst_le_id, dst_data_off, src_mem, size, mbar",
            "dst_le_id, dst_data_off, dst_counter_off, src_mem, size, mbar",
        ],
        "multimem shared__cta relaxed sys and_ or_ xor min max add b32 b64 u32 s32 u64 s64 f16 bf16 f32 f64",
        "Starts to reduce into memory across the fabric."),
    ptx!("ptx.fabric.wait", [], "sync_restrict__reads", "Waits for the fabric."),
    ptx!("ptx.fence", [], "sc acq_rel acquire release cta cluster gpu sys", "Orders accesses of memory: other threads observe earlier accesses before later ones."),
    ptx!("ptx.fence.mbarrier_init.release.cluster", [], "", "Makes initialised barriers visible to the cluster."),
    ptx!("ptx.fence.proxy", [],
        "alias async_ global_ shared__cta shared__cluster generic__fabric fabric__generic fabric__fabric \
         acquire release sys",
        "Orders accesses of memory through different proxies."),
    ptx!("ptx.fence.proxy.tensormap__generic.acquire", ["addr"],
        "cta cluster gpu sys",
        "Acquires a written tensor map, so that later reads use its current content."),
    ptx!("ptx.fence.proxy.tensormap__generic.release", [], "cta cluster gpu sys", "Makes a written tensor map visible to threads that acquire it."),
    ptx!("ptx.fma", ["d, a, b, c"],
        "rn rz rm rp f32x2 f16x2 bf16x2 ftz sat f32 f64 f16 bf16 oob relu",
        "A product and a sum, rounded once."),
    ptx!("ptx.fns", ["d, mask, base, offset"], "b32", "The position of the n-th set bit."),
    ptx!("ptx.getctarank", ["d, a"], "shared__cluster u32 u64", "The number of the block that owns a cluster address."),
    ptx!("ptx.griddepcontrol", [], "launch_dependents wait", "Starts dependent kernels, or waits for the kernels that this one depends on."),
    ptx!("ptx.isspacep", ["p, a"],
        "const global_ local shared shared__cta shared__cluster param param__entry",
        "Whether an address is in a state space."),
    ptx!("ptx.ld", ["d, addr", "d, addr, cache_policy"],
        "global_ b8 u8 s8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64 proxy__readonly mmio weak acquire relaxed \
         volatile cta cluster gpu sys shared shared__cta shared__cluster local ca cg cs lu cv nc \
         L1__evict_normal L1__evict_unchanged L1__evict_first L1__evict_last L1__no_allocate L2__cache_hint \
         L2__64B L2__128B L2__256B b128 v2 v4 L2__evict_first L2__evict_last L2__evict_normal v8",
        "Loads from memory."),
    ptx!("ptx.ldmatrix", ["r..., p"],
        "sync aligned m8n16 x1 x2 x4 shared shared__cta s8 s4 m8n8 trans b16 m16n16 b8 b8x16 b6x16_p32 \
         b4x16_p64",
        "Loads matrices of 8 by 8 from shared memory; all threads of a warp take part."),
    ptx!("ptx.ldu", ["d, addr"],
        "global_ b8 u8 s8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64 b128 v2 v4",
        "Loads read-only data from an address shared by all threads of a warp."),
    ptx!("ptx.lg2", ["d, value"], "approx ftz f32", "The logarithm to base two."),
    ptx!("ptx.lop3", ["d, a, b, c, immLut", "p, a, b, c, immLut, q", "d, p, a, b, c, immLut, q"],
        "b32 or_ and_",
        "Any bitwise function of three operands, given its truth table."),
    ptx!("ptx.mad", ["d, a, b, c"],
        "hi lo sat u16 u32 u64 s16 s32 s64 wide rn rz rm rp ftz f32 f64",
        "A product and a sum."),
    ptx!("ptx.mad24", ["d, a, b, c"], "hi lo sat u32 s32", "A 24-bit product, and a sum."),
    ptx!("ptx.mapa", ["d, a, b"], "shared__cluster u64 u32", "The corresponding address in another block of the cluster."),
    ptx!("ptx.match", ["d, a, membermask", "d, p, a, membermask"],
        "any sync b32 b64 all",
        "A mask of the threads with the same value."),
    ptx!("ptx.max", ["d, a, b", "d, a, b, c"],
        "ftz NaN xorsign abs relu f32 f64 f16 f16x2 bf16 bf16x2 u16 u32 u64 u16x2 s16 s64 s16x2 s32",
        "The maximum."),
    space("ptx.mbarrier", TYPE, "A barrier in shared memory."),
    ptx!("ptx.mbarrier.arrive", ["addr", "addr, cta_mask", "addr, count", "state, addr"],
        "release relaxed cta cluster shared__cluster multicast__cluster__32b b64 shared shared__cta",
        "Arrives at a barrier."),
    ptx!("ptx.mbarrier.arrive.expect_tx", ["addr, tx_count", "addr, tx_count, cta_mask", "state, addr, count"],
        "release relaxed cta cluster shared__cluster multicast__cluster__32b b64 shared shared__cta",
        "Arrives at a barrier, which then expects a number of bytes."),
    ptx!("ptx.mbarrier.arrive.noComplete", ["addr, count", "state, addr, count"],
        "release cta shared shared__cta b64",
        "Arrives at a barrier without completing its phase."),
    ptx!("ptx.mbarrier.arrive_drop", ["addr", "addr, cta_mask", "addr, count", "state, addr"],
        "release relaxed cta cluster shared__cluster multicast__cluster__32b b64 shared shared__cta",
        "Arrives at a barrier, and leaves it for later phases."),
    ptx!("ptx.mbarrier.arrive_drop.expect_tx", ["addr, tx_count", "addr, tx_count, cta_mask", "state, addr, count"],
        "release relaxed cta cluster shared__cluster multicast__cluster__32b b64 shared shared__cta",
        "The same; the barrier then expects a number of bytes."),
    ptx!("ptx.mbarrier.arrive_drop.noComplete", ["addr, count", "state, addr, count"],
        "release cta shared shared__cta b64",
        "The same, without completing the phase."),
    ptx!("ptx.mbarrier.check_layout", ["matches, addr"], "layout__v0 layout__v1 shared__cta b64", "Whether a barrier has the expected layout."),
    ptx!("ptx.mbarrier.complete_tx", ["addr, tx_count", "addr, tx_count, cta_mask"],
        "relaxed cta cluster shared__cluster multicast__cluster__32b b64 shared shared__cta",
        "Reports that a number of bytes has arrived."),
    ptx!("ptx.mbarrier.expect_tx", ["addr, tx_count", "addr, tx_count, cta_mask"],
        "relaxed cta cluster shared__cluster multicast__cluster__32b b64 shared shared__cta",
        "The barrier expects a number of bytes."),
    ptx!("ptx.mbarrier.init", ["addr, count"], "layout__v0 layout__v1 shared shared__cta b64", "Initialises a barrier with its number of arrivals."),
    ptx!("ptx.mbarrier.inval", ["addr"], "shared shared__cta b64", "Ends the use of memory as a barrier."),
    ptx!("ptx.mbarrier.pending_count", ["count, state"], "layout__v0 b64", "The number of pending arrivals."),
    ptx!("ptx.mbarrier.test_wait", [
            "wait_complete, addr, state",
            "wait_complete, report_predicate, addr, phase",
            "wait_complete, report_predicate, report_value, addr, phase",
        ],
        "phase_type__primary acquire relaxed cta cluster shared shared__cta b64",
        "Whether a barrier has passed a phase."),
    ptx!("ptx.mbarrier.test_wait.parity", [
            "wait_complete, addr, phase",
            "wait_complete, report_predicate, addr, phase",
            "wait_complete, report_predicate, report_value, addr, phase",
        ],
        "phase_type__primary phase_type__conditional acquire relaxed cta cluster shared shared__cta b64",
        "Whether a barrier has passed a phase, given its parity."),
    ptx!("ptx.mbarrier.try_wait", [
            "wait_complete, addr, state",
            "wait_complete, addr, state, time_hint",
            "wait_complete, report_predicate, addr, phase",
            "wait_complete, report_predicate, report_value, addr, phase",
        ],
        "phase_type__primary acquire relaxed cta cluster shared shared__cta b64",
        "Waits for a limited time until a barrier has passed a phase; returns whether it has."),
    ptx!("ptx.mbarrier.try_wait.parity", [
            "wait_complete, addr, phase",
            "wait_complete, addr, phase, time_hint",
            "wait_complete, report_predicate, addr, phase",
            "wait_complete, report_predicate, report_value, addr, phase",
        ],
        "phase_type__primary phase_type__conditional acquire relaxed cta cluster shared shared__cta b64",
        "Waits for a limited time until a barrier has passed a phase, given its parity; returns whether it has."),
    ptx!("ptx.min", ["d, a, b", "d, a, b, c"],
        "ftz NaN xorsign abs relu f32 f64 f16 f16x2 bf16 bf16x2 u16 u32 u64 u16x2 s16 s64 s16x2 s32",
        "The minimum."),
    ptx!("ptx.mma", ["d..., a..., b..., c...", "d..., a..., b..., c..., e, f"],
        "sync aligned m8n8k4 m16n8k4 m16n8k8 m16n8k16 m16n8k32 row col f32 f16 bf16 tf32 e4m3 e5m2 m8n8k16 \
         m8n8k32 m16n8k64 m8n8k128 m16n8k128 m16n8k256 satfinite s32 u8 s8 u4 s4 b1 xor and_ popc f64 rn rz rm \
         rp sp sp__ordered_metadata",
        "Multiplies fragments of matrices and adds the product; all threads of a warp take part."),
    ptx!("ptx.mov", ["d, a"], "b32 b64 b128 pred b16 u16 u32 u64 s16 s32 s64 f32 f64", "Moves a value, or packs and unpacks a vector."),
    ptx!("ptx.movmatrix", ["d, a"], "sync aligned m8n8 trans b16", "Transposes a matrix over the registers of a warp."),
    ptx!("ptx.mul", ["d, a, c", "d, a, b"],
        "ftz rz f16x2 f32x2 bf16x2 hi lo u16 u32 u64 s16 s32 s64 wide rn rm rp sat f32 f64 f16 bf16",
        "The product."),
    ptx!("ptx.mul24", ["d, a, b"], "hi lo u32 s32", "The 24-bit product."),
    space("ptx.multimem_cp", TYPE, "Copies to several GPUs."),
    ptx!("ptx.multimem_cp.async_.bulk", ["dst_mem, src_mem, size, byte_mask..."],
        "weak relaxed cta cluster gpu sys global_ shared__cta bulk_group cp_mask b128",
        "Starts to copy to several GPUs."),
    ptx!("ptx.multimem_cp.reduce.async_.bulk", ["dst_mem, src_mem, size"],
        "relaxed cta cluster gpu sys global_ shared__cta bulk_group add noftz f32 min max inc dec and_ or_ xor \
         f16 bf16 b32 u32 s32 b64 u64 s64 f64",
        "Starts to reduce into the memory of several GPUs."),
    ptx!("ptx.multimem_ld_reduce", ["d, addr"],
        "weak relaxed acquire cta cluster gpu sys global_ min max add and_ or_ xor b32 b64 u32 u64 s32 s64 \
         acc__f32 f16 f16x2 bf16 bf16x2 f32 f64 v2 v4 v8",
        "Loads from several GPUs and reduces."),
    ptx!("ptx.multimem_red", ["addr, b"],
        "relaxed release cta cluster gpu sys global_ min max add and_ or_ xor b32 b64 u32 u64 s32 s64 f16 f16x2 \
         bf16 bf16x2 f32 f64 v2 v4 v8",
        "Reduces into the memory of several GPUs."),
    ptx!("ptx.multimem_red_async", ["addr, value"], "release gpu sys global_ add u32 s32 u64", "Starts to reduce into the memory of several GPUs."),
    ptx!("ptx.multimem_st", ["addr, b"],
        "weak relaxed release cta cluster gpu sys global_ b32 b64 u32 u64 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 \
         v2 v4 v8",
        "Stores on several GPUs."),
    ptx!("ptx.multimem_st_async", ["addr, b"],
        "release gpu sys global_ b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64",
        "Starts to store on several GPUs."),
    ptx!("ptx.neg", ["d, a"], "s16 s32 s64 ftz f32 f64 f16 f16x2 bf16 bf16x2", "The negated value."),
    ptx!("ptx.not_", ["d, a"], "pred b16 b32 b64", "The inverted bits."),
    ptx!("ptx.or_", ["d, a, b"], "pred b16 b32 b64", "The bits set in either operand."),
    ptx!("ptx.popc", ["d, a"], "b32 b64", "The number of set bits."),
    ptx!("ptx.prefetch", ["addr"],
        "global_ L1__32B valid_addr local const param L1 L2 L2__evict_last L2__evict_normal tensormap",
        "Prefetches a line into a cache."),
    ptx!("ptx.prefetchu", ["addr"], "L1", "Prefetches a line into the uniform cache."),
    ptx!("ptx.prmt", ["d, a, b, c"], "b32 f4e b4e rc8 ecl ecr rc16", "Selects bytes from two values."),
    ptx!("ptx.rcp", ["d, value"], "approx rn rz rm rp ftz f32 f64", "One over the value."),
    ptx!("ptx.red", ["addr, value, cache_policy"],
        "relaxed release cta cluster gpu sys global_ shared shared__cta shared__cluster add noftz \
         L2__cache_hint f32 v2 v4 f16 bf16 f16x2 bf16x2 min max v8 and_ or_ xor inc dec b32 b64 u32 u64 s32 s64 \
         f64",
        "Updates a value in memory atomically, without returning the old value."),
    ptx!("ptx.red_async", ["addr, value", "addr, value, mbar"],
        "relaxed cluster shared__cluster mbarrier__complete_tx__bytes inc dec min max and_ or_ xor add u32 s32 \
         u64 b32 mmio release gpu sys global_ s64",
        "Starts to update a value in memory."),
    ptx!("ptx.redux_sync", ["d, a, membermask"], "add min max u32 s32 and_ or_ xor b32 abs NaN f32", "Reduces over threads of the mask."),
    ptx!("ptx.rem", ["d, a, b"], "u16 u32 u64 s16 s32 s64", "The remainder."),
    ptx!("ptx.rsqrt", ["d, value"], "approx ftz f32 f64", "One over the square root."),
    ptx!("ptx.sad", ["d, a, b, c"], "u16 u32 u64 s16 s32 s64", "The absolute difference, added to a number."),
    ptx!("ptx.selp", ["d, a, b, c"], "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", "One of two values, by a predicate."),
    ptx!("ptx.set", ["d, a, b", "d, a, b, c"],
        "eq ne lt le gt ge lo ls hi hs u8x4 s8x4 u16x2 s16x2 equ neu ltu leu gtu geu num nan ftz u32 s32 f32 \
         b16 b32 b64 u16 u64 s16 s64 f64 and_ or_ xor f16 bf16 f16x2 bf16x2",
        "Compares two values; the result is a number."),
    ptx!("ptx.setmaxnreg", ["nreg"], "inc dec sync aligned u32", "Changes the number of registers per thread."),
    ptx!("ptx.setp", ["p, a, b", "p, q, a, b", "p, a, b, c", "p, q, a, b, c"],
        "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan ftz b16 b32 b64 u16 u32 u64 s16 s32 s64 \
         f32 f64 and_ or_ xor f16 bf16 f16x2 bf16x2",
        "Compares two values; the result is a predicate."),
    ptx!("ptx.shf", ["d, a, b, c"], "l r clamp wrap b32", "Shifts the concatenation of two values."),
    ptx!("ptx.shfl_sync", ["d, a, b, c, membermask", "d, p, a, b, c, membermask"],
        "up down bfly idx b32",
        "The value of another thread of the warp."),
    ptx!("ptx.shl", ["d, a, b"], "b16 b32 b64", "The bits shifted left."),
    ptx!("ptx.shr", ["d, a, b"], "b16 b32 b64 u16 u32 u64 s16 s32 s64", "The bits shifted right."),
    ptx!("ptx.sin", ["d, value"], "approx ftz f32", "The sine."),
    ptx!("ptx.slct", ["d, a, b, c"], "ftz b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", "One of two values, by the sign of a third."),
    ptx!("ptx.spcompress", ["mdata..., cdata..., data..., spdesc"], "b8 b16 b2 b4 sp__2__colon__4 x1 x2 x4 x8 x16 x32 x64", "Compresses sparse data."),
    ptx!("ptx.spdecompress", ["data..., mdata..., cdata..."],
        "b8 b16 b2 b4 sp__1__colon__2 sp__1__colon__4 sp__1__colon__8 sp__1__colon__16 sp__2__colon__4 \
         sp__2__colon__8 sp__2__colon__16 sp__4__colon__8 sp__4__colon__16 x1 x2 x4 x8 x16 x32 x64",
        "Decompresses sparse data."),
    ptx!("ptx.sqrt", ["d, value"], "approx rn rz rm rp ftz f32 f64", "The square root."),
    ptx!("ptx.st", ["addr, value, cache_policy"],
        "mmio weak release relaxed volatile cta cluster gpu sys global_ shared shared__cta shared__cluster \
         local wb cg cs wt L1__evict_normal L1__evict_unchanged L1__evict_first L1__evict_last L1__no_allocate \
         L2__cache_hint b8 u8 s8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64 b128 v2 v4 L2__evict_first \
         L2__evict_last L2__evict_normal v8",
        "Stores in memory."),
    ptx!("ptx.st_async", ["addr, b", "addr, b, mbar"],
        "weak shared__cluster mbarrier__complete_tx__bytes b32 b64 b128 u32 u64 s32 s64 f32 f64 v2 v4 mmio \
         release gpu sys global_ b8 b16 u8 u16 s8 s16",
        "Starts to store in the shared memory of another block."),
    ptx!("ptx.st_bulk", ["addr, size"], "weak shared__cta", "Fills shared memory with zeros."),
    ptx!("ptx.stmatrix", ["p, r..."],
        "sync aligned m8n8 x1 x2 x4 trans shared shared__cta b16 m16n8 b8",
        "Stores matrices of 8 by 8 in shared memory; all threads of a warp take part."),
    ptx!("ptx.sub", ["d, a, c", "d, a, b"],
        "rn rz rm rp f32x2 f16x2 bf16x2 ftz sat u16 u32 u64 s16 s32 s64 f32 f64 f16 bf16",
        "The difference."),
    ptx!("ptx.szext", ["d, a, b"], "clamp wrap u32 s32", "The lowest bits, the rest filled with the sign or with zeros."),
    ptx!("ptx.tanh", ["d, value"], "approx f32 f16 f16x2 bf16 bf16x2", "The hyperbolic tangent."),
    ptx!("ptx.tcgen05", [],
        "wait__ld wait__st sync aligned fence__before_thread_sync fence__after_thread_sync",
        "The tensor cores of the fifth generation and their memory."),
    ptx!("ptx.tcgen05.alloc", ["dst, ncols"],
        "exclusive cta_group__1 cta_group__2 sync aligned shared__cta b32",
        "Allocates columns of tensor memory."),
    ptx!("ptx.tcgen05.commit", ["mbar", "mbar, cta_mask", "mbar, mask"],
        "cta_group__1 cta_group__2 mbarrier__arrive__one shared__cluster multicast__cluster__16b \
         multicast__cluster__32b b64 sync_restrict__shared__read__mma__a multicast__cluster",
        "Signals a barrier when the instructions started so far have ended."),
    ptx!("ptx.tcgen05.cp", ["taddr, s_desc"],
        "cta_group__1 cta_group__2 128x256b 4x256b 128x128b 64x128b 32x128b warpx2__02_13 warpx2__01_23 warpx4 \
         b8x16 b6x16_p32 b4x16_p64",
        "Starts to copy from shared memory to tensor memory."),
    ptx!("ptx.tcgen05.dealloc", ["taddr, ncols"], "exclusive cta_group__1 cta_group__2 sync aligned b32", "Frees columns of tensor memory."),
    ptx!("ptx.tcgen05.ld", ["r..., taddr", "mdata..., cdata..., taddr", "r..., taddr, imm_half_splitoff", "r..., redval, taddr"],
        "spcompress sync aligned 32x32b x4 x8 x16 x32 x64 x128 min max sp__2__colon__4 abs f32 b2 red NaN \
         16x64b 16x128b 16x256b x1 x2 pack__16b b32 16x32bx2 u32 s32",
        "Loads from tensor memory into registers."),
    ptx!("ptx.tcgen05.mma", [
            "d_tmem, a_desc, b_desc, idesc, disable_output_lane..., enable_input_d",
            "d_tmem, a_tmem, b_desc, idesc, disable_output_lane..., enable_input_d",
            "d_tmem, a_desc, b_compressed_desc, b_decompress_metadata, idesc, disable_output_lane..., enable_input_d",
            "d_tmem, a_tmem, b_compressed_desc, b_decompress_metadata, idesc, disable_output_lane..., enable_input_d",
        ],
        "cta_group__1 cta_group__2 kind__ti16 collector__b__fill collector__b__use collector__b__lastuse \
         collector__b__discard kind__f8f6f4 decompress__lut__b collector__a__fill collector__a__use \
         collector__a__lastuse collector__a__discard kind__mxf8f6f4 block_scale block32 kind__f16 kind__tf32 \
         ashift kind__mxf4 kind__mxf4nvf4 block16 kind__i8 scale_vec__1X scale_vec__2X scale_vec__4X",
        "Starts a matrix product with accumulation."),
    ptx!("ptx.tcgen05.mma.sp", [
            "d_tmem, a_desc, b_desc, sp_meta_tmem, idesc, enable_input_d",
            "d_tmem, a_tmem, b_desc, sp_meta_tmem, idesc, enable_input_d",
            "d_tmem, a_desc, b_desc, sp_meta_tmem, idesc, disable_output_lane..., enable_input_d",
            "d_tmem, a_tmem, b_desc, sp_meta_tmem, idesc, disable_output_lane..., enable_input_d",
        ],
        "cta_group__1 cta_group__2 kind__ti16 collector__b__fill collector__b__use collector__b__lastuse \
         collector__b__discard ws collector__b0__fill collector__b0__use collector__b0__lastuse \
         collector__b0__discard collector__b1__fill collector__b1__use collector__b1__lastuse \
         collector__b1__discard collector__b2__fill collector__b2__use collector__b2__lastuse \
         collector__b2__discard collector__b3__fill collector__b3__use collector__b3__lastuse \
         collector__b3__discard kind__f16 kind__tf32 kind__f8f6f4 collector__a__fill collector__a__use \
         collector__a__lastuse collector__a__discard ashift kind__mxf8f6f4 block_scale",
        "The same with a sparse first matrix."),
    ptx!("ptx.tcgen05.mma.ws", [
            "d_tmem, a_desc, b_desc, idesc, enable_input_d",
            "d_tmem, a_tmem, b_desc, idesc, enable_input_d",
            "d_tmem, a_desc, b_desc, idesc, enable_input_d, zero_col_mask",
            "d_tmem, a_tmem, b_desc, idesc, enable_input_d, zero_col_mask",
        ],
        "cta_group__1 kind__ti16 collector__b0__fill collector__b0__use collector__b0__lastuse \
         collector__b0__discard collector__b1__fill collector__b1__use collector__b1__lastuse \
         collector__b1__discard collector__b2__fill collector__b2__use collector__b2__lastuse \
         collector__b2__discard collector__b3__fill collector__b3__use collector__b3__lastuse \
         collector__b3__discard kind__f16 kind__tf32 kind__f8f6f4 kind__i8",
        "The same with a stationary second matrix."),
    ptx!("ptx.tcgen05.relinquish_alloc_permit", [], "cta_group__1 cta_group__2 sync aligned", "Declares that this block allocates no more tensor memory."),
    ptx!("ptx.tcgen05.st", ["taddr, r...", "taddr, imm_half_splitoff, r..."],
        "sync aligned 16x64b 16x128b 16x256b 32x32b x1 x2 x4 x8 x16 x32 x64 x128 unpack__16b b32 16x32bx2",
        "Stores registers in tensor memory."),
    ptx!("ptx.tensormap_cp_fenceproxy", ["dst_mem, src_mem"],
        "global_ shared__cta tensormap__generic release cta cluster gpu sys sync aligned",
        "Copies a tensor map and makes it visible."),
    ptx!("ptx.tensormap_replace", ["addr, new_val", "addr, ord, new_val"],
        "tile global_address global_ shared__cta b1024 b64 rank b32 global_stride box_dim global_dim \
         element_stride elemtype interleave_layout swizzle_mode fill_mode",
        "Changes a field of a tensor map."),
    ptx!("ptx.testp", ["p, a"], "finite infinite number notanumber normal subnormal f32 f64", "Whether a number is in a class, such as finite or NaN."),
    ptx!("ptx.vote_sync", ["d, a, membermask"], "all any uni pred ballot b32", "Whether a predicate holds for all or any threads of the mask."),
    space("ptx.wgmma", TYPE, "Matrix products by warp groups."),
    ptx!("ptx.wgmma.commit_group", [], "sync aligned", "Groups the products started since the previous group."),
    ptx!("ptx.wgmma.fence", [], "sync aligned", "Orders accesses of registers and memory before `mma_async`."),
    ptx!("ptx.wgmma.mma_async", [
            "d..., a_desc, b_desc, scale_d",
            "d..., a..., b_desc, scale_d",
            "d..., a_desc, b_desc, scale_d, scale_a, scale_b",
            "d..., a..., b_desc, scale_d, scale_a, scale_b",
        ],
        "sync aligned m64n8k16 m64n16k16 m64n24k16 m64n32k16 m64n40k16 m64n48k16 m64n56k16 m64n64k16 m64n72k16 \
         m64n80k16 m64n88k16 m64n96k16 m64n104k16 m64n112k16 m64n120k16 m64n128k16 m64n136k16 m64n144k16 \
         m64n152k16 m64n160k16 m64n168k16 m64n176k16 m64n184k16 m64n192k16 m64n200k16 m64n208k16 m64n216k16 \
         m64n224k16 m64n232k16 m64n240k16 m64n248k16 m64n256k16 f32 f16 bf16 m64n8k8 m64n16k8 m64n24k8 m64n32k8 \
         m64n40k8 m64n48k8 m64n56k8 m64n64k8 m64n72k8 m64n80k8 m64n88k8 m64n96k8 m64n104k8 m64n112k8 m64n120k8 \
         m64n128k8 m64n136k8 m64n144k8 m64n152k8 m64n160k8 m64n168k8 m64n176k8 m64n184k8 m64n192k8 m64n200k8 \
         m64n208k8 m64n216k8 m64n224k8 m64n232k8 m64n240k8 m64n248k8 m64n256k8 tf32 m64n8k32 m64n16k32 \
         m64n24k32 m64n32k32 m64n40k32 m64n48k32 m64n56k32 m64n64k32 m64n72k32 m64n80k32 m64n88k32 m64n96k32 \
         m64n104k32 m64n112k32 m64n120k32 m64n128k32 m64n136k32 m64n144k32 m64n152k32 m64n160k32 m64n168k32 \
         m64n176k32 m64n184k32 m64n192k32 m64n200k32 m64n208k32 m64n216k32 m64n224k32 m64n232k32 m64n240k32 \
         m64n248k32 m64n256k32 e4m3 e5m2 satfinite s32 s8 u8 m64n8k256 m64n16k256 m64n24k256 m64n32k256 \
         m64n48k256 m64n64k256 m64n80k256 m64n96k256 m64n112k256 m64n128k256 m64n144k256 m64n160k256 \
         m64n176k256 m64n192k256 m64n208k256 m64n224k256 m64n240k256 m64n256k256 b1 and_ popc",
        "Starts a product of matrices in shared memory with accumulation."),
    ptx!("ptx.wgmma.wait_group", ["group"], "sync aligned", "Waits until at most this number of groups is in flight."),
    ptx!("ptx.xor", ["d, a, b"], "pred b16 b32 b64", "The bits set in exactly one operand."),
];
