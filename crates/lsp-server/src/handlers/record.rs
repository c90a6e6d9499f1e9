//! `relax.record`, and what recordings say on the lines of programs: types as hints, failures as diagnostics, a lens to
//! record.

use ide::module_builders;
use lsp_types::{
    CodeLens, Command, Diagnostic, DiagnosticSeverity, InlayHint, InlayHintKind, InlayHintLabel,
    InlayHintLabelPart, InlayHintTooltip, Location, Position, Range,
};
use serde_json::json;
use text_size::TextRange;

use super::execute_command::{Call, CommandAnswer, RECORD, hand_over, refused};
use crate::compilation::recording::program::{FileLines, LineValues};
use crate::documents::Document;
use crate::session::{Event, Programs, RecordCall, SessionHandle};
use crate::uri;

/// The source of diagnostics about what a program did when it was recorded.
const SOURCE: &str = "relax-lsp record";
/// The maximum number of values in the tooltip of a line.
const MOST_VALUES: usize = 16;

pub fn answer(session: &SessionHandle, mut call: Call) -> CommandAnswer {
    let arguments = match call.argument() {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(refusal),
    };
    let record = move |cancelled, reply| {
        Event::Record(RecordCall {
            arguments,
            cancelled,
            reply,
        })
    };
    let answer = hand_over(session, record);
    Box::pin(async move { answer.await? })
}

/// Returns the types of what lines made, at the end of each.
pub fn hints(programs: &Programs, document: &Document, range: TextRange) -> Vec<InlayHint> {
    let text = document.lines.text();
    let visible = document.lines.to_range(range);
    let hint = |(line, values): (u32, &LineValues)| {
        let is_visible = visible.start.line <= line && line <= visible.end.line;
        is_visible.then(|| hint(document, line, values))
    };
    let of_file = |lines: &FileLines| lines.made_in(text).into_iter().filter_map(hint).collect();
    with_lines(programs, document, of_file).unwrap_or_default()
}

fn hint(document: &Document, line: u32, values: &LineValues) -> InlayHint {
    let told: Vec<&str> = values
        .values()
        .take(MOST_VALUES)
        .map(|it| &*it.told)
        .collect();
    let mut tooltip = told.join("\n");
    if values.values().len() > MOST_VALUES {
        let more = values.values().len() - MOST_VALUES;
        tooltip = format!("{tooltip}\nand {more} more");
    }
    let first = values.values().next();
    let location = first.and_then(|it| {
        let start = Position::new(it.line.saturating_sub(1), 0);
        Some(Location::new(
            uri::of_path(&it.path)?,
            Range::new(start, start),
        ))
    });
    InlayHint {
        position: end_of(document, line),
        label: InlayHintLabel::LabelParts(vec![InlayHintLabelPart {
            value: values.label(),
            location,
            tooltip: None,
            command: None,
        }]),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(tooltip)),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

/// Returns what failed on a line that has not changed since.
pub fn diagnostics(programs: &Programs, document: &Document) -> Vec<Diagnostic> {
    let text = document.lines.text();
    let show = |(line, told): (u32, &str)| Diagnostic {
        range: Range::new(start_of(document, line), end_of(document, line)),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some(SOURCE.to_owned()),
        message: told.to_owned(),
        ..Diagnostic::default()
    };
    let of_file = |lines: &FileLines| lines.failures_in(text).into_iter().map(show).collect();
    with_lines(programs, document, of_file).unwrap_or_default()
}

/// Returns a lens above each call that makes a module.
pub fn lenses(document: &Document) -> Vec<CodeLens> {
    let calls = module_builders(document.lines.text()).into_iter();
    let lens = |call: TextRange| CodeLens {
        range: document.lines.to_range(call),
        command: Some(Command::new(
            "● Record".to_owned(),
            RECORD.to_owned(),
            Some(vec![json!({"uri": document.uri})]),
        )),
        data: None,
    };
    calls.map(lens).collect()
}

fn with_lines<T>(
    programs: &Programs,
    document: &Document,
    then: impl FnOnce(&FileLines) -> T,
) -> Option<T> {
    let path = uri::path(&document.uri)?;
    let lines = programs.of_source(&path)?;
    Some(then(lines.of_file(&path)?))
}

fn start_of(document: &Document, line: u32) -> Position {
    let text = line_of(document, line);
    let indent = text.len() - text.trim_start().len();
    // White space is one unit in each encoding.
    Position::new(line, indent as u32)
}

/// Returns the end of a line, before its comment's end and line end.
fn end_of(document: &Document, line: u32) -> Position {
    let start = document.lines.offset(Position::new(line, 0));
    let length = line_of(document, line).trim_end().len() as u32;
    document
        .lines
        .position(start + text_size::TextSize::new(length))
}

fn line_of(document: &Document, line: u32) -> &str {
    let start = document.lines.offset(Position::new(line, 0));
    let text = &document.lines.text()[start.into()..];
    text.lines().next().unwrap_or_default()
}
