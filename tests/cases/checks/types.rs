//! Answers about diagnostics with their notes, and about types by release.

use std::fmt::Write;

use hir::{file_items, file_release, function_facts};
use ide::Severity;
use relax::release::Release;

use super::Answer;
use super::navigation::place;
use crate::cases::program::{Opened, Program};

/// Shows each diagnostic with its notes, at their lines and columns of what the case shows.
#[expect(clippy::unnecessary_wraps, reason = "other questions have no answer")]
pub fn related(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let place = |range| place(program, &opened, range);
    let mut shown = String::new();
    for it in opened.analysis.diagnostics(opened.file).unwrap() {
        let _ = writeln!(shown, "{} {}: {}", place(it.range), it.code, it.message);
        for note in it.related {
            let _ = writeln!(shown, "  {} {}", place(note.range), note.message);
        }
    }
    Ok(Answer::Text(shown))
}

/// Shows in each release what the first function returns, or its first error.
pub fn results(program: &Program, releases: &[String]) -> Result<Answer, String> {
    by_release(releases, |release| {
        result(&program.in_release(release).open())
    })
}

fn by_release(
    releases: &[String],
    ask: impl Fn(Release) -> Result<String, String>,
) -> Result<Answer, String> {
    let mut shown = String::new();
    for name in releases {
        let release = Release::from_name(name);
        let release = release.ok_or_else(|| format!("no release is named `{name}`"))?;
        let _ = writeln!(shown, "{name}: {}", ask(release)?);
    }
    Ok(Answer::Text(shown))
}

/// Shows in each release the errors and warnings by their codes.
pub fn reports(program: &Program, releases: &[String]) -> Result<Answer, String> {
    let reports = |release| {
        let opened = program.in_release(release).open();
        let mut found = opened.analysis.diagnostics(opened.file).unwrap();
        found.retain(|it| it.severity != Severity::Hint);
        let codes = found
            .iter()
            .map(|it| format!("{} {}", it.severity.name(), it.code));
        let codes = codes.collect::<Vec<_>>().join(", ");
        Ok(if codes.is_empty() {
            "nothing".to_owned()
        } else {
            codes
        })
    };
    by_release(releases, reports)
}

fn result(opened: &Opened) -> Result<String, String> {
    let found = opened.analysis.diagnostics(opened.file).unwrap();
    if let Some(error) = found.into_iter().find(|it| it.severity == Severity::Error) {
        return Ok(error.message);
    }
    let (db, file) = opened.analysis.hir(opened.file).expect("the file is there");
    let functions = &file_items(db, file).functions;
    let function = functions.first().ok_or("the program has no function")?;
    let facts = function_facts(db, *function);
    let root = facts.functions.first().ok_or("it is no Relax function")?;
    let dialect = file_release(db, file).dialect();
    Ok(root.ret.display(dialect).to_string())
}
