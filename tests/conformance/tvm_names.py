"""What an installed TVM exports to scripts, level by level.

    tvm_names.py < /dev/null > NAMES

NAMES is a JSON object {"tvm", "names": {"T.cuda.cta_sync": [...]}}: the parameters of what is called, a default as a
trailing `=`; null for what is not called, or does not say.
"""

import inspect
import json
import sys
import types

import quick_inspect  # noqa: F401
import tvm
from tvm.script import ir as I
from tvm.script import relax as R

try:
    from tvm.script import tirx as T
except ImportError:
    from tvm.script import tir as T


LEVELS = 3
MODULES = {"ccl", "dist", "grad", "image", "memory", "nn", "tile", "vision", "vm"}


def parameters(value):
    if not callable(value):
        return None
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    named = signature.parameters.values()
    return [
        stars.get(it.kind, "") + it.name + ("" if it.default is it.empty else "=") for it in named
    ]


def is_namespace(value):
    if isinstance(value, types.ModuleType):
        return value.__name__.split(".")[-1] in MODULES
    of = type(value)
    return of.__module__.startswith("tvm") and of.__name__.endswith("Namespace")


def walk(value, path, names, depth):
    for name in dir(value):
        if name.startswith("_"):
            continue
        try:
            member = getattr(value, name)
        except Exception:  # what cannot be looked at is nothing to write either
            continue
        # What a module has for itself.
        own = not isinstance(member, (type, types.ModuleType))
        if isinstance(value, types.ModuleType) and depth < LEVELS and not own:
            continue
        below = f"{path}.{name}"
        names[below] = parameters(member)
        if depth and is_namespace(member):
            walk(member, below, names, depth - 1)


def main():
    names = {}
    for letter, module in (("I", I), ("R", R), ("T", T)):
        walk(module, letter, names, LEVELS)
    # Methods of a class that scripts use as a namespace.
    for name, member in vars(T.axis).items():
        if isinstance(member, staticmethod):
            names[f"T.axis.{name}"] = parameters(member.__func__)
    json.dump({"tvm": tvm.__version__, "names": names}, sys.stdout, indent=1, sort_keys=True)
    sys.stdout.write("\n")


main()
