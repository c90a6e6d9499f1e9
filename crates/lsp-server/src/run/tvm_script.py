"""Reads a function of a Python file as TVMScript, without running the file.

TVM's parser evaluates the expressions of TVMScript in Python, and knows Python's own functions. So what they name is
checked before: the script's variables, constants of the file, and the public contents of I, R and T.
"""
import ast
import builtins
import importlib
import types
import typing

PLAIN = {"bool", "dict", "enumerate", "float", "int", "len", "list", "max", "min", "print", "range", "str", "tuple", "zip"}
OWN = ("tvm.script", "tvm.ir", "tvm.relax", "tvm.tir", "tvm.tirx", "tvm.topi")


def read_script(text, function):
    """The source of the module or function, and the names that it may use."""
    names = namespace()
    found = None
    lines = text.split("\n")
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tvm.script"):
            module = importlib.import_module(node.module)
            names.update((it.asname or it.name, getattr(module, it.name)) for it in node.names if hasattr(module, it.name))
        elif isinstance(node, ast.Assign) and all(isinstance(it, ast.Name) for it in node.targets):
            try:
                value = constant(node.value)
            except ValueError:
                continue
            names.update((it.id, value) for it in node.targets)
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.decorator_list and found is None:
            members = node.body if isinstance(node, ast.ClassDef) else [node]
            if any(getattr(it, "name", None) == function for it in members):
                found = node
    if found is None:
        raise ValueError(f"no module of TVMScript has a function `{function}`")
    check(found, names)
    first = found.decorator_list[0].lineno - 1
    return "\n" * first + "\n".join(lines[first : found.end_lineno]), names


def constant(value):
    """The value of a literal, or of `TypeVar("n")`."""
    if isinstance(value, ast.Call) and not value.keywords and ast.unparse(value.func) in ("TypeVar", "typing.TypeVar"):
        return typing.TypeVar(*map(ast.literal_eval, value.args))
    return ast.literal_eval(value)


def namespace():
    from tvm.script.parser.core import entry

    names = dict(getattr(entry, "_default_globals", dict)())
    from tvm.script import ir, relax

    names.update(I=ir, R=relax, ir=ir, relax=relax)
    for package in ("tir", "tirx"):
        try:
            names[package] = names["T"] = importlib.import_module("tvm.script." + package)
        except ImportError:
            pass
    # All of TVM, and through it Python.
    del names["tvm"]
    return names


def check(tree, names):
    inner = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            inner.add(node.value)
            if node.attr.startswith("_"):
                refuse(node)
        value = resolved(node, names)
        if isinstance(value, types.ModuleType) and (node not in inner or not value.__name__.startswith(OWN)):
            refuse(node)
        if isinstance(node, ast.Name) and node.id not in names and node.id not in PLAIN:
            if hasattr(builtins, node.id):
                refuse(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            # A dimension may be text, which TVM evaluates too.
            try:
                text = ast.parse(node.value.strip(), mode="eval")
            except (SyntaxError, ValueError):
                continue
            check(text, names)


def resolved(node, names):
    """The value of `R.nn.relu`, or `None`."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(resolved(node.value, names), node.attr, None)
    return None


def refuse(node):
    raise ValueError(f"line {node.lineno}: `{ast.unparse(node)}` is not TVMScript")

