#!/usr/bin/env python3
"""Times `relax-lsp check` beside TVM's own parser and CPython's, on the same files in the same run.

    python3 tests/benches/against_tvm.py [--bin target/release/relax-lsp] [--runs 5] FILE.py...

TVM is timed where the running Python has the package apache-tvm, and only on files that its version can read. Each figure is
the median over the runs; the whole process counts for relax-lsp, the parse alone for the others.
"""
import argparse
import ast
import statistics
import subprocess
import sys
import time


def median(runs, work):
    work()  # not counted: caches, lazy imports
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def tvm_parser():
    try:
        from tvm import script
    except ImportError:
        return None
    return script.from_source


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bin", default="target/release/relax-lsp")
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("files", nargs="+")
    options = arguments.parse_args()
    tvm = tvm_parser()
    print(f"{'file':40} {'KB':>6} {'relax-lsp':>10} {'ast.parse':>10} {'TVM':>10} {'TVM/ours':>9} {'ast/ours':>9}")
    for path in options.files:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        ours = median(options.runs, lambda: subprocess.run([options.bin, "check", path], capture_output=True, check=True))
        python = median(options.runs, lambda: ast.parse(text))
        theirs = None
        if tvm is not None:
            try:
                theirs = median(1, lambda: tvm(text))
            except Exception as error:  # TVM refuses files of other versions
                print(f"{path}: TVM does not read it: {str(error).splitlines()[-1][:80]}", file=sys.stderr)
        name = path.rsplit("/", 1)[-1]
        row = f"{name:40} {len(text) // 1000:6} {ours * 1000:8.1f}ms {python * 1000:8.1f}ms"
        if theirs is not None:
            row += f" {theirs * 1000:8.0f}ms {theirs / ours:8.0f}x"
        else:
            row += f" {'-':>10} {'-':>9}"
        print(row + f" {python / ours:8.1f}x")


if __name__ == "__main__":
    main()
