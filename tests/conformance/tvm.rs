//! Asks an installed TVM about programs, where there is one.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// What every program begins with.
pub const IMPORTS: &str = "from tvm.script import ir as I, relax as R, tirx as T\n";

/// A Python with TVM: the one that `TVM_PYTHON` names, else the one that `test.sh` made.
fn python() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("TVM_PYTHON") {
        return Some(path.into());
    }
    let target = std::env::current_exe().ok()?;
    let target = target.ancestors().find(|dir| dir.join("tvm").is_dir())?;
    let places = ["tvm/bin/python", "tvm/Scripts/python.exe"];
    let mut places = places.iter().map(|place| target.join(place));
    places.find(|python| python.is_file())
}

/// The verdicts of TVM over programs; `None` where there is no TVM, which is said.
pub fn ask(programs: &[(String, String)]) -> Option<Value> {
    let asked: Vec<Value> = programs
        .iter()
        .map(|(name, text)| json!({"name": name, "text": text}))
        .collect();
    run("ask_tvm.py", Value::from(asked).to_string())
}

/// The names that TVM exports, as `tvm_names.py` says; `None` where there is no TVM.
pub fn names() -> Option<Value> {
    run("tvm_names.py", String::new())
}

fn run(script: &str, text: String) -> Option<Value> {
    let Some(python) = python() else {
        eprintln!("skipped: no TVM to ask; name a Python that has it in TVM_PYTHON");
        return None;
    };
    let script = format!("{}/conformance/{script}", env!("CARGO_MANIFEST_DIR"));
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Python starts");
    let mut stdin = child.stdin.take().expect("a pipe was asked for");
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("Python ends");
    writer
        .join()
        .expect("the programs were written")
        .expect("Python read them");
    assert!(output.status.success(), "asking TVM failed");
    Some(serde_json::from_slice(&output.stdout).expect("answers are JSON"))
}
