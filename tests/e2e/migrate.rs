//! Tests of `relax-lsp migrate`, and of the migration in an editor.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::workspace::{started, uri};
use tests::client::Client;

const OLD: &str = r#"from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("f"):
            B = T.allocate_const([1.0], "float32", [1])
            A[i] = 0.0
"#;

const NEW: &str = r#"from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.sblock("f"):
            B = T.allocate_const([1.0], "float32", [1])
            A[i] = 0.0
"#;

fn migrate(arguments: &[&str], directory: &Path) -> Output {
    Command::new(tests::relax_lsp())
        .arg("migrate")
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("relax-lsp starts")
}

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("old.py"), OLD).unwrap();
    std::fs::write(directory.path().join("plain.py"), "x = 1\n").unwrap();
    directory
}

#[test]
fn migrate_prints_a_patch_and_changes_nothing() {
    let directory = directory();
    let output = migrate(&["--to", "0.27", "--diff", "."], directory.path());
    // What is left has no equivalent.
    assert_eq!(output.status.code(), Some(1));
    let patch = String::from_utf8(output.stdout).unwrap();
    assert!(patch.starts_with("--- a/old.py\n+++ b/old.py\n"), "{patch}");
    assert!(
        patch.contains("\n-        with T.block(\"f\"):\n+        with T.sblock(\"f\"):\n"),
        "{patch}"
    );
    let text = std::fs::read_to_string(directory.path().join("old.py")).unwrap();
    assert_eq!(text, OLD);
}

#[test]
fn migrate_prints_the_result_of_a_single_file() {
    let directory = directory();
    let output = migrate(&["--to", "0.27", "old.py"], directory.path());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), NEW);
    let plain = migrate(&["--to", "0.27", "plain.py"], directory.path());
    assert_eq!(plain.stdout, b"x = 1\n");
    let text = std::fs::read_to_string(directory.path().join("old.py")).unwrap();
    assert_eq!(text, OLD);
}

#[test]
fn migrate_of_several_files_requires_an_output_option() {
    let directory = directory();
    for paths in [&["."][..], &["old.py", "plain.py"]] {
        let output = migrate(&[&["--to", "0.27"], paths].concat(), directory.path());
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("--diff, --check or --write"), "{message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn migrate_writes_files_and_lists_names_without_equivalent() {
    let directory = directory();
    let checked = migrate(&["--to", "0.27", "--check", "."], directory.path());
    assert_eq!(checked.status.code(), Some(1));
    assert_eq!(checked.stdout, b"would migrate old.py\n");
    let output = migrate(&["--to", "0.27", "--write", "."], directory.path());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"migrated old.py\n");
    let left = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        left,
        "old.py:7:17: TVM 0.27 does not have `T.allocate_const` (#18761)\n"
    );
    let text = std::fs::read_to_string(directory.path().join("old.py")).unwrap();
    assert_eq!(text, NEW);
    let again = migrate(&["--to", "0.27", "--check", "."], directory.path());
    assert_eq!(again.status.code(), Some(0));
}

#[test]
fn migrate_names_the_releases_that_it_knows() {
    let directory = directory();
    let output = migrate(&["--to", "1.0", "."], directory.path());
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("0.26, 0.27"), "{message}");
}

/// Returns a client that previews edits before it applies them.
fn editor(folder: &Path) -> Client {
    started(
        folder,
        json!({
            "workspace": {
                "workspaceEdit": {"documentChanges": true, "changeAnnotationSupport": {}},
            },
            "textDocument": {
                "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
            },
        }),
    )
}

/// Applies the edits of a document, which replace whole lines.
fn edited(before: &str, edits: &Value) -> String {
    let mut lines: Vec<String> = before.split_inclusive('\n').map(str::to_owned).collect();
    for edit in edits.as_array().expect("edits").iter().rev() {
        let line = |end: &str| edit["range"][end]["line"].as_u64().expect("a line") as usize;
        assert_eq!(edit["range"]["end"]["character"], 0);
        let text = edit["newText"].as_str().expect("a text").to_owned();
        lines.splice(line("start")..line("end"), [text]);
    }
    lines.concat()
}

#[test]
fn an_editor_migrates_its_open_file() {
    let folder = directory();
    let file = uri(&folder.path().join("unsaved.py"));
    let mut client = editor(folder.path());
    client.open(&file, 1, OLD);
    client.diagnostics(&file, 1);
    let at = json!({"line": 0, "character": 0});
    let asked = |client: &mut Client, only: Value| {
        let context = json!({"diagnostics": [], "only": only});
        let params = json!({
            "textDocument": {"uri": file}, "range": {"start": at, "end": at}, "context": context,
        });
        client.call("textDocument/codeAction", params)
    };
    let actions = asked(&mut client, json!(["source.migrate"]));
    assert_eq!(actions[0]["title"], "Migrate this file to TVM 0.27");
    let edit = &actions[0]["edit"];
    assert_eq!(
        edit["changeAnnotations"]["migrate"]["needsConfirmation"],
        false
    );
    let document = &edit["documentChanges"][0];
    assert_eq!(document["textDocument"]["version"], 1);
    assert_eq!(document["edits"][0]["annotationId"], "migrate");
    assert_eq!(edited(OLD, &document["edits"]), NEW);
    // The action applies to the whole file, wherever the cursor is.
    assert_eq!(asked(&mut client, json!(["quickfix"])), json!([]));
}

#[test]
fn the_command_migrates_the_workspace() {
    let folder = directory();
    std::fs::write(folder.path().join("new.py"), NEW).unwrap();
    let old = uri(&folder.path().join("old.py"));
    let mut client = editor(folder.path());
    let mut migrate = |argument: Value| {
        let params = json!({"command": "relax.migrate", "arguments": [argument]});
        client.call("workspace/executeCommand", params)
    };
    let answer = migrate(json!({"to": "0.27"}));
    let documents = answer["edit"]["documentChanges"].as_array().unwrap();
    let [document] = documents.as_slice() else {
        panic!("{documents:?}");
    };
    assert_eq!(document["textDocument"]["uri"], old);
    assert_eq!(edited(OLD, &document["edits"]), NEW);
    let left = &answer["left"][0];
    assert_eq!(
        (&left["uri"], &left["range"]["start"]["line"]),
        (&json!(old), &json!(6))
    );
    let one = migrate(json!({"to": "0.27", "uri": "file:///elsewhere.py"}));
    assert_eq!(one["edit"]["documentChanges"], json!([]));
}
