//! Tests of programs that only some releases of TVM accept.

use relax::Severity;
use relax::release::Release;

use super::in_release;
use crate::db::{Database, Source, SourceFile};
use crate::queries::file_diagnostics;
use crate::queries::releases::file_releases;

/// Returns the severities and codes of a program's diagnostics in a project with this release.
fn reports(release: Release, program: &str) -> Vec<String> {
    let (db, file) = in_release(release, program);
    let all = file_diagnostics(&db, file).into_iter();
    all.map(|it| format!("{} {}", it.severity.name(), it.code.name()))
        .collect()
}

#[test]
fn wrong_annotations_are_errors_since_0_18() {
    let program = r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4, 4), "float32")) -> R.Tensor((4, 4), "float32"):
    y: R.Tensor((4, 4), "float32") = R.astype(x, "int32")
    return y
"#;
    let before = reports(Release::V0_17, program);
    assert_eq!(before, ["warning annotation-mismatch"]);
    let since = reports(Release::V0_18, program);
    assert_eq!(since, ["error annotation-mismatch"]);
}

#[test]
fn wrong_prim_func_arguments_are_errors_since_0_18() {
    let program = r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def copy(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        for i in range(4):
            B[i] = A[i]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        return R.call_tir(cls.copy, (x,), out_sinfo=R.Tensor((4,), "int32"))
"#;
    assert_eq!(reports(Release::V0_17, program), ["warning argument-type"]);
    assert_eq!(reports(Release::V0_18, program), ["error argument-type"]);
}

/// Returns a module that calls its PrimFunc by this name. Nothing else in it depends on the release.
fn calling(name: &str) -> String {
    format!(
        r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def copy(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.call_tir({name}, (x,), R.Tensor((4,), "float32"))
        z = R.call_tir({name}, (y,), R.Tensor((4,), "float32"))
        return z
"#
    )
}

#[test]
fn the_unity_branch_names_functions_without_cls() {
    for name in ["copy", "\"my.copy\""] {
        assert_eq!(reports(Release::Unity, &calling(name)), [""; 0], "{name}");
        assert_ne!(reports(Release::V0_16, &calling(name)), [""; 0], "{name}");
    }
}

#[test]
fn mistakes_of_newer_releases_are_warnings_without_a_target() {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(calling("copy")));
    let reports = file_diagnostics(&db, file);
    assert!(!reports.is_empty());
    for report in reports {
        assert_eq!(report.severity, Severity::Warning);
        assert!(report.message.contains("write `Module.copy`"));
    }
}

#[test]
fn bare_function_names_imply_the_unity_branch() {
    let release = |program: &str| {
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(program));
        file_releases(&db, file)
    };
    assert_eq!(release(&calling("copy")).until, Release::Unity);
    assert_eq!(release(&calling("Module.copy")).since, Release::V0_16);
    let one_mistake = format!("{}{}", calling("copy"), calling("Module.copy"));
    assert_eq!(release(&one_mistake).until, Release::V0_23);
    let one_call = calling("copy").replace(
        "z = R.call_tir(copy, (y,), R.Tensor((4,), \"float32\"))",
        "z = y",
    );
    assert_eq!(release(&one_call).until, Release::V0_23);
    let value_of_python = calling("copy").replace("\n@I", "\ncopy = make()\n@I");
    assert_eq!(release(&value_of_python).until, Release::V0_23);
}

#[test]
fn names_of_the_branch_outside_of_functions_imply_it() {
    let program = r#"
import tvm
from tvm import relax
from tvm.script import relax as R

@tvm.script.ir_module
class Module:
    @R.function
    def g(x: R.Tensor((4,), "float32")):
        y = R.print(x)
        return x

    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return g(x)

vm = relax.VirtualMachine(relax.vm.build(Module, "llvm"), tvm.cpu())
"#;
    let db = Database::default();
    let check = |program: &str| {
        let file = SourceFile::new(&db, Source::new(program));
        let all = file_diagnostics(&db, file).into_iter();
        let errors = all.filter(|it| it.severity == Severity::Error).count();
        (file_releases(&db, file).until, errors)
    };
    assert_eq!(check(program), (Release::Unity, 0));
    let newer = program.replace("relax.vm.build", "relax.build");
    assert_eq!(check(&newer), (Release::NEWEST, 2));
    let other = program.replace("relax.vm.build", "self.relax.vm.build");
    assert_eq!(check(&other), (Release::NEWEST, 2));
}

