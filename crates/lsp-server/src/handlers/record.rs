//! `relax.record`, and what recordings say on the lines of programs: types as hints, and a lens to record.

use ide::{Language, module_builders};
use lsp_types::{
    CodeLens, Command, InlayHint, InlayHintKind, InlayHintLabel, InlayHintLabelPart,
    InlayHintTooltip, Location, Position, Range,
};
use serde_json::json;
use text_size::TextRange;

use super::execute_command::{Call, CommandAnswer, RECORD, hand_over, refused};
use crate::compilation::recording::program::{FileLines, LineValues};
use crate::documents::Document;
use crate::session::{Event, Programs, RecordCall, SessionHandle};
use crate::uri;

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
    programs.with_lines(document, of_file).unwrap_or_default()
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
        position: document.lines.line_range(line).end,
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

/// Returns a lens above each call that makes a module.
pub fn lenses(document: &Document) -> Vec<CodeLens> {
    if document.language == Language::Relay {
        return Vec::new();
    }
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
