"""What an installed TVM concludes of TVMScript programs.

    ask_tvm.py < PROGRAMS > RECORDS

A line of PROGRAMS is a JSON object {"name", "text"}. Its answer is one line of RECORDS, written before the next program is
read: {"name", "tvm", "verdict": "ok" | "error", "error": {"msg", "line"}, "functions": [{"name", "params": [[name, T]],
"ret", "pure", "bindings": [{"n", "t"}]}]}. `struct_info.py` says how T is written. A program that TVM does not leave within
a minute ends this process.
"""

import contextlib
import faulthandler
import importlib.util
import io
import json
import os
import pathlib
import re
import sys
import tempfile

import tvm
from tvm import relax
from tvm.script.ir_builder import IRBuilder

import quick_inspect  # noqa: F401
import struct_info

SECONDS = 60


def judge(number, text, folder, why):
    why.clear()
    # TVM reads the source of what it parses from its file.
    path = pathlib.Path(folder, f"program_{number}.py")
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        # A program may print.
        nowhere = io.StringIO()
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            spec.loader.exec_module(module)
    except Exception as error:  # whatever it is, TVM does not take the program
        return {"verdict": "error", "error": reason(error, path, why)}
    finally:
        # What a failed parse has left open would be around the next program.
        while IRBuilder.is_in_scope():
            IRBuilder.current().__exit__(None, None, None)
        del sys.modules[path.stem]
        path.unlink()
    functions = []
    for name, value in vars(module).items():
        if isinstance(value, relax.Function):
            functions.append(struct_info.function(name, value))
        elif isinstance(value, tvm.IRModule):
            for var, function in value.functions.items():
                if isinstance(function, relax.Function):
                    functions.append(struct_info.function(var.name_hint, function))
    return {"verdict": "ok", "functions": functions}


def reason(error, path, why):
    text = str(error)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    wanted = [line.removeprefix("error:").strip() for line in lines if line.startswith("error:")]
    message = (wanted or lines or [type(error).__name__])[0]
    line = re.search(re.escape(path.name) + r":(\d+):", text)
    if why:
        message, line = f"not well-formed: {why[-1]}", None
    message = re.sub(r"0x[0-9a-f]+", "0x", message)[:300]
    return {"msg": message, "line": int(line.group(1)) if line else None}


def keep_reasons():
    """Makes TVM's check of well-formedness keep why it fails, which the parser does not pass on."""
    why = []

    def check(*arguments):
        try:
            relax.analysis.well_formed(*arguments)
        except Exception as error:  # TVM raises the first violation
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            why.append((lines or [type(error).__name__])[0])
            return False
        return True

    if hasattr(relax.analysis, "check_well_formed"):
        relax.analysis.check_well_formed = check
    return why


def main():
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # output of programs and of TVM is not part of the answer
    why = keep_reasons()
    with tempfile.TemporaryDirectory() as folder:
        for number, line in enumerate(sys.stdin):
            program = json.loads(line)
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            record = judge(number, program["text"], folder, why)
            faulthandler.cancel_dump_traceback_later()
            json.dump({"name": program["name"], "tvm": tvm.__version__, **record}, answers)
            answers.write("\n")
            answers.flush()


if __name__ == "__main__":
    main()
