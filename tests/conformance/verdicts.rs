//! Programs of our own with TVM's recorded verdicts: what it takes is taken, what it refuses is refused, and
//! what functions return agrees.
//!
//! To record: `UPDATE_EXPECT=1 TVM_PYTHON=... cargo test -p tests verdicts`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use hir::{Database, Source, SourceFile};
use relax::dialect::Dialect;
use relax::{FunctionKind, Severity};
use serde_json::Value;

use super::tvm::{IMPORTS, ask};

/// What is reported, or what each function returns as TVM prints it.
pub enum Ours {
    Refused(String),
    Returns(Vec<(String, String)>),
}

pub fn ours(text: &str) -> Ours {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let errors = hir::file_diagnostics(&db, file);
    if let Some(error) = errors.iter().find(|d| d.severity == Severity::Error) {
        return Ours::Refused(format!("{}: {}", error.code.name(), error.message));
    }
    let mut returns = Vec::new();
    for &function in &hir::file_items(&db, file).functions {
        if function.kind(&db) == FunctionKind::Relax {
            let root = &hir::function_facts(&db, function).functions[0];
            let ret = root.ret.display(Dialect::Type).to_string();
            returns.push((function.name(&db).to_string(), ret));
        }
    }
    Ours::Returns(returns)
}

/// How what is concluded here differs from a verdict.
pub fn difference(text: &str, verdict: &Value) -> Option<String> {
    match (ours(text), verdict["ok"] == true) {
        (Ours::Refused(_), false) => None,
        (Ours::Refused(error), true) => Some(format!("TVM takes it; here {error}")),
        (Ours::Returns(_), false) => Some(format!("taken; TVM says {}", verdict["error"])),
        (Ours::Returns(returns), true) => {
            let mut text = String::new();
            for (name, ret) in returns {
                // A function that a helper makes goes by another name in Python.
                let tvm = verdict["returns"].get(&name).and_then(Value::as_str);
                if let Some(tvm) = tvm.filter(|tvm| *tvm != ret) {
                    let _ = write!(text, "`{name}` returns {ret}; TVM says {tvm}. ");
                }
            }
            (!text.is_empty()).then_some(text)
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/programs")
}

/// Each program of the folder, by `file/name`.
fn programs() -> Vec<(String, String)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the programs are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    files.sort();
    let mut programs = Vec::new();
    for path in files {
        let stem = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).expect("a program is text");
        for program in text.split("# --- ").skip(1) {
            let (name, body) = program.split_once('\n').expect("a name on a line");
            programs.push((format!("{stem}/{name}"), format!("{IMPORTS}\n{body}")));
        }
    }
    programs
}

#[test]
fn recorded_verdicts_agree() {
    let programs = programs();
    let recorded = folder().join("verdicts.json");
    if std::env::var_os("UPDATE_EXPECT").is_some()
        && let Some(verdicts) = ask(&programs)
    {
        let text = serde_json::to_string_pretty(&verdicts).expect("verdicts are JSON");
        fs::write(&recorded, text + "\n").expect("verdicts are written");
    }
    let text = fs::read_to_string(&recorded).expect("verdicts were recorded");
    let recorded: Value = serde_json::from_str(&text).expect("verdicts are JSON");
    let mut wrong = String::new();
    for (name, text) in &programs {
        let verdict = &recorded["verdicts"][name];
        assert!(
            verdict["ok"].is_boolean(),
            "{name} has no verdict: record it"
        );
        if let Some(difference) = difference(text, verdict) {
            let _ = writeln!(wrong, "{name}: {difference}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_installed_tvm_says_what_is_recorded() {
    let programs = programs();
    let Some(said) = ask(&programs) else { return };
    let mut wrong = String::new();
    for (name, text) in &programs {
        if let Some(difference) = difference(text, &said["verdicts"][name]) {
            let _ = writeln!(wrong, "{name}: {difference}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
