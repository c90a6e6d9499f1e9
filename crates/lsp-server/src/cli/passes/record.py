"""Runs a script and writes the module after each pass that it runs: as tvm.ir.instrument.DumpIR does, with the time of
each pass and how deep it ran, whatever contexts the script makes. TVM prints constants as indices, so their elements
are written beside the dumps. Arguments: the folder, the script, the script's own arguments."""

import hashlib
import json
import os
import re
import runpy
import struct
import sys
import time

ENTRY = re.compile(r'metadata\["(ir\.GenericConst|relax\.expr\.Constant)"\]\[(\d+)\]')

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


class Constants:
    """The tensors that dumps name by index, each stored once, by its content."""

    def __init__(self, folder):
        self.folder = folder
        self.modules = {}
        self.tensors = {}
        # Modules share their constants, so each object is read once. It is kept, so that no other takes its identity.
        self.names = {}

    def add(self, label, text, mod, relax):
        entries = list(dict.fromkeys((key, int(index)) for key, index in ENTRY.findall(text)))
        if not entries:
            return
        functions = {var.name_hint: function for var, function in mod.functions.items() if isinstance(function, relax.Function)}
        found = {}
        # TVM numbers constants in the order in which it prints them.
        for name in re.findall(r"^    def (\w+)\(", text, re.MULTILINE):
            if name in functions:
                relax.analysis.post_order_visit(functions[name], lambda expr: self.find(expr, found))
        if [index for _, index in entries] != list(range(len(found))):
            print("%s: its constants are not recorded: %d are printed, %d are found" % (label, len(entries), len(found)), file=sys.stderr)
            return
        names = {}
        for (key, index), data in zip(entries, found.values()):
            name = self.name(data)
            if name is not None:
                names['metadata["%s"][%d]' % (key, index)] = name
        self.modules[label] = names

    def find(self, expr, found):
        if type(expr).__name__ in ("GenericConst", "Constant"):
            data = expr.value if hasattr(expr, "value") else expr.data
            if len(data.shape) > 0 or str(data.dtype) not in PRINTED:
                found.setdefault(hash(expr), data)

    def name(self, data):
        known = self.names.get(hash(data))
        if known is not None:
            return known[1]
        name, dtype = None, DTYPES.get(str(data.dtype))
        if dtype is not None:
            shape = [int(extent) for extent in data.shape]
            elements = data.numpy().tobytes()
            header = json.dumps([dtype, shape]).encode()
            name = hashlib.sha256(header + elements).hexdigest()[:32]
            self.tensors.setdefault(name, (dtype, shape, elements))
        self.names[hash(data)] = (data, name)
        return name

    def write(self):
        header, offset = {}, 0
        for name, (dtype, shape, elements) in self.tensors.items():
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + len(elements)]}
            offset += len(elements)
        header = json.dumps(header).encode()
        header += b" " * (-len(header) % 8)
        with open(os.path.join(self.folder, "constants.safetensors"), "wb") as file:
            file.write(struct.pack("<Q", len(header)) + header)
            for _, _, elements in self.tensors.values():
                file.write(elements)
        with open(os.path.join(self.folder, "constants.json"), "w", encoding="utf-8") as file:
            json.dump(self.modules, file, indent=1)


def main(folder, script):
    import tvm
    from tvm import relax
    from tvm.ir.instrument import pass_instrument

    records = {}
    constants = Constants(folder)

    @pass_instrument
    class Recorder:
        def __init__(self):
            self.count = 0
            self.started = []

        def run_before_pass(self, mod, info):
            if self.count == 0 and holds_relax(mod):
                records["000_input"] = {"seconds": 0.0, "depth": 0}
                self.write(mod, "input")
            self.started.append((info.name, time.perf_counter()))

        def run_after_pass(self, mod, info):
            seconds = time.perf_counter() - self.started.pop()[1] if self.started else 0.0
            if holds_relax(mod):
                label = self.write(mod, info.name)
                records[label] = {"seconds": seconds, "depth": len(self.started)}

        def write(self, mod, name):
            label = "%03d_%s" % (self.count, re.sub(r"[^\w.-]", "_", name))
            self.count += 1
            text = mod.script()
            with open(os.path.join(folder, label + ".py"), "w", encoding="utf-8") as file:
                file.write(text)
            constants.add(label, text, mod, relax)
            return label

    def holds_relax(mod):
        return any(isinstance(function, relax.Function) for function in mod.functions.values())

    recorder = Recorder()
    context = tvm.transform.PassContext
    make = context.__init__

    def make_recorded(self, *args, instruments=None, **kwargs):
        make(self, *args, instruments=list(instruments or []) + [recorder], **kwargs)

    context.__init__ = make_recorded
    try:
        with context():
            runpy.run_path(script, run_name="__main__")
    except Exception as error:
        # TVM calls no instrument after a pass that raises, so the innermost is still open.
        name = recorder.started[-1][0] if recorder.started else None
        raised = {"pass": name, "error": type(error).__name__, "message": str(error).strip() or "no message"}
        with open(os.path.join(folder, "raised.json"), "w", encoding="utf-8") as file:
            json.dump(raised, file, indent=1)
        raise
    finally:
        with open(os.path.join(folder, "passes.json"), "w", encoding="utf-8") as file:
            json.dump(records, file, indent=1)
        if constants.tensors:
            constants.write()


if __name__ == "__main__":
    folder, script = sys.argv[1:3]
    sys.argv = [script] + sys.argv[3:]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    main(folder, script)