#[test]
fn a_bare_annotation_over_undeclared_dimensions_implies_the_rfc() {
    let release = |annotation: &str| {
        let program = format!(
            "from tvm.script import relax as R\n\n@R.function\ndef f(x: {annotation}):\n    return x\n"
        );
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(program));
        file_releases(&db, file).until
    };
    assert_eq!(release("Tensor((m, n), \"int64\")"), Release::Rfc);
    assert_eq!(release("Tensor((4, 4), \"int64\")"), Release::NEWEST);
    assert_eq!(release("R.Tensor((m, n), \"int64\")"), Release::NEWEST);
}

#[test]
fn a_size_of_the_signature_given_in_the_body_implies_a_release_that_reads_it() {
    let releases = |size: &str, import: &str| {
        let program = format!(
            "from tvm.script import relax as R, {import} as T\n\n@R.function\ndef f(x: R.Tensor((\"n\", 4), \"float32\")):\n    {size}\n    return x\n"
        );
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(program));
        let releases = file_releases(&db, file);
        (releases.since, releases.until)
    };
    let tirx = (Release::V0_24, Release::V0_25);
    assert_eq!(releases("n = T.int64(4)", "tirx"), tirx);
    let tir = (Release::V0_17, Release::V0_23);
    assert_eq!(releases("n = T.int64(4)", "tir"), tir);
    let newest = (Release::V0_24, Release::NEWEST);
    assert_eq!(releases("n = T.int64()", "tirx"), newest);
    assert_eq!(releases("m = T.int64(4)", "tirx"), newest);
}

#[test]
fn a_size_given_in_the_body_no_longer_holds_in_the_signature_since_0_26() {
    let program = r#"
from tvm.script import relax as R, tirx as T

@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    n = T.int64(4)
    return x
"#;
    assert_eq!(reports(Release::V0_25, program), [""; 0]);
    assert_eq!(
        reports(Release::V0_26, program),
        ["warning other-dialect", "hint unused-binding"]
    );
}

#[test]
fn the_unity_branch_read_leniently() {
    let program = r#"
from tvm.script import relax as R, tir as T

@tvm.script.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((2, 3), "float32", ndim=2), y: R.Tensor(("m", "n"), "float32")):
        m, n = T.var("int64"), T.var("int64")

        @T.prim_func
        def inner(a: T.handle):
            A = T.match_buffer(a, (2, 3))

        @R.function
        def local(z: R.Tensor((m, n), "float32")) -> R.Tensor((m, n), "float32"):
            return R.add(y, z)

        e: R.Tuple() = R.Tuple()
        o = R.call_packed("g", x)
        u = lifted(o)
        c = R.make_closure(lifted, (x,))
        v = R.invoke_closure(c, (y,), type_args=(R.Tensor))
        s = R.memory.alloc_storage((1024,), -1, "global", "float32")
        w = R.memory.alloc_tensor(s, (1, 256), 0, "float32")
        return w

    @R.function
    def lifted(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        return x
"#;
    let errors = |release| {
        let all = reports(release, program);
        all.iter().filter(|it| it.starts_with("error")).count()
    };
    assert_eq!(errors(Release::Unity), 0);
    assert!(errors(Release::V0_16) > 5);
}

#[test]
fn effects_in_a_pure_function_are_refused_since_0_16() {
    let program = r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.call_packed("g", x, sinfo_args=R.Tensor((4,), "float32"))
    return y
"#;
    let unity = reports(Release::Unity, program);
    assert_eq!(unity, ["warning impure-call-in-pure-function"]);
    let since = reports(Release::V0_16, program);
    assert_eq!(since, ["error impure-call-in-pure-function"]);
}

#[test]
fn an_empty_tuple_stands_for_an_argument_of_a_view() {
    let program = r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")) -> R.Tensor((1, 4), "float32"):
    return R.memory.view(x, R.shape([1, 4]), R.tuple(), R.tuple())
"#;
    assert_eq!(reports(Release::V0_25, program), [""; 0]);
}

#[test]
fn a_shape_variable_may_be_declared_a_size_in_0_16() {
    let program = r#"
from tvm.script import tir as T

@T.prim_func
def f(a: T.handle):
    n = T.int32(is_size_var=True)
    A = T.match_buffer(a, (n,), "float32")
    A[0] = T.float32(0)
"#;
    assert_eq!(reports(Release::V0_16, program), [""; 0]);
}

#[test]
fn types_of_ptx_instructions_are_not_dtypes() {
    let program = r#"
from tvm.script import tirx as T

@T.prim_func
def f(A: T.Buffer((1,), "uint16"), B: T.Buffer((1,), "uint32")):
    B[0] = T.ptx.cvt(A[0], dtype="bf16x2", atype="ue8m0x2", rounding="rn")
"#;
    assert_eq!(reports(Release::V0_26, program), [""; 0]);
}

