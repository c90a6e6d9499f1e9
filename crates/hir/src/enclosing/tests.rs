//! What the enclosing Python is taken to mean.

use super::*;
use relax::script::Namespace;

#[test]
fn paths_lead_into_their_namespace() {
    let cases = [
        ("tvm.script.relax", Some((Namespace::Relax, ""))),
        (
            "tvm.script.parser.relax.function",
            Some((Namespace::Relax, "function")),
        ),
        (
            "tvm.script.tirx.prim_func",
            Some((Namespace::Tir, "prim_func")),
        ),
        ("tvm.script.ir_module", Some((Namespace::Ir, "ir_module"))),
        (
            "tvm.script.ir.ir_module",
            Some((Namespace::Ir, "ir_module")),
        ),
        ("tvm.relax.op.add", Some((Namespace::Python, "add"))),
        ("tvm.relax.const", Some((Namespace::Python, "const"))),
        ("tvm.relaxed", None),
        ("numpy.random", None),
    ];
    for (path, want) in cases {
        let got = ScriptPath::of_path(path).map(|p| (p.namespace, p.rest));
        assert_eq!(got, want.map(|(ns, rest)| (ns, rest.into())), "{path}");
    }
}

#[test]
fn a_function_that_calls_itself_does_not_exhaust_the_stack() {
    let text = r#"
from tvm.script import relax as R

def build(n):
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x
    return build(n - 1)
"#;
    let db = crate::Database::default();
    let file = crate::SourceFile::new(&db, crate::Source::new(text));
    assert_eq!(crate::file_items(&db, file).functions.len(), 1);
}
