//! Makes one plausible mistake: a statement that is wrong or misplaced.

use relax::sinfo::StructInfo;

use super::writer::{Scope, Writer};

/// Statements by lines. `{x}` `{y}` are tensors in scope, `{t}` a tuple, `{f}` something that can be called, `{s}` a
/// shape, `{p}` an integer, `{any}` any variable, `{v}` a new name, `{w}` another.
const STATEMENTS: &[&str] = &[
    "{v} = missing",
    "{v} = R.add({x}, missing)",
    "{v} = R.no_such_operator({x})",
    "{v} = R.nn.no_such_operator({x})",
    "{v} = cls.no_such_function({x})",
    "{v} = {x}.shape",
    "{v} = {x}.missing({y})",
    "{v} = {x}[0]",
    "{v} = {x}[0:2]",
    "{v} = {t}[7]",
    "{v} = {t}[-1]",
    "{v} = {t}[{x}]",
    "{v} = {t}[0:1]",
    "{v} = {s}[0]",
    "{v} = {x}({y})",
    "{v} = {t}({x})",
    "{v} = {s}({x})",
    "{v} = {f}()",
    "{v} = {f}({x}, {x}, {x}, {x})",
    "{v} = {f}({t})",
    "{v} = {f}({x}, bogus={y})",
    "{v} = {f}",
    "{v}: R.Shape = {x}",
    "{v}: R.Tensor((99,), \"int8\") = {x}",
    "{v}: R.Tensor(ndim=7) = {x}",
    "{v}: R.Tensor = {t}",
    "{v}: R.Tuple(R.Tensor) = {x}",
    "{v}: R.Prim(\"int64\") = {x}",
    "{v}: int = {x}",
    "{v}: R.Tensor((undefined_n,)) = {x}",
    "{v}: R.Tensor",
    "{v}, {w} = {x}",
    "{v}, {w}, missing = {t}",
    "{v} = {w} = {x}",
    "{x} += {y}",
    "{x}.field = {y}",
    "{t}[0] = {x}",
    "for i in range(3):\n    {v} = R.abs({x})",
    "while True:\n    {v} = R.abs({x})",
    "try:\n    {v} = R.abs({x})\nexcept Exception:\n    {w} = {x}",
    "with {x}:\n    {v} = R.abs({x})",
    "with R.dataflow():\n    {v} = R.abs({x})\n    R.output(missing)",
    "with R.dataflow():\n    {v} = R.abs({x})\n    R.output({x})",
    "with R.dataflow():\n    {v} = R.abs({x})\n{w} = R.abs({v})",
    "with R.dataflow():\n    {v} = R.abs({x})\n    R.output({v})\n    {w} = R.abs({x})",
    "with R.dataflow():\n    with R.dataflow():\n        {v} = R.abs({x})\n        R.output({v})\n    R.output({v})",
    "with R.dataflow():\n    {v} = R.print({x}, format=\"\")\n    R.output({v})",
    "R.output({x})",
    "if {x}:\n    {v} = R.abs({y})\nelse:\n    {v} = R.negative({y})",
    "if {p}:\n    {v} = R.abs({y})\nelse:\n    {v} = R.negative({y})",
    "if R.const(True, \"bool\"):\n    {v} = R.abs({y})",
    "if R.const(True, \"bool\"):\n    {v} = R.abs({y})\nelse:\n    {w} = R.negative({y})",
    "if R.const(True, \"bool\"):\n    {v} = R.abs({y})\n    {w} = R.abs({v})\nelse:\n    {w} = R.negative({y})\nlater = R.abs({v})",
    "if R.const(True, \"bool\"):\n    return {x}\nelse:\n    {w} = R.negative({y})",
    "@R.function\ndef {v}(a: R.Tensor):\n    b = R.print(a, format=\"\")\n    return b",
    "@R.function\ndef {v}(a: R.Tensor):\n    return missing",
    "@R.function\ndef {v}(a: R.Tensor):\n    b = R.abs(a)",
    "@R.function\ndef {v}(a):\n    return a",
    "@R.function\ndef {v}(*a: R.Tensor):\n    return {x}",
    "@R.function\ndef {v}(a: R.Tensor):\n    return {v}(a)",
    "@R.function(bogus=True)\ndef {v}(a: R.Tensor):\n    return a",
    "def {v}(a: R.Tensor):\n    return a",
    "@T.prim_func\ndef {v}(a: T.handle):\n    T.evaluate(0)",
    "@R.function\ndef {v}(a: R.Tensor((2,))) -> R.Tensor((2,)):\n    return a\n{w} = {v}({x})",
    "@R.function\ndef {v}(a: R.Tensor) -> R.Shape:\n    return a",
    "assert {x}",
    "del {x}",
    "import os",
    "pass",
    "...",
    "\"\"\"Words.\"\"\"",
    "{x}",
    "R.abs({x})",
    "raise ValueError",
    "global {v}",
    "return {x}",
    "{v} = not {x}",
    "{v} = {x} and {y}",
    "{v} = {x} if {y} else {x}",
    "{v} = {x} @ {y}",
    "{v} = {x} & {y}",
    "{v} = {x} | {y}",
    "{v} = ~{x}",
    "{v} = {x} == {y}",
    "{v} = {x} != {y}",
    "{v} = {x} in {t}",
    "{v} = {x} is {y}",
    "{v} = {x} << 1",
    "{v} = {x} + 1",
    "{v} = {x} + {t}",
    "{v} = 1 + {x}",
    "{v} = lambda a: a",
    "{v} = [{x} for i in range(2)]",
    "{v} = [{x}, {y}]",
    "{v} = {'a': {x}}",
    "{v} = (yield {x})",
    "{v} = f\"{x}\"",
    "{v} = 1",
    "{v} = 1.5",
    "{v} = None",
    "{v} = \"word\"",
    "{v} = True",
    "{v} = n",
    "{v} = undefined_n + 1",
    "{v} = R.shape([undefined_n, 2])",
    "{v} = R.shape([{x}])",
    "{v} = R.shape([1.5])",
    "{v} = R.zeros((undefined_n,), \"float32\")",
    "{v} = R.zeros([n, m], \"float32\")",
    "{v} = R.add({t}, {x})",
    "{v} = R.add({s}, {x})",
    "{v} = R.add({x})",
    "{v} = R.add({x}, {x}, {x})",
    "{v} = R.add({x}, {x}, bogus=1)",
    "{v} = R.abs(x=1)",
    "{v} = R.abs({f})",
    "{v} = R.abs(*{t})",
    "{v} = R.abs(**{t})",
    "{v} = R.match_cast({x}, R.Tensor(ndim=7))",
    "{v} = R.match_cast({x}, R.Shape)",
    "{v} = R.match_cast({x}, {y})",
    "{v} = R.match_cast({x})",
    "{v} = R.match_cast({x}, R.Tensor((undefined_n,)))",
    "{v} = R.match_cast({any}, R.Tensor)",
    "{v} = R.match_cast({any}, R.Prim(\"int64\"))",
    "{v} = R.match_cast({any}, R.Tuple(R.Tensor, R.Tensor))",
    "{v} = R.call_tir(cls.no_such_kernel, ({x},), R.Tensor((2,), \"float32\"))",
    "{v} = R.call_tir({f}, ({x},), R.Tensor((2,), \"float32\"))",
    "{v} = R.call_dps_packed(\"f\", ({x},))",
    "{v} = R.call_dps_packed(\"f\", ({x},), R.Tensor(ndim=2))",
    "{v} = R.call_dps_packed(\"f\", {x}, R.Tensor((2,), \"float32\"))",
    "{v} = R.call_pure_packed({x})",
    "{v} = R.call_pure_packed(\"f\", {x})",
    "{v} = R.call_pure_packed(\"f\", missing, R.Tensor)",
    "{v} = R.call_packed(\"f\", {x})",
    "{v} = R.print({x})",
    "{v} = R.const([[1, 2], [3]], \"int32\")",
    "{v} = R.const(1, \"no_dtype\")",
    "{v} = R.const({x})",
    "{v} = R.const(\"word\")",
    "{v} = R.const(None)",
    "{v} = R.prim_value({x})",
    "{v} = R.prim_value(\"word\")",
    "{v} = R.str(1)",
    "{v} = R.tuple({x}, missing)",
    "{v} = ({x}, (missing,))",
    "{v} = R",
    "{v} = R.Tensor",
    "{v} = R.Tensor((2,), \"float32\")",
    "{v} = R.abs",
    "{v} = T.int64()",
    "{v} = T.int64(3)",
    "{v} = cls",
    "{v} = print({x})",
    "{v} = len({t})",
    "{v} = int({p})",
    "{v} = {p} + {x}",
    "{v} = {p} + 1.5",
    "{v} = {p} // 0",
    "{v} = {p} and {p}",
    "{v} = {p} == 2",
    "n = T.int64()",
    "n = {x}",
    "{x} = R.abs({x})",
    "R.func_attr({\"relax.force_pure\": True})",
    "R.func_attr({\"a\": 1})\nR.func_attr({\"a\": 2})",
    "R.func_attr({x})",
    "R.func_name(\"again\")",
    "{v} = R.emit({x})",
    "R.emit({x})",
];

