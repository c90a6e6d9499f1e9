//! Answers that are places in the file.

use std::fmt::Write;

use ide::{Call, FilePosition, NavigationTarget};
use text_size::TextRange;

use super::Answer;
use crate::cases::program::{Opened, Program};

/// Returns the line and the column of what the case shows, both counted from 1.
pub fn place(program: &Program, opened: &Opened, range: TextRange) -> String {
    let at = opened.lines.line_col(range.start());
    let line = program.shown_line(at.line);
    format!("{line}:{}", at.col + 1)
}

/// Shows places with the texts there.
fn quoted(program: &Program, opened: &Opened, ranges: &[TextRange]) -> Answer {
    let lines = ranges
        .iter()
        .map(|&it| format!("{} {}\n", place(program, opened, it), &opened.text[it]));
    Answer::Text(lines.collect())
}

fn names(
    program: &Program,
    ask: impl Fn(&Opened, FilePosition) -> Vec<NavigationTarget>,
) -> Result<Answer, String> {
    let opened = program.open();
    let targets = ask(&opened, opened.position()?);
    let names: Vec<TextRange> = targets.iter().map(|it| it.name_range).collect();
    Ok(quoted(program, &opened, &names))
}

pub fn definition(program: &Program, _: &[String]) -> Result<Answer, String> {
    names(program, |opened, at| {
        opened.analysis.goto_definition(at).unwrap()
    })
}

pub fn declaration(program: &Program, _: &[String]) -> Result<Answer, String> {
    names(program, |opened, at| {
        opened.analysis.goto_declaration(at).unwrap()
    })
}

pub fn type_definition(program: &Program, _: &[String]) -> Result<Answer, String> {
    names(program, |opened, at| {
        opened.analysis.goto_type_definition(at).unwrap()
    })
}

/// Shows all mentions of a name, with its definitions.
pub fn references(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let found = opened.analysis.references(opened.position()?, true);
    Ok(quoted(program, &opened, &found.unwrap()))
}

/// Shows what is highlighted, and whether it is read or written there.
pub fn highlights(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let found = opened
        .analysis
        .document_highlight(opened.position()?)
        .unwrap();
    let lines = found.iter().map(|it| {
        let (at, access) = (
            place(program, &opened, it.range),
            if it.write { "write" } else { "read" },
        );
        format!("{at} {} {access}\n", &opened.text[it.range])
    });
    Ok(Answer::Text(lines.collect()))
}

/// Shows who calls a function, and whom it calls, each with the places.
pub fn calls(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let position = opened.position()?;
    let Some(item) = opened.analysis.call_hierarchy(position).unwrap() else {
        return Ok(Answer::Text(String::new()));
    };
    let at = FilePosition {
        offset: item.name_range.start(),
        ..position
    };
    let shown = |direction: &str, calls: Vec<Call>| {
        let lines = calls.into_iter().map(|call| {
            let places: Vec<String> = call
                .ranges
                .iter()
                .map(|&it| place(program, &opened, it))
                .collect();
            let (kind, name) = (call.function.kind, call.function.name);
            format!("{direction} {kind:?} {name}: {}\n", places.join(" "))
        });
        lines.collect::<String>()
    };
    let incoming = shown("from", opened.analysis.incoming_calls(at).unwrap());
    let outgoing = shown("to", opened.analysis.outgoing_calls(at).unwrap());
    Ok(Answer::Text(incoming + &outgoing))
}

/// Shows how often each function is named, apart from its definition.
#[expect(clippy::unnecessary_wraps, reason = "other questions have no answer")]
pub fn counts(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let mut shown = String::new();
    for it in opened.analysis.reference_counts(opened.file).unwrap() {
        let _ = writeln!(
            shown,
            "{} {}",
            &opened.text[it.name_range],
            it.references.len()
        );
    }
    Ok(Answer::Text(shown))
}
