"""Records what TVM computes for special values: NaN, infinities, -0, denormals, extremes of integers, empty axes, ties
and casts out of range, for every operator that computes its elements.

Run with the Python of TVM 0.27: `python tests/conformance/record_special_values.py [FAMILY]...`. It writes two files
for each family to `special_values`:

    FAMILY.py    the functions, as LegalizeOps leaves them, with n for the number of cases
    FAMILY.txt   the cases, and TVM's answers

A list of cases is a line `cases NAME` and the cases: the values of the parameters joined with `:`, and those of a row
with commas. Below a line `FUNCTION: EXPRESSION | PARAMETERS | CASES` are the answers, in the order of the cases. TVM answers one case at a time, 64 and more together, and these again with AVX2. Where
its answers differ, they depend on vectorisation, and `a|b` lists them. `?` is for what TVM does not define: a
sort is no order with NaN.
"""

import os
import pickle
import re
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import tvm
from tvm import relax
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

OUT = Path(__file__).parent / "special_values"
TARGETS = [{"kind": "llvm"}, {"kind": "llvm", "mcpu": "x86-64-v3"}]
FLOATS = ["float32", "float16"]
INTS = ["int32", "int8", "uint8"]
BITS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
# A row of the long form repeats each of its values this often.
REPEAT = 20

nan, inf = float("nan"), float("inf")


def numpy_dtype(dtype):
    return np.dtype(getattr(ml_dtypes, dtype, None) or dtype)


def is_float(dtype):
    return "float" in dtype


def extremes(dtype):
    """The smallest denormal, a denormal, the smallest normal, and the largest number of a float type."""
    info = ml_dtypes.finfo(numpy_dtype(dtype))
    return [float(info.smallest_subnormal), float(info.smallest_normal) / 2, float(info.tiny), float(info.max)]


def numbers(dtype):
    """The values that unary operators get."""
    if dtype == "bool":
        return [0, 1]
    if is_float(dtype):
        least, denormal, tiny, most = extremes(dtype)
        return [nan, inf, -inf, 0.0, -0.0, least, -least, denormal, tiny, most, -most] + [
            1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 6.0, 7.0, 20.5, -20.5, 89.5, -104.5]  # fmt: skip
    info = np.iinfo(dtype)
    return sorted({0, 1, 2, 6, 7, 100, info.max - 1, info.max, info.min, info.min + 1} | ({-1, -2, -7} if info.min else set()))


def few(dtype):
    """The values that binary operators get in pairs."""
    if dtype == "bool":
        return [0, 1]
    if is_float(dtype):
        least, _, _, most = extremes(dtype)
        return [nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 2.5, -3.0, least, most]
    info = np.iinfo(dtype)
    return [0, 1, 2, 7, info.max, info.min] + ([-1, -2, -7] if info.min else [8, 100])


def rows(dtype):
    """The rows that reductions, scans and sorts get."""
    if is_float(dtype):
        _, _, _, most = extremes(dtype)
        return [
            (nan, 1, 2, 3), (1, nan, 2, 3), (3, 1, nan, 2), (1, 2, 3, nan), (nan,) * 4, (nan, inf, 1, -inf),
            (inf, -inf, 1, 2), (-inf,) * 4, (inf,) * 4, (0.0, -0.0, 0.0, -0.0), (-0.0, 0.0, -0.0, 0.0), (-0.0,) * 4,
            (most, most, -most, -most), (-most, -most, -most, -most), (2, 3, 3, 1), (-1, -3, -3, -2), (5,) * 4,
            (0, inf, 1, 1), (1, -inf, nan, 4),
        ]  # fmt: skip
    if dtype == "bool":
        return [(0, 0, 0, 0), (1, 1, 1, 1), (0, 1, 0, 1), (1, 0, 0, 0)]
    info = np.iinfo(dtype)
    low, high = info.min, info.max
    return [(low,) * 4, (high,) * 4, (high, 1, low, 1), (low, high, low, high), (2, 3, 3, 1), (3, 1, 1, 2), (5,) * 4, (0, 0, 1, 0)]


class Function:
    """An operator's expression over parameters. A parameter's shape has the letter n for the cases."""

    def __init__(self, name, expression, params, cases, long=False):
        self.name, self.expression, self.params, self.cases, self.long = name, expression, params, cases, long

    def source(self):
        params = ", ".join(f'{name}: R.Tensor({shape}, "{dtype}")' for name, shape, dtype in self.params)
        return f"    @R.function\n    def {self.name}({params}):\n        y = {self.expression}\n        return y\n"

    def head(self):
        params = "; ".join(f"{name} {dtype}{shape}" for name, shape, dtype in self.params)
        return f"{self.name}: {self.expression} | {params} | {self.cases}{' long' if self.long else ''}"


