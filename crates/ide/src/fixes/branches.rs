//! Both branches of an `if` are there, and bind the same variable last.

use hir::Diagnostic;
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::dataflow::bound_in;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

/// An `else` that binds what the `if` binds, to what it was before.
pub fn add_else(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(stmt) = cx.around::<ast::IfStmt>(diagnostic.range) else {
        return;
    };
    let Some(last) = stmt.then_suite().and_then(|it| it.stmts().last()) else {
        return;
    };
    let Some((_, name)) = bound_in(cx, last.range()).last() else {
        return;
    };
    let before = |at: text_size::TextRange| at.end() <= stmt.range().start();
    let mut vars = cx.facts.vars();
    if !vars.any(|it| it.name == name && before(it.name_range)) {
        return;
    }
    let (outer, inner) = (
        cx.indent(stmt.range().start()),
        cx.indent(last.range().start()),
    );
    let newline = cx.newline();
    let text = format!("{outer}else:{newline}{inner}{name} = {name}{newline}");
    let edit = SourceEdit::insert(cx.lines(stmt.range()).end(), text);
    fixes.preferred("add-else", format!("Add `else` that keeps `{name}`"), edit);
}

/// The variable gets the name that the other branch binds.
pub fn same_name(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some((first, _)) = diagnostic.related.first() else {
        return;
    };
    let (old, new) = (cx.slice(diagnostic.range), cx.slice(*first));
    let is_name = |it: &str| it.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_name(old) && is_name(new) {
        let title = format!("Change `{old}` to `{new}`");
        let edit = SourceEdit::replace(diagnostic.range, new);
        fixes.preferred("same-name", title, edit);
    }
}
