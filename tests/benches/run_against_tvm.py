#!/usr/bin/env python3
"""Times `relax-lsp run` beside TVM's default CPU build and NumPy, on the same machine in the same run.

    python3 tests/benches/run_against_tvm.py [--bin target/release/relax-lsp] [--corpus DIR] [--runs 7]

DIR holds printed models (`MODELS`); one that is not there is left out. The running Python needs apache-tvm and NumPy; without
TVM only our own figures and NumPy's are printed. A build is from the parsed module to what runs, the first run
follows it, a steady run is the median of later ones; a click is a whole process from its start to the printed result.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy

# A printed model, its dimension, and how many times faster its first and its steady run should be.
MODELS = [
    ("lm2-nn", {"n": 16}, ("5x", "")),
    ("lm2-nn", {"n": 128}, ("5x", "10x")),
    ("lm2-fused", {"n": 16}, ("", "")),
    ("lm2-fused", {"n": 128}, ("", "15x")),
    ("lm2-lowered", {"n": 128}, ("", "15x")),
    ("convnet-nn", {"batch": 8}, ("", "1x")),
    ("convnet-fused", {"batch": 8}, ("", "1x")),
    ("convnet-lowered", {"batch": 8}, ("", "1x")),
]

MATMUL = """from tvm.script import relax as R
@R.function
def main(a: R.Tensor((1024, 1024), "float32"), b: R.Tensor((1024, 1024), "float32")):
    c = R.matmul(a, b)
    return c
"""


def ours(binary, file, dims, runs):
    """Build and first run, and a steady run, in seconds."""
    command = [binary, "run", file, "--format", "json", "--repeat", str(runs + 1), "--input", "*=formula"]
    for name, value in dims.items():
        command += ["--dim", f"{name}={value}"]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    times = answer["times"]
    return answer["compileSeconds"] + times[0], statistics.median(times[1:])


def click(binary, file, dims, runs):
    command = [binary, "run", file]
    for name, value in dims.items():
        command += ["--dim", f"{name}={value}"]
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def theirs(file, dims, runs):
    """The same of TVM, or nothing where it is not there."""
    try:
        import tvm
        from tvm import relax
    except ImportError:
        return None
    with open(file, encoding="utf-8") as source:
        module = tvm.script.from_source(source.read())
    function = next(f for var, f in module.functions.items() if var.name_hint == "forward")
    make = getattr(tvm.runtime, "tensor", None) or tvm.nd.array
    inputs = []
    for at, param in enumerate(function.params):
        info = getattr(param, "ty", None) or param.struct_info
        shape = [int(dims.get(str(dim), 0) or dim) for dim in info.shape.values]
        index = numpy.arange(int(numpy.prod(shape))).reshape(shape)
        dtype = str(getattr(info.dtype, "dtype", info.dtype))
        small = (7 * index + 13 * at) % 17 - 8
        inputs.append(make((small / 64).astype(dtype) if dtype.startswith("float") else (small % 5).astype(dtype)))
    start = time.perf_counter()
    machine = relax.VirtualMachine(relax.build(module, "llvm"), tvm.cpu())
    machine["forward"](*inputs)
    first = time.perf_counter() - start
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        machine["forward"](*inputs)
        times.append(time.perf_counter() - start)
    return first, statistics.median(times)


def row(name, ours, theirs, wanted):
    text = f"{name:44} {ours * 1000:9.1f}ms"
    if theirs is None:
        return print(text + f" {'-':>11} {'-':>8}  {wanted}")
    return print(text + f" {theirs * 1000:9.1f}ms {theirs / ours:7.2f}x  {wanted}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bin", default="target/release/relax-lsp")
    arguments.add_argument("--corpus", default=str(pathlib.Path(__file__).parent.parent / "fixtures/models"))
    arguments.add_argument("--runs", type=int, default=7)
    options = arguments.parse_args()
    print(f"{'':44} {'relax-lsp':>11} {'other':>11} {'faster':>8}  wanted")
    for model, dim, wanted in MODELS:
        file = os.path.join(options.corpus, f"{model}.tvm-0.27.py")
        if not os.path.exists(file):
            continue
        first, steady = ours(options.bin, file, dim, options.runs)
        other = theirs(file, dim, options.runs) or (None, None)
        size = ", ".join(f"{name}={value}" for name, value in dim.items())
        row(f"{model}, {size}: build and first run", first, other[0], wanted[0])
        row(f"{model}, {size}: steady run", steady, other[1], wanted[1])
    file = os.path.join(options.corpus, "lm2-nn.tvm-0.27.py")
    row("lm2-nn, 16 tokens: click to first value", click(options.bin, file, {"n": 16}, options.runs), None, "100 ms")
    with tempfile.TemporaryDirectory() as directory:
        file = os.path.join(directory, "matmul.py")
        with open(file, "w", encoding="utf-8") as source:
            source.write(MATMUL)
        _, steady = ours(options.bin, file, {}, options.runs)
    a = numpy.ones((1024, 1024), "float32")
    b = numpy.ones((1024, 1024), "float32")
    a @ b
    times = []
    for _ in range(options.runs):
        start = time.perf_counter()
        a @ b
        times.append(time.perf_counter() - start)
    row("matmul, 1024 cubed, float32, beside NumPy", steady, statistics.median(times), "1x")


if __name__ == "__main__":
    main()
