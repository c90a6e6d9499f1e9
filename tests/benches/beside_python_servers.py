#!/usr/bin/env python3
"""Compares the response times of relax-lsp and of Python language servers while someone types in the same file.

    python3 tests/benches/beside_python_servers.py [--server PATH] FILE...

Installs nothing. Pyright (npm) and ty (PyPI) are measured if `pyright-langserver` and `ty` are on the `PATH`. relax-lsp is
the release build of this checkout, or the program given with `--server`. The servers compute different things: the
Python servers do not know StructInfo, and relax-lsp does not know Python's types.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from language_server import Server

ROUNDS = 30
ROOT = Path(__file__).resolve().parents[2]


def binding(text):
    """Returns the number and the text of the middle one of the lines that bind a variable."""
    lines = text.split("\n")
    bindings = [
        number
        for number, line in enumerate(lines)
        if line.startswith("        ") and ": R." in line and " = R." in line
    ]
    number = bindings[len(bindings) // 2]
    return number, lines[number]


def measure(command, text):
    """Returns the times of each kind of answer in milliseconds, and the peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(text)
        uri = path.as_uri()
        server = Server(command, folder)
        number, line = binding(text)
        version = 1
        figures = {}

        def timed(what, wait):
            start = time.perf_counter()
            wait()
            figures.setdefault(what, []).append((time.perf_counter() - start) * 1000)

        def change():
            nonlocal version
            version += 1
            typed = version % 2 == 0
            start = {"line": number, "character": len(line)}
            end = {"line": number, "character": len(line) + (0 if typed else 1)}
            server.change(uri, version, start, end, "x" if typed else "")

        def opened():
            server.open(uri, text)
            server.diagnostics(uri, 1)

        def keystroke():
            change()
            server.diagnostics(uri, version)

        def ask(method, column):
            position = {"line": number, "character": column}
            server.call(method, {"textDocument": {"uri": uri}, "position": position})

        timed("open to diagnostics", opened)
        for _ in range(ROUNDS):
            timed("keystroke to diagnostics", keystroke)
            timed("hover after it", lambda: ask("textDocument/hover", len(line) - len(line.lstrip()) + 1))
            timed("completion after it", lambda: ask("textDocument/completion", line.index(" = R.") + 5))
        memory = server.memory()
        server.end()
        return figures, memory


def servers(own):
    """Returns the commands of the installed servers, by name."""
    found = {"relax-lsp": [str(own), "lsp"]}
    if pyright := shutil.which("pyright-langserver"):
        found["pyright"] = [pyright, "--stdio"]
    if ty := shutil.which("ty"):
        found["ty"] = [ty, "server"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", type=Path, default=ROOT / "target/release/relax-lsp")
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    if not arguments.server.exists():
        sys.exit(f"{arguments.server} is not there: cargo build --release -p relax-lsp")
    for file in arguments.files:
        text = file.read_text()
        print(f"{file.name} ({len(text) // 1024} KB)")
        for name, command in servers(arguments.server.resolve()).items():
            try:
                figures, memory = measure(command, text)
            except (EOFError, TimeoutError, BrokenPipeError) as error:
                print(f"  {name:10} {type(error).__name__}: {error}")
                continue
            for what, times in figures.items():
                usual, worst = statistics.median(times), max(times)
                print(f"  {name:10} {what:26} p50 {usual:10.2f} ms   max {worst:10.2f} ms")
            if memory is not None:
                print(f"  {name:10} {'memory':26}     {memory:10.0f} MB")


if __name__ == "__main__":
    main()
