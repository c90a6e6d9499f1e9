"""Records what a Python program does with TVM: every module that an importer, an exporter, a `BlockBuilder` or a pass
makes, the elements of its constants, and for each binding the line of Python, the module of the model or the node of the
imported graph that it came from.

As a program, it runs another one: `recorder.py FOLDER SCRIPT [ARGUMENTS...]` or `recorder.py FOLDER -m MODULE
[ARGUMENTS...]`. In a program: `with relax_lsp.recording("FOLDER"): ...`. The format of the folder is described in
docs/recordings.md of relax-lsp. It needs nothing but Python and the TVM of the program, which it waits for: it wraps the
functions of TVM when the program imports them. An error here is noted in the recording; the program does not see it.
"""

import contextlib
import functools
import hashlib
import importlib.abc
import importlib.util
import json
import linecache
import os
import re
import runpy
import struct
import sys
import threading
import time
import traceback

FORMAT = 1

SELF = sys._getframe().f_code.co_filename

METADATA = re.compile(r'metadata\["(ir\.GenericConst|relax\.expr\.Constant)"\]\[(\d+)\]')

# The dtypes of safetensors. TVM prints scalars of the first ones as `R.const`.
DTYPES = {
    "int8": "I8",
    "int16": "I16",
    "int32": "I32",
    "int64": "I64",
    "float16": "F16",
    "float32": "F32",
    "float64": "F64",
    "bool": "BOOL",
    "uint8": "U8",
    "uint16": "U16",
    "uint32": "U32",
    "uint64": "U64",
    "bfloat16": "BF16",
}
PRINTED = list(DTYPES)[:8]

# Packages whose frames are not the user's.
OTHERS = ("tvm", "tvm_ffi", "torch", "onnx", "numpy", "relax_lsp")

# Frames are looked at up to here.
DEPTH = 200


