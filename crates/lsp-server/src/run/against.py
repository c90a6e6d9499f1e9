"""Runs a function in TVM and writes the value of each of its bindings.

The argument is a directory with `request.json` and the inputs; `answer.json` and the values are written there. Begins with
beginning.py and tvm_script.py.
"""
import json
import os
import re
import runpy
import sys
import traceback

import numpy
import tvm
from tvm import relax

directory = sys.argv[1]


def main():
    with open(os.path.join(directory, "request.json"), encoding="utf-8") as file:
        request = json.load(file)
    answer = {"version": tvm.__version__}
    try:
        answer.update(run(request))
    except BaseException as error:
        answer["error"] = last_line(error)
    with open(os.path.join(directory, "answer.json"), "w", encoding="utf-8") as file:
        json.dump(answer, file)


PRELUDE = """from typing import TypeVar
import tvm
from tvm import relax
from tvm.script import ir as I, relax as R
try:
    from tvm.script import tirx as T
except ImportError:
    from tvm.script import tir as T
"""


def parseable(text):
    """The text with the floats that TVM prints as strings and does not read."""
    return re.sub(r"""(R\.const\()(["'](?:-?inf|nan)["'])""", r"\1float(\2)", text)


def load(request):
    """The module: read as TVMScript, or else, if the user allows it, as the Python file that it is in."""
    text, name = parseable(request["text"]), request["function"]
    try:
        script, names = read_script(text, name)
        parsed = tvm.script.from_source(script, names)
        return parsed if isinstance(parsed, tvm.IRModule) else tvm.IRModule({name: parsed})
    except BaseException as error:
        first = error
    if not request["execute"]:
        raise ValueError(f"{last_line(first)}. `--execute` runs the file as Python") from first
    path = os.path.join(directory, "module.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PRELUDE + text)
    try:
        values = runpy.run_path(path)
    except BaseException:
        raise first
    for value in values.values():
        if isinstance(value, tvm.IRModule) and any(name_of(var) == name for var in value.functions):
            return value
    if isinstance(values.get(name), tvm.ir.BaseFunc):
        return tvm.IRModule({name: values[name]})
    raise first


def last_line(error):
    return traceback.format_exception_only(type(error), error)[-1].strip()


def run(request):
    parsed = load(request)
    name = request["function"]
    target = target_of(request["target"])
    device = tvm.cpu() if target.kind.name in ("llvm", "c") else tvm.device(target.kind.name)
    if request["outputs"]:
        return run_prim_func(parsed[name], request, target, device)

    def call(module):
        with target:
            executable = relax.build(module, target)
        machine = relax.VirtualMachine(executable, device)
        return machine[name](*[decode(item, device) for item in request["inputs"]])

    # First the module as it is: one that returns every binding keeps them alive, and may plan memory and fuse otherwise.
    results = flattened(call(parsed))
    module, names = telling(parsed, name)
    values = call(module)
    values = [values[at] for at in range(len(names))]
    found = told(values + results, names + [""] * len(results))["bindings"]
    return {
        "bindings": [it for it in found if it["at"] < len(names)],
        "results": [it["at"] for it in found if it["at"] >= len(names)],
    }


def flattened(value):
    """The tensors of a result, in order."""
    if hasattr(value, "numpy"):
        return [value]
    try:
        fields = list(value)
    except TypeError:
        return []
    return [leaf for field in fields for leaf in flattened(field)]


def run_prim_func(function, request, target, device):
    """The buffers that a PrimFunc writes, by the names of its parameters."""
    build = getattr(tvm, "compile", None) or tvm.build
    inputs = [decode(item, device) for item in request["inputs"]]
    built = build(tvm.IRModule({"main": function.with_attr("global_symbol", "main")}), target=target)
    built["main"](*inputs)
    names = [output["name"] for output in request["outputs"]]
    return told([inputs[output["parameter"]] for output in request["outputs"]], names)


def told(values, names):
    """Writes the values that are tensors."""
    found = []
    for at, (name, value) in enumerate(zip(names, values)):
        if hasattr(value, "numpy"):
            numpy.save(os.path.join(directory, f"value.{at}.npy"), widened(value.numpy()), allow_pickle=False)
            found.append({"name": name, "at": at})
    return {"bindings": found}


def target_of(text):
    """A target by its name, its options or its JSON."""
    return tvm.target.Target(json.loads(text) if text.lstrip().startswith("{") else text)


def telling(module, name):
    """The module with the function returning each of its bindings in turn, the result last."""
    module = relax.transform.Normalize()(relax.transform.ToNonDataflow()(module))
    function = module[name]
    body = function.body
    if not isinstance(body, relax.SeqExpr):
        return module, ["the result"]
    bindings = [binding for block in body.blocks for binding in block.bindings]
    bound = [it.var for it in bindings if is_tensor(it.var) and not is_memory(it)]
    fields = bound + [body.body]
    body = relax.BlockBuilder().normalize(relax.SeqExpr(body.blocks, relax.Tuple(fields)))
    told = relax.Function(function.params, body, None, function.is_pure, function.attrs)
    for var in list(module.functions):
        if name_of(var) == name:
            module.update_func(var, told.with_attr("global_symbol", name))
    return relax.transform.Normalize()(module), [name_of(var) for var in bound] + ["the result"]


def name_of(var):
    return getattr(var, "name_hint", None) or var.name


def is_tensor(var):
    info = getattr(var, "struct_info", None) or getattr(var, "ty", None)
    return type(info).__name__ in ("TensorStructInfo", "TensorType")


def is_memory(binding):
    """Whether it binds memory that is written later: at the end, it holds something else."""
    op = getattr(getattr(binding, "value", None), "op", None)
    return getattr(op, "name", "").endswith((".alloc_tensor", ".memory.view"))


def decode(item, device):
    kind = item["kind"]
    if kind == "tensor":
        array = numpy.load(os.path.join(directory, item["file"]), allow_pickle=False)
        if item["dtype"] == "bfloat16":
            import ml_dtypes

            array = array.astype(ml_dtypes.bfloat16)
        make = getattr(tvm.runtime, "tensor", None) or tvm.nd.array
        return make(array, device)
    if kind == "tuple":
        return [decode(field, device) for field in item["fields"]]
    if kind == "shape":
        return tvm.runtime.ShapeTuple(item["values"])
    return item.get("value")


def widened(array):
    """NumPy's files have no bfloat16."""
    return array.astype("float32") if array.dtype.name == "bfloat16" else array


main()