/// Returns a statement that is wrong, or misplaced.
pub fn statement(writer: &mut Writer<'_>, scope: &Scope) -> Vec<String> {
    let template = *writer.random.pick(STATEMENTS);
    writer.label = template.replace('\n', " / ");
    let mut text = template.to_owned();
    let fresh = [
        ("{v}", writer.unused_name("v")),
        ("{w}", writer.unused_name("w")),
    ];
    for (hole, name) in fresh {
        text = text.replace(hole, &name);
    }
    type Test = fn(&StructInfo) -> bool;
    let holes: [(&str, Test); 7] = [
        ("{x}", |it| it.as_tensor().is_some()),
        ("{y}", |it| it.as_tensor().is_some()),
        ("{t}", |it| matches!(it, StructInfo::Tuple(_))),
        ("{f}", |it| matches!(it, StructInfo::Callable(_))),
        ("{s}", |it| matches!(it, StructInfo::Shape(_))),
        ("{p}", |it| matches!(it, StructInfo::Prim(_))),
        ("{any}", |_| true),
    ];
    for (hole, fits) in holes {
        if !text.contains(hole) {
            continue;
        }
        let var = match writer.some_var(scope, fits) {
            Some(var) => var.name,
            None if matches!(hole, "{x}" | "{y}" | "{any}") => writer.some_tensor(scope).name,
            None => {
                let info = sample(writer, hole);
                writer.new_param(info).name
            }
        };
        text = text.replace(hole, &var);
    }
    text.lines().map(str::to_owned).collect()
}

fn sample(writer: &mut Writer<'_>, hole: &str) -> StructInfo {
    let names = super::types::NAMES.map(String::from);
    let random = &mut writer.random;
    match hole {
        "{t}" => StructInfo::tuple(vec![super::types::tensor(random, &names); 2]),
        "{f}" => super::types::callable(random, &names),
        "{s}" => {
            let dims = super::types::dims(random, &names, 2);
            StructInfo::Shape(relax::sinfo::Shape::Known(dims.into()))
        }
        _ => super::types::prim(relax::dtype::DType::I64),
    }
}
