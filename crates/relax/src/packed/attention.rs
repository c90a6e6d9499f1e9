//! KV caches and attention over them.

use super::PackedKind::{Bool, Int, Nothing, Object, Tensor, Tuple};
use super::{Packed, row};
use crate::release::{Release, Releases};

#[rustfmt::skip]
pub(super) const ROWS: &[Packed] = &[
    row("vm.builtin.paged_attention_kv_cache_create", "config: Shape, layers: Shape, *rest: Any", Object, Releases::until(Release::V0_18), "Makes a paged KV cache.").pure(),
    row("vm.builtin.paged_attention_kv_cache_create", "config: Shape, layers: Shape, query_heads: int, kv_heads: int, head_dim: int, rope_mode: int, rope_scale: float, rope_theta: float, init: Tensor, append: Function, prefill: Function, decode: Function, prefill_window: Function, decode_window: Function, ragged: Function, ragged_begin: Function, ragged_end: Function, prefill_begin: Function, prefill_end: Function, decode_begin: Function, decode_end: Function, merge: Function, split_rotary: Function, copy_page: Function, debug_get: Any, compact_copy: Function, tree_ragged: Function, tree_paged: Function, rope_factors: Any, transfer: Any = False", Object, Releases::between(Release::V0_19, Release::V0_19), "Makes a paged KV cache whose attention is that of FlashInfer.").pure(),
    row("vm.builtin.paged_attention_kv_cache_create", "config: Shape, layers: Shape, query_heads: int, kv_heads: int, key_dim: int, value_dim: int, kinds: Shape, transfer: Any, rope_mode: int, rope_scale: float, rope_theta: float, rope_factors: Any, init: Tensor, append: Any, append_mla: Any, ragged: Tuple, prefill: Tuple, decode: Tuple, prefill_window: Tuple, decode_window: Tuple, tree_paged: Tuple, tree_ragged: Tuple, mla: Tuple, merge: Tuple, split_rotary: Function, copy_page: Function, debug_get: Function, compact_copy: Function, unused: Any = None", Object, Releases::since(Release::V0_20), "Makes a paged KV cache of functions of the module: what each layer keeps, how positions are rotated, how attention is computed.").pure(),
    row("vm.builtin.paged_attention_kv_cache_create_reduced", "config: Shape, layers: Shape, *rest: Any", Object, Releases::until(Release::V0_18), "Makes a paged KV cache of PrimFuncs.").pure(),
    row("vm.builtin.paged_attention_kv_cache_create_reduced", "config: Shape, layers: Shape, query_heads: int, kv_heads: int, head_dim: int, rope_mode: int, rope_scale: float, rope_theta: float, init: Tensor, append: Function, prefill: Function, decode: Function, prefill_window: Function, decode_window: Function, ragged: Function, merge: Function, split_rotary: Function, copy_page: Function, debug_get: Any, compact_copy: Function, tree_ragged: Function, tree_paged: Function, rope_factors: Any, transfer: Any = False", Object, Releases::between(Release::V0_19, Release::V0_19), "Makes a paged KV cache of PrimFuncs.").pure(),
    row("vm.builtin.attention_kv_cache_attention_with_fused_qkv", "cache: Object, layer: int, scale: float, qkv: Tensor, out: Tensor", Nothing, Releases::ALL, "Keeps the keys and values of a round, and computes the attention of its queries to all that is kept."),
    row("vm.builtin.attention_kv_cache_attention_with_shared_kv", "cache: Object, layer: int, scale: float, q: Tensor, k: Tensor, v: Tensor, out: Tensor", Nothing, Releases::since(Release::V0_27), "Computes attention to what another layer keeps, and to keys and values of the round that are given."),
    row("vm.builtin.attention_kv_cache_self_attention", "cache: Object, layer: int, scale: float, q: Tensor, k: Tensor, v: Tensor, out: Tensor, lse: Tensor", Nothing, Releases::since(Release::V0_20), "Computes the attention of the tokens of a round to one another."),
    row("vm.builtin.attention_kv_cache_cross_attention", "cache: Object, layer: int, scale: float, q: Tensor, out: Tensor, lse: Tensor", Nothing, Releases::since(Release::V0_20), "Computes the attention of the queries of a round to what a layer keeps."),
    row("vm.builtin.attention_kv_cache_append_mla_kv", "cache: Object, layer: int, kv: Tensor", Object, Releases::since(Release::V0_20), "Keeps the latent vectors (MLA) of a round."),
    row("vm.builtin.attention_kv_cache_merge_attn_output_inplace", "cache: Object, out: Tensor, lse: Tensor, other: Tensor, other_lse: Tensor", Tuple, Releases::since(Release::V0_20), "Merges two results of attention into the first."),
    row("vm.builtin.attention_kv_cache_get_query_positions", "cache: Object", Tensor, Releases::ALL, "The position of each token of the round in its sequence.").pure(),
    row("vm.builtin.attention_kv_cache_enable_sliding_window_for_seq", "cache: Object, sequence: int, window: int, sinks: int", Nothing, Releases::ALL, "Lets a sequence keep its last tokens only, and the first few for ever."),
    row("vm.builtin.attention_kv_cache_commit_accepted_token_tree_nodes", "cache: Object, sequences: Shape, leaves: Shape", Nothing, Releases::since(Release::V0_17), "Keeps the path to one token of each token tree, and drops the rest."),
    row("vm.builtin.attention_kv_cache_empty", "cache: Object", Bool, Releases::since(Release::V0_17), "Whether the cache has no sequence and all its pages are free.").pure(),
    row("vm.builtin.attention_kv_cache_get_num_available_pages", "cache: Object", Int, Releases::ALL, "How many pages are free.").pure(),
    row("vm.builtin.attention_kv_cache_get_total_sequence_length", "cache: Object", Int, Releases::ALL, "How many tokens all sequences have.").pure(),
    row("vm.builtin.attention_kv_cache_debug_get_kv", "cache: Object, sequence: int, start: int, end: int, k: Tensor, v: Tensor", Nothing, Releases::ALL, "Reads kept keys and values into two tensors."),
    row("vm.builtin.attention_kv_cache_debug_get_kv_mla", "cache: Object, sequence: int, start: int, end: int, kv: Tensor", Nothing, Releases::since(Release::V0_20), "Reads kept latent vectors into a tensor."),
    row("vm.builtin.attention_kv_cache_create", "init: Tensor, shape: Shape, count: int", Object, Releases::ALL, "Makes a cache of one tensor, with room for rows of a shape and the rows of `init`.").pure(),
    row("vm.builtin.attention_kv_cache_append", "cache: Object, rows: Tensor", Object, Releases::ALL, "Appends rows to a cache of one tensor."),
    row("vm.builtin.attention_kv_cache_update", "cache: Object, rows: Tensor", Object, Releases::ALL, "Replaces the rows of a cache of one tensor."),
    row("vm.builtin.attention_kv_cache_window_override", "cache: Object, rows: Tensor, most: int", Object, Releases::ALL, "Appends rows within a window, over the oldest ones."),
    row("vm.builtin.attention_kv_cache_window_override_with_sinks", "cache: Object, rows: Tensor, most: int, sinks: int", Object, Releases::ALL, "Appends rows within a window that keeps the first rows."),
    row("vm.builtin.attention_kv_cache_view", "cache: Object, shape: Shape = None", Tensor, Releases::ALL, "The rows that a cache of one tensor has.").pure(),
    row("vm.builtin.attention_kv_cache_array_popn", "caches: Tuple, count: int", Nothing, Releases::ALL, "Takes the last rows off caches of one tensor."),
    row("vm.builtin.attention_kv_cache_array_clear", "caches: Tuple", Nothing, Releases::ALL, "Empties caches of one tensor."),
];
