"""Serves the functions of a Python file to a program that runs elsewhere.

Requests come on standard input, answers go to what was standard output: a line of JSON, then the arrays that it
counts, each as an .npy file after its length in eight bytes. What functions print goes to standard error.

When standard input ends, the process ends, even in the middle of a function. Begins with beginning.py.
"""
import inspect
import io
import json
import os
import queue
import runpy
import struct
import sys
import threading
import traceback

import numpy


def main():
    requests = queue.SimpleQueue()
    threading.Thread(target=listen, args=[os.fdopen(take_input(), "rb"), requests], daemon=True).start()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    path = sys.argv[1]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        functions = collect(runpy.run_path(path, run_name="relax_packed"))
    except BaseException as error:
        send(answers, {"error": describe(error)}, [])
        return
    send(answers, {"functions": sorted(functions)}, [])
    while True:
        request, blobs = requests.get()
        arrays = [array(blob) for blob in blobs]
        args = [decode(arg, arrays) for arg in request["args"]]
        try:
            result = functions[request["name"]](*args)
            outs = args[len(args) - request["outs"]:]
            blobs = []
            answer = {"result": encode(result, blobs), "outs": [encode(out, blobs) for out in outs]}
            send(answers, answer, blobs)
        except BaseException as error:
            send(answers, {"error": describe(error)}, [])
        sys.stdout.flush()


def listen(stdin, requests):
    """Hands requests over as they come."""
    while line := stdin.readline():
        request = json.loads(line)
        requests.put((request, [receive(stdin) for _ in range(request["arrays"])]))
    sys.stderr.flush()
    end()


def collect(names):
    """By name: the dictionary `packed`, whose names may have dots, else every public function of the file."""
    listed = names.get("packed")
    if isinstance(listed, dict):
        return {name: function for name, function in listed.items() if callable(function)}
    return {
        name: value
        for name, value in names.items()
        if inspect.isfunction(value) and not name.startswith("_") and value.__module__ == "relax_packed"
    }


def describe(error):
    last = traceback.format_exception_only(type(error), error)[-1].strip()
    frames = traceback.extract_tb(error.__traceback__)
    if frames:
        last += f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})"
    return last


def send(answers, answer, blobs):
    answer["arrays"] = len(blobs)
    answers.write(json.dumps(answer).encode() + b"\n")
    for blob in blobs:
        answers.write(struct.pack("<Q", len(blob)) + blob)
    answers.flush()


def receive(stdin):
    (length,) = struct.unpack("<Q", stdin.read(8))
    return stdin.read(length)


def array(blob):
    # A copy, so that functions may write to it.
    return numpy.array(numpy.load(io.BytesIO(blob), allow_pickle=False))


def decode(arg, arrays):
    kind = arg["kind"]
    if kind == "tensor":
        return arrays[arg["at"]]
    if kind == "tuple":
        return tuple(decode(field, arrays) for field in arg["fields"])
    if kind == "shape":
        return tuple(arg["values"])
    return arg.get("value")


def encode(value, blobs):
    if value is None:
        return {"kind": "null"}
    if isinstance(value, (tuple, list)):
        return {"kind": "tuple", "fields": [encode(field, blobs) for field in value]}
    if isinstance(value, bool):
        return {"kind": "bool", "value": value}
    if isinstance(value, int):
        return {"kind": "int", "value": value}
    if isinstance(value, float):
        return {"kind": "float", "value": value}
    if isinstance(value, str):
        return {"kind": "string", "value": value}
    file = io.BytesIO()
    numpy.save(file, numpy.ascontiguousarray(numpy.asarray(value)).reshape(numpy.shape(value)), allow_pickle=False)
    blobs.append(file.getvalue())
    return {"kind": "tensor", "at": len(blobs) - 1}


main()
