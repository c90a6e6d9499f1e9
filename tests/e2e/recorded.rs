//! Records the programs of `fixtures/record` with the TVM that is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::conformance::tvm;

/// A folder with the programs.
pub struct Recorder {
    folder: tempfile::TempDir,
    pub python: PathBuf,
}

impl Recorder {
    /// Returns `None` if there is no TVM.
    pub fn new() -> Option<Recorder> {
        Some(Recorder::of(tvm::python()?))
    }

    /// Uses a Python that has TVM.
    pub fn of(python: PathBuf) -> Recorder {
        let folder = tempfile::tempdir().unwrap();
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/record");
        for entry in std::fs::read_dir(fixtures).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
        Recorder { folder, python }
    }

    /// Returns `None` if the Python of TVM lacks a module.
    pub fn with(module: &str) -> Option<Recorder> {
        let recorder = Recorder::new()?;
        let mut python = Command::new(&recorder.python);
        let found = python.args(["-c", &format!("import {module}")]).output();
        if found.is_ok_and(|it| it.status.success()) {
            return Some(recorder);
        }
        testing::skip(format!("the Python of TVM has no {module}"));
        None
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs `relax-lsp` in the folder.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(tests::relax_lsp());
        command.args(arguments).current_dir(self.folder());
        command.output().expect("relax-lsp starts")
    }

    /// Records a program in the folder `rec`.
    pub fn record(&self, program: &str, arguments: &[&str]) -> Output {
        let python = self.python.to_str().unwrap();
        let command = ["record", "-o", "rec", "--python", python, program];
        self.run(&[&command, arguments].concat())
    }

    pub fn reduce(&self, arguments: &[&str]) -> Output {
        let python = self.python.to_str().unwrap();
        self.run(&[&["reduce", "--python", python], arguments].concat())
    }

    /// Returns the JSON of a command.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let format = ["--format", "json"];
        let missing = if arguments.contains(&"--format") {
            &[]
        } else {
            &format[..]
        };
        let output = self.run(&[arguments, missing].concat());
        let text = stdout(&output);
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", stderr(&output)))
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
