//! Tests of PrimFuncs that only some releases of TVM accept.

use relax::release::Release;

use super::{in_release, render};
use crate::queries::file_diagnostics;

/// Returns the messages about a program in a project with this release.
fn messages(release: Release, program: &str) -> Vec<String> {
    let (db, file) = in_release(release, program);
    let all = file_diagnostics(&db, file).into_iter();
    all.map(|it| it.message.clone()).collect()
}

#[test]
fn blocks_are_declared_since_0_25() {
    let program = |module: &str, decorator: &str| {
        format!(
            r#"
from tvm.script import ir as I, tirx as T

@{module}
class Module:
    @{decorator}
    def copy(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("B"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi]
"#
        )
    };
    let plain = program("I.ir_module", "T.prim_func(private=True)");
    let message = "TVM 0.25 and later accept `T.sblock` only in functions that are declared with `s_tir=True`";
    assert_eq!(messages(Release::V0_24, &plain), [""; 0]);
    assert_eq!(messages(Release::V0_25, &plain), [message]);
    let accepted = [
        ("I.ir_module", "T.prim_func(s_tir=True)"),
        ("I.ir_module(s_tir=True)", "T.prim_func"),
        ("I.ir_module(check_well_formed=False)", "T.prim_func"),
    ];
    for (module, decorator) in accepted {
        let program = program(module, decorator);
        assert_eq!(messages(Release::V0_27, &program), [""; 0], "{program}");
    }
}

/// TVM 0.27 accepts and rejects the same.
#[test]
fn scalars_of_a_block_need_its_accesses_since_0_26() {
    let program = |lines: &str| {
        format!(
            r#"
from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.sblock("C"):
            vi = T.axis.spatial(4, i)
            {}
"#,
            lines.replace('|', "\n            ")
        )
    };
    let rejected = [
        "j: T.int32 = B[vi]|C[vi] = A[vi, j]",
        "j = B[vi]|C[vi] = A[vi, j]",
        "T.reads(A[vi, 0:8], B[vi])|j: T.int32 = B[vi]|C[vi] = A[vi, j]",
        "T.writes(C[vi])|j: T.int32 = B[vi]|C[vi] = A[vi, j]",
        "for k in range(3):|    j: T.int32 = B[vi]|    C[vi] = A[vi, j]",
    ];
    let accepted = [
        "T.reads(A[vi, 0:8], B[vi])|T.writes(C[vi])|j: T.int32 = B[vi]|C[vi] = A[vi, j]",
        "j: T.let[T.int32] = B[vi]|C[vi] = A[vi, j]",
        "with T.sblock(\"inner\"):|    T.reads(A[vi, 0:8], B[vi])|    T.writes(C[vi])|    j: T.int32 = B[vi]|    C[vi] = A[vi, j]",
    ];
    for lines in rejected {
        assert_eq!(
            messages(Release::V0_25, &program(lines)),
            [""; 0],
            "{lines}"
        );
        let found = messages(Release::V0_26, &program(lines));
        assert_eq!(found.len(), 1, "{lines}: {found:?}");
        assert!(
            found[0].contains("reject `j`, which is memory"),
            "{found:?}"
        );
    }
    for lines in accepted {
        assert_eq!(
            messages(Release::V0_27, &program(lines)),
            [""; 0],
            "{lines}"
        );
    }
}

#[test]
fn the_rfc_printed_a_thread_axis_more_than_once() {
    let program = r#"
from tvm.script import tir as T

@T.prim_func
def func(A: T.Buffer[(64,), "float32"], B: T.Buffer[(64,), "float32"]):
    tx = T.env_thread("threadIdx.x")
    tx = T.env_thread("threadIdx.x")
    T.launch_thread(tx, 64)
    B[tx] = A[tx]
"#;
    let message = "`tx` is already defined in this function";
    assert!(messages(Release::V0_16, program).contains(&message.to_owned()));
    let unknown = render(program, relax::Severity::Error);
    assert!(!unknown.contains(message), "{unknown}");
}
