"""Records what an installed TVM concludes of the TVMScript programs in its own tests.

    record_tests.py TVM/tests/python/relax -o RECORDS/tvm-0.27/programs.jsonl.gz [--only test_op_*.py]

Runs the tests under pytest, with TVM's parser watched: each program that a test hands it becomes one record, whether the
test expects it to parse or not. The sources must be those of the installed version. A record is that of `ask_tvm.py` with
`file`, `first` and `last` (lines of the decorator and of the end), `kind` (module, function) and, of errors, `phase`.
"""

import argparse
import ast
import gzip
import inspect
import json
import pathlib
import sys

import pytest
import tvm
from tvm import relax
from tvm.script.parser.core import entry

import ask_tvm
import struct_info


class Watch:
    def __init__(self, tests, out):
        self.tests, self.out = tests, out
        self.why = ask_tvm.keep_reasons()

    def place(self, program):
        """File and lines of a program; None for one that is not in a test."""
        try:
            path = pathlib.Path(inspect.getsourcefile(program)).resolve()
            lines, first = inspect.getsourcelines(program)
            return {"file": str(path.relative_to(self.tests)), "first": first, "last": first + len(lines) - 1}
        except (OSError, TypeError, ValueError):
            return None

    def wrap(self, parse):
        def watched(program, *arguments, **named):
            place = self.place(program)
            if place is None:
                return parse(program, *arguments, **named)
            place["kind"] = "module" if inspect.isclass(program) else "function"
            self.why.clear()
            try:
                result = parse(program, *arguments, **named)
            except Exception as error:
                path = pathlib.Path(place["file"])
                phase = "well_formed" if self.why else "parse"
                reason = ask_tvm.reason(error, path, self.why)
                self.write({**place, "verdict": "error", "phase": phase, "error": reason})
                raise
            self.accepted(place, result, named.get("check_well_formed", True))
            return result

        return watched

    def accepted(self, place, result, checked):
        if isinstance(result, relax.Function):
            functions = [struct_info.function(str((result.attrs or {}).get("global_symbol", "")), result)]
        elif isinstance(result, tvm.IRModule):
            every = result.functions.items()
            functions = [struct_info.function(struct_info.name_of(v), f) for v, f in every if isinstance(f, relax.Function)]
        else:
            return
        well_formed = bool(checked) or relax.analysis.check_well_formed(result)
        self.write({**place, "verdict": "ok", "wf": well_formed, "functions": functions})

    def write(self, record):
        self.out.write(json.dumps({"tvm": tvm.__version__, **record}) + "\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("tests", type=pathlib.Path)
    arguments.add_argument("-o", "--output", required=True)
    arguments.add_argument("--only", default="test_*.py", help="a pattern of file names")
    given = arguments.parse_args()
    tests = given.tests.resolve()
    with gzip.open(given.output, "wt", encoding="utf-8") as out:
        watch = Watch(tests, out)
        parse = entry.parse
        watched = watch.wrap(parse)
        # Modules that have imported the function have it under its name.
        for module in list(sys.modules.values()):
            if vars(module).get("parse") is parse:
                module.parse = watched
        files = sorted(map(str, tests.rglob(given.only)))
        return pytest.main(["-q", "-p", "no:cacheprovider", "--continue-on-collection-errors", *files])


if __name__ == "__main__":
    sys.exit(main())
