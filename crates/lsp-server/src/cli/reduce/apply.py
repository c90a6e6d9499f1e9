"""Applies a pass to modules, one after the other. Begins with beginning.py.

Arguments: the file of the recorder, the pass, the folder of constants.json or "", and the name of the module in it. The
pass is a name in `tvm.relax.transform`, or an expression that makes it. Each line of the input names a text and a folder
for a recording of the module and of what the pass made of it; each line of the output says what the pass raised.
"""
import importlib.util
import json
import struct

requests = os.fdopen(take_input(), encoding="utf-8")
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
# What TVM prints is not an answer.
os.dup2(2, 1)

import numpy as np
import tvm
from tvm import relax
from tvm.script.parser.core import entry

RECORDER, PASS, CONSTANTS, MODULE = sys.argv[1:5]

PROGRAM = '''"""{title}"""
{imports}


{module}


after = {pass_}(Module)
after.show()
'''

IMPORTS = ["import tvm", "from tvm import relax", "from tvm.script import ir as I", "from tvm.script import relax as R"]

LOAD = '''
with np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "constants.npz")) as file:
    CONSTANTS = {int(name): relax.const(file[name]) for name in file.files}
metadata = dict.fromkeys(["ir.GenericConst", "relax.expr.Constant"], CONSTANTS)'''


def load_recorder():
    spec = importlib.util.spec_from_file_location("relax_lsp_recorder", RECORDER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expression():
    """Returns the Python expression of the pass."""
    if not PASS.isidentifier():
        return PASS
    for place in ("tvm.relax.transform", "tvm.transform", "tvm.tirx.transform", "tvm.tir.transform", "tvm.s_tir.transform"):
        parts = place.split(".")
        value = tvm
        for part in parts[1:]:
            value = getattr(value, part, None)
        if hasattr(value, PASS):
            return "%s.%s()" % (place, PASS)
    raise ValueError("TVM has no pass `%s`: say how to make it, as in `--keep 'pass:my_passes.%s()'`" % (PASS, PASS))


def make(text):
    """Evaluates the expression of a pass, and imports the modules that it names."""
    names = {"tvm": tvm, "relax": relax}
    if not PASS.isidentifier():
        sys.path.insert(0, os.getcwd())
    while True:
        try:
            return eval(text, names)
        except NameError as error:
            name = getattr(error, "name", None) or str(error).split("'")[1]
            if name in names:
                raise
            names[name] = importlib.import_module(name)
            IMPORTS.append("import " + name)


def constants():
    """The tensors that a text may name by index."""
    found = {}
    if not CONSTANTS:
        return found
    with open(os.path.join(CONSTANTS, "constants.json"), encoding="utf-8") as file:
        names = json.load(file).get(MODULE, {})
    dtypes = {code: dtype for dtype, code in recorder.DTYPES.items()}
    with open(os.path.join(CONSTANTS, "constants.safetensors"), "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        for entry_, name in names.items():
            match = recorder.METADATA.fullmatch(entry_)
            if match is None or name not in header:
                continue
            tensor = header[name]
            start, end = tensor["data_offsets"]
            file.seek(8 + size + start)
            dtype = dtypes[tensor["dtype"]]
            elements = np.frombuffer(file.read(end - start), dtype=numpy_type(dtype))
            found[int(match.group(2))] = elements.reshape(tensor["shape"])
    return found


def numpy_type(name):
    if name == "bfloat16":
        import ml_dtypes

        return ml_dtypes.bfloat16
    return np.dtype(name)


class Constants:
    """`metadata["ir.GenericConst"]`: constants are made when a text names them."""

    def __init__(self, arrays):
        self.arrays = arrays

    def __getitem__(self, index):
        return relax.const(self.arrays[index])


def parsed(text):
    lists = Constants(ARRAYS)
    names = {**entry._default_globals(), "metadata": {"ir.GenericConst": lists, "relax.expr.Constant": lists}}
    return tvm.script.from_source(text, names)


def apply(request):
    """Records a module, and what the pass makes of it."""
    with open(request["text"], encoding="utf-8") as file:
        mod = parsed(file.read())
    recording = recorder.Recording(request["folder"], sys.argv)
    recording.write(mod, "input", "input")
    raised = None
    try:
        with tvm.target.Target("llvm"):
            mod = PASS_OBJECT(mod)
    except Exception as error:
        raised = type(error).__name__
    else:
        recording.write(mod, PASS if PASS.isidentifier() else "pass", "pass", **{"pass": PASS})
    recording.save()
    return {"raised": raised}


def report(request):
    """Writes a program that shows what the pass does to a module."""
    with open(request["text"], encoding="utf-8") as file:
        text = file.read()
    imports = sorted(IMPORTS)
    named = sorted({int(index) for _, index in recorder.METADATA.findall(text)} & set(ARRAYS))
    if named:
        np.savez(os.path.join(request["folder"], "constants.npz"), **{str(it): ARRAYS[it] for it in named})
        imports = ["import os", "", "import numpy as np", *imports, LOAD]
    if "T." in text:
        imports.append("from tvm.script import %s as T" % ("tirx" if hasattr(tvm, "tirx") else "tir"))
    body = "\n".join(line for line in text.strip().split("\n") if not line.startswith("# "))
    program = PROGRAM.format(title=request["title"], imports="\n".join(imports), module=body.strip(), pass_=EXPRESSION)
    with open(os.path.join(request["folder"], "report.py"), "w", encoding="utf-8") as file:
        file.write(program)
    return {}


def answer(value):
    answers.write(json.dumps(value) + "\n")
    answers.flush()


try:
    recorder = load_recorder()
    EXPRESSION = expression()
    PASS_OBJECT = make(EXPRESSION)
    ARRAYS = constants()
    answer({})
except Exception as error:
    answer({"error": "%s: %s" % (type(error).__name__, error)})
    sys.exit(1)

for line in requests:
    request = json.loads(line)
    try:
        answer(report(request) if "title" in request else apply(request))
    except Exception as error:
        answer({"error": "%s: %s" % (type(error).__name__, str(error).strip().split("\n")[0])})