def write_json(path, value, indent=None):
    """Replaces a file, so that a crash leaves the one before."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(value, file, indent=indent, separators=None if indent else (",", ":"))
    os.replace(path + ".new", path)


def is_const(expr):
    return type(expr).__name__ in ("GenericConst", "Constant")


def elements_of(const):
    return const.value if hasattr(const, "value") else const.data


def name_of(var):
    return getattr(var, "name_hint", None) or var.name


class Tensors:
    """Tensors in a file of the format safetensors, each once, by the hash of its content.

    The header has room, so that tensors can be added at the end.
    """

    ROOM = 1 << 16

    def __init__(self, path):
        self.path = path
        self.header = {}
        self.end = 0
        self.room = self.ROOM
        # Modules share their constants, so each object is read once. It is kept, so that no other takes its identity.
        self.names = {}

    def name(self, data):
        """The name of a tensor of TVM, which is added, or None for a dtype that the format lacks."""
        known = self.names.get(hash(data))
        if known is None:
            name, dtype = None, DTYPES.get(str(data.dtype))
            if dtype is not None:
                name = self.add(dtype, [int(extent) for extent in data.shape], data.numpy().tobytes())
            known = self.names[hash(data)] = (data, name)
        return known[1]

    def add(self, dtype, shape, elements):
        name = hashlib.sha256(json.dumps([dtype, shape]).encode() + elements).hexdigest()[:32]
        if name in self.header:
            return name
        self.header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [self.end, self.end + len(elements)]}
        header = json.dumps(self.header).encode()
        is_new = not os.path.exists(self.path)
        if len(header) > self.room:
            before, self.room = self.room, 2 * len(header)
            if not is_new:
                self.move(before)
        with open(self.path, "wb" if is_new else "r+b") as file:
            file.seek(8 + self.room + self.end)
            file.write(elements)
            file.seek(0)
            file.write(struct.pack("<Q", self.room) + header.ljust(self.room))
        self.end += len(elements)
        return name

    def move(self, before):
        """Makes more room for the header."""
        with open(self.path, "rb") as old, open(self.path + ".new", "wb") as new:
            old.seek(8 + before)
            new.seek(8 + self.room)
            while True:
                part = old.read(1 << 24)
                if not part:
                    break
                new.write(part)
        os.replace(self.path + ".new", self.path)


class Emitted:
    """Where the program called a `BlockBuilder`."""

    __slots__ = ("expr", "frames", "module", "onnx", "fx")

    def __init__(self, expr):
        self.expr = expr
        self.frames = self.module = self.onnx = self.fx = None

    def as_json(self, recording):
        origin = {"frames": [recording.frame(*it) for it in self.frames]}
        if self.module is not None:
            origin["module"] = recording.path_of_module(self.module)
        if self.onnx is not None:
            node = self.onnx
            origin["onnx"] = {"name": node.name or node.output[0], "op": node.op_type, "outputs": list(node.output)}
        if self.fx is not None:
            node = self.fx
            origin["fx"] = {"name": node.name, "target": str(node.target)}
            stack = node.meta.get("nn_module_stack") or {}
            if stack:
                origin["module"] = re.sub(r"^L\['self'\]\.?", "", list(stack.values())[-1][0])
            lines = re.findall(r'File "([^"]+)", line (\d+), in (\S+)', node.meta.get("stack_trace") or "")
            model = [(file, int(line), name, None) for file, line, name in reversed(lines) if recording.is_of_user(file)]
            origin["frames"] = [recording.frame(*it) for it in model] + origin["frames"]
        return origin


class Recording:
    """A recording that is being written."""

    def __init__(self, folder, command):
        self.folder = os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        self.tensors = Tensors(os.path.join(self.folder, "constants.safetensors"))
        self.constants = {}
        self.weights = {}
        self.origins = {}
        self.about = {
            "format": FORMAT,
            "python": "%d.%d.%d" % sys.version_info[:3],
            "tvm": None,
            "command": command,
            "modules": [],
            "failures": [],
            "references": [],
            "sources": {},
            "lines": {},
            "problems": [],
        }
        self.emitted = {}
        self.modules = {}
        self.roots = []
        self.files = {}
        # The functions of the module that was written last, and its text.
        self.last = ({}, "")
        self.passes = []
        self.importers = []
        # The model that an importer refused.
        self.refused = None
        self.saved = False

    # Writing

    def save(self):
        with self.guard("recording.json"):
            write_json(os.path.join(self.folder, "recording.json"), self.about, indent=1)
            self.saved = True

    @contextlib.contextmanager
    def guard(self, what):
        """What goes wrong in the recorder is noted."""
        try:
            yield
        except Exception as error:
            problem = "%s: %s: %s" % (what, type(error).__name__, str(error).strip().split("\n")[0])
            if problem not in self.about["problems"]:
                self.about["problems"].append(problem)
                print("relax-lsp: cannot record %s" % problem, file=sys.stderr)

    def write(self, mod, name, kind, seconds=0.0, depth=0, **more):
        """Writes a module, and returns its label."""
        import tvm
        from tvm import relax

        self.about["tvm"] = tvm.__version__
        functions = [name_of(var) for var, function in mod.functions.items() if isinstance(function, relax.Function)]
        if not functions:
            return None
        label = "%03d_%s" % (len(self.about["modules"]), re.sub(r"[^\w.-]", "_", name))
        text = self.text_of(mod)
        with open(os.path.join(self.folder, label + ".py"), "w", encoding="utf-8") as file:
            file.write(text)
        module = {"label": label, "file": label + ".py", "kind": kind, "parent": None, "depth": depth}
        module.update(more, seconds=seconds, functions=functions)
        self.about["modules"].append(module)
        self.constants[label] = {}
        with self.guard("the constants of " + label):
            self.find_constants(label, text, mod, relax)
        with self.guard("the weights of " + label):
            self.find_weights(label, mod, relax)
        if self.constants[label]:
            write_json(os.path.join(self.folder, "constants.json"), self.constants, indent=1)
        if kind in ("import", "export", "builder"):
            with self.guard("the origins of " + label):
                self.origins[label] = Origins(self, text, mod, relax).of_functions()
                write_json(os.path.join(self.folder, "origins.json"), self.origins)
        self.save()
        return label

    def text_of(self, mod):
        """The text of a module, which is printed again only if a function is another one."""
        # Modules change in place, functions do not. They are kept, so that no other takes their identity.
        functions = {name_of(var): function for var, function in mod.functions.items()}
        if not self.is_last(functions):
            self.last = (functions, mod.script())
        return self.last[1]

    def is_last(self, functions):
        before = self.last[0]
        return functions.keys() == before.keys() and all(hash(it) == hash(before[name]) for name, it in functions.items())

    def find_constants(self, label, text, mod, relax):
        entries = list(dict.fromkeys((key, int(index)) for key, index in METADATA.findall(text)))
        if not entries:
            return
        functions = {name_of(var): function for var, function in mod.functions.items() if isinstance(function, relax.Function)}
        found = {}

        def visit(expr):
            if is_const(expr):
                data = elements_of(expr)
                # Others are dtypes.
                if hasattr(data, "shape") and (len(data.shape) > 0 or str(data.dtype) not in PRINTED):
                    found.setdefault(hash(expr), data)

        # TVM numbers constants in the order in which it prints them.
        for name in re.findall(r"^    def (\w+)\(", text, re.MULTILINE):
            if name in functions:
                relax.analysis.post_order_visit(functions[name], visit)
        if [index for _, index in entries] != list(range(len(found))):
            raise ValueError("%d are printed, %d are found" % (len(entries), len(found)))
        for (key, index), data in zip(entries, found.values()):
            name = self.tensors.name(data)
            if name is not None:
                self.constants[label]['metadata["%s"][%d]' % (key, index)] = name

    def find_weights(self, label, mod, relax):
        """The elements of parameters: an importer keeps them in an attribute, an exporter returns them."""
        for var, function in mod.functions.items():
            if not isinstance(function, relax.Function):
                continue
            params = {name_of(param): param for param in function.params}
            data = function.attrs["params"] if function.attrs is not None and "params" in function.attrs else []
            for name, tensor in zip(list(params)[len(params) - len(data) :], data):
                self.weights[name] = self.tensors.name(tensor)
            for name in params:
                if self.weights.get(name) is not None:
                    self.constants[label]["%s.%s" % (name_of(var), name)] = self.weights[name]

    # Places

    def is_of_user(self, file):
        known = self.files.get(file)
        if known is None:
            parts = re.split(r"[/\\]", file)
            installed = [parts[at + 1] for at, it in enumerate(parts[:-1]) if it in ("site-packages", "dist-packages")]
            is_other = file.startswith("<") or file == SELF or bool(installed) and installed[-1] in OTHERS
            # TVM from its sources.
            is_other = is_other or any(file.startswith(it) for it in folders_of_others())
            is_library = file.startswith(os.path.dirname(os.__file__)) and not installed
            # TVM adds frames of its C++ to traces. Cells of notebooks are in the cache only.
            is_python = file.endswith(".py") or file in linecache.cache
            known = self.files[file] = is_python and not is_other and not is_library
        return known

    def frame(self, file, line, function, code=None):
        path = os.path.abspath(file)
        shown = path
        if path.startswith(os.path.join(os.getcwd(), "")):
            with contextlib.suppress(ValueError):
                shown = os.path.relpath(path, self.folder).replace(os.sep, "/")
        known = self.about["sources"].setdefault(shown, {})
        if shown not in self.about["lines"]:
            self.about["lines"][shown] = hashes_of_lines(path)
        if code is not None:
            key = "%s:%d" % (function, code.co_firstlineno)
            if key not in known:
                known[key] = hash_of_function(path, code)
        return [shown, line, function]

    def path_of_module(self, module):
        if id(module) not in self.modules:
            for root in self.roots:
                name_modules(root, "", self.modules)
        return self.modules.get(id(module), (type(module).__name__, None))[0]

    def origin(self, expr, frame):
        """Finds where the program is, from the innermost frame."""
        found = Emitted(expr)
        frames = []
        for _ in range(DEPTH):
            if frame is None:
                break
            code = frame.f_code
            file = code.co_filename
            if self.is_of_user(file):
                frames.append((file, frame.f_lineno, code.co_name, code))
            elif "frontend" in file and "node" in code.co_varnames:
                node = frame.f_locals.get("node")
                if found.onnx is None and hasattr(node, "op_type"):
                    found.onnx = node
                elif hasattr(node, "target") and hasattr(node, "meta"):
                    found.fx = node
            if found.module is None and self.roots and code.co_varnames[:1] == ("self",):
                this = frame.f_locals.get("self")
                if hasattr(type(this), "export_tvm"):
                    found.module = this
            frame = frame.f_back
        found.frames = frames
        return found

    def emit(self, expr, frame):
        # The innermost call knows best.
        key = hash(expr)
        if key not in self.emitted:
            self.emitted[key] = self.origin(expr, frame)

    # Failures

    def failed(self, error, trace):
        """Notes the exception that ended the program."""
        frames, node = [], None
        while trace is not None:
            frame = trace.tb_frame
            code = frame.f_code
            if self.is_of_user(code.co_filename):
                frames.insert(0, self.frame(code.co_filename, trace.tb_lineno, code.co_name, code))
            elif "frontend" in code.co_filename and "node" in code.co_varnames:
                found = frame.f_locals.get("node")
                unsupported = frame.f_locals.get("unsupported_ops")
                if unsupported and "graph" in frame.f_locals:
                    found = next((it for it in frame.f_locals["graph"].node if it.op_type in unsupported), found)
                if hasattr(found, "op_type"):
                    node = {"node": found.name or found.output[0], "op": found.op_type, "inputs": self.inputs(frame, found)}
                elif node is None and hasattr(found, "target"):
                    node = {"node": found.name, "op": str(found.target)}
            trace = trace.tb_next
        during = node
        if during is None and self.passes:
            during = {"pass": self.passes[-1][0]}
        lines = [line.strip() for line in str(error).split("\n") if line.strip()] or ["no message"]
        # Some exceptions of TVM begin with a trace, others go on after their message.
        message = lines[-1] if lines[0].startswith("Traceback") else lines[0]
        self.fail(type(error).__name__, message, during, frames, str(error).strip())

    def inputs(self, frame, node):
        """The types of a node's inputs, as the importer has them."""
        importer = frame.f_locals.get("self")
        known = getattr(importer, "_nodes", None) or {}
        types = []
        for name in node.input:
            with contextlib.suppress(Exception):
                expr = known[name]
                types.append([name, str(getattr(expr, "struct_info", None) or getattr(expr, "ty", None))])
        return types

    def fail(self, exception, message, during, frames, whole):
        labels = [module["label"] for module in self.about["modules"]]
        self.about["failures"].append(
            {
                "exception": exception,
                "message": message,
                "during": during,
                "frames": [{"file": file, "line": line, "function": function} for file, line, function in frames],
                "module": labels[-1] if labels else None,
                "model": self.refused,
                "text": whole,
            }
        )
        self.save()


