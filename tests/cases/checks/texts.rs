//! Answers that are texts: migrated and formatted files, hovers, signatures.

use std::fmt::Write;

use ide::FormatOptions;
use relax::release::{Release, Releases};

use super::Answer;
use crate::cases::program::{MARK, Program};
use crate::cases::variants::with_crlf;

/// Migrates a file. Again, nothing changes; line ends stay.
pub fn migrate(program: &Program, releases: &[String]) -> Result<Answer, String> {
    let release = |name: &String| {
        Release::from_name(name).ok_or_else(|| format!("no release is named `{name}`"))
    };
    let (from, to) = (release(&releases[0])?, release(&releases[1])?);
    let text = program.text();
    let migration = ide::migrate(&text, Releases::only(from), to);
    for again in [from, to] {
        let again = ide::migrate(&migration.text, Releases::only(again), to);
        if again.text != migration.text {
            return Err(format!("a second time it changes:\n{}", again.text));
        }
    }
    let on_windows = ide::migrate(&with_crlf(&text), Releases::only(from), to);
    if on_windows.text != with_crlf(&migration.text) {
        return Err(format!("with other line ends it is:\n{}", on_windows.text));
    }
    let left = migration.left.iter();
    let left = left.map(|it| format!("left: {}: {}", &migration.text[it.range], it.message));
    let left = left.collect();
    Ok(Answer::File(migration.text, left))
}

/// Translates Relay to Relax of the newest release.
#[expect(clippy::unnecessary_wraps, reason = "other questions have no answer")]
pub fn translate(program: &Program, _: &[String]) -> Result<Answer, String> {
    let text = program.text();
    let translation = ide::translate(&text, Release::NEWEST);
    let mut shown = translation.text;
    for it in &translation.left {
        let _ = writeln!(shown, "left: {} {}", &text[it.range], it.message);
    }
    Ok(Answer::Text(shown))
}

/// Formats a file, or the lines that the marks touch. A formatted file stays as it is, and line ends stay.
pub fn format(program: &Program, length: &[String]) -> Result<Answer, String> {
    let length = length.first().map(|it| it.parse());
    let length = length.transpose();
    let line_length = length.map_err(|_| "the length is no number".to_owned())?;
    let formatted = |program: &Program| {
        let opened = program.open();
        let options = FormatOptions { line_length };
        let edit = opened
            .analysis
            .format(opened.file, opened.marked()?, options);
        Ok::<_, String>(edit.unwrap().apply(&opened.text))
    };
    let text = formatted(program)?;
    let on_windows = formatted(&program.with(with_crlf(&program.marked)))?;
    if on_windows != with_crlf(&text) {
        return Err(format!("with other line ends it is:\n{on_windows}"));
    }
    let is_whole = !program.marked.contains(MARK);
    let twice = formatted(&program.with(&*text))?;
    if is_whole && twice != text {
        return Err(format!("a second time it changes:\n{twice}"));
    }
    Ok(Answer::File(text, Vec::new()))
}

/// Shows the text that a hover is about, and its Markdown.
pub fn hover(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let hover = opened
        .analysis
        .hover(opened.position()?, &opened.lines)
        .unwrap();
    let shown = hover.map(|it| format!("{}\n===\n{}", &opened.text[it.range], it.markdown));
    Ok(Answer::Text(shown.unwrap_or_default()))
}

/// Shows each signature with the active parameter between `<` and `>`.
pub fn signature(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let help = opened.analysis.signature_help(opened.position()?).unwrap();
    let mut shown = String::new();
    if let Some(help) = help {
        let several = help.signatures.len() > 1;
        for (at, signature) in help.signatures.into_iter().enumerate() {
            let mark = if several && at == help.active {
                "* "
            } else {
                ""
            };
            let mut label = signature.label;
            if let Some(active) = signature.active {
                let range = signature.params[active].range;
                label.insert(range.end().into(), '>');
                label.insert(range.start().into(), '<');
            }
            let _ = write!(shown, "{mark}{label}\n{}\n", signature.doc);
        }
    }
    Ok(Answer::Text(shown))
}
