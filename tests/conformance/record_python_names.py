"""Adds the names of an installed TVM's Python API to the table of names by release.

    record_python_names.py crates/relax/src/release/python_names.txt

A line of the table is a module or a class of visitors, `:`, and its public names; `*` stands for any name. A name that
some recorded releases lack has them behind it: `Constant@0.25,0.26`. The first line lists the recorded releases.
"""

import ast
import contextlib
import importlib
import inspect
import io
import pathlib
import pkgutil
import sys
import warnings

import tvm

ANY = "*"


def main(path):
    release = ".".join(tvm.__version__.split(".")[:2])
    releases, table = read(path)
    releases = sorted({*releases, release})
    for place, names in table.items():
        for having in names.values():
            having.discard(release)
    for place, names in recorded():
        of_place = table.setdefault(place, {})
        for name in names:
            of_place.setdefault(name, set()).add(release)
    write(path, releases, table)


def recorded():
    for name in sorted(modules()):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                module = importlib.import_module(name)
        except BaseException:  # it needs a package that is not here
            yield name, {ANY}
            continue
        names = {it for it in (*dir(module), *bound(module)) if not it.startswith("_")}
        names |= {it.rpartition(".")[2] for it in modules() if it.rpartition(".")[0] == name}
        if hasattr(module, "__getattr__"):
            names.add(ANY)
        yield name, names
        for it in vars(module).values():
            if inspect.isclass(it) and it.__module__ == name:
                methods = {method for method in dir(it) if method.startswith("visit_")}
                if methods:
                    yield f"{name}.{it.__name__}()", methods


_modules = []


def modules():
    if not _modules:
        _modules.append("tvm")
        # Some packages only say that they are not importable here.
        found = pkgutil.walk_packages(tvm.__path__, "tvm.", onerror=lambda _: None)
        _modules.extend(it.name for it in found if "._" not in it.name and "__main__" not in it.name)
    return _modules


def bound(module):
    """The names that a module binds in some of its branches."""
    try:
        tree = ast.parse(pathlib.Path(inspect.getsourcefile(module)).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, TypeError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (it.asname or it.name.partition(".")[0] for it in node.names)
    for node in tree.body:
        for it in ast.walk(node) if isinstance(node, (ast.If, ast.Try)) else [node]:
            if isinstance(it, (ast.FunctionDef, ast.ClassDef)):
                yield it.name
            elif isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store):
                yield it.id


def read(path):
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return [], {}
    releases = lines[0].split()
    table = {}
    for line in lines[1:]:
        place, _, names = line.partition(": ")
        split = (it.partition("@") for it in names.split())
        table[place] = {name: set(having.split(",")) if having else set(releases) for name, _, having in split}
    return releases, table


def write(path, releases, table):
    lines = [" ".join(releases)]
    for place, names in sorted(table.items()):
        each = ((name, sorted(having)) for name, having in sorted(names.items()) if having)
        words = [name if having == releases else f"{name}@{','.join(having)}" for name, having in each]
        if words:
            lines.append(f"{place}: {' '.join(words)}")
    pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