def folders_of_others():
    folders = []
    for name in OTHERS:
        module = sys.modules.get(name)
        if module is not None and getattr(module, "__file__", None):
            folders.append(os.path.join(os.path.dirname(os.path.abspath(module.__file__)), ""))
    return folders


def hashes_of_lines(path):
    """A hash of each line, by which an editor finds it after edits."""
    return [hashlib.sha256(line.strip().encode()).hexdigest()[:8] for line in linecache.getlines(path)]


def hash_of_function(path, code):
    """A hash of a function's text, which says whether it is still the one that ran."""
    lines = linecache.getlines(path)[code.co_firstlineno - 1 :]
    if not lines or code.co_name == "<module>":
        return hashlib.sha256("".join(linecache.getlines(path)).encode()).hexdigest()[:16]
    last = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno) if hasattr(code, "co_lines") else code.co_firstlineno
    return hashlib.sha256("".join(lines[: last - code.co_firstlineno + 1]).encode()).hexdigest()[:16]


def name_modules(module, path, names):
    """Names the modules in a module as its parameters are named: `layers.0.mlp`."""
    if id(module) in names:
        return
    names[id(module)] = (path, module)

    def visit(value, name):
        if hasattr(type(value), "export_tvm"):
            name_modules(value, name, names)
        elif isinstance(value, (list, tuple)):
            for at, item in enumerate(value):
                visit(item, "%s.%d" % (name, at))
        elif isinstance(value, dict):
            for key, item in value.items():
                visit(item, "%s.%s" % (name, key))

    for name, value in vars(module).items():
        inner = path + "." + name if path else name
        # The items of a list or dictionary of modules are named after it.
        if name == "modules" and isinstance(value, (list, dict)):
            inner = path
        visit(value, inner)


