"""Runs a script and writes the module after each pass that it runs: as tvm.ir.instrument.DumpIR does, with the time of
each pass and how deep it ran, whatever contexts the script makes. Arguments: the folder, the script, the script's own arguments."""

import json
import os
import re
import runpy
import sys
import time


def main(folder, script):
    import tvm
    from tvm import relax
    from tvm.ir.instrument import pass_instrument

    records = {}

    @pass_instrument
    class Recorder:
        def __init__(self):
            self.count = 0
            self.started = []

        def run_before_pass(self, mod, info):
            if self.count == 0 and holds_relax(mod):
                records["000_input"] = {"seconds": 0.0, "depth": 0}
                self.write(mod, "input")
            self.started.append(time.perf_counter())

        def run_after_pass(self, mod, info):
            seconds = time.perf_counter() - self.started.pop() if self.started else 0.0
            if holds_relax(mod):
                label = self.write(mod, info.name)
                records[label] = {"seconds": seconds, "depth": len(self.started)}

        def write(self, mod, name):
            label = "%03d_%s" % (self.count, re.sub(r"[^\w.-]", "_", name))
            self.count += 1
            with open(os.path.join(folder, label + ".py"), "w", encoding="utf-8") as file:
                file.write(mod.script())
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
    finally:
        with open(os.path.join(folder, "passes.json"), "w", encoding="utf-8") as file:
            json.dump(records, file, indent=1)


if __name__ == "__main__":
    folder, script = sys.argv[1:3]
    sys.argv = [script] + sys.argv[3:]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    main(folder, script)
