//! Tests of inference: programs, the StructInfo of each binding, and the diagnostics.

mod calls;
mod closures;
mod enclosing;
mod headers;
mod hostile;
mod indices;
mod meanings;
mod metadata;
mod one_report;
mod passing;
mod printed;
mod refused;
mod releases;
mod releases_of_kernels;
mod rfc;
mod scalars;
mod wellformed;

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use relax::Severity;
use relax::release::Release;
use text_size::TextSize;

use crate::db::{Database, Source, SourceFile};
use crate::facts::VarKind;
use crate::file_items;
use crate::file_release;
use crate::queries::{file_diagnostics, lazy_facts};

/// Opens a program in a project with this release.
fn in_release(release: Release, program: &str) -> (Database, SourceFile) {
    let db = Database::default();
    let file = SourceFile::builder(Source::new(program));
    let file = file.target(Some(release)).new(&db);
    (db, file)
}

/// Checks a program. Hints are left out; tests of hints use [`render`].
fn check(text: &str, want: Expect) {
    want.assert_eq(&render(text, Severity::Warning));
}

fn render(text: &str, least: Severity) -> String {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let release = file_release(&db, file);
    let mut out = String::new();
    for &function in &file_items(&db, file).functions {
        let facts = lazy_facts(&db, function);
        for (index, fact) in facts.functions.iter().enumerate() {
            let params: Vec<String> = fact
                .params
                .iter()
                .map(|&p| {
                    format!(
                        "{}: {}",
                        facts.var(p).name,
                        facts.var(p).struct_info.display(release.dialect())
                    )
                })
                .collect();
            writeln!(
                out,
                "{}({}) -> {}",
                fact.name,
                params.join(", "),
                fact.ret.display(release.dialect())
            )
            .unwrap();
            for var in facts
                .vars()
                .filter(|v| v.function == index && v.kind != VarKind::Param)
            {
                writeln!(
                    out,
                    "  {}: {}",
                    var.name,
                    var.struct_info.display(release.dialect())
                )
                .unwrap();
            }
        }
    }
    for diagnostic in file_diagnostics(&db, file) {
        if diagnostic.severity <= least {
            let (line, col) = position(text, diagnostic.range.start());
            let (severity, code) = (diagnostic.severity.name(), diagnostic.code.name());
            writeln!(
                out,
                "{line}:{col} {severity} {code}: {}",
                diagnostic.message
            )
            .unwrap();
        }
    }
    out
}

/// Prints the diagnostics of a file with their notes.
fn related(text: &str) -> String {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let mut out = String::new();
    for diagnostic in file_diagnostics(&db, file) {
        let (line, col) = position(text, diagnostic.range.start());
        writeln!(out, "{line}:{col} {}", diagnostic.message).unwrap();
        for (range, note) in &diagnostic.related {
            let (line, col) = position(text, range.start());
            writeln!(out, "  {line}:{col} {note}").unwrap();
        }
        for range in &diagnostic.repeats {
            let (line, col) = position(text, range.start());
            writeln!(out, "  {line}:{col} again").unwrap();
        }
    }
    out
}

fn position(text: &str, offset: TextSize) -> (usize, usize) {
    let before = &text[..usize::from(offset)];
    (
        before.matches('\n').count() + 1,
        before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1,
    )
}

