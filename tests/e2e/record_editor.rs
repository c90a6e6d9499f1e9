//! What an editor shows on the lines of a program that was recorded, and recording from the editor.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tests::client::Client;

use super::recorded::Recorder;

const PROGRAM: &str = include_str!("../../examples/digits/build.py");
const MODEL: &str = include_str!("../../examples/digits/model.py");

fn example(file: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/digits");
    root.canonicalize().unwrap().join(file)
}

fn uri(path: &Path) -> String {
    let path = path.display().to_string().replace('\\', "/");
    format!("file:///{}", path.trim_start_matches('/'))
}

fn place(uri: &str) -> Value {
    let end = json!({"line": 1000, "character": 0});
    json!({"textDocument": {"uri": uri}, "range": {"start": {"line": 0, "character": 0}, "end": end}})
}

/// Returns the line of each hint, from 1, with its label.
fn hints(client: &mut Client, uri: &str) -> Vec<(u64, String)> {
    let answer = client.call("textDocument/inlayHint", place(uri));
    let hints = answer.as_array().cloned().unwrap_or_default();
    let hint = |it: &Value| {
        let line = it["position"]["line"].as_u64().unwrap();
        let label = it["label"][0]["value"].as_str().unwrap();
        (line + 1, label.to_owned())
    };
    hints.iter().map(hint).collect()
}

/// Closes a document, whose setting and recording have it diagnosed in any order.
fn leave(client: &mut Client, uri: &str) {
    client.close(uri);
    client.wait(|it| {
        it["method"] == "textDocument/publishDiagnostics" && it["params"]["version"].is_null()
    });
    client.published_versions(uri);
}

#[test]
fn the_lines_of_a_recorded_program_show_types() {
    let mut client = Client::initialized(json!({}));
    let model = uri(&example("model.py"));
    client.open(&model, 1, MODEL);
    client.diagnostics(&model, 1);
    let shown = hints(&mut client, &model);
    let expected = [
        (19, "f32[1, 16, 8, 8], f32[1, 32, 8, 8] ×2"),
        (30, "f32[1, 32, 8, 8]"),
        (31, "f32[1, 32, 4, 4]"),
        (32, "f32[1, 10]"),
    ];
    assert_eq!(
        shown,
        expected.map(|(line, label)| (line, label.to_owned()))
    );
    let answer = client.call("textDocument/inlayHint", place(&model));
    let target = &answer[0]["label"][0]["location"]["uri"];
    assert!(
        target
            .as_str()
            .unwrap()
            .ends_with("000_from_exported_program.py")
    );
    // Hints follow their lines, and a changed line has none.
    let edited = format!(
        "\n{}",
        MODEL.replace("torch.max_pool2d(x, 2)", "torch.max_pool2d(x, 4)")
    );
    client.change(&model, 2, json!([{"text": edited}]));
    client.diagnostics(&model, 2);
    let lines: Vec<u64> = hints(&mut client, &model).iter().map(|it| it.0).collect();
    assert_eq!(lines, [20, 31, 33]);
}

#[test]
fn a_program_is_recorded_from_its_lens() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    let mut client = Client::initialized(json!({}));
    let python = recorder.python.display().to_string();
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"relax": {"python": python}}}),
    );
    let path = recorder.folder().canonicalize().unwrap().join("network.py");
    let text = std::fs::read_to_string(&path).unwrap();
    let network = uri(&path);
    client.open(&network, 1, &text);
    let lenses = client.call(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": network}}),
    );
    let command = &lenses[0]["command"];
    assert_eq!(
        (&command["title"], &command["command"]),
        (&json!("● Record"), &json!("relax.record"))
    );
    let request = json!({"command": command["command"], "arguments": command["arguments"]});
    let answer = client.call("workspace/executeCommand", request);
    assert_eq!(answer["modules"][0]["kind"], "export", "{answer}");
    let said = client.notification("window/showMessage");
    assert!(
        said["message"]
            .as_str()
            .unwrap()
            .starts_with("network.py: "),
        "{said}"
    );
    let shown = hints(&mut client, &network);
    assert!(
        shown.contains(&(16, "f32[1, n, 16] ×2".to_owned())),
        "{shown:?}"
    );
    client.diagnostics(&network, 1);
    leave(&mut client, &network);
}

#[test]
fn what_ended_a_program_is_a_diagnostic_on_its_line() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    let mut client = Client::initialized(json!({}));
    let python = recorder.python.display().to_string();
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"relax": {"python": python}}}),
    );
    let path = recorder.folder().canonicalize().unwrap().join("network.py");
    let text = std::fs::read_to_string(&path).unwrap();
    let network = uri(&path);
    client.open(&network, 1, &text);
    let argument = json!({"uri": network, "arguments": ["pass"]});
    let request = json!({"command": "relax.record", "arguments": [argument]});
    let answer = client.call("workspace/executeCommand", request);
    assert!(answer["failures"][0].is_string(), "{answer}");
    client.notification("window/showMessage");
    let published = client.wait(|it| {
        it["method"] == "textDocument/publishDiagnostics"
            && it["params"]["diagnostics"]
                .as_array()
                .is_some_and(|it| !it.is_empty())
    });
    let diagnostic = &published["params"]["diagnostics"][0];
    assert_eq!(diagnostic["range"]["start"]["line"], 32);
    let message = diagnostic["message"].as_str().unwrap();
    assert_eq!(
        message,
        "the pass `Breaks` raised ValueError: expected a tensor"
    );
    leave(&mut client, &network);
}

#[test]
fn a_program_that_builds_nothing_has_no_lens() {
    let mut client = Client::initialized(json!({}));
    for (name, text, count) in [("build.py", PROGRAM, 1), ("model.py", MODEL, 0)] {
        let file = uri(&example(name));
        client.open(&file, 1, text);
        client.diagnostics(&file, 1);
        let lenses = client.call(
            "textDocument/codeLens",
            json!({"textDocument": {"uri": file}}),
        );
        assert_eq!(lenses.as_array().map_or(0, Vec::len), count, "{name}");
    }
}