class Origins:
    """Finds the bindings that a text prints, and where each came from."""

    def __init__(self, recording, text, mod, relax):
        self.recording = recording
        self.lines = text.split("\n")
        self.relax = relax
        self.functions = {name_of(var): function for var, function in mod.functions.items() if isinstance(function, relax.Function)}

    def of_functions(self):
        found = {}
        for name, (start, end) in self.ranges().items():
            if name in self.functions:
                found[name] = self.of_function(name, start, end)
        return found

    def ranges(self):
        """The lines of each function."""
        starts = [at for at, line in enumerate(self.lines) if re.match(r"    def \w+\(", line)]
        starts += [len(self.lines)]
        return {re.match(r"    def (\w+)", self.lines[a]).group(1): (a, b) for a, b in zip(starts, starts[1:])}

    def bindings(self, function):
        """The bindings that have a line each, in order: the name of the variable, and the binding."""
        relax = self.relax

        def of_body(body):
            for block in getattr(body, "blocks", ()):
                for binding in block.bindings:
                    value = getattr(binding, "value", None)
                    if isinstance(value, relax.If):
                        for branch in (value.true_branch, value.false_branch):
                            yield from of_body(branch)
                            yield name_of(binding.var), binding
                    elif isinstance(value, relax.Function):
                        yield from of_body(value.body)
                    else:
                        yield name_of(binding.var), binding

        return list(of_body(function.body))

    def printed(self, name, start, end):
        """The names that the text gives to the bindings of a function, in order, with the bindings."""
        bindings = self.bindings(self.functions[name])
        found = []
        for line in self.lines[start + 1 : end]:
            match = re.match(r"\s+(\w+)(?:: .*?)? = ", line)
            if match is None or len(found) == len(bindings):
                continue
            shown = match.group(1)
            hint, binding = bindings[len(found)]
            # Names that are taken get a number. Other lines declare shape variables.
            if re.fullmatch(re.escape(re.sub(r"\W", "_", hint)) + r"(_\d+)?", shown):
                found.append((shown, binding))
        if len(found) < len(bindings):
            raise ValueError("`%s` prints %d of its %d bindings" % (name, len(found), len(bindings)))
        return found

    def of_function(self, name, start, end):
        emitted = self.recording.emitted
        by_name = {}
        for it in emitted.values():
            if isinstance(it.expr, self.relax.Var):
                by_name[name_of(it.expr)] = it
        found, waiting = {}, []
        for shown, binding in self.printed(name, start, end):
            value = getattr(binding, "value", None)
            origin = emitted.get(hash(binding.var)) or emitted.get(hash(value))
            # Later transformations of an importer make other variables of the same names.
            origin = origin or by_name.get(name_of(binding.var))
            # What the builder made of nested calls comes before the binding that was asked for.
            waiting.append(shown)
            if origin is not None:
                origin = origin.as_json(self.recording)
                found.update((it, origin) for it in waiting)
                waiting = []
        return found

    def values(self, known, params):
        """What the values of an imported graph are in `main`: by name, a binding, a parameter or what was folded."""
        name = next(iter(self.functions), None) if "main" not in self.functions else "main"
        start, end = self.ranges()[name]
        by_hash, by_name = {}, {}
        for param in self.functions[name].params:
            by_hash[hash(param)] = by_name[name_of(param)] = {"parameter": name_of(param)}
        for shown, binding in self.printed(name, start, end):
            value = getattr(binding, "value", None)
            place = {"binding": shown}
            if is_const(value) or isinstance(value, (self.relax.Var, self.relax.ShapeExpr)):
                # It computes nothing.
                place = self.value(value, by_hash, by_name) or place
            by_hash[hash(binding.var)] = by_name[name_of(binding.var)] = place
            if value is not None:
                by_hash.setdefault(hash(value), place)
        found = {}
        for key, expr in known:
            with contextlib.suppress(Exception):
                value = self.value(expr, by_hash, by_name)
                if value is not None:
                    found[key] = value
        return name, found

    def value(self, expr, by_hash, by_name):
        relax = self.relax
        if isinstance(expr, (tuple, list)) or type(expr).__name__ == "Array":
            return {"tuple": [self.value(it, by_hash, by_name) for it in expr]}
        if hash(expr) in by_hash:
            return by_hash[hash(expr)]
        if isinstance(expr, relax.Var):
            return by_name.get(name_of(expr))
        if isinstance(expr, relax.Tuple):
            return {"tuple": [self.value(it, by_hash, by_name) for it in expr.fields]}
        if is_const(expr) and hasattr(elements_of(expr), "shape"):
            return {"constant": self.recording.tensors.name(elements_of(expr))}
        if isinstance(expr, relax.ShapeExpr):
            return {"shape": [it.value if hasattr(it, "value") else str(it) for it in expr.values]}
        if isinstance(expr, (bool, int, float)):
            return {"scalar": expr}
        if hasattr(expr, "value") and isinstance(getattr(expr.value, "value", expr.value), (int, float)):
            return {"scalar": getattr(expr.value, "value", expr.value)}
        return None


