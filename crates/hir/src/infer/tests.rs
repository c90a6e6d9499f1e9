//! Tests of inference: programs, the StructInfo of each binding, and the diagnostics.

mod hostile;
mod indices;
mod meanings;
mod printed;
mod releases;
mod releases_of_kernels;
mod rfc;
mod wellformed;

use std::fmt::Write as _;

use expect_test::Expect;
use relax::Severity;
use relax::release::Release;
use text_size::TextSize;

use crate::db::{Database, Source, SourceFile};
use crate::facts::VarKind;
use crate::file_items;
use crate::file_release;
use crate::queries::{file_diagnostics, lazy_facts};

/// Opens a program in a project with this release.
fn in_release(release: Release, program: &str) -> (Database, SourceFile) {
    let db = Database::default();
    let file = SourceFile::builder(Source::new(program));
    let file = file.target(Some(release)).new(&db);
    (db, file)
}

/// Checks a program. Hints are left out; tests of hints use [`render`].
fn check(text: &str, want: Expect) {
    want.assert_eq(&render(text, Severity::Warning));
}

fn render(text: &str, least: Severity) -> String {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let release = file_release(&db, file);
    let mut out = String::new();
    for &function in &file_items(&db, file).functions {
        let facts = lazy_facts(&db, function);
        for (index, fact) in facts.functions.iter().enumerate() {
            let params: Vec<String> = fact
                .params
                .iter()
                .map(|&p| {
                    format!(
                        "{}: {}",
                        facts.var(p).name,
                        facts.var(p).struct_info.display(release.dialect())
                    )
                })
                .collect();
            writeln!(
                out,
                "{}({}) -> {}",
                fact.name,
                params.join(", "),
                fact.ret.display(release.dialect())
            )
            .unwrap();
            for var in facts
                .vars()
                .filter(|v| v.function == index && v.kind != VarKind::Param)
            {
                writeln!(
                    out,
                    "  {}: {}",
                    var.name,
                    var.struct_info.display(release.dialect())
                )
                .unwrap();
            }
        }
    }
    for diagnostic in file_diagnostics(&db, file) {
        if diagnostic.severity <= least {
            let (line, col) = position(text, diagnostic.range.start());
            let (severity, code) = (diagnostic.severity.name(), diagnostic.code.name());
            writeln!(
                out,
                "{line}:{col} {severity} {code}: {}",
                diagnostic.message
            )
            .unwrap();
        }
    }
    out
}

/// Prints the diagnostics of a file with their notes.
fn related(text: &str) -> String {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let mut out = String::new();
    for diagnostic in file_diagnostics(&db, file) {
        let (line, col) = position(text, diagnostic.range.start());
        writeln!(out, "{line}:{col} {}", diagnostic.message).unwrap();
        for (range, note) in &diagnostic.related {
            let (line, col) = position(text, range.start());
            writeln!(out, "  {line}:{col} {note}").unwrap();
        }
        for range in &diagnostic.repeats {
            let (line, col) = position(text, range.start());
            writeln!(out, "  {line}:{col} again").unwrap();
        }
    }
    out
}

fn position(text: &str, offset: TextSize) -> (usize, usize) {
    let before = &text[..usize::from(offset)];
    (
        before.matches('\n').count() + 1,
        before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1,
    )
}
