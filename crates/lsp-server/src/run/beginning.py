# The beginning of each program in Python that relax-lsp starts.
import sys

# `python -c` looks for modules in the current folder first, which may be a stranger's.
if sys.path[:1] == [""]:
    del sys.path[0]

import os
import signal
import threading


def take_input():
    """Standard input, which the parent keeps open as long as it lives. What runs here sees an empty one."""
    lease = os.dup(0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return lease


def end():
    """Ends this process and all that it has started."""
    if hasattr(os, "getpgrp") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def end_with_parent():
    lease = take_input()

    def wait():
        while os.read(lease, 4096):
            pass
        end()

    threading.Thread(target=wait, daemon=True).start()