# Hooks


def wrap(owner, name, make):
    """Replaces a function of TVM by one that calls it, and returns what undoes that."""
    old = getattr(owner, name, None)
    if old is None or getattr(old, "records", False):
        return
    new = functools.wraps(old)(make(old))
    new.records = True
    setattr(owner, name, new)
    HOOKS.append((owner, name, old))


HOOKS = []
CURRENT = []


def current():
    return CURRENT[-1] if CURRENT else None


def hook_block_builder(module):
    builder = module.BlockBuilder

    def emitting(old):
        def emit(self, *args, **kwargs):
            result = old(self, *args, **kwargs)
            recording = current()
            if recording is not None and not recording.passes:
                with recording.guard("an origin"):
                    recording.emit(result, sys._getframe(1))
            return result

        return emit

    for name in ("emit", "emit_te", "emit_output", "match_cast", "normalize"):
        wrap(builder, name, emitting)

    def getting(old):
        def get(self):
            result = old(self)
            recording = current()
            if recording is not None and not recording.passes and not recording.importers:
                with recording.guard("what a BlockBuilder made"):
                    if recording.is_of_user(sys._getframe(1).f_code.co_filename):
                        recording.write(result, "builder", "builder")
            return result

        return get

    for name in ("get", "finalize"):
        wrap(builder, name, getting)


