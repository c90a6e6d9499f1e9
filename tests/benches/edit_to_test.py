#!/usr/bin/env python3
"""Times what a developer waits for: from the edit of one file to the result of its test.

    python3 tests/benches/edit_to_test.py [--runs 3] [WORD]...

Each row adds a function to a file, so that the compiler has something new, and runs the test beside it with the dev
profile. The file is restored afterwards. The first run of a row, which compiles what was never compiled, does not count.
WORDs choose rows.
"""
import argparse
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

#: What is edited, the file, and the arguments of `cargo test`.
ROWS = [
    ("rule of an operator", "crates/relax/src/ops/linalg.rs", ["-p", "relax", "--lib", "ops::"]),
    ("feature of the editor", "crates/ide/src/inlay_hints.rs", ["-p", "ide", "--lib", "inlay_hints::"]),
    ("kernel", "crates/vm/src/kernels/softmax.rs", ["-p", "vm", "--lib", "kernels::"]),
]


def seconds(file, text, number, arguments):
    """One edit and its test."""
    file.write_text(f"{text}\n#[allow(dead_code)]\nfn edit_to_test() -> u32 {{\n    {number}\n}}\n", encoding="utf-8")
    start = time.monotonic()
    done = subprocess.run(["cargo", "test", "--quiet", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    elapsed = time.monotonic() - start
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    if not re.search(r"[1-9]\d* passed", done.stdout):
        sys.exit(f"no test runs with {' '.join(arguments)}")
    return elapsed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    for what, path, arguments in ROWS:
        if options.words and not any(word in what for word in options.words):
            continue
        file = ROOT / path
        text = file.read_text(encoding="utf-8")
        try:
            times = [seconds(file, text, number, arguments) for number in range(options.runs + 1)][1:]
        finally:
            file.write_text(text, encoding="utf-8")
        print(f"{what:24}{path:40}{min(times):6.1f} {statistics.median(times):6.1f} {max(times):6.1f} s", flush=True)


if __name__ == "__main__":
    main()
