"""Makes TVM's parser quick where many programs are parsed: a program takes 10 ms instead of 80.

For each decorator, the parser asks `inspect` for the stack, which looks for the module of each frame in all modules.
"""

import inspect
import sys


def module_of(thing, _filename=None):
    """Like `inspect.getmodule`, without a search."""
    if inspect.ismodule(thing):
        return thing
    name = thing.f_globals.get("__name__") if inspect.isframe(thing) else getattr(thing, "__module__", None)
    return sys.modules.get(name)


inspect.getmodule = module_of
