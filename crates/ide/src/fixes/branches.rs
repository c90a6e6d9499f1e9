//! Fixes the branches of an `if`: both must exist and bind the same variable last, which is visible after the `if`.

use relax::Diagnostic;
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::dataflow::bound_in;
use crate::if_frames::Frames;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Adds an `else` that binds the variable of the `if` to its previous value.
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
    fixes.preferred(
        "add-else",
        format!("Add an `else` that keeps `{name}`"),
        edit,
    );
}

/// Renames the variable to the one that the other branch binds.
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

/// Converts the frames `R.Then` and `R.Else` to `if` and `else`, so that their variables are visible afterwards.
pub fn out_of_frames(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let name = cx.slice(diagnostic.range);
    let Some(suite) = cx.around::<ast::Suite>(diagnostic.range) else {
        return;
    };
    let before = suite
        .stmts()
        .filter(|it| it.range().end() <= diagnostic.range.start());
    let frames = before.filter_map(|stmt| match stmt {
        ast::Stmt::WithStmt(with) => Frames::new(&with),
        _ => None,
    });
    let binds = |frames: &Frames| bound_in(cx, frames.with.range()).any(|(_, it)| it == name);
    let last = frames.filter(binds).last();
    if let Some(edit) = last.and_then(|it| it.to_statement(cx)) {
        let title = format!("Bind `{name}` by `if` and `else`");
        fixes.preferred("frames-to-if", title, edit);
    }
}
