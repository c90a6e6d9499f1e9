//! No false alarm on PrimFuncs that TVM's developers wrote.
//!
//! Reads the files under the directories of `$RELAX_PY_TREE`, separated by colons; without it there is nothing
//! to check. Lines of `$RELAX_TIR_REFUSED`, `FILE:LINE`, are the mistakes that TVM's tests make on purpose.

use std::path::PathBuf;

use crate::db::{Database, Source, SourceFile};
use crate::{FunctionKind, file_items, function_prim_facts};

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

#[test]
fn prim_funcs_that_tvm_accepts_have_no_mistakes() {
    let refused = std::env::var("RELAX_TIR_REFUSED").unwrap_or_default();
    let refused: Vec<&str> = refused.lines().collect();
    let (mut functions, mut wrong) = (0, Vec::new());
    for path in files() {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        if !text.contains("prim_func") {
            continue;
        }
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(text.as_str()));
        for &function in &file_items(&db, file).functions {
            functions += usize::from(function.kind(&db) == FunctionKind::PrimFunc);
            for diagnostic in &function_prim_facts(&db, function).diagnostics {
                let at = usize::from((diagnostic.range + function.offset(&db)).start());
                let line = text[..at].matches('\n').count() + 1;
                let place = format!("{}:{line}", path.display());
                if !refused.iter().any(|it| place.ends_with(it)) {
                    let (code, message) = (diagnostic.code.name(), &diagnostic.message);
                    wrong.push(format!("{place}: {code}: {message}"));
                }
            }
        }
    }
    let list = wrong.join("\n");
    assert!(
        wrong.is_empty(),
        "{list}\n{} in {functions} PrimFuncs",
        wrong.len()
    );
}
