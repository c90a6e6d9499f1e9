//! Data outside of the repository: TVM's tests, and the recorded results of TVM for them. `RELAX_RECORDS` is a directory
//! with a folder for each version:
//!
//!     tvm-0.27/programs.jsonl.gz   programs of the tests, as `record_tests.py` writes them
//!     tvm-0.27/mutants.jsonl.gz    the same with an edit
//!     tvm-0.27/vm.jsonl.gz         runs of their functions
//!     tvm-0.27/tests               TVM's `tests/python/relax` of that version, or a link to it
//!     trees                        any Python files that TVM or Python accepts, for the parser and the dialects
//!
//! Tests whose data is missing are skipped with a message.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value as Json;

/// Returns a file or folder of the records, if it exists.
pub fn recorded(path: &str) -> Option<PathBuf> {
    let Some(records) = std::env::var_os("RELAX_RECORDS") else {
        testing::skip("no records of TVM; name their directory in RELAX_RECORDS");
        return None;
    };
    let path = Path::new(&records).join(path);
    if !path.exists() {
        testing::skip(format_args!("the records have no {}", path.display()));
        return None;
    }
    Some(path)
}

/// Returns the version folders that have a file with this name.
pub fn versions(file: &str) -> Vec<PathBuf> {
    let Some(records) = recorded("") else {
        return Vec::new();
    };
    let entries = std::fs::read_dir(records).expect("the records can be read");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join(file).exists() && path.join("tests").exists())
        .collect();
    folders.sort();
    if folders.is_empty() {
        testing::skip(format_args!("no version has {file} and tests"));
    }
    folders
}

/// Reads the records of a file, one per line.
pub fn read(path: &Path) -> Vec<Json> {
    let mut text = String::new();
    GzDecoder::new(File::open(path).expect("the file is there"))
        .read_to_string(&mut text)
        .expect("records are UTF-8");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a record is JSON"))
        .collect()
}

/// Returns the Python files in a folder and its subfolders.
pub fn python_files(folder: PathBuf) -> Vec<PathBuf> {
    let mut pending = vec![folder];
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("the folder can be read");
            pending.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|it| it == "py") {
            found.push(path);
        }
    }
    found.sort();
    found
}
