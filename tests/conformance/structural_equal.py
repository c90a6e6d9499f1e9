"""Holds `relax-lsp diff` against `tvm.ir.structural_equal`, on the modules of TVM's own tests of passes.

    structural_equal.py TVM/tests/python/relax RELAX_LSP [--only test_transform_*.py] [--keep FOLDER]

Runs the tests under pytest. Of each pass that runs, the module before and the one after are a pair; of each comparison,
both sides. Pairs on which the two disagree are listed, and kept as files in FOLDER. TVM takes the names of functions, the
order inside dataflow blocks and attributes without a meaning for a difference, so some that it tells apart are equal here;
none that it holds equal may differ.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import pytest
    import tvm
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)


class Pairs:
    def __init__(self):
        self.known = {}
        self.test = ""

    def pytest_runtest_setup(self, item):
        self.test = item.nodeid.rsplit("/", 1)[-1]

    def add(self, one, other):
        """A pair of modules with TVM's verdict. Modules that TVM cannot print or compare are left out."""
        if not (isinstance(one, tvm.IRModule) and isinstance(other, tvm.IRModule)):
            return
        try:
            texts = one.script(show_meta=True), other.script(show_meta=True)
            self.known.setdefault(texts, (self.test, bool(EQUAL(one, other))))
        except Exception:
            pass

    def watch(self):
        compare = tvm.ir.assert_structural_equal
        run = tvm.ir.transform.Pass.__call__

        def compared(lhs, rhs, *arguments, **named):
            self.add(lhs, rhs)
            return compare(lhs, rhs, *arguments, **named)

        def ran(of, module):
            # A pass may take its module apart.
            before = module.clone() if isinstance(module, tvm.IRModule) else None
            after = run(of, module)
            self.add(before, after)
            return after

        tvm.ir.assert_structural_equal = tvm.ir.base.assert_structural_equal = compared
        tvm.ir.transform.Pass.__call__ = ran


def equality():
    """`structural_equal`, which stands in another package since TVM 0.27."""
    if hasattr(tvm.ir, "structural_equal"):
        return tvm.ir.structural_equal
    import tvm_ffi

    return tvm_ffi.structural_equal


EQUAL = equality()


def differs(relax_lsp, paths):
    """Whether `relax-lsp diff` tells two files apart; None where it cannot read them."""
    done = subprocess.run([relax_lsp, "diff", *map(str, paths)], capture_output=True)
    return {0: False, 1: True}.get(done.returncode)


def record(file, output):
    pairs = Pairs()
    pairs.watch()
    pytest.main(["-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", str(file)], plugins=[pairs])
    output.write_text(json.dumps([[texts, *verdict] for texts, verdict in pairs.known.items()]))
    return 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("tests", type=pathlib.Path)
    arguments.add_argument("relax_lsp")
    arguments.add_argument("--only", default="test_transform_*.py", help="a pattern of file names")
    arguments.add_argument("--keep", type=pathlib.Path, help="where pairs are written on which the two disagree")
    arguments.add_argument("--record", type=pathlib.Path, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.record:
        return record(given.tests, given.record)
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        recorded = []
        for file in sorted(given.tests.resolve().rglob(given.only)):
            # A test may take its process with it.
            output = pathlib.Path(folder, "pairs.json")
            output.unlink(missing_ok=True)
            subprocess.run([sys.executable, __file__, file, "", "--record", output], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if output.exists():
                recorded.extend(json.loads(output.read_text()))
            else:
                print(f"no pairs of {file.name}")
        for number, (texts, test, equal) in enumerate(recorded):
            paths = [pathlib.Path(folder, f"{side}.py") for side in ("before", "after")]
            for path, text in zip(paths, texts):
                path.write_text(text)
            differ = differs(given.relax_lsp, paths)
            key = ("equal" if equal else "different", {None: "unread", False: "equal", True: "different"}[differ])
            counts[key] = counts.get(key, 0) + 1
            if differ is not (not equal):
                print(f"{number:05}: TVM says {key[0]}, diff says {key[1]}: {test}")
                if given.keep:
                    given.keep.mkdir(parents=True, exist_ok=True)
                    for path, text in zip(paths, texts):
                        (given.keep / f"{number:05}-{path.name}").write_text(text)
    for (tvm_says, diff_says), count in sorted(counts.items()):
        print(f"{count:6} pairs: TVM says {tvm_says}, diff says {diff_says}")
    return 1 if counts.get(("equal", "different")) else 0


if __name__ == "__main__":
    sys.exit(main())
