//! Tests of `relax-lsp run --against tvm`, if TVM is installed.

use std::path::Path;
use std::process::Command;

use super::tvm;

#[test]
fn a_model_has_the_values_of_tvm_on_a_target() {
    let Some(python) = tvm::python() else {
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(tests::relax_lsp())
        .args([
            "run",
            "examples/mlp.py::Perceptron.forward",
            "--dim",
            "batch=2",
        ])
        .args([
            "--against",
            "tvm",
            "--target",
            r#"{"kind": "llvm"}"#,
            "--python",
        ])
        .arg(python)
        .current_dir(root)
        .output()
        .expect("relax-lsp starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("values agree with TVM"), "{text}");
}