#[test]
fn ambiguous_argument_order_is_a_warning() {
    let call = |rest: &str| {
        format!(
            "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    y = R.nn.pad(x, (1, 1), {rest})\n    return y\n"
        )
    };
    let inferred = |rest: &str| {
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(call(rest)));
        let all = file_diagnostics(&db, file).into_iter();
        all.map(|it| it.message).collect::<Vec<_>>()
    };
    let both =
        "this is `pad_value` of `R.nn.pad` until TVM 0.19 and `pad_mode` since TVM 0.20: name it";
    assert_eq!(inferred("0.0, \"constant\""), [both]);
    assert_eq!(inferred("\"constant\", 0.0"), [""; 0]);
    assert_eq!(inferred("pad_value=0.0"), [""; 0]);
    let old = call("0.0, \"constant\"");
    assert_eq!(reports(Release::V0_19, &old), [""; 0]);
    assert_eq!(reports(Release::V0_20, &old).len(), 1);
}

#[test]
fn tensor_fields_depend_on_the_releases() {
    let program = r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor):
    return x.dtype.bits
"#;
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(program));
    assert!(file_diagnostics(&db, file).is_empty());
    assert_eq!(
        reports(Release::V0_26, program),
        ["error unknown-attribute"]
    );
}

/// Returns the reports about a function of scalars and tensors with these statements, in 0.25 and in 0.27.
fn of_scalars(body: &str) -> [Vec<String>; 2] {
    let program = format!(
        "from tvm.script import relax as R, tirx as T\n\n@R.function\ndef main(x: R.Tensor((\"n\", \"m\"), \"float32\"), k: R.Prim(\"int64\"), c: R.Prim(\"bool\")):\n    n = T.int64()\n    m = T.int64()\n    {body}\n    return y\n"
    );
    [Release::V0_25, Release::V0_27].map(|release| {
        let mut reports = reports(release, &program);
        reports.retain(|it| it.starts_with("error"));
        reports
    })
}

#[test]
fn scalars_are_numbers_since_0_26() {
    for body in [
        "y = R.zeros((k, 4), \"float32\")",
        "y = R.zeros(R.shape([k, 4]), \"float32\")",
        "y = R.reshape(x, (k, 4))",
        "y = R.call_dps_packed(\"f\", (x,), R.Tensor((k,), \"float32\"))",
        "y = R.match_cast(4, R.Prim(\"int32\"))",
        "y = R.match_cast(n, R.Prim(\"int64\"))",
    ] {
        let [before, since] = of_scalars(body);
        assert_eq!(before, ["error argument-type"], "{body}");
        assert_eq!(since, [""; 0], "{body}");
    }
    for body in ["y = k & 3", "y = k << 1", "y = ~k", "y = k if c else k"] {
        let [before, since] = of_scalars(body);
        assert_eq!(before, ["error unsupported-statement"], "{body}");
        assert_eq!(since, [""; 0], "{body}");
    }
}

#[test]
fn strings_are_scalars_until_0_25() {
    let reported = of_scalars("y = R.prim_value(\"word\")");
    assert_eq!(reported, [vec![], vec!["error argument-type".to_owned()]]);
}

#[test]
fn a_scalar_of_an_unknown_number_is_no_tensor() {
    let body = "h = T.float32()\n    y = R.full((4, 4), R.prim_value(2 * h), \"float32\")";
    assert_eq!(of_scalars(body), [["error argument-type"]; 2]);
}

#[test]
fn the_annotation_of_a_renamed_variable_needs_no_bound_shape_variables() {
    let annotated = |value: &str| {
        let body = format!("j = T.int64()\n    y: R.Tensor((j, m), \"float32\") = {value}");
        of_scalars(&body)
    };
    assert_eq!(annotated("x"), [[""; 0]; 2]);
    assert_eq!(annotated("R.exp(x)"), [["error unbound-shape-variable"]; 2]);
}

#[test]
fn the_shape_of_a_tensor_can_only_be_indexed() {
    for body in ["y = x.shape", "y, z = x.shape", "y = x.strides"] {
        let [before, since] = of_scalars(body);
        assert_eq!(
            [&before, &since],
            [&["error unknown-attribute"]; 2],
            "{body}"
        );
    }
    let [before, _] = of_scalars("y = x.shape[0]");
    assert_eq!(before, [""; 0]);
}

/// Returns the errors about a function of a tensor, a storage and a scalar with this statement.
fn errors_about(release: Release, statement: &str) -> Vec<String> {
    let program = format!(
        r#"
from tvm.script import relax as R, tirx as T

@R.function(pure=False)
def f(x: R.Tensor(("n",), "float32"), s: R.Object, p: R.Prim("int64")):
    n = T.int64()
    {statement}
    return x
"#
    );
    let mut reports = reports(release, &program);
    reports.retain(|it| it.starts_with("error"));
    reports
}

