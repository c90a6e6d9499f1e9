"""What an installed TVM says of TVMScript programs.

    ask_tvm.py < PROGRAMS > VERDICTS

PROGRAMS is a JSON list of {"name", "text"}; VERDICTS a JSON object {"tvm", "verdicts": {name: {"ok", "returns", "error"}}},
with what each Relax function returns, as TVM prints it.
"""

import contextlib
import importlib.util
import io
import json
import pathlib
import sys
import tempfile

import tvm
from tvm import relax


def judge(number, text, folder):
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
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        wanted = [line for line in lines if line.startswith("error:")]
        return {"ok": False, "error": (wanted or lines or [type(error).__name__])[0][:200]}
    returns = {}
    for name, value in vars(module).items():
        if isinstance(value, relax.Function):
            returns[name] = script(value)
        elif isinstance(value, tvm.IRModule):
            for var, function in value.functions.items():
                if isinstance(function, relax.Function):
                    returns[var.name_hint] = script(function)
    return {"ok": True, "returns": returns}


def script(function):
    return spelled((getattr(function, "ty", None) or function.struct_info).ret)


def spelled(struct_info):
    # TVM prints a tuple outside of a function as one of TIR.
    if hasattr(struct_info, "fields"):
        fields = [spelled(field) for field in struct_info.fields]
        return f"R.Tuple({', '.join(fields)})" if fields else "R.Tuple"
    return " ".join(struct_info.script(show_meta=False).split("\n")[-1].split())


def main():
    programs = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        verdicts = {p["name"]: judge(k, p["text"], folder) for k, p in enumerate(programs)}
    json.dump({"tvm": tvm.__version__, "verdicts": verdicts}, sys.stdout, indent=1, sort_keys=True)
    sys.stdout.write("\n")


main()
