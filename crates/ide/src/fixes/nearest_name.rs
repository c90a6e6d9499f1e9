//! Replaces an unknown name with the most similar known one: variables, functions, operators, keywords, dtypes.

use relax::Diagnostic;
use text_size::TextRange;

use super::{FileContext, Fixes};
use crate::respell::respelled;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

pub fn rename(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    replace(cx, diagnostic, "nearest-name", fixes);
}

/// Replaces the unknown name of a decorator.
pub fn of_file(_: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if let Some((range, name)) = &diagnostic.instead {
        let edit = SourceEdit::replace(*range, name.as_str());
        fixes.preferred("nearest-name", format!("Write `@{name}`"), edit);
    }
}

/// Replaces a spelling of another dialect with that of the file's.
pub fn other_dialect(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if diagnostic.instead.is_some() {
        replace(cx, diagnostic, "other-dialect", fixes);
    } else if let Some(respelled) = respelled(cx, diagnostic.range, cx.release) {
        let title = format!("Write `{}`", respelled.shown);
        fixes.certain("other-dialect", title, respelled.edit);
    }
}

fn replace(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, id: &'static str, fixes: &mut Fixes) {
    let Some((range, name)) = &diagnostic.instead else {
        return;
    };
    if range.is_empty() {
        return;
    }
    let old = cx.slice(*range);
    // Don't replace a name in several pieces, such as `"floot" "32"`.
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    if old.chars().all(plain) {
        let title = format!("Change `{old}` to `{name}`");
        fixes.preferred(id, title, everywhere(cx, diagnostic, *range, name));
    }
}

/// Replaces the text at `range` with `new`, and the same text wherever the same mistake is reported.
pub(super) fn everywhere(
    cx: &FunctionContext<'_>,
    diagnostic: &Diagnostic,
    range: TextRange,
    new: &str,
) -> SourceEdit {
    let old = cx.slice(range);
    let repeats = diagnostic.repeats.iter().copied();
    let repeats = repeats.filter(|it| *it != range && cx.slice(*it) == old);
    repeats.fold(SourceEdit::replace(range, new), |edit, it| {
        edit.and_replace(it, new)
    })
}
