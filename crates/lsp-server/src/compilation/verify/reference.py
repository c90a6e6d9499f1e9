"""Computes every value of an imported graph: of an ONNX model in ONNX Runtime without optimisation, or of a program of
`torch.export` in PyTorch.

The argument is a directory with `request.json` and the inputs; `answer.json` and the values are written there. Begins with
beginning.py.
"""
import importlib
import json
import os
import sys
import traceback

import numpy

directory = sys.argv[1]
count = 0


def main():
    with open(os.path.join(directory, "request.json"), encoding="utf-8") as file:
        request = json.load(file)
    try:
        answer = {"onnx": of_onnx, "torch": of_torch}[request["kind"]](request)
    except BaseException as error:
        answer = {"error": traceback.format_exception_only(type(error), error)[-1].strip()}
    with open(os.path.join(directory, "answer.json"), "w", encoding="utf-8") as file:
        json.dump(answer, file)


def read(name):
    return numpy.load(os.path.join(directory, name), allow_pickle=False)


def write(value):
    """Writes a tensor, or the tensors of a tuple. Returns the names of the files."""
    global count
    if isinstance(value, (tuple, list)):
        return [write(item) for item in value]
    if isinstance(value, (bool, int, float)):
        value = numpy.asarray(value)
    if value is None or not hasattr(value, "shape"):
        return None
    if value.dtype.kind not in "biuf" or value.dtype.name.startswith("float8"):
        # Types of ml_dtypes, which NumPy's files lack.
        value = value.astype("float32")
    count += 1
    name = "value.%d.npy" % count
    numpy.save(os.path.join(directory, name), value, allow_pickle=False)
    return name


def of_onnx(request):
    import onnx
    import onnxruntime

    model = onnx.load(request["file"])
    known = {output.name for output in model.graph.output}
    for node in model.graph.node:
        for name in node.output:
            if name and name not in known:
                known.add(name)
                model.graph.output.append(onnx.helper.make_empty_tensor_value_info(name))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    try:
        whole = model.SerializeToString()
    except ValueError:
        # Protocol buffers are limited to 2 GB.
        whole = os.path.join(directory, "whole.onnx")
        onnx.save(model, whole, save_as_external_data=True, location="whole.data")
    session = onnxruntime.InferenceSession(whole, options, providers=["CPUExecutionProvider"])
    types = {it.name: it.type for it in session.get_inputs()}
    inputs = {}
    for name, file in request["inputs"].items():
        if name in types:
            inputs[name] = as_type(read(file), types[name])
    names = [output.name for output in session.get_outputs()]
    values = dict(zip(names, session.run(names, inputs)))
    for output in session.get_outputs():
        # It gives the codes of narrow types, not their numbers.
        if "float8" in output.type.lower() or "int4" in output.type.lower() or "int2" in output.type.lower():
            values[output.name] = None
    nodes = []
    for node in model.graph.node:
        outputs = [[name, write(values.get(name))] for name in node.output if name]
        inputs = [name for name in node.input if name]
        nodes.append({"node": node.name or node.output[0], "op": node.op_type, "inputs": inputs, "values": outputs})
    return {"program": "ONNX Runtime", "version": onnxruntime.__version__, "nodes": nodes}


def as_type(array, name):
    """An input as ONNX Runtime wants it: a shape variable of 0 dimensions is a scalar."""
    dtypes = {"float": "float32", "double": "float64", "int64": "int64", "int32": "int32", "bool": "bool", "float16": "float16"}
    dtype = dtypes.get(name[len("tensor(") : -1])
    return array if dtype is None else array.astype(dtype, copy=False)


def is_part(node):
    """Whether a node takes a part of a tuple."""
    return node.op == "call_function" and getattr(node.target, "__name__", "") == "getitem"


def of_torch(request):
    import torch

    # Types and operators that the program consists of.
    for name in request["imports"]:
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    program = torch.export.load(request["file"])
    values = {}

    class Interpreter(torch.fx.Interpreter):
        def run_node(self, node):
            value = super().run_node(node)
            values[node.name] = kept(value)
            return value

    def kept(value):
        if isinstance(value, (tuple, list)):
            return [kept(item) for item in value]
        if isinstance(value, torch.Tensor):
            value = value.detach().cpu()
            return (value.float() if value.dtype == torch.bfloat16 else value).clone().numpy()
        return None

    arguments = []
    for spec in program.graph_signature.input_specs:
        kind = spec.kind.name
        if kind == "USER_INPUT":
            name = getattr(spec.arg, "name", None)
            if name in request["inputs"]:
                array = torch.from_numpy(read(request["inputs"][name]))
                fake = next(it for it in program.graph.nodes if it.name == name).meta.get("val")
                arguments.append(array.to(fake.dtype) if isinstance(fake, torch.Tensor) else array.item())
            else:
                arguments.append(getattr(spec.arg, "value", None))
        elif spec.target in program.state_dict:
            arguments.append(program.state_dict[spec.target])
        else:
            arguments.append(program.constants[spec.target])
    with torch.no_grad():
        Interpreter(program.graph_module).run(*arguments)
    nodes = []
    for node in program.graph.nodes:
        if node.op != "call_function" or is_part(node) or not node.users:
            continue
        # Of a tuple, the parts that something uses.
        parts = [it for it in node.users if is_part(it)]
        parts = [it for it in parts if it.users] if parts else [node]
        inputs = [it.name for it in node.all_input_nodes]
        outputs = [[it.name, write(values.get(it.name))] for it in parts]
        nodes.append({"node": node.name, "op": str(node.target), "inputs": inputs, "values": outputs})
    return {"program": "PyTorch", "version": torch.__version__, "nodes": nodes}


main()
