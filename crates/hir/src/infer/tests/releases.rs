//! Tests of programs that only some releases of TVM accept.

use relax::Severity;
use relax::release::Release;

use crate::db::{Database, Source, SourceFile};
use crate::queries::file_diagnostics;
use crate::queries::releases::file_releases;

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
