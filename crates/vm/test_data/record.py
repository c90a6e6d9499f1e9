"""Records what TVM computes for small operator calls: kernels.json, which the tests of this crate read.

Needs apache-tvm 0.27:  python cases.py kernels.json
A tensor argument is {"t": shape, "d": dtype, "k": number, "mul": a, "add": b}: the formula of `random::formula` with
divisor 8, times a plus b; or {"v": values, "t": shape, "d": dtype}. Everything else is a constant of the program text.
"""

import inspect
import json
import sys

import ml_dtypes
import numpy as np
import tvm
from tvm import relax
from tvm.script import relax as R

CASES = []


class T:
    def __init__(self, *shape, d="float32", k=None, mul=1.0, add=0.0, v=None):
        self.shape, self.d, self.k, self.mul, self.add, self.v = shape, d, k, mul, add, v


def dtype(d):
    return ml_dtypes.bfloat16 if d == "bfloat16" else np.dtype(d)


def array(t):
    n = int(np.prod(t.shape)) if t.shape else 1
    if t.v is not None:
        return np.array(t.v, dtype=dtype(t.d)).reshape(t.shape)
    i = np.arange(n, dtype="int64")
    if t.d == "bool":
        a = (i + t.k) % 2 == 1
    elif "float" in t.d:
        a = (((i * 7 + t.k * 13) % 17 - 8) / 8) * t.mul + t.add
    else:
        a = (i * 7 + t.k * 13) % 5 * t.mul + t.add
    return a.astype(dtype(t.d)).reshape(t.shape)


def case(op, *args, **kwargs):
    CASES.append((op, args, kwargs))


def bind(op, args, kwargs):
    f = R
    for part in op.split("."):
        f = getattr(f, part)
    names = [p for p in inspect.signature(f).parameters.values()]
    given, rest = {}, list(args)
    for p in names:
        if p.kind == p.VAR_POSITIONAL:
            given[p.name] = rest
            rest = []
        elif rest:
            given[p.name] = rest.pop(0)
        elif p.name in kwargs:
            given[p.name] = kwargs[p.name]
    assert not rest, op
    return f, given


def run(op, args, kwargs):
    f, given = bind(op, args, kwargs)
    counter, inputs, params = [0], [], []

    def lower(a):
        if isinstance(a, T):
            if a.k is None:
                a.k = counter[0]
            counter[0] += 1
            var = relax.Var(f"p{len(params)}", relax.TensorType(list(a.shape), a.d))
            params.append(var)
            inputs.append(array(a))
            return var
        if isinstance(a, tuple) and any(isinstance(x, T) for x in a):
            return relax.Tuple([lower(x) for x in a])
        return a

    lowered = {k: lower(v) for k, v in given.items()}
    bb = relax.BlockBuilder()
    with bb.function("main", params):
        out = bb.emit(f(**lowered))
        bb.emit_func_output(out)
    mod = bb.get()
    ex = relax.build(mod, "llvm")
    vm = relax.VirtualMachine(ex, tvm.cpu())
    result = vm["main"](*[tvm.runtime.tensor(x) for x in inputs])
    record = {
        "op": "relax." + op,
        "params": list(given),
        "args": [encode(v) for v in given.values()],
    }
    return {**record, "out": [digest(x) for x in flat(result)]}


def encode(a):
    if isinstance(a, T):
        e = {"t": list(a.shape), "d": a.d}
        if a.v is not None:
            return {**e, "v": [digits(v) for v in a.v]}
        e["k"] = a.k
        if a.mul != 1.0 or a.add != 0.0:
            e["mul"], e["add"] = a.mul, a.add
        return e
    if isinstance(a, tuple) and any(isinstance(x, T) for x in a):
        return {"tuple": [encode(x) for x in a]}
    if hasattr(a, "value") and hasattr(a.value, "numpy"):
        x = a.value.numpy()
        return {"v": x.flatten().tolist(), "t": list(x.shape), "d": str(x.dtype)}
    if isinstance(a, (list, tuple)):
        return [encode(x) for x in a]
    if isinstance(a, (int, float, bool, str)) or a is None:
        return a
    if hasattr(a, "value"):
        d = str(a.ty.dtype) if hasattr(a, "ty") else str(a.dtype)
        return {"prim": a.value, "d": d}
    raise ValueError(repr(a))


def flat(x):
    if isinstance(x, tvm.runtime.Tensor):
        return [x]
    if isinstance(x, (int, float)):
        return [x]
    return [y for field in x for y in flat(field)]


def digits(v):
    v = v.item() if hasattr(v, "item") else v
    if isinstance(v, bool):
        return int(v)
    if isinstance(v, int):
        return v
    if v != v or v in (float("inf"), float("-inf")):
        return str(v)
    return float(f"{v:.7g}")


def digest(x):
    if isinstance(x, (int, float)):
        return {"prim": x}
    a = x.numpy()
    if str(x.dtype) == "bfloat16":
        a = a.view(ml_dtypes.bfloat16) if a.dtype == np.uint16 else a
    wide = a.astype("float64") if "float" in str(x.dtype) else a
    e = {"shape": list(a.shape), "dtype": str(x.dtype)}
    if a.size <= 32:
        e["values"] = [digits(v) for v in wide.flatten()]
    else:
        w = wide.astype("float64")
        e["sum"], e["abs"] = digits(w.sum()), digits(np.abs(w).sum())
        e["head"] = [digits(v) for v in wide.flatten()[:8]]
    return e


def main(path, only):
    records, failed = [], []
    for op, args, kwargs in CASES:
        if only and only not in op:
            continue
        try:
            records.append(run(op, args, kwargs))
        except Exception as error:  # TVM cannot do everything it declares
            failed.append((op, kwargs, str(error).strip().splitlines()[-1][:150]))
    with open(path, "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(r) for r in records) + "\n]\n")
    for f in failed:
        print("not recorded:", *f, file=sys.stderr)
    print(len(records), "recorded", file=sys.stderr)


