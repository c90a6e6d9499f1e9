//! Tests of modules that TVM has scheduled for a GPU: every step of the lowering gives the same values.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// The steps after the first one, which has no threads.
const STEPS: &[&str] = &["scheduled", "unified", "flat", "lowered"];

fn file(step: &str) -> PathBuf {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/gpu");
    fixtures.join(format!("{step}.tvm-0.27.py"))
}

fn results(step: &str, function: &str) -> Vec<Value> {
    let output = Command::new(tests::relax_lsp())
        .arg("run")
        .arg(format!("{}::{function}", file(step).display()))
        .args(["--input", "*=random", "--format", "json"])
        .output()
        .expect("relax-lsp starts");
    assert_eq!(output.status.code(), Some(0), "{step}: {output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    answer["outputs"].as_array().unwrap().clone()
}

fn assert_close(got: &Value, wanted: &Value, place: &str) {
    match (got, wanted) {
        (Value::Array(got), Value::Array(wanted)) => {
            assert_eq!(got.len(), wanted.len(), "{place}");
            for (got, wanted) in got.iter().zip(wanted) {
                assert_close(got, wanted, place);
            }
        }
        _ => match (got.as_f64(), wanted.as_f64()) {
            (Some(got), Some(wanted)) => {
                let close = (got - wanted).abs() <= 1e-4 * (1.0 + wanted.abs());
                assert!(close, "{place}: {got} is not {wanted}");
            }
            _ => assert_eq!(got, wanted, "{place}"),
        },
    }
}

#[test]
fn every_step_of_lowering_for_a_gpu_gives_the_same_values() {
    for function in [
        "main",
        "layer_norm",
        "matmul",
        "softmax",
        "argmax",
        "mean",
        "transpose",
    ] {
        let wanted = results("legalized", function);
        assert!(!wanted.is_empty());
        for step in STEPS {
            let got = results(step, function);
            assert_eq!(got.len(), wanted.len());
            for (got, wanted) in got.iter().zip(&wanted) {
                for key in ["shape", "dtype", "first", "min", "max", "mean"] {
                    let place = format!("{key} of {function} in {step}");
                    assert_close(&got[key], &wanted[key], &place);
                }
            }
        }
    }
}
