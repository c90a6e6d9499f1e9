//! Asks an installed TVM about programs.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use relax::release::Release;
use serde_json::{Value, json};

/// The first lines of every program.
pub const IMPORTS: &str = "from tvm.script import ir as I, relax as R, tirx as T\n";

/// The `target` directory.
pub fn target() -> Option<PathBuf> {
    let suite = std::env::current_exe().ok()?;
    // target/debug/deps/suite-0123
    suite.ancestors().nth(3).map(PathBuf::from)
}

/// Returns a Python with TVM: the one that `TVM_PYTHON` names, or the one that `test.sh` installed. If there is none,
/// prints that the test is skipped.
pub fn python() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("TVM_PYTHON") {
        return Some(path.into());
    }
    let target = target()?;
    let places = ["tvm/bin/python", "tvm/Scripts/python.exe"];
    let mut places = places.iter().map(|place| target.join(place));
    let found = places.find(|python| python.is_file());
    if found.is_none() {
        testing::skip("no TVM to ask; name a Python that has it in TVM_PYTHON");
    }
    found
}

fn start(python: &Path, script: &str) -> Child {
    let script = format!("{}/conformance/{script}", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(python);
    command
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command.spawn().expect("Python starts")
}

/// Returns TVM's results for programs, given by name and text, in the format of `ask_tvm.py`; `None` without TVM. A
/// program that crashes TVM's process has no verdict.
pub fn ask(programs: &[(String, String)]) -> Option<Vec<Value>> {
    Some(ask_of(&python()?, programs))
}

/// Returns the release of the TVM that `ask` uses.
pub fn release() -> Option<Release> {
    let answers = ask(&[(String::new(), String::new())])?;
    let version = answers[0]["tvm"].as_str().expect("TVM has a version");
    Release::from_version(version)
}

/// Returns the results for programs of the TVM in a given Python.
pub fn ask_of(python: &Path, programs: &[(String, String)]) -> Vec<Value> {
    let mut records = Vec::new();
    while records.len() < programs.len() {
        let rest = &programs[records.len()..];
        let mut child = start(python, "ask_tvm.py");
        let mut stdin = child.stdin.take().expect("a pipe was asked for");
        let stdout = child.stdout.take().expect("a pipe was asked for");
        let asked = records.len();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for (name, text) in rest {
                    let line = json!({"name": name, "text": text});
                    // The process has crashed: it is started again with the remaining programs.
                    if writeln!(stdin, "{line}").is_err() {
                        return;
                    }
                }
            });
            for line in BufReader::new(stdout).lines() {
                let line = line.expect("answers are UTF-8");
                records.push(serde_json::from_str(&line).expect("answers are JSON"));
            }
        });
        child.wait().expect("Python ends");
        assert!(records.len() > asked || asked > 0, "TVM answers nothing");
        if records.len() < programs.len() {
            records.push(json!({"name": programs[records.len()].0, "verdict": "none"}));
        }
    }
    records
}

/// Returns the names that TVM exports, in the format of `tvm_names.py`; `None` without TVM.
pub fn names() -> Option<Value> {
    let child = start(&python()?, "tvm_names.py");
    let output = child.wait_with_output().expect("Python ends");
    assert!(output.status.success(), "asking TVM failed");
    Some(serde_json::from_slice(&output.stdout).expect("answers are JSON"))
}

/// Returns whether each dotted path exists in TVM; `None` without TVM.
pub fn there(paths: &[String]) -> Option<Vec<bool>> {
    let mut child = start(&python()?, "tvm_paths.py");
    let stdin = child.stdin.take().expect("a pipe was asked for");
    serde_json::to_writer(stdin, paths).expect("Python reads");
    let output = child.wait_with_output().expect("Python ends");
    assert!(output.status.success(), "asking TVM failed");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("answers are JSON");
    let there = answer["there"].as_array().expect("a list").iter();
    Some(there.map(|it| it == true).collect())
}
