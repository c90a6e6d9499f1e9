"""Whether TVM parses two texts to structurally equal modules.

Arguments: pairs of files. Prints the second of each pair that differs or does not parse. Needs apache-tvm 0.27.
"""

import sys

import quick_inspect  # noqa: F401
import tvm


def main(paths):
    for before, after in zip(paths[::2], paths[1::2]):
        try:
            modules = [tvm.script.from_source(open(path).read()) for path in (before, after)]
            tvm.ir.assert_structural_equal(*modules)
        except Exception as error:
            print(after, type(error).__name__, str(error).splitlines()[:1])


if __name__ == "__main__":
    main(sys.argv[1:])
