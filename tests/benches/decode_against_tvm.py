#!/usr/bin/env python3
"""Times the decode step of a Llama of about 100 million parameters beside TVM's default CPU build.

    python3 tests/benches/decode_against_tvm.py [--bin target/release/relax-lsp] [--dtype float32 float16] [--tokens 32]

The script writes the module and random weights to a temporary folder. `relax-lsp run --script` decodes tokens one after the
other: each step takes the token and the cache of the step before it. TVM does the same where the running Python has
apache-tvm. Tokens per second are of the median step; the first steps, which load the weights, do not count.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy

LAYERS, HEADS, HEAD, WIDTH, INNER, VOCABULARY, CONTEXT = 12, 12, 64, 768, 2048, 16000, 512
# The tokens that the cache holds before the first step.
PROMPT = 16
WARM = 2
SAFETENSORS = {"float32": "F32", "float16": "F16"}


def weights():
    """The shape of each weight, in the order of the parameters."""
    shapes = {"embed": (VOCABULARY, WIDTH), "cosines": (CONTEXT, HEAD), "sines": (CONTEXT, HEAD)}
    for k in range(LAYERS):
        shapes |= {f"norm_a{k}": (WIDTH,), f"qkv{k}": (WIDTH, 3 * WIDTH), f"out{k}": (WIDTH, WIDTH)}
        shapes |= {f"norm_b{k}": (WIDTH,), f"gate_up{k}": (WIDTH, 2 * INNER), f"down{k}": (INNER, WIDTH)}
    return shapes | {"norm": (WIDTH,), "head": (WIDTH, VOCABULARY)}


def module(dtype):
    cache = f'R.Tensor((1, "n", {HEADS}, {HEAD}), "{dtype}")'
    params = ['token: R.Tensor((1,), "int64")', 'position: R.Tensor((1,), "int64")']
    params += [f"{name}{k}: {cache}" for k in range(LAYERS) for name in ("keys", "values")]
    params += [f'{name}: R.Tensor({shape}, "{dtype}")' for name, shape in weights().items()]
    lines = [
        f"x = R.reshape(R.take(embed, token, axis=0), R.shape([1, 1, {WIDTH}]))",
        f"cosine = R.reshape(R.take(cosines, position, axis=0), R.shape([1, 1, 1, {HEAD}]))",
        f"sine = R.reshape(R.take(sines, position, axis=0), R.shape([1, 1, 1, {HEAD}]))",
    ]
    half = HEAD // 2

    def rotated(name):
        return [
            f"left = R.strided_slice({name}, axes=[3], begin=[0], end=[{half}])",
            f"right = R.strided_slice({name}, axes=[3], begin=[{half}], end=[{HEAD}])",
            "turned = R.concat((R.negative(right), left), axis=3)",
            f"{name} = R.add(R.multiply({name}, cosine), R.multiply(turned, sine))",
        ]

    for k in range(LAYERS):
        lines += [
            f"h = R.nn.rms_norm(x, norm_a{k}, axes=[-1], epsilon=1e-5)",
            f"qkv = R.split(R.matmul(h, qkv{k}), 3, axis=-1)",
            f"q = R.reshape(qkv[0], R.shape([1, 1, {HEADS}, {HEAD}]))",
            f"k = R.reshape(qkv[1], R.shape([1, 1, {HEADS}, {HEAD}]))",
            f"v = R.reshape(qkv[2], R.shape([1, 1, {HEADS}, {HEAD}]))",
            *rotated("q"),
            *rotated("k"),
            f"all_keys{k} = R.concat((keys{k}, k), axis=1)",
            f"all_values{k} = R.concat((values{k}, v), axis=1)",
            "q = R.permute_dims(q, [0, 2, 1, 3])",
            f"scores = R.matmul(q, R.permute_dims(all_keys{k}, [0, 2, 3, 1]))",
            f'scores = R.nn.softmax(R.multiply(scores, R.const({HEAD**-0.5}, "{dtype}")), axis=-1)',
            f"mixed = R.matmul(scores, R.permute_dims(all_values{k}, [0, 2, 1, 3]))",
            f"mixed = R.reshape(R.permute_dims(mixed, [0, 2, 1, 3]), R.shape([1, 1, {WIDTH}]))",
            f"x = R.add(x, R.matmul(mixed, out{k}))",
            f"h = R.nn.rms_norm(x, norm_b{k}, axes=[-1], epsilon=1e-5)",
            f"both = R.split(R.matmul(h, gate_up{k}), 2, axis=-1)",
            f"x = R.add(x, R.matmul(R.multiply(R.nn.silu(both[0]), both[1]), down{k}))",
        ]
    lines += [
        "logits = R.matmul(R.nn.rms_norm(x, norm, axes=[-1], epsilon=1e-5), head)",
        f"chosen = R.argmax(R.reshape(logits, R.shape([{VOCABULARY}])), axis=0, keepdims=True)",
        'then = R.add(position, R.const(1, "int64"))',
    ]
    caches = ", ".join(f"all_keys{k}, all_values{k}" for k in range(LAYERS))
    lines.append(f"result = (chosen, then, {caches})")
    body = "\n".join(f"            {line}" for line in lines)
    header = ",\n        ".join(params)
    return f"""from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def decode(
        {header}
    ):
        with R.dataflow():
{body}
            R.output(result)
        return result
