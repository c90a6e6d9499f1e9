"""Records what TVM's caches compute: `python tests/conformance/record_caches.py`, with apache-tvm 0.27.

Writes tests/fixtures/caches: a module whose functions drive a paged KV cache, and what TVM computed of each.
"""

import json
import pathlib

import numpy as np
import tvm
from tvm import relax as rx
from tvm.script import tirx as T
from tvm.relax.frontend.nn.llm.kv_cache import (
    _attention_decode,
    _attention_decode_cpu,
    _attention_prefill,
    _attention_prefill_cpu,
    _attention_prefill_ragged,
    _attention_prefill_ragged_cpu,
    _compact_kv_copy,
    _compact_kv_copy_cpu,
    _copy_single_page,
    _copy_single_page_cpu,
    _kv_cache_debug_get_kv,
    _kv_cache_transpose_append,
    _merge_state_inplace,
    _merge_state_inplace_cpu,
    llama_rope_with_position_map,
    tree_attn_cpu,
    tree_attn_with_paged_kv_cache_cpu,
)

LAYERS, QUERY, KV, DIM, WINDOW = 2, 2, 1, 16, 6
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


class Calls:
    """One function that calls the runtime on its parameter."""

    def __init__(self, bb, name, body):
        data = rx.Var("data", rx.TensorType((TOKENS, WIDTH, DIM), "float32"))
        with bb.function(name, [data], pure=False):
            self.bb, self.data, self.results = bb, data, []
            body(self)
            bb.emit_func_output(bb.emit(rx.Tuple(self.results)))

    def rows(self, begin, end):
        row = rx.op.strided_slice(self.data, axes=[0], begin=[begin], end=[end])
        return self.bb.emit(row)

    def line(self, begin, end):
        """Rows as one, without two numbers that are the same: their order would be left open."""
        count = (end - begin) * WIDTH * DIM
        line = self.bb.emit(rx.op.reshape(self.rows(begin, end), (1, count)))
        steps = self.bb.emit(rx.op.arange(0, count, 1, "float32"))
        apart = self.bb.emit(rx.op.divide(steps, rx.const(1024.0)))
        return self.bb.emit(rx.op.add(line, apart))

    def packed(self, name, *args, ty=None):
        callee = rx.ExternFunc("vm.builtin." + name)
        return self.bb.emit(rx.Call(callee, args, ty_args=[ty or rx.AnyType()]))

    def keep(self, name, *args, shape, dtype="float32"):
        # What TVM gives back may be a view, which later calls change.
        view = self.packed(name, *args, ty=rx.TensorType(shape, dtype))
        self.results.append(self.bb.emit(rx.op.negative(view)))


def appended(it):
    """Caches of one tensor, by themselves and as windows."""
    shape, numbers = rx.ShapeExpr((2, WIDTH, DIM)), rx.prim_value
    cache = it.packed("attention_kv_cache_create", it.rows(0, 1), shape, numbers(-1))
    it.packed("attention_kv_cache_append", cache, it.rows(1, 4))
    it.keep("attention_kv_cache_view", cache, rx.ShapeExpr((4, WIDTH, DIM)), shape=(4, WIDTH, DIM))
    it.packed("attention_kv_cache_array_popn", rx.Tuple([cache]), numbers(2))
    it.packed("attention_kv_cache_update", cache, it.rows(7, 9))
    it.packed("attention_kv_cache_append", cache, it.rows(9, 10))
    it.keep("attention_kv_cache_view", cache, shape=(3, WIDTH, DIM))
    window = it.packed("attention_kv_cache_create", it.rows(0, 1), shape, numbers(0))
    for begin, end in [(2, 5), (5, 7), (8, 10), (11, 12)]:
        rows = it.rows(begin, end)
        it.packed("attention_kv_cache_window_override_with_sinks", window, rows, *map(numbers, (5, 1)))
    it.keep("attention_kv_cache_view", window, shape=(5, WIDTH, DIM))


def sampling(it):
    """Samples, penalties, probabilities."""
    for at, (temperature, top_p, sample) in enumerate([(0.0, 1.0, 0.5), (0.7, 0.9, 0.3), (1.5, 0.5, 0.95)]):
        line = it.line(at, at + 2)
        logits = map(rx.prim_value, (temperature, top_p, sample))
        drawn = it.packed("sample_top_p_from_logits", line, *logits, ty=tvm.ir.PrimType("int64"))
        it.packed("apply_softmax_with_temperature", line, rx.prim_value(temperature + 0.5))
        again = it.packed("sample_top_p_from_prob", line, *map(rx.prim_value, (top_p, sample)), ty=tvm.ir.PrimType("int64"))
        it.results.extend([line, drawn, again])
    line = it.line(4, 6)
    tokens, counts = (it.bb.emit(rx.op.arange(*of, "int32")) for of in ((0, 9, 3), (1, 4, 1)))
    it.packed("apply_repetition_penalty", line, tokens, rx.prim_value(1.25))
    it.packed("apply_presence_and_frequency_penalty", line, tokens, counts, *map(rx.prim_value, (0.5, 0.25)))
    it.results.append(line)