def hook_importer(kind, name, reference=None):
    """Wraps a method or function that returns a module."""

    def make(old):
        def run(*args, **kwargs):
            recording = current()
            if recording is None:
                return old(*args, **kwargs)
            frame = sys._getframe(1)
            recording.importers.append(name)
            started = time.perf_counter()
            try:
                if kind == "export":
                    with recording.guard("the model"):
                        recording.roots.append(args[1].module)
                result = old(*args, **kwargs)
            except BaseException:
                if reference is onnx_reference:
                    with recording.guard("the model"):
                        recording.refused = save_onnx(recording, "refused", args, frame)
                raise
            finally:
                recording.importers.pop()
            seconds = time.perf_counter() - started
            if not recording.importers:
                with recording.guard("what %s made" % name):
                    mod = result[0] if isinstance(result, tuple) else result
                    if kind == "export":
                        for param, weight in result[1]:
                            if weight.data is not None:
                                recording.weights[param] = recording.tensors.name(weight.data)
                    label = recording.write(mod, name, kind, seconds)
                    if label is not None and reference is not None:
                        reference(recording, label, mod, args, frame)
            return result

        return run

    return make


def save_onnx(recording, label, args, frame):
    """Writes the model that an importer was given, and returns its file."""
    import onnx

    model = frame.f_locals.get("model")
    if not isinstance(model, onnx.ModelProto):
        model = onnx.helper.make_model(args[1], opset_imports=[onnx.helper.make_opsetid("", args[2])])
    os.makedirs(os.path.join(recording.folder, "reference"), exist_ok=True)
    file = "reference/%s.onnx" % label
    path = os.path.join(recording.folder, file)
    try:
        onnx.save(model, path)
    except ValueError:
        # Protocol buffers are limited to 2 GB.
        onnx.save(model, path, save_as_external_data=True, location=label + ".data")
    return file


def onnx_reference(recording, label, mod, args, frame):
    """Keeps the ONNX model, and what each of its values is in the module."""
    importer, graph = args[0], args[1]
    file = save_onnx(recording, label, args, frame)
    known = {key: expr for key, expr in importer._nodes.items()}
    inputs = {it.name: name_of(known[it.name]) for it in graph.input if hasattr(known.get(it.name), "name_hint") or hasattr(known.get(it.name), "name")}
    initializers = {it.name for it in graph.initializer}
    refer(recording, label, mod, "onnx", file, known.items(), {
        "inputs": {name: param for name, param in inputs.items() if name not in initializers},
        "weights": {name: name_of(expr) for name, expr in known.items() if name in initializers and type(expr).__name__ == "Var"},
    })


