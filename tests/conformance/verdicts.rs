//! Compares our own programs with TVM's recorded results: verdicts and StructInfo.
//!
//! To record: `UPDATE_EXPECT=1 TVM_PYTHON=... cargo test -p tests verdicts`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::ours::{Conclusion, conclude};
use super::records::Tally;
use super::tvm::{IMPORTS, ask};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/programs")
}

/// Returns the programs of a file, by `file/name`.
pub fn programs_of(path: &Path, imports: &str) -> Vec<(String, String)> {
    let stem = path.file_stem().expect("a name").to_string_lossy();
    let text = fs::read_to_string(path).expect("a program is text");
    let programs = text.split("# --- ").skip(1).map(|program| {
        let (name, body) = program.split_once('\n').expect("a name on a line");
        (format!("{stem}/{name}"), format!("{imports}\n{body}"))
    });
    programs.collect()
}

/// Returns all programs of the folder.
fn programs() -> Vec<(String, String)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the programs are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    files.sort();
    let programs = files.iter().flat_map(|it| programs_of(it, IMPORTS));
    programs.collect()
}

/// Asserts that verdicts and types of programs agree with a record.
pub fn assert_agree(programs: &[(String, String)], records: &[Value]) {
    let conclusions = programs
        .iter()
        .map(|(name, text)| (name.as_str(), conclude(text, None)));
    assert_concluded(conclusions, records);
}

/// Asserts that the results for a program agree with its record.
pub fn assert_concluded<'a>(
    conclusions: impl Iterator<Item = (&'a str, Conclusion)>,
    records: &[Value],
) {
    let mut tally = Tally::default();
    for (program, conclusion) in conclusions {
        let record = records.iter().find(|it| it["name"] == *program);
        let record = record.unwrap_or_else(|| panic!("{program} has no verdict: record it"));
        tally.add(program, "", 1, record, &conclusion);
    }
    assert!(tally.accepted > 0, "there are programs");
    let wrong = tally.disagreements(3);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn recorded_verdicts_agree() {
    let programs = programs();
    let recorded = folder().join("records.jsonl");
    if std::env::var_os("UPDATE_EXPECT").is_some()
        && let Some(records) = ask(&programs)
    {
        let mut text = String::new();
        for record in records {
            let _ = writeln!(text, "{record}");
        }
        fs::write(&recorded, text).expect("verdicts are written");
    }
    let text = fs::read_to_string(&recorded).expect("verdicts were recorded");
    let records: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record is JSON"))
        .collect();
    assert_agree(&programs, &records);
}

#[test]
fn the_installed_tvm_says_what_is_recorded() {
    let programs = programs();
    if let Some(records) = ask(&programs) {
        assert_agree(&programs, &records);
    }
}
