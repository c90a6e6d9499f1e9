"""Which dotted paths an installed TVM has.

    tvm_paths.py < PATHS > ANSWER

PATHS is a JSON list; ANSWER is a JSON object {"tvm", "there": [true, ...]} in its order.
"""

import functools
import importlib
import json
import sys

import quick_inspect  # noqa: F401
import tvm


@functools.cache
def module(path):
    parent, _, _ = path.rpartition(".")
    # A module that fails takes long to do so.
    if parent and module(parent) is None:
        return None
    try:
        return importlib.import_module(path)
    except ImportError:
        return None


def is_there(path):
    names = path.split(".")
    for at in range(len(names), 0, -1):
        value = module(".".join(names[:at]))
        if value is None:
            continue
        for name in names[at:]:
            try:
                value = getattr(value, name)
            except AttributeError:
                return False
        return True
    return False


paths = json.load(sys.stdin)
json.dump({"tvm": tvm.__version__, "there": [is_there(it) for it in paths]}, sys.stdout)