def recurrent(it):
    """States of recurrent layers: two sequences, a fork, steps taken back."""
    get, set_ = (it.bb.get().get_global_var(name) for name in ("get_state", "set_state"))
    functions = [rx.Tuple([f]) for f in (get, set_)]
    zeros = it.bb.emit(rx.op.zeros((WIDTH, DIM), "float32"))
    # TVM gives the memory of a tensor that nothing reads later to others, though a state keeps it.
    it.results.append(zeros)
    sizes = map(rx.prim_value, (2, 3, 3))
    state = it.packed("rnn_state_create", *sizes, *functions, rx.Tuple([zeros]))
    change = lambda name, *numbers: it.packed("kv_state_" + name, state, *map(rx.prim_value, numbers))

    def round(sequences, row):
        shapes = [rx.ShapeExpr(it) for it in (sequences, [1] * len(sequences))]
        it.packed("kv_state_begin_forward", state, *shapes)
        count = len(sequences)
        call = rx.call_dps_packed(
            "vm.builtin.rnn_state_get",
            [state, rx.prim_value(1), rx.prim_value(0)],
            out_ty=rx.TensorType((count, WIDTH, DIM), "float32"),
        )
        old = it.bb.emit(call)
        it.results.append(old)
        new = it.bb.emit(rx.op.add(old, it.rows(row, row + count)))
        it.packed("rnn_state_set", state, *map(rx.prim_value, (1, 0)), new)
        it.packed("kv_state_end_forward", state)

    change("add_sequence", 0)
    change("add_sequence", 5)
    round([0, 5], 0)
    round([5, 0], 3)
    round([5], 6)
    change("popn", 5, 1)
    change("fork_sequence", 5, 7, -1)
    change("remove_sequence", 0)
    change("add_sequence", 1)
    round([7, 1, 5], 9)
    it.keep("rnn_state_debug_get", state, *map(rx.prim_value, (1, 0, 7)), shape=(WIDTH, DIM))


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


def module(page, plays, kernels=None):
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
    funcs.update(kernels or {})
    bb = rx.BlockBuilder()
    functions = {name: bb.add_func(func, name) for name, func in funcs.items()}
    for play, setup in plays.items():
        with Play(bb, functions, play.__name__, page, **setup) as it:
            play(it)
    return bb.get()


def gpu_kernels(page):
    """Kernels with shared memory, barriers and shuffles. Those of trees read behind the end of their mask."""
    shape, gpu = (KV, QUERY, DIM, "float32"), tvm.target.Target("nvidia/geforce-rtx-3090-ti")
    at = {"page_size": page}
    return {
        "prefill": _attention_prefill(*shape, False, {}, gpu, **at),
        "decode": _attention_decode(*shape, False, {}, gpu, **at),
        "prefill_window": _attention_prefill(*shape, True, {}, gpu, sliding_window_size=WINDOW, **at),
        "decode_window": _attention_decode(*shape, True, {}, gpu, **at),
        "ragged": _attention_prefill_ragged(KV, QUERY, DIM, DIM, "float32", {}, gpu),
        "merge": _merge_state_inplace(QUERY, DIM, "float32", gpu),
        "copy_page": _copy_single_page(KV, page, DIM, "float32", gpu),
        "compact": _compact_kv_copy(KV, DIM, "float32", gpu, **at),
    }


@T.prim_func(s_tir=True)
def get_state(
    states: T.Buffer((3, 3, 4, 16), "float32"),
    slots_handle: T.handle,
    history_handle: T.handle,
    out_handle: T.handle,
):
    n = T.int64()
    slots = T.match_buffer(slots_handle, (n,), "int32")
    history = T.match_buffer(history_handle, (n,), "int32")
    out = T.match_buffer(out_handle, (n, 4, 16), "float32")
    for i, j, k in T.grid(n, 4, 16):
        out[i, j, k] = states[slots[i], history[i], j, k]


@T.prim_func(s_tir=True)
def set_state(
    states: T.Buffer((3, 3, 4, 16), "float32"),
    slots_handle: T.handle,
    history_handle: T.handle,
    data_handle: T.handle,
):
    n = T.int64()
    slots = T.match_buffer(slots_handle, (n,), "int32")
    history = T.match_buffer(history_handle, (n,), "int32")
    data = T.match_buffer(data_handle, (n, 4, 16), "float32")
    for i, j, k in T.grid(n, 4, 16):
        states[slots[i], (history[i] + 1) % 3, j, k] = data[i, j, k]


def runtime_module():
    bb = rx.BlockBuilder()
    bb.add_func(get_state, "get_state")
    bb.add_func(set_state, "set_state")
    for body in RUNTIME:
        Calls(bb, body.__name__, body)
    return bb.get()


RUNTIME = [appended, sampling, recurrent]
MODULES = {
    "paged": (4, {sequences: {}, sliding: {"slides": True}, layers: {"kinds": (3, 0), "rope": 0}}),
    "trees": (16, {trees: {}}),
}


def formula(shape):
    i = np.arange(np.prod(shape))
    return (((i * 7) % 17 - 8) / 64).astype("float32").reshape(shape)


def summary(value):
    if isinstance(value, int):
        return {"int": value}
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


def write(name, mod):
    # TVM's kernels of prefill read behind the end of `scale_O`, which has one element.
    text = mod.script(show_meta=True).replace("scale_O[d_idx]", "scale_O[0]")
    (FOLDER / f"{name}.tvm-0.27.py").write_text(text)


def record(name, mod, functions):
    write(name, mod)
    records = []
    for function in functions:
        vm = rx.VirtualMachine(tvm.compile(mod, "llvm"), tvm.cpu())
        outputs = vm[function.__name__](tvm.runtime.tensor(formula((TOKENS, WIDTH, DIM))))
        records.append({"function": function.__name__, "outputs": [summary(it) for it in outputs]})
    (FOLDER / f"{name}.expected.json").write_text(json.dumps(records) + "\n")


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, (page, plays) in MODULES.items():
        record(name, module(page, plays), plays)
    # Without a GPU, TVM does not run these. They compute what the kernels for CPUs compute.
    page, plays = MODULES["paged"]
    write("paged-gpu", module(page, plays, gpu_kernels(page)))
    record("runtime", runtime_module(), RUNTIME)


if __name__ == "__main__":
    main()
