//! Inlay hints: as they are shown, and inserted into the program.

use ide::{FilePosition, InlayHint, SourceEdit};

use super::Answer;
use crate::cases::dialects;
use crate::cases::program::{Opened, Program};

fn hints(opened: &Opened) -> Vec<InlayHint> {
    let hints = opened.analysis.inlay_hints(opened.file, opened.whole());
    hints.unwrap()
}

/// Shows the lines that have hints, each hint between «».
#[expect(clippy::unnecessary_wraps, reason = "other questions have no answer")]
pub fn shown(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let mut text = opened.text.clone();
    for hint in hints(&opened).iter().rev() {
        text.insert_str(hint.offset.into(), &format!("«{}»", hint.label));
    }
    let hinted = text.lines().filter(|line| line.contains('«'));
    let hinted: Vec<&str> = hinted.map(str::trim_start).collect();
    Ok(Answer::Text(hinted.join("\n")))
}

/// Inserts all hints, here and in every dialect.
pub fn inserted(program: &Program, _: &[String]) -> Result<Answer, String> {
    let text = with_hints(program)?;
    for (spelling, marked) in dialects::others(&program.marked) {
        with_hints(&program.with(marked)).map_err(|why| format!("{spelling:?}: {why}"))?;
    }
    Ok(Answer::File(text, Vec::new()))
}

/// Inserts all hints into a program, which stays correct and keeps its hovers.
fn with_hints(program: &Program) -> Result<String, String> {
    let opened = program.open();
    let mut all = SourceEdit::default();
    let edits = hints(&opened).into_iter().filter_map(|hint| hint.insert);
    for it in edits.flat_map(|edit| edit.replacements().to_vec()) {
        if !all.replacements().contains(&it) {
            all = all.and_replace(it.range, it.text);
        }
    }
    let text = all.apply(&opened.text);
    let after = program.with(&*text).open();
    let wrong = after.analysis.diagnostics(after.file).unwrap();
    if !wrong.is_empty() {
        return Err(format!("{wrong:#?}\n{text}"));
    }
    let left = hovers(&after);
    match hovers(&opened).iter().find(|it| !left.contains(it)) {
        Some(gone) => Err(format!("{gone} is gone:\n{text}\n{left:#?}")),
        None => Ok(text),
    }
}

/// Returns the hovers of all names.
fn hovers(opened: &Opened) -> Vec<String> {
    let tokens = opened.analysis.semantic_tokens(opened.file, opened.whole());
    let names = tokens.unwrap().into_iter().map(|it| it.range.start());
    let shown = names.filter_map(|offset| {
        let position = FilePosition {
            file: opened.file,
            offset,
        };
        let hover = opened.analysis.hover(position, &opened.lines).unwrap()?;
        Some(hover.markdown.to_string())
    });
    shown.collect()
}
