//! Tests of formatting over the protocol and on the command line.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use tests::client::Client;

const URI: &str = "file:///untidy.py";

const UNTIDY: &str = r#"from tvm.script import relax as R

a = { 'kept':1 }

@R.function
def f(x:R.Tensor((4,), "float32")):
    y=R.add(x, x)
    return y
"#;

const TIDY: &str = r#"from tvm.script import relax as R

a = { 'kept':1 }

@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.add(x, x)
    return y
"#;

fn opened() -> Client {
    let mut client = Client::plain();
    client.open(URI, 1, UNTIDY);
    client.diagnostics(URI, 1);
    client
}

fn options() -> Value {
    json!({"tabSize": 2, "insertSpaces": false})
}

fn insertion(line: u32, character: u32, text: &str) -> Value {
    let at = json!({"line": line, "character": character});
    json!({"range": {"start": at, "end": at}, "newText": text})
}

#[test]
fn a_document_is_formatted_with_the_edits_that_it_needs() {
    let mut client = opened();
    let edits = client.call(
        "textDocument/formatting",
        json!({"textDocument": {"uri": URI}, "options": options()}),
    );
    let expected = json!([
        insertion(5, 8, " "),
        {"range": {"start": {"line": 6, "character": 5}, "end": {"line": 6, "character": 6}}, "newText": " = "},
    ]);
    assert_eq!(edits, expected);
}

#[test]
fn a_range_is_formatted_alone() {
    let mut client = opened();
    let at = json!({"line": 5, "character": 0});
    let edits = client.call(
        "textDocument/rangeFormatting",
        json!({"textDocument": {"uri": URI}, "range": {"start": at, "end": at}, "options": options()}),
    );
    assert_eq!(edits, json!([insertion(5, 8, " ")]));
}

#[test]
fn the_line_length_is_a_setting() {
    let mut client = opened();
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"relax": {"format": {"lineLength": 35}}}}),
    );
    let edits = client.call(
        "textDocument/formatting",
        json!({"textDocument": {"uri": URI}, "options": options()}),
    );
    assert_eq!(
        edits[0]["newText"],
        "\n    x: R.Tensor((4,), \"float32\")\n"
    );
}

fn fmt(arguments: &[&str], directory: &Path) -> Output {
    Command::new(tests::relax_lsp())
        .arg("fmt")
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("relax-lsp starts")
}

#[test]
fn fmt_formats_files_in_place_and_names_them() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("untidy.py");
    std::fs::write(&path, UNTIDY).unwrap();
    std::fs::write(directory.path().join("plain.py"), "x=1\n").unwrap();
    let checked = fmt(&["--check", "."], directory.path());
    assert_eq!(checked.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), UNTIDY);
    let output = fmt(&["."], directory.path());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"formatted untidy.py\n");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), TIDY);
    let again = fmt(&["--check", "untidy.py"], directory.path());
    assert_eq!(again.status.code(), Some(0));
    assert!(again.stdout.is_empty());
}

#[test]
fn fmt_filters_standard_input() {
    let mut child = Command::new(tests::relax_lsp())
        .args(["fmt", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("relax-lsp starts");
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    stdin.write_all(UNTIDY.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), TIDY);
}
