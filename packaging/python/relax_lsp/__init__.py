"""Where the program `relax-lsp` of this package is, and what records for it in a Python program:
`with relax_lsp.recording("FOLDER"): ...`, or `PassContext(instruments=[relax_lsp.instrument("FOLDER")])`."""

import os
import sys
import sysconfig

from .recorder import instrument, recording

__all__ = ["find_relax_lsp", "instrument", "recording"]


def find_relax_lsp() -> str:
    """Path of the program that was installed with this package.

    Raises FileNotFoundError where it is in none of the folders for scripts.
    """
    name = "relax-lsp" + (sysconfig.get_config_var("EXE") or "")
    folders = [sysconfig.get_path("scripts")]
    user = f"{os.name}_user"
    if user in sysconfig.get_scheme_names():
        folders.append(sysconfig.get_path("scripts", scheme=user))
    # `pip install --target FOLDER` puts scripts beside the packages.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin"))
    folders.append(os.path.dirname(sys.executable))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"{name} is in none of {', '.join(folders)}")
