//! No false alarm on programs that TVM's developers wrote.
//!
//! Reads the files under the directories of `$RELAX_PY_TREE`, separated by colons; without it there is nothing
//! to check. Lines of `$RELAX_REFUSED`, `FILE:LINE`, are the mistakes that TVM's tests make on purpose.

use std::path::PathBuf;

use relax::{Code, FunctionKind};

use crate::db::{Database, Source, SourceFile};
use crate::{file_diagnostics, file_items, function_prim_facts};

fn files() -> Vec<PathBuf> {
    let roots = std::env::var("RELAX_PY_TREE").unwrap_or_default();
    let mut pending: Vec<PathBuf> = roots
        .split(':')
        .filter(|root| !root.is_empty())
        .map(PathBuf::from)
        .collect();
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).unwrap();
            pending.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|it| it == "py") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Calls `check` with each file that holds `word`; it says what is wrong, by offset.
fn check(word: &str, mut check: impl FnMut(&Database, SourceFile) -> Vec<(usize, String)>) {
    let refused = std::env::var("RELAX_REFUSED").unwrap_or_default();
    let refused: Vec<&str> = refused.lines().collect();
    let mut wrong = Vec::new();
    for path in files() {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        if !text.contains(word) {
            continue;
        }
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(text.as_str()));
        for (offset, message) in check(&db, file) {
            let line = text[..offset].matches('\n').count() + 1;
            let place = format!("{}:{line}", path.display());
            if !refused.iter().any(|it| place.ends_with(it)) {
                wrong.push(format!("{place}: {message}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n{} places",
        wrong.join("\n"),
        wrong.len()
    );
}

#[test]
fn prim_funcs_that_tvm_accepts_have_no_mistakes() {
    let mut functions = 0;
    check("prim_func", |db, file| {
        let mut found = Vec::new();
        for &function in &file_items(db, file).functions {
            functions += usize::from(function.kind(db) == FunctionKind::PrimFunc);
            for diagnostic in &function_prim_facts(db, function).diagnostics {
                let at = (diagnostic.range + function.offset(db)).start();
                let (code, message) = (diagnostic.code.name(), &diagnostic.message);
                found.push((at.into(), format!("{code}: {message}")));
            }
        }
        found
    });
    eprintln!("{functions} PrimFuncs");
}

#[test]
fn files_have_the_spellings_of_one_dialect() {
    check("script", |db, file| {
        let all = file_diagnostics(db, file).into_iter();
        // Older names that a file's TVM takes are hints.
        let foreign = all.filter(|it| {
            it.code == Code::OtherDialect && it.severity != relax::diagnostics::Severity::Hint
        });
        foreign
            .map(|it| (it.range.start().into(), it.message))
            .collect()
    });
}
