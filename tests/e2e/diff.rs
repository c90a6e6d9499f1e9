//! Tests of `relax-lsp diff`: exit codes and formats.

use std::path::Path;
use std::process::{Command, Output};

use expect_test::expect;
use serde_json::Value;

const BEFORE: &str = r#"
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            y = R.nn.relu(x)
            z = R.add(y, x)
            R.output(z)
        return z
"#;

fn diff(arguments: &[&str], directory: &Path) -> Output {
    Command::new(tests::relax_lsp())
        .arg("diff")
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("relax-lsp starts")
}

fn folder(after: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("before.py"), BEFORE).unwrap();
    std::fs::write(directory.path().join("after.py"), after).unwrap();
    directory
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("output is UTF-8")
}

#[test]
fn equal_modules_exit_0() {
    let directory = folder(&BEFORE.replace('y', "other"));
    let output = diff(&["before.py", "after.py"], directory.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(text(&output), "1 unchanged\n");
}

#[test]
fn differences_are_shown_with_both_lines() {
    let directory = folder(&BEFORE.replace("relu", "gelu").replace("main", "start"));
    let output = diff(&["before.py", "after.py"], directory.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    expect![[r#"
        main: removed  before.py:5

        start: added  after.py:5

        1 added, 1 removed
    "#]]
    .assert_eq(text(&output));
    let functions = ["before.py::main", "after.py::Module.start"];
    let output = diff(&functions, directory.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    expect![[r#"
        main → start: renamed and changed  before.py:5 → after.py:5
          binding y: operator
          -     7  y = R.nn.relu(x)
          +     7  y = R.nn.gelu(x)

        1 changed
    "#]]
    .assert_eq(text(&output));
}

#[test]
fn json_has_places_and_parts() {
    let directory = folder(&BEFORE.replace("R.add(y, x)", "R.add(x, y)"));
    let output = diff(
        &[
            "before.py",
            "after.py",
            "--format",
            "json",
            "--function",
            "main",
        ],
        directory.path(),
    );
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["equal"], false);
    let change = &found["functions"][0]["changes"][0];
    assert_eq!(change["parts"], serde_json::json!(["x1", "x2"]));
    assert_eq!(change["after"]["line"], 8);
    assert_eq!(
        change["after"]["struct_info"],
        "R.Tensor((4,), dtype=\"float32\")"
    );
}

#[test]
fn a_function_that_is_not_there_exits_2() {
    let directory = folder(BEFORE);
    let output = diff(&["before.py::nowhere", "after.py::main"], directory.path());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("no function `nowhere`"), "{complaint}");
}