def torch_reference(recording, label, mod, args, frame):
    """Keeps the exported program, and what each node of it is in the module."""
    import torch

    importer, program = args[0], args[1]
    folder = os.path.join(recording.folder, "reference")
    os.makedirs(folder, exist_ok=True)
    file = "reference/%s.pt2" % label
    torch.export.save(program, os.path.join(recording.folder, file))
    known = [(node.name, expr) for node, expr in importer.env.items() if hasattr(node, "op")]
    inputs, weights = {}, {}
    for spec in program.graph_signature.input_specs:
        name = getattr(spec.arg, "name", None)
        if name is None:
            continue
        target = inputs if spec.kind.name == "USER_INPUT" else weights
        target[name] = name
    refer(recording, label, mod, "torch", file, known, {"inputs": inputs, "weights": weights}, imports_of_torch())


def imports_of_torch():
    """The modules that define types and operators of exported programs."""
    from torch.utils import _pytree

    names = {it.__module__ for it in getattr(_pytree, "SUPPORTED_NODES", {}) if hasattr(it, "__module__")}
    names |= {it for it in ("torchvision", "torchaudio") if it in sys.modules}
    return sorted(it for it in names if it.split(".")[0] not in ("builtins", "collections", "torch", "__main__"))


def refer(recording, label, mod, kind, file, known, more, imports=()):
    from tvm import relax

    text = recording.last[1]
    function, values = Origins(recording, text, mod, relax).values(known, more)
    values_file = "reference/%s.json" % label
    write_json(os.path.join(recording.folder, values_file), {"values": values, **more})
    reference = {"kind": kind, "file": file, "module": label, "function": function, "values": values_file}
    recording.about["references"].append({**reference, "imports": list(imports)})
    recording.save()


def pass_recorder(current):
    """A PassInstrument that writes the module after each pass."""
    from tvm.ir.instrument import pass_instrument

    @pass_instrument
    class Recorder:
        def run_before_pass(self, mod, info):
            recording = current()
            if recording is None:
                return
            with recording.guard("a pass"):
                before = recording.last[1]
                if not recording.importers and recording.text_of(mod) != before:
                    if recording.passes:
                        # What the outer pass has done so far is not the work of this one.
                        name, depth = recording.passes[-1][0], len(recording.passes)
                        recording.write(mod, name, "pass", 0.0, depth, **{"pass": name})
                    else:
                        recording.write(mod, "input", "input")
                recording.passes.append((str(info.name), time.perf_counter(), len(recording.about["modules"])))

        def run_after_pass(self, mod, info):
            recording = current()
            if recording is None or not recording.passes:
                return
            with recording.guard("a pass"):
                name, started, first = recording.passes.pop()
                seconds = time.perf_counter() - started
                if recording.importers:
                    return
                depth = len(recording.passes)
                label = recording.write(mod, name, "pass", seconds, depth, **{"pass": name})
                for module in recording.about["modules"][first:-1]:
                    if module["parent"] is None and label is not None:
                        module["parent"] = label

    return Recorder()


def hook_passes(module):
    recorder = pass_recorder(current)

    def make(old):
        @functools.wraps(old)
        def init(self, *args, **kwargs):
            if current() is not None:
                kwargs["instruments"] = list(kwargs.get("instruments") or []) + [recorder]
            old(self, *args, **kwargs)

        return init

    wrap(module.PassContext, "__init__", make)


def enter_context(_):
    """Passes outside of any context are recorded too."""
    from tvm.ir.transform import PassContext

    recording = current()
    if recording is not None:
        recording.context = PassContext()
        recording.context.__enter__()


def hook_well_formed(module):
    def make(old):
        def well_formed(obj, *args, **kwargs):
            is_refused = True
            try:
                result = old(obj, *args, **kwargs)
                is_refused = result is False
                return result
            finally:
                # It raises an exception, or returns False.
                recording = current()
                if is_refused and recording is not None and not recording.passes:
                    with recording.guard("an ill-formed module"):
                        if hasattr(obj, "functions"):
                            recording.write(obj, "ill_formed", "ill-formed")
                        if sys.exc_info()[0] is None:
                            frames = recording.origin(None, sys._getframe(1)).frames
                            frames = [recording.frame(*it) for it in frames]
                            recording.fail(None, "TVM says that the module is ill-formed", None, frames, "")

        return well_formed

    wrap(module, "well_formed", make)


