//! Tests of `relax-lsp verify` with the TVM and the ONNX Runtime that are installed.

use serde_json::json;

use super::recorded::{Recorder, stderr, stdout};

#[test]
fn a_right_import_is_equal_node_by_node() {
    let Some(recorder) = Recorder::with("onnxruntime") else {
        return;
    };
    for argument in ["constants", "parameters"] {
        let output = recorder.record("imported.py", &[argument]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let python = recorder.python.to_str().unwrap();
        let found = recorder.json(&["verify", "rec", "--python", python]);
        assert_eq!(found["verdict"], "equal", "{argument}: {found}");
        // Both outputs of `Split` and `TopK` are compared, and the shape, which the importer folded.
        assert_eq!(
            [&found["nodes"], &found["compared"]],
            [&json!(10), &json!(10)]
        );
        assert_eq!(found["folded"], 1, "{found}");
    }
}

#[test]
fn the_node_that_an_importer_converts_wrongly_is_named() {
    let Some(recorder) = Recorder::with("onnxruntime") else {
        return;
    };
    let python = recorder.python.to_str().unwrap();
    let verify = ["verify", "imported.py", "--python", python];
    let output = recorder.run(&[&verify[..], &["--", "wrong-axes"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.starts_with("differs: 10 of 10 nodes compared with ONNX Runtime"),
        "{text}"
    );
    assert!(
        text.contains("the first node that differs is `turn` (Transpose)"),
        "{text}"
    );
    assert!(text.contains("imported.py:63"), "{text}");
    let found = recorder.run(&[&verify[..], &["--format", "json", "--", "wrong-axes"]].concat());
    let found: serde_json::Value = serde_json::from_slice(&found.stdout).expect("JSON");
    let difference = &found["first_difference"];
    assert_eq!(difference["source"]["line"], 63, "{difference}");
    assert!(
        difference["expected"] != difference["actual"],
        "{difference}"
    );
}

#[test]
fn the_node_that_an_importer_refuses_is_named_with_its_inputs() {
    let Some(recorder) = Recorder::with("onnxruntime") else {
        return;
    };
    let output = recorder.record("imported.py", &["unsupported"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    let named = "the import of the node `corner` (Det) raised OpNotImplemented at imported.py:63";
    assert!(said.contains(named), "{said}");
    assert!(
        said.contains("its input `x`: R.Tensor((1, 3, 8, 8)"),
        "{said}"
    );
}

#[test]
fn a_recording_without_an_import_has_nothing_to_compare_with() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    recorder.record("network.py", &[]);
    let output = recorder.run(&["verify", "rec"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("no import of an ONNX model"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_smallest_model_that_an_importer_gets_wrong_is_written() {
    let Some(recorder) = Recorder::with("onnxruntime") else {
        return;
    };
    let python = recorder.python.to_str().unwrap();
    for (argument, node) in [("unsupported", "corner"), ("transposed", "grow")] {
        let verify = [
            "verify",
            "imported.py",
            "--python",
            python,
            "--reduce",
            argument,
        ];
        let output = recorder.run(&[&verify[..], &["--", argument]].concat());
        assert_eq!(output.status.code(), Some(1));
        let named = format!("`{argument}/import.py` shows it with that node alone");
        assert!(stderr(&output).contains(&named), "{}", stderr(&output));
        let small = format!("{argument}/import.py");
        let again = recorder.run(&["verify", &small, "--python", python]);
        assert_eq!(again.status.code(), Some(1));
        let said = stdout(&again) + &stderr(&again);
        assert!(said.contains(&format!("`{node}`")), "{said}");
    }
}

/// PyTorch is too large for each run of the tests.
#[test]
fn an_exported_program_is_compared_with_pytorch() {
    let Some(python) = std::env::var_os("RELAX_TORCH_PYTHON") else {
        testing::skip("no PyTorch; name a Python that has it and TVM in RELAX_TORCH_PYTHON");
        return;
    };
    let recorder = Recorder::of(python.into());
    let output = recorder.record("exported.py", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let python = recorder.python.to_str().unwrap();
    let found = recorder.json(&["verify", "rec", "--python", python, "--stages"]);
    assert_eq!(found["verdict"], "equal", "{found}");
    assert_eq!(found["reference"], "torch");
    assert_eq!(found["nodes"], found["compared"]);
    let origins = recorder.run(&["origin", "rec", "layers.1.norm"]);
    assert!(
        stdout(&origins).contains("exported.py:17"),
        "{}",
        stdout(&origins)
    );
}
