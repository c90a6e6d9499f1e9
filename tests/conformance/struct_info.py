"""StructInfo as the records write it, the same for every release of TVM.

`Tensor((n, 4), float32)`, `Tensor(ndim=2, dtype=float32)`, `Tensor(shape=s, ndim=2, dtype=float32)`, `Tensor()`, each with
`vdevice=llvm:0:global`; `DTensor(..., mesh(2,), S[0], R)`; `Shape((n, 4))`, `Shape(ndim=2)`, `Shape()`; `Tuple(A, B)`;
`Callable((A, B), R, pure)`, `Callable(opaque, R, impure)`; `Prim(int64)`, `Prim(int64, n + 1)`; `String`; `Object`.
What is not known is left out. A dimension is a Python expression over the names of shape variables, with `truncdiv`,
`truncmod`, `min`, `max`, `select`; `int32(4)` is a constant that is not int64.
"""

import re

INFIX = {
    "Add": "+", "Sub": "-", "Mul": "*", "FloorDiv": "//", "FloorMod": "%", "EQ": "==", "NE": "!=", "LT": "<", "LE": "<=",
    "GT": ">", "GE": ">=", "And": "and", "Or": "or", "LShift": "<<", "RShift": ">>",
}  # fmt: skip
CALLS = {"Div": "truncdiv", "Mod": "truncmod", "Min": "min", "Max": "max"}


def function(name, value):
    bindings = []
    visit(value.body, bindings)
    return {
        "name": name,
        "params": [[name_of(param), of(param)] for param in value.params],
        "ret": text(value.ret_ty if hasattr(value, "ret_ty") else value.ret_struct_info),
        "pure": bool(value.is_pure),
        "bindings": bindings,
    }


def visit(body, bindings):
    """The bindings that a program writes, in order; those of a branch or a local function before the one that holds it."""
    for block in getattr(body, "blocks", []):
        for binding in block.bindings:
            value = getattr(binding, "value", None)
            kind = type(value).__name__
            if kind == "If":
                visit(value.true_branch, bindings)
                visit(value.false_branch, bindings)
            elif kind == "Function":
                visit(value.body, bindings)
            bindings.append({"n": name_of(binding.var), "t": of(binding.var)})


def name_of(var):
    return var.name_hint if hasattr(var, "name_hint") else var.name


def of(expr):
    return text(expr.ty if hasattr(expr, "ty") else expr.struct_info)


def text(info):
    kind = re.sub(r"(StructInfo|Type)$", "", type(info).__name__)
    if kind == "Tensor":
        return f"Tensor({', '.join(tensor(info))})"
    if kind == "DTensor":
        mesh = f"mesh{tuple(int(extent) for extent in info.device_mesh.shape)}"
        placement = [part.strip() for part in str(info.placement).strip('"').split(",")]
        inner = getattr(info, "tensor_sinfo", None) or info.tensor_ty
        return f"DTensor({', '.join([*tensor(inner), mesh, *placement])})"
    if kind == "Shape":
        if info.values is not None:
            return f"Shape({dims(info.values)})"
        return f"Shape(ndim={info.ndim})" if info.ndim >= 0 else "Shape()"
    if kind == "Prim":
        value = getattr(info, "value", None)
        return f"Prim({info.dtype}, {dim(value)})" if value is not None else f"Prim({info.dtype})"
    if kind == "Tuple":
        return f"Tuple({', '.join(map(text, info.fields))})"
    if kind == "Func":
        params = "opaque" if info.params is None else f"({', '.join(map(text, info.params))})"
        return f"Callable({params}, {text(info.ret)}, {'pure' if info.purity else 'impure'})"
    return "Object" if kind in ("Object", "Any") else kind


def tensor(info):
    known = type(info.shape).__name__ == "ShapeExpr"
    parts = []
    if known:
        parts.append(dims(info.shape.values))
    elif info.shape is not None:
        parts.append(f"shape={name_of(info.shape)}")
    if not known and info.ndim >= 0:
        parts.append(f"ndim={info.ndim}")
    dtype = str(info.dtype) if info.dtype is not None else ""
    if dtype not in ("", "void"):
        parts.append(dtype if known else f"dtype={dtype}")
    device = info.vdevice
    if device is not None:
        parts.append(f"vdevice={device.target.kind.name}:{device.vdevice_id}:{device.memory_scope}")
    return parts


def dims(values):
    return f"({', '.join(map(dim, values))}{',' if len(values) == 1 else ''})"


def dim(expr, inside=False):
    kind = type(expr).__name__
    if kind in ("Var", "SizeVar"):
        return name_of(expr)
    if kind == "IntImm":
        dtype = str(getattr(expr, "dtype", None) or expr.ty)
        return str(expr.value) if dtype in ("int64", "bool") else f"{dtype}({expr.value})"
    if kind in INFIX:
        shown = f"{dim(expr.a, True)} {INFIX[kind]} {dim(expr.b, True)}"
        return f"({shown})" if inside else shown
    if kind in CALLS:
        return f"{CALLS[kind]}({dim(expr.a)}, {dim(expr.b)})"
    if kind == "Not":
        return f"not ({dim(expr.a)})"
    if kind == "Cast":
        return f"cast({getattr(expr, 'dtype', None) or expr.ty}, {dim(expr.value)})"
    if kind == "Select":
        return f"select({dim(expr.condition)}, {dim(expr.true_value)}, {dim(expr.false_value)})"
    if kind == "Call":
        name = getattr(expr.op, "name", str(expr.op)).rsplit(".", 1)[-1]
        name = "select" if name == "if_then_else" else name
        return f"{name}({', '.join(map(dim, expr.args))})"
    return str(expr)
