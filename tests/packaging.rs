//! Tests of the files for other projects and services: the editors' package lists, the GitHub action, the pre-commit
//! hooks, and reports by their schemas. Uses the program only through its command line.

mod action;
mod editors;
mod mcp;
mod pre_commit;
mod release;
mod sarif;
mod schemas;

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Returns the path of a file in the repository.
fn file(path: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("tests lie in the workspace")
        .join(path)
}

fn text(path: &str) -> String {
    std::fs::read_to_string(file(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn yaml(path: &str) -> Value {
    serde_norway::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn toml(path: &str) -> Value {
    toml::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Whether a program can be started on this machine. If not, prints that the test is skipped.
fn is_here(program: &str) -> bool {
    let started = std::process::Command::new(program)
        .arg("--version")
        .output();
    if started.is_err() {
        testing::skip(format_args!("{program} is not installed"));
    }
    started.is_ok()
}

/// Returns `PATH` with the program under test at the front.
fn path_with_program() -> std::ffi::OsString {
    let program = tests::relax_lsp()
        .parent()
        .expect("a program lies in a folder");
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program.to_path_buf()).chain(std::env::split_paths(&rest));
    std::env::join_paths(folders).expect("no folder has a separator in its name")
}
