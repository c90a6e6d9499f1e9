"""Writes the part of an ONNX model that computes one node from the nodes up to a distance before it, and a program that
imports it.

Arguments: the model, the node, the distance, the folder. The output says whether the whole model was written. Begins with
beginning.py.
"""
import os
import sys

import onnx

PROGRAM = '''import os

import onnx
from tvm.relax.frontend.onnx import from_onnx

mod = from_onnx(onnx.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "model.onnx")))
'''


def main(path, name, distance, folder):
    model = onnx.load(path)
    graph = model.graph
    types = {}
    try:
        inferred = onnx.shape_inference.infer_shapes(model).graph
        types = {it.name: it for it in list(inferred.value_info) + list(inferred.input) + list(inferred.output)}
    except Exception:
        types = {it.name: it for it in list(graph.value_info) + list(graph.input) + list(graph.output)}
    makers = {output: node for node in graph.node for output in node.output}
    weights = {it.name: it for it in graph.initializer}
    target = next(it for it in graph.node if name in (it.name, it.output[0]))
    kept, front = [target], [target]
    for _ in range(distance):
        # A value without a type is no input, so what makes it is kept too.
        front = [makers[it] for node in front for it in reads(node) if it in makers]
        front = [it for it in front if not any(it is other for other in kept)]
        kept += front
    while True:
        made = {output for node in kept for output in node.output}
        open_ends = [it for node in kept for it in reads(node) if it not in made and it not in weights and it not in types]
        if not open_ends:
            break
        kept += [makers[it] for it in dict.fromkeys(open_ends) if not any(makers[it] is other for other in kept)]
    nodes = [it for it in graph.node if any(it is other for other in kept)]
    made = {output for node in nodes for output in node.output}
    read = list(dict.fromkeys(it for node in nodes for it in reads(node)))
    outputs = [types.get(it) or onnx.helper.make_empty_tensor_value_info(it) for it in target.output if it]
    part = onnx.helper.make_graph(
        nodes,
        "part",
        [types[it] for it in read if it not in made and it not in weights],
        outputs,
        [weights[it] for it in read if it in weights],
    )
    small = onnx.helper.make_model(part, opset_imports=model.opset_import, ir_version=model.ir_version)
    onnx.save(small, os.path.join(folder, "model.onnx"))
    with open(os.path.join(folder, "import.py"), "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    print("whole" if len(nodes) == len(graph.node) else "part")


def reads(node):
    """The values that a node reads, also inside of its branches."""
    names = [it for it in node.input if it]
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            own = {output for inner in attribute.g.node for output in inner.output}
            names += [it for inner in attribute.g.node for it in reads(inner) if it not in own]
    return names


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