def method(owner, name, kind, label, reference=None):
    return lambda module: wrap(getattr(module, owner), name, hook_importer(kind, label, reference))


def function(name):
    return lambda module: wrap(module, name, hook_importer("import", name))


# What is wrapped when the program imports it.
TARGETS = {
    "tvm.relax.block_builder": hook_block_builder,
    "tvm.relax.analysis.analysis": hook_well_formed,
    "tvm.ir.transform": hook_passes,
    "tvm": enter_context,
    "tvm.relax.frontend.nn.exporter": method("Exporter", "build", "export", "export"),
    "tvm.relax.frontend.onnx.onnx_frontend": method(
        "ONNXGraphImporter", "from_onnx", "import", "from_onnx", onnx_reference
    ),
    "tvm.relax.frontend.torch.exported_program_translator": method(
        "ExportedProgramImporter", "from_exported_program", "import", "from_exported_program", torch_reference
    ),
    "tvm.relax.frontend.torch.fx_translator": method("TorchFXImporter", "from_fx", "import", "from_fx"),
    "tvm.relax.frontend.tflite.tflite_frontend": function("from_tflite"),
    "tvm.relax.frontend.stablehlo.stablehlo_translator": function("from_stablehlo"),
}


def hook(name):
    recording = current()
    module = sys.modules.get(name)
    if recording is not None and module is not None:
        with recording.guard(name):
            TARGETS[name](module)


class Finder(importlib.abc.MetaPathFinder):
    """Wraps the functions of a module of TVM after it is imported."""

    def find_spec(self, name, path=None, target=None):
        if name not in TARGETS:
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is None or spec.loader is None or not hasattr(spec.loader, "exec_module"):
                continue
            execute = spec.loader.exec_module

            def run(module):
                execute(module)
                hook(name)

            spec.loader.exec_module = run
            return spec
        return None


def instrument(folder):
    """A PassInstrument that records the passes of the contexts it is given to: `PassContext(instruments=[...])`."""
    this = Recording(folder, sys.argv)
    return pass_recorder(lambda: this)


@contextlib.contextmanager
def recording(folder, command=None):
    """Records into a folder what the program does with TVM until the end of the block."""
    this = Recording(folder, command or sys.argv)
    this.context = None
    CURRENT.append(this)
    finder = Finder()
    sys.meta_path.insert(0, finder)
    # Those that are there already. The context is entered last.
    for name in sorted(TARGETS, key=lambda it: it == "tvm"):
        hook(name)
    this.save()
    try:
        yield this
    except SystemExit as end:
        if end.code not in (None, 0):
            this.failed(end, sys.exc_info()[2])
        raise
    except BaseException as error:
        with this.guard("the exception"):
            this.failed(error, error.__traceback__)
        raise
    finally:
        sys.meta_path.remove(finder)
        if this.context is not None:
            with this.guard("the end"):
                this.context.__exit__(None, None, None)
        CURRENT.pop()
        if not CURRENT:
            while HOOKS:
                owner, name, old = HOOKS.pop()
                setattr(owner, name, old)
        this.save()


def main():
    folder, rest = sys.argv[1], sys.argv[2:]
    command = list(rest)
    if rest[0] == "-m":
        sys.argv = rest[1:]
        sys.path.insert(0, os.getcwd())

        def run():
            runpy.run_module(rest[1], run_name="__main__", alter_sys=True)

    else:
        sys.argv = rest
        sys.path[0] = os.path.dirname(os.path.abspath(rest[0]))

        def run():
            runpy.run_path(rest[0], run_name="__main__")

    try:
        with recording(folder, command):
            run()
    except SystemExit:
        raise
    except BaseException as error:
        # The trace that the program alone would print.
        trace = error.__traceback__
        while trace is not None and (trace.tb_frame.f_code.co_filename in (SELF, "<string>") or "runpy" in trace.tb_frame.f_code.co_filename):
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace)
        sys.exit(1)


if __name__ == "__main__":
    main()
