//! Inserts what a diagnostic says is missing, such as an argument of a decorator.

use relax::Diagnostic;

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

pub fn insert(_: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some((at, missing)) = diagnostic.instead.as_ref().filter(|it| it.0.is_empty()) else {
        return;
    };
    let shown = missing.trim_matches([',', ' ']);
    let in_parentheses = shown.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let title = format!("Add `{}`", in_parentheses.unwrap_or(shown));
    let edit = SourceEdit::insert(at.start(), missing.as_str());
    fixes.certain(diagnostic.code.name(), title, edit);
}
