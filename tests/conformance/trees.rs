//! Tests on third-party Python files: no syntax errors, no false positives in PrimFuncs, and consistent dialects.
//!
//! Reads `trees` of the records. Its file `refused.txt` lists the exceptions: `FILE:LINE` is a deliberate mistake, and
//! a line with only a file is a file that Python does not compile.

use hir::{Database, Source, SourceFile, file_diagnostics, file_items, function_prim_facts};
use relax::{Code, FunctionKind, Severity};

use super::data::{python_files, recorded};

struct Tree {
    files: Vec<(String, String)>,
    refused: String,
}

fn tree() -> Option<Tree> {
    let folder = recorded("trees")?;
    let refused = std::fs::read_to_string(folder.join("refused.txt")).unwrap_or_default();
    let mut files = Vec::new();
    for path in python_files(folder) {
        // Files that are not UTF-8 are skipped.
        if let Ok(text) = std::fs::read_to_string(&path) {
            files.push((path.to_string_lossy().into_owned(), text));
        }
    }
    assert!(!files.is_empty(), "the trees have Python files");
    Some(Tree { files, refused })
}

impl Tree {
    fn is_refused(&self, place: &str) -> bool {
        let mut lines = self.refused.lines().filter(|line| !line.is_empty());
        lines.any(|line| place.ends_with(line))
    }

    /// Calls `check` with each file that contains `word`, and collects the problems that it returns, by offset.
    fn check(
        &self,
        word: &str,
        mut check: impl FnMut(&Database, SourceFile) -> Vec<(usize, String)>,
    ) {
        let mut wrong = Vec::new();
        for (path, text) in self.files.iter().filter(|(_, text)| text.contains(word)) {
            let db = Database::default();
            let file = SourceFile::new(&db, Source::new(text.as_str()));
            for (offset, message) in check(&db, file) {
                let line = text[..offset].matches('\n').count() + 1;
                let place = format!("{path}:{line}");
                if !self.is_refused(&place) {
                    wrong.push(format!("{place}: {message}"));
                }
            }
        }
        let count = wrong.len();
        assert!(wrong.is_empty(), "{}\n{count} places", wrong.join("\n"));
    }
}

#[test]
fn files_that_python_compiles_have_no_errors() {
    let Some(tree) = tree() else { return };
    let mut wrong = Vec::new();
    for (path, text) in &tree.files {
        let parsed = syntax::parse(text);
        assert_eq!(parsed.syntax().text(), text.as_str());
        if parsed.errors.is_empty() == tree.is_refused(path) {
            let first = parsed.errors.first().map(|it| it.message.clone());
            let why = first.unwrap_or_else(|| "Python refuses it".into());
            wrong.push(format!("{path}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn prim_funcs_that_tvm_accepts_have_no_mistakes() {
    let Some(tree) = tree() else { return };
    let mut functions = 0;
    tree.check("prim_func", |db, file| {
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
    let Some(tree) = tree() else { return };
    tree.check("script", |db, file| {
        let all = file_diagnostics(db, file).into_iter();
        // Older names that the file's TVM accepts are hints.
        let foreign =
            all.filter(|it| it.code == Code::OtherDialect && it.severity != Severity::Hint);
        foreign
            .map(|it| (it.range.start().into(), it.message))
            .collect()
    });
}
