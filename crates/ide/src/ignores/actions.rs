//! The code action "Ignore `CODE` on this line", which writes an ignore comment.

use hir::{Database, IGNORE, Source, SourceFile};
use relax::Code;
use text_size::{TextRange, TextSize};

use super::ALWAYS_REPORTED;
use crate::analysis::{Analysis, Cancellable};
use crate::code_action::{ActionKind, CodeAction};
use crate::lines::line_at;
use crate::source_edit::SourceEdit;
use crate::types::FileId;

impl Analysis {
    /// Returns the actions that silence the given diagnostics, each identified by code and range.
    pub fn ignore_actions(
        &self,
        file: FileId,
        named: &[(String, TextRange)],
    ) -> Cancellable<Vec<CodeAction>> {
        self.with_file(file, |db, file| ignore_actions(db, file, named))
    }
}

fn ignore_actions(
    db: &Database,
    file: SourceFile,
    named: &[(String, TextRange)],
) -> Vec<CodeAction> {
    let source = file.source(db);
    let ignorable = |name: &str| {
        let code = Code::ALL.iter().copied().find(|it| it.name() == name)?;
        (code != ALWAYS_REPORTED && code != Code::UnusedIgnore).then_some(code)
    };
    let action = |(name, range): &(String, TextRange)| {
        let code = ignorable(name)?;
        Some(CodeAction {
            id: "ignore",
            title: format!("Ignore `{}` on this line", code.name()),
            kind: ActionKind::QuickFix,
            preferred: false,
            certain: false,
            ends: Some((code.name(), *range)),
            edit: Some(ignore(source, *range, code)?),
        })
    };
    named.iter().filter_map(action).collect()
}

/// Adds a code to the ignore comment of the line where a diagnostic begins, or adds a comment.
fn ignore(source: &Source, diagnostic: TextRange, code: Code) -> Option<SourceEdit> {
    let text: &str = &source.text;
    let line = line_at(text, diagnostic.start());
    let written = &text[line];
    let comment = format!("{} {IGNORE}", source.language.comment());
    if let Some(at) = written.rfind(&comment) {
        let listed = written[at + comment.len()..].strip_prefix('[')?;
        let end = listed.find(']')?;
        let at = line.start() + TextSize::new((at + comment.len() + 1 + end) as u32);
        return Some(SourceEdit::insert(at, format!(", {}", code.name())));
    }
    let end = line.start() + TextSize::of(written.trim_end());
    // A comment cannot be in a multi-line string, or before a line that a backslash joins.
    if !source.takes_comment(end) {
        return None;
    }
    let comment = format!("  {comment}[{}]", code.name());
    Some(SourceEdit::insert(end, comment))
}
