//! What the enclosing Python is taken to mean.

use super::*;

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
