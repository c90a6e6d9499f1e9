"""`python -m relax_lsp`: the program, with this Python's arguments."""

import os
import subprocess
import sys

from relax_lsp import find_relax_lsp


def main() -> int:
    program = find_relax_lsp()
    if sys.platform == "win32":
        # Windows has no exec that a waiting shell sees as the same process.
        return subprocess.run([program, *sys.argv[1:]], check=False).returncode
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