#[test]
fn a_printed_module_has_facts_for_each_binding() {
    check(
        r#"
# from tvm.script import relax as R
n = TypeVar("n")
@I.ir_module
class Module:
    @R.function
    def forward(x: R.Tensor((n, 4), dtype="float32"), w: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((n, 8), dtype="float32"):
        with R.dataflow():
            y = R.matmul(x, w, out_dtype=None)
            gv = R.nn.relu(y)
            R.output(gv)
        return gv
"#,
        expect![[r#"
            forward(x: R.Tensor((n, 4), dtype="float32"), w: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((n, 8), dtype="float32")
              y: R.Tensor((n, 8), dtype="float32")
              gv: R.Tensor((n, 8), dtype="float32")
        "#]],
    );
}

#[test]
fn strings_of_the_signature_are_shape_variables() {
    check(
        r#"
@R.function
def f(x: R.Tensor(("n", "m"), "float32"), s: R.Shape(["k"])) -> R.Tensor(("n * m",), "float32"):
    n = T.int64()
    m = T.int64()
    y = R.reshape(x, R.shape([n * m]))
    return y
"#,
        expect![[r#"
            f(x: R.Tensor((n, m), dtype="float32"), s: R.Shape([k])) -> R.Tensor((n * m,), dtype="float32")
              y: R.Tensor((n * m,), dtype="float32")
        "#]],
    );
}

#[test]
fn mismatched_dimensions_are_named_with_their_origin() {
    check(
        r#"
@R.function
def f(x: R.Tensor((2, 3), "float32"), y: R.Tensor((4, 5), "float32")):
    z = R.matmul(x, y)
    return z
"#,
        expect![[r#"
            f(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((4, 5), dtype="float32")) -> ?
              z: ?
            4:18 error shape-mismatch: `R.matmul`: dimension 1 of `x1` is `3`, dimension 0 of `x2` is `4`: they must be equal
        "#]],
    );
}

#[test]
fn a_dataflow_variable_is_local_to_its_block() {
    check(
        r#"
@R.function
def f(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.add(x, x)
        b = R.add(a, a)
        R.output(b)
    return a
"#,
        expect![[r#"
            f(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32")
              a: R.Tensor((2, 3), dtype="float32")
              b: R.Tensor((2, 3), dtype="float32")
            8:12 error dataflow-var-outside-block: `a` is a dataflow var: it is not among the outputs of its dataflow block
        "#]],
    );
}

#[test]
fn a_block_without_output_is_reported_once() {
    check(
        r#"
@R.function
def f(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.add(x, x)
    return a
"#,
        expect![[r#"
            f(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32")
              a: R.Tensor((2, 3), dtype="float32")
            6:12 error dataflow-var-outside-block: `a` is a dataflow var, and its dataflow block has no `R.output`
        "#]],
    );
}

#[test]
fn purity_is_checked_in_functions_and_in_dataflow_blocks() {
    check(
        r#"
@R.function
def f(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.call_packed("f", x, ty_args=R.Tensor((2, 3), "float32"))
        R.output(a)
    b = R.call_packed("g", x, ty_args=R.Tensor((2, 3), "float32"))
    return b

@R.function(pure=False)
def g(x: R.Tensor((2, 3), "float32")):
    b = R.call_packed("g", x, ty_args=R.Tensor((2, 3), "float32"))
    return b
"#,
        expect![[r#"
            f(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32")
              a: R.Tensor((2, 3), dtype="float32")
              b: R.Tensor((2, 3), dtype="float32")
            g(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32")
              b: R.Tensor((2, 3), dtype="float32")
            5:13 error impure-call-in-dataflow: `R.call_packed` is impure: a dataflow block holds pure calls only
            7:9 error impure-call-in-pure-function: `R.call_packed` is impure, but function `f` is pure: mark it `@R.function(pure=False)`, or call a pure variant
        "#]],
    );
}

#[test]
fn variables_bound_in_both_branches_are_joined() {
    check(
        r#"
@R.function
def f(c: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 4), "float32")):
    if c:
        z = R.add(x, x)
    else:
        z = R.add(y, y)
    return z
"#,
        expect![[r#"
            f(c: R.Tensor((), dtype="bool"), x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 4), dtype="float32")) -> R.Tensor(dtype="float32", ndim=2)
              z: R.Tensor((2, 3), dtype="float32")
              z: R.Tensor((2, 4), dtype="float32")
              z: R.Tensor(dtype="float32", ndim=2)
        "#]],
    );
}

#[test]
fn values_of_python_are_unknown() {
    check(
        r#"
from tvm.script import relax as R

def test(dtype, k):
    N = 16
    @R.function
    def f(x: R.Tensor((N, k), "float32"), y: R.Tensor((2,), dtype)):
        z = R.add(x, x)
        w = R.add(y, y)
        return helper(z, w)
    def helper(a, b): ...
"#,
        expect![[r#"
            f(x: R.Tensor((16, k), dtype="float32"), y: R.Tensor((2,), dtype=?)) -> ?
              z: R.Tensor((16, k), dtype="float32")
              w: R.Tensor((2,), dtype=?)
        "#]],
    );
}

#[test]
fn names_that_nothing_defines_are_reported_once_each() {
    check(
        r#"
@I.ir_module
class M:
    @R.function
    def f(value: R.Tensor((2,), "float32")):
        y = R.add(valu, value)
        z = M.gg(y)
        return z

    @R.function
    def g(x: R.Tensor((2,), "float32")):
        return x
"#,
        expect![[r#"
            f(value: R.Tensor((2,), dtype="float32")) -> ?
              y: ?
              z: ?
            g(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
            6:19 error undefined-name: `valu` is not defined; did you mean `value`?
            7:15 error undefined-function: the module has no function `gg`; did you mean `g`?
        "#]],
    );
}

#[test]
fn calls_substitute_shape_variables() {
    check(
        r#"
@I.ir_module
class M:
    @R.function
    def g(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("m", "n"), "float32"):
        return R.permute_dims(x)

    @R.function
    def f(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2,), "float32")):
        cls = M
        a = cls.g(x)
        b = cls.g(y)
        c = cls.g(x, x)
        return a
"#,
        expect![[r#"
            g(x: R.Tensor((n, m), dtype="float32")) -> R.Tensor((m, n), dtype="float32")
            f(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2,), dtype="float32")) -> R.Tensor((3, 2), dtype="float32")
              a: R.Tensor((3, 2), dtype="float32")
              b: R.Tensor(dtype="float32", ndim=2)
              c: ?
            12:19 error argument-type: argument 1 does not fit `g`: expected 2 dimensions, found 1
            13:13 error argument-count: `g` takes 1 argument, but 2 are given
        "#]],
    );
}

#[test]
fn local_functions_have_facts_of_their_own() {
    check(
        r#"
@R.function
def f(x: R.Tensor((2, 3), "float32")):
    @R.function
    def inner(y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        z = R.add(x, y)
        return z
    w = inner(x)
    return w
"#,
        expect![[r#"
            f(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32")
              inner: R.Callable((R.Tensor((2, 3), dtype="float32"),), R.Tensor((2, 3), dtype="float32"), True)
              w: R.Tensor((2, 3), dtype="float32")
            f.inner(y: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32")
              z: R.Tensor((2, 3), dtype="float32")
        "#]],
    );
}

#[test]
fn the_rfc_dialect_is_inferred() {
    check(
        r#"
@R.function
def f(x: R.Tensor[(n, 4), "float32"], y: R.Tensor[_, "float32"]):
    with R.dataflow():
        R.match_shape(y, (n, m))
        lv0 = R.call_tir(g, (x,), (n, 4), dtype="float32")
        gv = R.add(lv0, lv0)
        R.outputs(gv)
    return gv
"#,
        expect![[r#"
            f(x: R.Tensor[(n, 4), "float32"], y: R.Tensor[_, "float32"]) -> R.Tensor[(n, 4), "float32"]
              lv0: R.Tensor[(n, 4), "float32"]
              gv: R.Tensor[(n, 4), "float32"]
        "#]],
    );
}

#[test]
fn a_lambda_of_indices_gives_a_layout_its_extents() {
    check(
        r#"
def g(i):
    return hash(i)
@R.function
def f(x: R.Tensor((16,), "float32"), y: R.Tensor(("n", 8), "float32")):
    a = R.layout_transform(x, index_map=lambda i: (i // 4, i % 4), pad_value=None)
    b = R.layout_transform(a, index_map=T.index_map(lambda i, j: (i * T.int64(4) + j,)))
    c = R.layout_transform(y, lambda i, j: (j, i // 3, i % 3))
    d = R.layout_transform(y, lambda i, j: (g(i), j))
    return c
"#,
        expect![[r#"
            f(x: R.Tensor((16,), dtype="float32"), y: R.Tensor((n, 8), dtype="float32")) -> R.Tensor((8, (n + 2) // 3, 3), dtype="float32")
              a: R.Tensor((4, 4), dtype="float32")
              b: R.Tensor((16,), dtype="float32")
              c: R.Tensor((8, (n + 2) // 3, 3), dtype="float32")
              d: ?
        "#]],
    );
}
