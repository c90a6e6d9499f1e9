#!/usr/bin/env python3
"""Measures hovers in a small file while another file is open and typed in.

    python3 tests/benches/beside_a_long_file.py RELAX_LSP [LONG.py]
    python3 tests/benches/beside_a_long_file.py RELAX_LSP --hostile HOSTILE [FAMILY...]

By default, the other file is a function of 30,000 bindings. With `--hostile`, it is a file of each hostile family:
HOSTILE is the benchmark that makes them, as `cargo bench -p tests --bench hostile --no-run` prints it. Prints
percentiles in milliseconds. Fails if a hover beside a hostile file takes more than 50.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from language_server import Server

SMALL = """from tvm.script import relax as R


@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    y = R.add(x, x)
    return y
"""
HOVER = {"textDocument": {"uri": "file:///small.py"}, "position": {"line": 5, "character": 4}}
ROUNDS = 100
# For each hostile file, at different places.
HOSTILE_ROUNDS = 40
HOSTILE_SIZE = 150_000
LONGEST_HOVER = 50.0


def long_function():
    head = SMALL.split("    y =")[0]
    lines = [f"    y{at} = R.add(x, x)\n" for at in range(30_000)]
    return head + "".join(lines) + "    return x\n"


def hovers(server, uri, lines):
    """Types at the start of each line, and returns the times of the hovers after each keystroke, sorted."""
    times = []
    for version, line in enumerate(lines, start=2):
        start = {"line": line, "character": 0}
        typed = version % 2 == 0
        end = start if typed else {"line": line, "character": 1}
        server.change(uri, version, start, end, "#" if typed else "")
        begin = time.perf_counter()
        server.call("textDocument/hover", HOVER)
        times.append((time.perf_counter() - begin) * 1000)
    return sorted(times)


def beside_long_file(command, folder, text):
    server = Server(command, folder)
    server.open("file:///small.py", SMALL)
    server.open("file:///long.py", text)
    # The answer shows that the server has read the long file.
    server.call("textDocument/foldingRange", {"textDocument": {"uri": "file:///long.py"}})
    for where, line in [("small.py", 6), ("long.py", 10)]:
        times = hovers(server, f"file:///{where}", [line] * ROUNDS)
        shares = [f"p{share} {times[len(times) * share // 100]:.1f}" for share in (50, 90, 99)]
        print(f"typing in {where}: hover in small.py {', '.join(shares)}, max {times[-1]:.1f} ms")
    server.end()


def hostile_text(bench, family):
    """Returns a file of a family with at least HOSTILE_SIZE bytes, if the family grows that far."""
    text = ""
    size = 512
    while len(text) < HOSTILE_SIZE and size < 1 << 20:
        size *= 2
        command = [bench, "--text", family, str(size)]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return text


def beside_hostile_files(command, folder, bench, families):
    if not families:
        listed = subprocess.run([bench, "--list"], capture_output=True, text=True, check=True)
        families = listed.stdout.split()
    slow = 0
    for family in families:
        text = hostile_text(bench, family)
        language = "relay" if family.startswith("relay") else "python"
        uri = f"file:///hostile.{'relay' if language == 'relay' else 'py'}"
        server = Server(command, folder)
        server.open("file:///small.py", SMALL)
        server.open(uri, text, language)
        last = text.count("\n") - 1
        step = max(last // (HOSTILE_ROUNDS // 2), 1)
        # A letter is typed and removed in each line.
        lines = [min(5 + at // 2 * step, last) for at in range(HOSTILE_ROUNDS)]
        times = hovers(server, uri, lines)
        server.process.kill()
        slow += times[-1] > LONGEST_HOVER
        mark = "  SLOW" if times[-1] > LONGEST_HOVER else ""
        middle = times[len(times) // 2]
        print(f"{family:40} {len(text) // 1024:6} KB  p50 {middle:6.1f}  max {times[-1]:6.1f}{mark}")
    if slow:
        sys.exit(f"{slow} above {LONGEST_HOVER} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server", type=Path)
    parser.add_argument("--hostile", type=Path, help="the benchmark `hostile`")
    parser.add_argument("names", nargs="*", help="a long file, or hostile families")
    arguments = parser.parse_intermixed_args()
    command = [str(arguments.server.resolve()), "lsp"]
    with tempfile.TemporaryDirectory() as folder:
        if arguments.hostile:
            bench = str(arguments.hostile.resolve())
            beside_hostile_files(command, folder, bench, arguments.names)
        else:
            file = arguments.names[0] if arguments.names else None
            text = Path(file).read_text(encoding="utf-8") if file else long_function()
            beside_long_file(command, folder, text)


if __name__ == "__main__":
    main()
