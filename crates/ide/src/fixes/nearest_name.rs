//! What does not exist becomes the nearest name that does: variables, functions, operators, keywords, dtypes.

use hir::Diagnostic;

use super::Fixes;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

pub fn rename(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    replace(cx, diagnostic, "nearest-name", fixes);
}

/// A spelling of another dialect becomes that of the file's.
pub fn other_dialect(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    replace(cx, diagnostic, "other-dialect", fixes);
}

fn replace(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, id: &'static str, fixes: &mut Fixes) {
    let Some((range, name)) = &diagnostic.instead else {
        return;
    };
    let old = cx.slice(*range);
    // A name in several pieces, such as `"floot" "32"`, is not one to replace.
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    if old.chars().all(plain) {
        let title = format!("Change `{old}` to `{name}`");
        let edit = SourceEdit::replace(*range, name.as_str());
        fixes.preferred(id, title, edit);
    }
}