def elementwise(name, expression, *dtypes, cases=None):
    names = ["x", "y", "z"][: len(dtypes)]
    params = [(name, '("n",)', dtype) for name, dtype in zip(names, dtypes)]
    return Function(f"{name}_{dtypes[-1]}", expression, params, cases or f"{'pairs' if len(dtypes) == 2 else 'numbers'}_{dtypes[-1]}")


def unary():
    for name in ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "exp", "log", "rsqrt", "sigmoid", "sin", "sinh", "sqrt", "tan", "tanh"]:  # fmt: skip
        for dtype in FLOATS:
            yield elementwise(name, f"R.{name}(x)", dtype)
    for name in ["abs", "negative", "square", "sign", "ceil", "floor", "round", "trunc", "isnan", "isinf", "isfinite"]:
        for dtype in FLOATS + INTS:
            yield elementwise(name, f"R.{name}(x)", dtype)
    for dtype in INTS + ["bool"]:
        yield elementwise("bitwise_not", "R.bitwise_not(x)", dtype)
    yield elementwise("logical_not", "R.logical_not(x)", "bool")


def activations():
    for name in ["relu", "relu6", "gelu", "gelu_tanh", "silu", "selu", "softplus", "leakyrelu"]:
        for dtype in FLOATS + (["int32", "int8", "uint8"] if name.startswith("relu") else []):
            yield elementwise(name, f"R.nn.{name}(x)", dtype)
    for dtype in FLOATS + INTS:
        for name, bounds in [("clip", "0, 6"), ("clip_wide", "-3, 100"), ("clip_crossed", "6, 0")]:
            yield elementwise(name, f"R.clip(x, {bounds})", dtype)
    for dtype in FLOATS:
        infinite = 'R.clip(x, 0, T.float64("inf"))', 'R.clip(x, T.float64("-inf"), 1.5)'
        yield elementwise("clip_inf", infinite[0], dtype)
        yield elementwise("clip_minus_inf", infinite[1], dtype)
        for name in ["softmax", "log_softmax"]:
            yield Function(f"{name}_{dtype}", f"R.nn.{name}(x, axis=1)", [("x", '("n", 4)', dtype)], f"rows_{dtype}")


def binary():
    for name in ["add", "subtract", "multiply", "maximum", "minimum"]:
        for dtype in FLOATS + INTS:
            yield elementwise(name, f"R.{name}(x, y)", dtype, dtype)
    for name in ["divide", "floor_divide", "floor_mod", "mod"]:
        for dtype in FLOATS + INTS:
            # A division by zero ends TVM's process.
            cases = None if is_float(dtype) else f"divisors_{dtype}"
            yield elementwise(name, f"R.{name}(x, y)", dtype, dtype, cases=cases)
    for name in ["power", "atan2", "log_add_exp"]:
        for dtype in FLOATS:
            yield elementwise(name, f"R.{name}(x, y)", dtype, dtype)
    for name in ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]:
        for dtype in ["float32", "float16", "int32", "uint8"]:
            yield elementwise(name, f"R.{name}(x, y)", dtype, dtype)
    for name in ["bitwise_and", "bitwise_or", "bitwise_xor"]:
        for dtype in INTS + ["bool"]:
            yield elementwise(name, f"R.{name}(x, y)", dtype, dtype)
    for name in ["left_shift", "right_shift"]:
        for dtype in INTS:
            yield elementwise(name, f"R.{name}(x, y)", dtype, dtype, cases=f"shifts_{dtype}")
    for name in ["logical_and", "logical_or", "logical_xor"]:
        yield elementwise(name, f"R.{name}(x, y)", "bool", "bool")
    for dtype in FLOATS:
        yield elementwise("prelu", "R.nn.prelu(x, y, axis=0)", dtype, dtype)
        params = [("x", '("n",)', "bool"), ("y", '("n",)', dtype), ("z", '("n",)', dtype)]
        yield Function(f"where_{dtype}", "R.where(x, y, z)", params, f"choices_{dtype}")