"""


def made(dtype):
    random = numpy.random.default_rng(0)
    arrays = {}
    for name, shape in weights().items():
        if name.startswith("norm"):
            array = numpy.ones(shape)
        elif name in ("cosines", "sines"):
            angles = numpy.outer(numpy.arange(CONTEXT), 10000.0 ** (-numpy.arange(HEAD // 2) / (HEAD // 2)))
            angles = numpy.concatenate([angles, angles], axis=1)
            array = numpy.cos(angles) if name == "cosines" else numpy.sin(angles)
        else:
            array = random.standard_normal(shape, "float32") * shape[0] ** -0.5
        arrays[name] = array.astype(dtype)
    return arrays


def save(path, arrays):
    """Writes a .safetensors file."""
    header, end = {}, 0
    for name, array in arrays.items():
        begin, end = end, end + array.nbytes
        dtype = SAFETENSORS[str(array.dtype)]
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            file.write(array.tobytes())


def empty(dtype):
    return numpy.zeros((1, PROMPT, HEADS, HEAD), dtype)


def ours(binary, directory, dtype, tokens):
    """The seconds of each step, and the chosen tokens."""
    numpy.save(directory / "cache.npy", empty(dtype))
    caches = [f"{name}{k}" for k in range(LAYERS) for name in ("keys", "values")]
    steps = []
    for at in range(tokens):
        last = [f"$step{at - 1}.{field}" for field in range(2 + len(caches))]
        first = [{"tensor": [1], "dtype": "int64"}, {"tensor": [PROMPT], "dtype": "int64"}]
        given = last if at else first + ["cache.npy"] * len(caches)
        args = dict(zip(["token", "position", *caches], given))
        steps.append({"call": "decode", "args": args, "as": f"step{at}"})
    (directory / "calls.json").write_text(json.dumps(steps))
    command = [binary, "run", "decode.py", "--script", "calls.json", "--params", "weights.safetensors"]
    start = time.perf_counter()
    run = subprocess.run([*command, "--format", "json"], cwd=directory, capture_output=True, check=False)
    total = time.perf_counter() - start
    answer = json.loads(run.stdout or "{}")
    if not answer.get("ok"):
        raise SystemExit(f"{answer.get('error')} {run.stderr.decode()}")
    calls = answer["calls"]
    return [call["seconds"] for call in calls], [call["outputs"][0]["first"][0] for call in calls], total


def theirs(directory, dtype, arrays, tokens):
    """The same of TVM, or nothing where it is not there."""
    try:
        import tvm
        from tvm import relax
    except ImportError:
        return None
    # TVM knows the namespaces without an import, and takes none in a text.
    _, text = (directory / "decode.py").read_text().split("\n", 1)
    parsed = tvm.script.from_source(text)
    machine = relax.VirtualMachine(relax.build(parsed, "llvm"), tvm.cpu())
    make = getattr(tvm.runtime, "tensor", None) or tvm.nd.array
    held = [make(array) for array in arrays.values()]
    state = [make(numpy.array([1], "int64")), make(numpy.array([PROMPT], "int64"))]
    state += [make(empty(dtype)) for _ in range(2 * LAYERS)]
    times, chosen = [], []
    for _ in range(tokens):
        start = time.perf_counter()
        result = machine["decode"](*state, *held)
        times.append(time.perf_counter() - start)
        state = [result[field] for field in range(len(state))]
        chosen.append(int(state[0].numpy()[0]))
    return times, chosen


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bin", default="target/release/relax-lsp")
    arguments.add_argument("--dtype", nargs="+", default=list(SAFETENSORS), choices=list(SAFETENSORS))
    arguments.add_argument("--tokens", type=int, default=32)
    options = arguments.parse_args()
    binary = str(pathlib.Path(options.bin).resolve())
    for dtype in options.dtype:
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            arrays = made(dtype)
            count = sum(array.size for array in arrays.values())
            (directory / "decode.py").write_text(module(dtype))
            save(directory / "weights.safetensors", arrays)
            times, chosen, total = ours(binary, directory, dtype, options.tokens)
            step = statistics.median(times[WARM:])
            print(f"{dtype}, {count / 1e6:.0f} M parameters, {options.tokens} tokens")
            print(f"  relax-lsp  {1 / step:7.1f} tokens/s, first step {times[0]:.2f} s, whole process {total:.1f} s")
            other = theirs(directory, dtype, arrays, options.tokens)
            if other is None:
                continue
            step = statistics.median(other[0][WARM:])
            same = sum(a == b for a, b in zip(chosen, other[1]))
            print(f"  TVM        {1 / step:7.1f} tokens/s, {same} of {options.tokens} tokens the same")


if __name__ == "__main__":
    main()
