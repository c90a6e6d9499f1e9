"""Records what TVM's caches compute: `python tests/conformance/record_caches.py`, with apache-tvm 0.27.

Writes tests/fixtures/caches: a module whose functions drive a paged KV cache, and what TVM computed of each.
"""

import json
import pathlib

import numpy as np
import tvm
from tvm import relax as rx
from tvm.relax.frontend.nn.llm.kv_cache import (
    _attention_decode_cpu,
    _attention_prefill_cpu,
    _attention_prefill_ragged_cpu,
    _compact_kv_copy_cpu,
    _copy_single_page_cpu,
    _kv_cache_debug_get_kv,
    _kv_cache_transpose_append,
    _merge_state_inplace_cpu,
    llama_rope_with_position_map,
    tree_attn_cpu,
    tree_attn_with_paged_kv_cache_cpu,
)

LAYERS, QUERY, KV, DIM, WINDOW = 2, 2, 1, 4, 6
WIDTH = QUERY + 2 * KV
TOKENS = 48
SCALE = DIM**-0.5
FOLDER = pathlib.Path(__file__).parent.parent / "fixtures" / "caches"


class Play:
    """One function: rounds of a cache over rows of its parameter."""

    def __init__(self, bb, functions, name, page, slides=False, rope=1, kinds=(0, 0)):
        self.bb, self.name, self.row, self.results = bb, name, 0, []
        self.functions, self.setup = functions, (page, slides, rope, kinds)
        self.data = rx.Var("data", rx.TensorType((TOKENS, WIDTH, DIM), "float32"))

    def __enter__(self):
        self.scope = self.bb.function(self.name, [self.data], pure=False)
        self.scope.__enter__()
        page, slides, rope, kinds = self.setup
        tir = lambda name: rx.Tuple([tvm.ir.StringImm("tirx"), self.functions[name]])
        self.cache = self.packed(
            "paged_attention_kv_cache_create",
            rx.ShapeExpr([8, 128, 32, page, int(slides), WINDOW]),
            rx.ShapeExpr([0, LAYERS]),
            *map(rx.prim_value, (QUERY, KV, DIM, DIM)),
            rx.ShapeExpr(list(kinds)),
            *map(rx.prim_value, (0, rope, 1, 10000, 0)),
            self.bb.emit(rx.op.zeros((), "float32")),
            self.functions["append"],
            rx.prim_value(0),
            *map(tir, ("ragged", "prefill", "decode", "prefill_window", "decode_window")),
            *map(tir, ("tree_paged", "tree_ragged")),
            rx.Tuple([]),
            rx.Tuple([self.functions["merge"]]),
            *(self.functions[it] for it in ("rope", "copy_page", "debug_get", "compact")),
        )
        return self

    def __exit__(self, *error):
        if error[0] is None:
            self.bb.emit_func_output(self.bb.emit(rx.Tuple(self.results)))
        self.scope.__exit__(*error)

    def packed(self, name, *args):
        callee = rx.ExternFunc("vm.builtin." + name)
        return self.bb.emit(rx.Call(callee, args, ty_args=[rx.AnyType()]))

    def state(self, name, *numbers):
        self.packed("kv_state_" + name, self.cache, *map(rx.prim_value, numbers))

    def of_cache(self, name, *args):
        return self.packed("attention_kv_cache_" + name, self.cache, *args)

    def round(self, sequences, lengths, tree=None):
        shapes = [rx.ShapeExpr(it) for it in (sequences, lengths, tree) if it is not None]
        self.packed("kv_state_begin_forward", self.cache, *shapes)
        count = sum(lengths)
        begin, end = [self.row], [self.row + count]
        rows = self.bb.emit(rx.op.strided_slice(self.data, axes=[0], begin=begin, end=end))
        for layer in range(LAYERS):
            call = rx.call_dps_packed(
                "vm.builtin.attention_kv_cache_attention_with_fused_qkv",
                [self.cache, rx.prim_value(layer), rx.prim_value(SCALE), rows],
                out_ty=rx.TensorType((count, QUERY, DIM), "float32"),
            )
            self.results.append(self.bb.emit(call))
        self.packed("kv_state_end_forward", self.cache)
        self.row = (self.row + count) % (TOKENS - 16)

    def read(self, sequence, start, end):
        shape = (LAYERS, end - start, KV, DIM)
        pair = [self.bb.emit(rx.op.zeros(shape, "float32")) for _ in range(2)]
        numbers = map(rx.prim_value, (sequence, start, end))
        self.of_cache("debug_get_kv", *numbers, *pair)
        self.results.extend(pair)


def sequences(play):
    """Two sequences, a fork within a page, tokens taken off, a fork of a fork."""
    play.state("add_sequence", 0)
    play.state("add_sequence", 1)
    play.round([0, 1], [5, 3])
    play.round([1, 0], [1, 1])
    play.state("fork_sequence", 0, 2, 5)
    play.round([0, 1, 2], [1, 2, 3])
    play.round([0, 1, 2], [1, 1, 1])
    play.state("popn", 2, 3)
    play.state("fork_sequence", 2, 3, -1)
    play.round([0, 2, 3], [1, 1, 1])
    play.round([3, 1], [4, 1])
    play.state("popn", 3, 7)
    play.state("remove_sequence", 0)
    play.round([3, 2], [2, 1])
    play.state("add_sequence", 0)
    play.round([0, 1], [6, 1])
    play.of_cache("get_query_positions")
    play.read(2, 1, 5)


