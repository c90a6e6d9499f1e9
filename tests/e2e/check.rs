//! Tests of `relax-lsp check`: exit codes and formats.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::programs::DOUBLE;

fn check(arguments: &[&str], directory: &Path) -> Output {
    Command::new(tests::relax_lsp())
        .arg("check")
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("relax-lsp starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("output is UTF-8")
}

#[test]
fn a_clean_file_exits_0() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("double.py"), DOUBLE).unwrap();
    let output = check(&["double.py"], directory.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(text(&output.stdout), "No problems in 1 file.\n");
}

#[test]
fn directories_are_searched_for_tvmscript_only() {
    let directory = tempfile::tempdir().unwrap();
    let below = directory.path().join("models/.hidden");
    std::fs::create_dir_all(&below).unwrap();
    std::fs::write(below.join("hidden.py"), DOUBLE).unwrap();
    std::fs::write(directory.path().join("models/double.py"), DOUBLE).unwrap();
    std::fs::write(directory.path().join("plain.py"), "print(1)\n").unwrap();
    std::fs::write(directory.path().join("notes.txt"), DOUBLE).unwrap();
    let output = check(&[".", "--format", "json"], directory.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let files: Value = serde_json::from_slice(&output.stdout).unwrap();
    let paths: Vec<&Value> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|file| &file["path"])
        .collect();
    assert_eq!(paths, ["models/double.py"]);
}

#[test]
fn a_path_that_is_not_there_exits_2_and_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let output = check(&["nowhere.py"], directory.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`nowhere.py`"), "{output:?}");
}

#[test]
fn invalid_utf8_exits_2_with_its_position() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("latin1.py"), b"# a\n# caf\xe9\n").unwrap();
    std::fs::write(directory.path().join("double.py"), DOUBLE).unwrap();
    let output = check(&["latin1.py", "double.py"], directory.path());
    assert_eq!(output.status.code(), Some(2));
    let complaint = text(&output.stderr);
    assert!(
        complaint.contains("not UTF-8 text: byte 9, in line 2"),
        "{complaint}"
    );
    assert_eq!(
        text(&output.stdout),
        "No problems in 1 file.\n",
        "the other file is checked all the same"
    );
}

#[test]
fn an_overlong_line_is_named_but_not_shown() {
    let directory = tempfile::tempdir().unwrap();
    let many = "nothing, ".repeat(5000);
    let wrong = DOUBLE.replace("R.add(x, x)", &format!("R.concat([{many}])"));
    std::fs::write(directory.path().join("long.py"), wrong).unwrap();
    let output = check(&["long.py"], directory.path());
    let said = text(&output.stdout);
    assert!(said.contains("--> long.py:10:27"), "{}", said.len());
    assert!(said.len() < 200 * 5000, "{}", said.len());
}

#[test]
fn wrong_arguments_exit_2() {
    let directory = tempfile::tempdir().unwrap();
    let unknown = check(&["--no-such-option"], directory.path());
    assert_eq!(unknown.status.code(), Some(2));
    assert_eq!(
        check(&[".", "--format", "xml"], directory.path())
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn sarif_names_the_tool() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("double.py"), DOUBLE).unwrap();
    let output = check(&["double.py", "--format", "sarif"], directory.path());
    let sarif: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["tool"]["driver"]["name"], "relax-lsp");
    assert_eq!(sarif["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn explain_prints_the_page_of_a_code_and_lists_all() {
    let explain = |arguments: &[&str]| {
        Command::new(tests::relax_lsp())
            .arg("explain")
            .args(arguments)
            .output()
            .expect("relax-lsp starts")
    };
    let page = explain(&["shape-mismatch"]);
    assert!(text(&page.stdout).starts_with("# shape-mismatch\n\n*error*\n"));
    let all = explain(&[]);
    let all = text(&all.stdout);
    let row = all.lines().find(|it| it.contains("shape-mismatch"));
    assert!(
        row.is_some_and(|it| it.trim_start().starts_with("error ") && it.ends_with('.')),
        "{all}"
    );
    let unknown = explain(&["no-such-code"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("`no-such-code`"));
}
