//! Removes an ignore comment that silences nothing, or an unused code in it.

use relax::Diagnostic;
use text_size::{TextRange, TextSize};

use super::{FileContext, Fixes};
use crate::lines::line_at;
use crate::source_edit::SourceEdit;

pub fn remove(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let source = cx.file.source(cx.db);
    let text: &str = &source.text;
    let sign = source.language.comment();
    let range = if text[diagnostic.range].starts_with(sign) {
        comment(text, diagnostic.range, sign)
    } else {
        entry(text, diagnostic.range)
    };
    let edit = SourceEdit::delete(range);
    fixes.certain("remove-ignore", "Remove the unused ignore", edit);
}

/// Returns the range of a comment with the space before it, or with its whole line. Another comment after it is kept.
fn comment(text: &str, range: TextRange, sign: &str) -> TextRange {
    let line = line_at(text, range.start());
    let before = &text[TextRange::new(line.start(), range.start())];
    let behind = &text[TextRange::new(range.end(), line.end())];
    if let Some(next) = behind.find(sign) {
        return TextRange::new(range.start(), range.end() + TextSize::new(next as u32));
    }
    if before.trim().is_empty() {
        let end = usize::from(line.end()) + 1;
        let end = TextSize::new(end.min(text.len()) as u32);
        return TextRange::new(line.start(), end);
    }
    let code = line.start() + TextSize::of(before.trim_end());
    let end = line.start() + TextSize::of(text[line].trim_end_matches('\r'));
    TextRange::new(code, end)
}

/// Returns the range of a code in a list, with one comma next to it.
fn entry(text: &str, range: TextRange) -> TextRange {
    let before = &text[..usize::from(range.start())];
    let kept = before.trim_end();
    if let Some(kept) = kept.strip_suffix(',') {
        return TextRange::new(TextSize::of(kept), range.end());
    }
    let behind = &text[usize::from(range.end())..];
    let kept = behind.trim_start();
    let kept = kept.strip_prefix(',').unwrap_or(kept).trim_start();
    TextRange::new(range.start(), TextSize::of(text) - TextSize::of(kept))
}