def reduce():
    for dtype in FLOATS + INTS:
        names = ["sum", "prod", "max", "min", "mean", "argmax", "argmin"]
        for name in names + (["variance", "std"] if is_float(dtype) else []):
            for suffix, shape, axis in [("", '("n", 4)', 1), ("_first", '(4, "n")', 0)]:
                if suffix and (dtype not in ("float32", "int8") or name in ("variance", "std")):
                    continue
                yield Function(f"{name}{suffix}_{dtype}", f"R.{name}(x, axis={axis})", [("x", shape, dtype)], f"rows_{dtype}")
            if dtype in ("float32", "int8") and name not in ("variance", "std"):
                shape = f'("n", {4 * REPEAT})'
                yield Function(f"{name}_long_{dtype}", f"R.{name}(x, axis=1)", [("x", shape, dtype)], f"rows_{dtype}", long=True)
                # The others compute what their memory held before.
                if name in ("sum", "prod"):
                    yield Function(f"{name}_empty_{dtype}", f"R.{name}(x, axis=1)", [("x", '("n", 0)', dtype)], f"empty_{dtype}")


def order():
    for dtype in ["float32", "float16", "int32", "int8", "uint8"]:
        row = [("x", '("n", 4)', dtype)]
        for suffix, descending in [("", ""), ("_down", ", descending=True")]:
            yield Function(f"sort{suffix}_{dtype}", f"R.sort(x, axis=1{descending})", row, f"rows_{dtype}")
            yield Function(f"argsort{suffix}_{dtype}", f"R.argsort(x, axis=1{descending})", row, f"rows_{dtype}")
        for suffix, largest in [("", ""), ("_least", ", largest=False")]:
            for kind in ["values", "indices"]:
                call = f'R.topk(x, k=2, axis=1, ret_type="{kind}"{largest})'
                yield Function(f"topk_{kind}{suffix}_{dtype}", call, row, f"rows_{dtype}")
        for name in ["cumsum", "cumprod"]:
            yield Function(f"{name}_{dtype}", f"R.{name}(x, axis=1)", row, f"rows_{dtype}")
    edges = [("x", '("n",)', "float32"), ("y", "(4,)", "float32")]
    yield Function("bucketize_float32", "R.bucketize(x, y)", edges, "buckets")
    yield Function("bucketize_right_float32", "R.bucketize(x, y, right=True)", edges, "buckets")


def casts():
    dtypes = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64"]  # fmt: skip
    for source in ["float32", "float64", "float16", "bfloat16", "int64", "int32", "int8", "uint64", "uint8", "bool"]:
        for target in dtypes:
            if source != target:
                cases = f"casts_{source}"
                params = [("x", '("n",)', source)]
                yield Function(f"{source}_to_{target}", f'R.astype(x, "{target}")', params, cases)


def quantized():
    for dtype in ["int8", "uint8"]:
        scale = [("x", '("n",)', "float32"), ("y", "()", "float32"), ("z", "()", dtype)]
        yield Function(f"quantize_{dtype}", f'R.quantize(x, y, z, axis=0, out_dtype="{dtype}")', scale, f"scales_{dtype}")
        scale = [("x", '("n",)', dtype), ("y", "()", "float32"), ("z", "()", dtype)]
        yield Function(f"dequantize_{dtype}", 'R.dequantize(x, y, z, axis=0, out_dtype="float32")', scale, f"codes_{dtype}")


FAMILIES = {
    "unary": unary, "activations": activations, "binary": binary, "reduce": reduce, "order": order, "casts": casts,
    "quantized": quantized,
}  # fmt: skip


def cast_values(dtype):
    if is_float(dtype):
        powers = [127, 128, 129, 255, 256, 300, 32767, 32768, 65535, 65536, 2.0**31, 2.0**32, 2.0**63, 2.0**64, 1e30]
        values = numbers(dtype) + [0.999, -0.999] + powers + [-v for v in powers]
        if dtype != "float16":
            values += [65504, 65520, 1e-7]
        return [v for v in values if not np.isfinite(v) or abs(v) <= extremes(dtype)[3]]
    return numbers(dtype)


def cases_of(name):
    """The cases of a list: for each parameter its value, or the values of a row."""
    kind, _, dtype = name.partition("_")
    if kind == "numbers":
        return [(v,) for v in numbers(dtype)]
    if kind == "casts":
        return [(v,) for v in cast_values(dtype)]
    if kind == "pairs":
        return [(a, b) for a in few(dtype) for b in few(dtype)]
    if kind == "divisors":
        low = np.iinfo(dtype).min
        return [(a, b) for a in few(dtype) for b in few(dtype) if b and not (low and a == low and b == -1)]
    if kind == "shifts":
        return [(a, b) for a in few(dtype) for b in range(0, np.iinfo(dtype).bits, 3)]
    if kind == "choices":
        return [(c, a, b) for c in [0, 1] for a, b in [(nan, 1.0), (1.0, nan), (inf, -inf), (-0.0, 0.0), (0.0, -0.0)]]
    if kind == "rows":
        return [(row,) for row in rows(dtype)]
    if kind == "empty":
        return [((),)]
    if kind == "buckets":
        return [(v, (-inf, -1.0, 2.5, inf)) for v in numbers("float32")]
    if kind == "scales":
        zero = 0 if dtype == "int8" else 128
        return [(v, 0.5, zero) for v in numbers("float32") + [0.25, 0.75, 1.25, -0.25, 63.4, 63.6, -64.2, 1e10]]
    if kind == "codes":
        return [(v, 0.5, 3) for v in numbers(dtype)]
    raise ValueError(name)