#[test]
fn numbers_of_allocations_are_constants_until_0_25() {
    let of = |release: Release, number: &str| {
        let call = format!("y = R.memory.alloc_tensor(s, {number}, R.shape([4]), \"float32\")");
        errors_about(release, &call)
    };
    for number in ["p", "n", "n + 1", "s", "1.5"] {
        let before = of(Release::V0_25, number);
        assert_eq!(before, ["error argument-type"], "{number}");
        assert_eq!(of(Release::V0_26, number), [""; 0], "{number}");
    }
    for number in ["0", "R.prim_value(0)", "R.prim_value(n)"] {
        assert_eq!(of(Release::V0_25, number), [""; 0], "{number}");
    }
}

#[test]
fn statements_that_only_newer_parsers_accept_are_refused_until_0_25() {
    for (statement, code) in [
        ("m = n", "unsupported-statement"),
        ("y = R.make_closure(\"packed\", (x,))", "argument-type"),
        ("y = R.unique(x, axis=n)", "argument-type"),
        ("y = R.arange(p)", "argument-type"),
        (
            "y = R.memory.alloc_tensor(s, 0, R.shape([4]), \"float32\", 3)",
            "argument-type",
        ),
    ] {
        let before = errors_about(Release::V0_25, statement);
        assert_eq!(before, [format!("error {code}")], "{statement}");
        let since = errors_about(Release::V0_26, statement);
        assert_eq!(since, [""; 0], "{statement}");
    }
    for statement in ["m = n + 1", "y = R.memory.view(x, relative_byte_offset=p)"] {
        let before = errors_about(Release::V0_25, statement);
        assert_eq!(before, [""; 0], "{statement}");
    }
}

#[test]
fn function_types_of_local_functions_use_outer_shape_variables() {
    let of = |annotation: &str| {
        let program = format!(
            r#"
from tvm.script import relax as R, tirx as T

@R.function
def f(x: R.Tensor((4,), "float32"), s: R.Shape(["m"])):
    m = T.int64()

    @R.function
    def g(y: {annotation}) -> R.Tensor((4,), "float32"):
        return x

    return x
"#
        );
        let all = reports(Release::V0_25, &program).into_iter();
        all.filter(|it| it.starts_with("error")).collect::<Vec<_>>()
    };
    let callable = "R.Callable((R.Tensor((6, \"m * 2\")),), R.Tensor((2,)), True)";
    assert_eq!(of(callable), [""; 0]);
    let result = "R.Callable((R.Tensor((6, 2)),), R.Tensor((\"m * 2\",)), True)";
    assert_eq!(of(result), ["error unbound-shape-variable"]);
    assert_eq!(
        of("R.Tensor((\"m * 2\",))"),
        ["error unbound-shape-variable"]
    );
}

#[test]
fn a_dataflow_block_returns_since_0_18() {
    let program = r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        return y
"#;
    assert_eq!(reports(Release::V0_17, program), ["error misplaced-return"]);
    assert_eq!(reports(Release::V0_18, program), [""; 0]);
}

/// TVM 0.27 accepts and rejects the same.
#[test]
fn types_name_no_variable_of_a_dataflow_block() {
    let within = |lines: &str| {
        format!(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((2, 4), "float32"), s: R.Tensor((2,), "int64"), q: R.Shape(ndim=2)):
    with R.dataflow():
        a: R.Shape(ndim=2) = R.tensor_to_shape(s)
        {}
        R.output(y)
    return y
"#,
            lines.replace('|', "\n        ")
        )
    };
    let error = vec!["error dataflow-var-in-type".to_owned()];
    let inner = within("b = R.reshape(x, a)|y = R.sum(b)");
    assert_eq!(reports(Release::V0_25, &inner), [""; 0]);
    assert_eq!(reports(Release::V0_26, &inner), error);
    let output = within("y = R.reshape(x, a)");
    assert_eq!(reports(Release::V0_25, &output), error);
    assert_eq!(reports(Release::V0_26, &output), error);
    let of_parameter = within("y = R.reshape(x, q)");
    let unused = ["hint unused-binding"];
    assert_eq!(reports(Release::V0_27, &of_parameter), unused);
    let annotated = within("y: R.Tensor(ndim=2, dtype=\"float32\") = R.reshape(x, a)");
    assert_eq!(reports(Release::V0_27, &annotated), [""; 0]);
    let known = within("b = R.shape_of(x)|y = R.reshape(x, b)");
    assert_eq!(reports(Release::V0_27, &known), unused);
}
