//! Tests of `relax-lsp run --against tvm`, if TVM is installed.

use std::path::Path;
use std::process::{Command, Output};

use super::tvm;

/// Returns the output of a run of a target beside its run in TVM, if there is one.
fn against(target: &str, more: &[&str]) -> Option<Output> {
    let python = tvm::python()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(tests::relax_lsp())
        .args(["run", target, "--against", "tvm", "--python"])
        .arg(python)
        .args(more)
        .current_dir(root)
        .output();
    Some(output.expect("relax-lsp starts"))
}

#[test]
fn a_model_has_the_values_of_tvm_on_a_target() {
    let more = ["--dim", "batch=2", "--target", r#"{"kind": "llvm"}"#];
    let Some(output) = against("examples/mlp.py::Perceptron.forward", &more) else {
        return;
    };
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("values agree with TVM"), "{text}");
}

const SCALE: &str = r#"from tvm.script import ir as I, tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def scale(x: T.Buffer((8,), "float32"), by: T.float32, y: T.Buffer((8,), "float32"), count: T.Buffer((1,), "int64")):
        for i in range(8):
            with T.sblock("scale"):
                vi = T.axis.spatial(8, i)
                y[vi] = x[vi] * by
        count[0] = count[0] + T.int64(3)
"#;

#[test]
fn a_prim_func_writes_what_it_writes_in_tvm() {
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("m.py");
    std::fs::write(&file, SCALE).expect("a file");
    let target = format!("{}::scale", file.display());
    let Some(output) = against(&target, &[]) else {
        return;
    };
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("2 values agree with TVM"), "{text}");
}
