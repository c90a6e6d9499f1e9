//! For each criterion, a program that violates it and is otherwise correct.

use super::CRITERIA;
use crate::Severity;
use crate::diagnostics::IMPORTS;
use crate::fixture::Fixture;

/// Criteria and programs that violate them.
const BREAKING: &[(&str, &str)] = &[
    (
        "1",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        z = R.exp(y)
        R.output(z)
    return R.add(y, z)
"#,
    ),
    (
        "2",
        r#"@R.function
def f(x: R.Tensor((4,), "float32"), x: R.Tensor((5,), "float32")):
    return x
"#,
    ),
    (
        "3",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.add(x, z)
    z = R.exp(x)
    return R.add(y, z)
"#,
    ),
    (
        "4",
        r#"@R.function
def f(x: R.Tensor(("n",), "float32")) -> R.Tensor(("m",), "float32"):
    return x
"#,
    ),
    (
        "5",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    m = T.int64()
    y = R.zeros((m,), "float32")
    return R.concat((x, y), axis=0)
"#,
    ),
    (
        "6",
        r#"@R.function
def f(x: R.Tensor(("n * 2",), "float32")):
    return x
"#,
    ),
    (
        "7",
        r#"@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            y = Module.f(x, c)
            _ = R.print(y, format="{}")
            if c:
                z = R.exp(y)
            else:
                z = R.abs(y)
            R.output(z)
        return z
"#,
    ),
    (
        "8",
        r#"@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return Module.f(x)
"#,
    ),
    (
        "9",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    return R.add(x, R.exp)
"#,
    ),
    (
        "10",
        r#"@R.function
def f(x: R.Tensor((4,), "float32", ndim=2)):
    return x
"#,
    ),
    (
        "11",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        @R.function
        def g(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return R.add(z, y)
        w = g(x)
        R.output(w)
    return w
"#,
    ),
    (
        "12",
        r#"@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((4,), "float32")):
        return x
"#,
    ),
    (
        "13",
        r#"@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "g"})
        return x
"#,
    ),
    (
        "14",
        r#"@R.function
def f(x: R.Tensor((4.5,), "float32")):
    return x
"#,
    ),
    (
        "15",
        r#"@R.function
def f(s: R.Shape(["n", 4], ndim=3)):
    return s
"#,
    ),
    (
        "16",
        r#"@R.function
def f(n: R.Prim(value="m + 1")):
    return n
"#,
    ),
    (
        "17",
        r#"@R.function
def f(g: R.Callable((R.Object,), R.Object, derive_func="d")):
    return g
"#,
    ),
    (
        "18",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    return (x, R.prim_value("4"))
"#,
    ),
    (
        "19",
        r#"@R.function
def f(x: R.Prim("handle")):
    return x
"#,
    ),
    (
        "20",
        r#"@R.function
def f(x: R.Tensor((4,), "float32x4")):
    return x
"#,
    ),
    (
        "21",
        r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    R.func_attr({"relax.force_pure": True})
    return x
"#,
    ),
    (
        "22",
        r#"@R.function
def f(x: R.Tensor(("n",), "float32")):
    n = T.int32()
    return x
"#,
    ),
    (
        "23",
        r#"@I.ir_module
class Module:
    @T.prim_func
    def g(A: T.Buffer((4,), "float32")):
        for i in range(4):
            A[i] = T.float32(0)

    @R.function
    def f(x: R.Tensor((4,), "float32")):
        args = (x,)
        y = R.call_tir_inplace(Module.g, args, [0], R.Tensor((4,), "float32"))
        return y
"#,
    ),
    (
        "24",
        r#"@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})
    @R.function
    def f(x: R.Tensor((4,), "float32", "cuda:1")):
        return x
"#,
    ),
    (
        "RFC 10",
        r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    return R.call_packed("g", x, ty_args=R.Tensor((4,), "float32"))
"#,
    ),
    (
        "RFC 15",
        r#"@R.function
def f(x: R.Tensor(("n",), "float32")) -> R.Tensor((R.call_packed("g", x),), "float32"):
    return x
"#,
    ),
];

/// Programs that violate criteria which are no longer rules.
const ALLOWED: &[(&str, &str)] = &[
    (
        "RFC 9",
        r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    g = R.ExternFunc("g")
    return g(x)
"#,
    ),
    (
        "RFC 16",
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y: R.Tensor(ndim=1) = R.unique(x, sorted=True)
    return y
"#,
    ),
];

#[test]
fn a_violated_criterion_is_reported_with_its_codes() {
    let mut wrong = Vec::new();
    for row in CRITERIA.iter().filter(|row| row.codes().next().is_some()) {
        let program = BREAKING.iter().find(|(number, _)| *number == row.number);
        let (_, program) = program.expect("each criterion has a program");
        let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
        let found = fixture.analysis.diagnostics(fixture.file).unwrap();
        let found = found.iter().filter(|it| it.severity != Severity::Hint);
        let found: Vec<&str> = found.map(|it| it.code).collect();
        let mapped = |code: &&str| row.codes().any(|it| it.name() == *code);
        if found.is_empty() || !found.iter().all(mapped) {
            wrong.push(format!("{}: {found:?}", row.number));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn obsolete_criteria_are_not_enforced() {
    for row in CRITERIA.iter().filter(|row| row.codes().next().is_none()) {
        let program = ALLOWED.iter().find(|(number, _)| *number == row.number);
        let (_, program) = program.expect("each criterion has a program");
        let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
        let found = fixture.analysis.diagnostics(fixture.file).unwrap();
        let found: Vec<&str> = found.iter().map(|it| it.code).collect();
        assert!(found.is_empty(), "{}: {found:?}", row.number);
    }
}
