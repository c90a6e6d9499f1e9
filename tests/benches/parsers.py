#!/usr/bin/env python3
"""Times four parsers of Python on the same files in the same run: ours, ruff's, tree-sitter's and CPython's.

    python3 tests/benches/parsers.py [--runs 5] [--edit DUMP.py[.gz]] PATH...

A PATH is a file or a directory of them; files that CPython does not compile are left out. The Rust parsers run in the
program of `parsers/`, built on the first run; tree-sitter and its grammar come from PyPI into a virtual environment under
`target/parsers`. All run on one core, and only the processor time of the parse counts, not reading the file or freeing
the tree. `--edit` also times the reparse of one typed character in that file.
"""
import argparse
import ast
import gzip
import os
import statistics
import subprocess
import sys
import time
import venv
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TARGET = os.path.join(ROOT, "target", "parsers")


def environment():
    """The Python of a virtual environment that has tree-sitter."""
    home = os.path.join(TARGET, "venv")
    python = os.path.join(home, "Scripts" if os.name == "nt" else "bin", "python")
    if not os.path.exists(os.path.join(home, "ready")):
        venv.create(home, with_pip=True, clear=True)
        packages = ["tree-sitter", "tree-sitter-python"]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        open(os.path.join(home, "ready"), "w").close()
    return python


def program():
    """The program that times the parsers written in Rust."""
    manifest = os.path.join(HERE, "parsers", "Cargo.toml")
    build = ["cargo", "build", "--quiet", "--release", "--manifest-path", manifest, "--target-dir", TARGET]
    subprocess.run(build, check=True)
    return os.path.join(TARGET, "release", "parsers")


def files(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".py"))
        else:
            yield path


def read(path):
    """The text, if CPython compiles it and it is UTF-8."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
        return text
    except (SyntaxError, ValueError, RecursionError):
        return None


def median(runs, parse, texts):
    def once():
        total = 0.0
        for text in texts:
            start = time.process_time()
            tree = parse(text)
            total += time.process_time() - start
            del tree
        return total

    once()  # not counted: caches, lazy imports
    return statistics.median(once() for _ in range(runs))


def python_parsers(runs, paths):
    """In the virtual environment: prints `NAME SECONDS` as the Rust program does."""
    import tree_sitter
    import tree_sitter_python

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
    texts = [open(path, "rb").read() for path in paths]
    print("tree-sitter", median(runs, parser.parse, texts))
    warnings.simplefilter("ignore")
    print("CPython", median(runs, ast.parse, texts))


def measure(command, paths):
    lines = subprocess.run(command, input="\n".join(paths), capture_output=True, check=True, text=True).stdout
    return {name: float(seconds) for name, seconds in (line.split() for line in lines.splitlines())}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--edit")
    arguments.add_argument("--python-parsers", action="store_true", help=argparse.SUPPRESS)
    arguments.add_argument("paths", nargs="*")
    options = arguments.parse_args()
    if options.python_parsers:
        python_parsers(options.runs, sys.stdin.read().splitlines())
        return
    python, rust = environment(), [program(), str(options.runs)]
    if options.edit:
        edited = options.edit
        if edited.endswith(".gz"):
            with gzip.open(edited) as packed, open(os.path.join(TARGET, "edited.py"), "wb") as file:
                file.write(packed.read())
            edited = file.name
        rust.append(edited)
    rows = [["", "MB", "relax-lsp", "ruff", "tree-sitter", "CPython"]]
    reparse = None
    for path in options.paths:
        texts = {file: text for file in files([path]) if (text := read(file)) is not None}
        paths = list(texts)
        size = sum(len(text.encode()) for text in texts.values()) / 1e6
        times = measure(rust, paths)
        reparse = times.pop("reparse", reparse)
        times.update(measure([python, __file__, "--python-parsers", "--runs", str(options.runs)], paths))
        name = f"{os.path.basename(path.rstrip('/'))} ({len(paths)})" if os.path.isdir(path) else os.path.basename(path)
        rows.append([name, f"{size:.2f}", *(f"{size / times[parser]:.1f} MB/s" for parser in rows[0][2:])])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) if column else cell.ljust(width) for column, (cell, width) in enumerate(zip(row, widths))))
    if reparse is not None:
        print(f"reparse of one typed character in {os.path.basename(options.edit)}: {reparse * 1000:.3f} ms, median of 200 places")


if __name__ == "__main__":
    main()