def arrays(function, cases):
    """The arguments of a call with these cases."""
    out = []
    for at, (_, shape, dtype) in enumerate(function.params):
        values = [case[at] for case in cases]
        if "n" not in shape:
            out.append(np.array(values[0], numpy_dtype(dtype)))
            continue
        array = np.array(values, "float64" if is_float(dtype) else "int64" if dtype != "uint64" else "uint64")
        with np.errstate(all="ignore"):
            array = array.astype(numpy_dtype(dtype))
        if function.long:
            array = np.repeat(array, REPEAT, axis=1)
        if shape.startswith("(4"):
            array = np.ascontiguousarray(array.T)
        out.append(array)
    return out


def show(value):
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    text = str(value)
    return text[:-2] if text.endswith(".0") else text


def cells(result, count):
    """The answer of each case of a call."""
    result = result.numpy()
    return [",".join(show(v) for v in np.ravel(result[i])) for i in range(count)]


def answers(function, build):
    """The answers of each case, with what each way to ask says."""
    cases = cases_of(function.cases)
    many = list(cases)
    while len(many) < 64:
        many += cases
    said = [[] for _ in cases]
    for at, machine in enumerate(build):
        run = machine[function.name]
        call = lambda part: cells(run(*[tvm.runtime.tensor(a) for a in arrays(function, part)]), len(part))
        if at == 0:
            for answer, case in zip(said, cases):
                answer += call([case])
        # Two calls, so that a case is found in a vector and in the rest.
        for part in (many, many[:-3]):
            for i, cell in enumerate(call(part)):
                said[i % len(cases)].append(cell)
    return ["?" if is_undefined(function, case) else "|".join(dict.fromkeys(cells)) for case, cells in zip(cases, said)]


def is_undefined(function, case):
    is_sort = re.match("sort|argsort|topk", function.name)
    return is_sort and is_float(function.params[0][2]) and any(np.isnan(case[0]))


def apart(work):
    """Returns what `work` returns, in a process of its own; `None` if it does not end well."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            result = work()
        except Exception as error:
            result = error if type(error) in (ValueError,) else RuntimeError(str(error).strip().splitlines()[-1])
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(result, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else RuntimeError("the process ended")


def spell(function, case):
    """A case as text."""
    texts = []
    for value, (_, _, dtype) in zip(case, function.params):
        values = value if isinstance(value, tuple) else (value,)
        texts.append("()" if not values else ",".join(show(np.array(v).astype(numpy_dtype(dtype))[()]) for v in values))
    return ":".join(texts)


def parse(functions):
    source = "@I.ir_module\nclass Module:\n" + "".join(f.source() for f in functions)
    return tvm.script.from_source(source)


def builds(module):
    return [relax.VirtualMachine(tvm.compile(module, target=tvm.target.Target(t)), tvm.cpu()) for t in TARGETS]


def record(family):
    functions = list(FAMILIES[family]())
    kept, lines, left = [], [], []
    listed = set()
    for function in functions:
        got = apart(lambda: answers(function, builds(parse([function]))))
        if isinstance(got, Exception):
            left.append(f"# {function.name}: {function.expression}: {got}"[:160])
            print(left[-1], file=sys.stderr)
            continue
        kept.append(function)
        if function.cases not in listed:
            listed.add(function.cases)
            lines += [f"\ncases {function.cases}", "    " + " ".join(spell(function, case) for case in cases_of(function.cases))]
        lines.append(f"\n{function.head()}")
        lines.append("    " + " ".join(got))
    (OUT / f"{family}.txt").write_text("\n".join(left + lines).strip() + "\n")
    legal = relax.transform.LegalizeOps()(parse(kept))
    text = legal.script().replace("# from", "from")
    (OUT / f"{family}.py").write_text(text.rstrip() + "\n")
    print(family, len(kept), "functions")


if __name__ == "__main__":
    for family in sys.argv[1:] or FAMILIES:
        record(family)