def sliding(play):
    """Windows of sequences, one with tokens that stay."""
    play.state("add_sequence", 0)
    play.state("add_sequence", 1)
    play.of_cache("enable_sliding_window_for_seq", *map(rx.prim_value, (0, 6, 2)))
    play.of_cache("enable_sliding_window_for_seq", *map(rx.prim_value, (1, 5, 0)))
    play.round([0, 1], [5, 3])
    for _ in range(4):
        play.round([0, 1], [1, 1])
    play.round([0, 1], [4, 3])
    play.round([1, 0], [1, 2])
    play.state("fork_sequence", 0, 2, 2)
    play.round([0, 2], [1, 3])


def trees(play):
    """Trees of tokens: a path is accepted, nothing, or all of a chain."""
    play.state("add_sequence", 0)
    play.state("add_sequence", 1)
    play.round([0, 1], [4, 2])
    play.round([0, 1], [5, 3], [-1, 0, 0, 1, 1, -1, 0, -1])
    accept(play, [0, 1], [4, 1])
    play.round([0, 1], [1, 1])
    play.round([0, 1], [3, 2], [-1, 0, 1, -1, 0])
    accept(play, [0, 1], [2, -1])
    play.round([0, 1], [1, 1])
    play.read(0, 0, 11)


def accept(play, sequences, leaves):
    shapes = [rx.ShapeExpr(it) for it in (sequences, leaves)]
    play.of_cache("commit_accepted_token_tree_nodes", *shapes)


def layers(play):
    """A layer that sees a window beside one that sees all."""
    play.state("add_sequence", 0)
    play.state("add_sequence", 1)
    play.round([0, 1], [5, 3])
    for _ in range(3):
        play.round([0, 1], [1, 1])
    play.round([0, 1], [4, 1])
    play.round([0], [1])


def module(page, plays):
    """Trees are read from pages of 16 tokens alone."""
    shape = (KV, QUERY, DIM, "float32")
    at = {"page_size": page}
    funcs = {
        "append": _kv_cache_transpose_append(KV, DIM, "float32", **at),
        "debug_get": _kv_cache_debug_get_kv(LAYERS, KV, DIM, "float32"),
        "prefill": _attention_prefill_cpu(*shape, False, {}, **at),
        "decode": _attention_decode_cpu(*shape, False, {}, **at),
        "prefill_window": _attention_prefill_cpu(*shape, True, {}, sliding_window_size=WINDOW, **at),
        "decode_window": _attention_decode_cpu(*shape, True, {}, **at),
        "ragged": _attention_prefill_ragged_cpu(KV, QUERY, DIM, DIM, "float32", {}),
        "tree_ragged": tree_attn_cpu(*shape, {}),
        "tree_paged": tree_attn_with_paged_kv_cache_cpu(*shape, {}),
        "merge": _merge_state_inplace_cpu("float32"),
        "rope": llama_rope_with_position_map(10000, 1, DIM, QUERY, KV, "float32", {}),
        "copy_page": _copy_single_page_cpu(KV, page, DIM, "float32"),
        "compact": _compact_kv_copy_cpu(KV, DIM, "float32", **at),
    }
    bb = rx.BlockBuilder()
    functions = {name: bb.add_func(func, name) for name, func in funcs.items()}
    for play, setup in plays.items():
        with Play(bb, functions, play.__name__, page, **setup) as it:
            play(it)
    return bb.get()


MODULES = {
    "paged": (4, {sequences: {}, sliding: {"slides": True}, layers: {"kinds": (3, 0), "rope": 0}}),
    "trees": (16, {trees: {}}),
}


def formula(shape):
    i = np.arange(np.prod(shape))
    return (((i * 7) % 17 - 8) / 64).astype("float32").reshape(shape)


def summary(value):
    value = value.numpy()
    return {
        "shape": list(value.shape),
        "dtype": str(value.dtype),
        "sum": float(value.sum()),
        "abs_sum": float(abs(value).sum()),
        "min": float(value.min()),
        "max": float(value.max()),
        "first": [float(it) for it in value.ravel()[:8]],
    }


def main():
    FOLDER.mkdir(exist_ok=True)
    data = tvm.runtime.tensor(formula((TOKENS, WIDTH, DIM)))
    for name, (page, plays) in MODULES.items():
        mod = module(page, plays)
        # TVM's kernels of prefill read behind the end of `scale_O`, which has one element.
        text = mod.script(show_meta=True).replace("scale_O[d_idx]", "scale_O[0]")
        (FOLDER / f"{name}.tvm-0.27.py").write_text(text)
        vm = rx.VirtualMachine(tvm.compile(mod, "llvm"), tvm.cpu())
        names = [play.__name__ for play in plays]
        records = [{"function": it, "outputs": [summary(o) for o in vm[it](data)]} for it in names]
        (FOLDER / f"{name}.expected.json").write_text(json.dumps(records) + "\n")


if __name__ == "__main__":
    main()
