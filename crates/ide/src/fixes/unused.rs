//! Removes an unused binding, or renames it to show that this is intended.

use hir::facts::{Var, VarKind};
use relax::Diagnostic;
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Removes the statement, unless its value has an effect or its block would become empty.
pub fn remove(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(var) = variable(cx, diagnostic) else {
        return;
    };
    let Some(stmt) = cx
        .covering(var.range)
        .and_then(|node| node.ancestors().find_map(ast::Stmt::cast))
        .filter(|stmt| stmt.range() == var.range)
    else {
        return;
    };
    let unpacks = matches!(&stmt, ast::Stmt::AssignStmt(it)
        if !matches!(it.targets().next(), Some(ast::Expr::NameExpr(_))));
    let pure = var.kind == VarKind::Function || var.value.is_some_and(|value| cx.is_pure(value));
    let alone = stmt
        .syntax()
        .parent()
        .and_then(ast::Suite::cast)
        .is_some_and(|suite| suite.stmts().count() == 1);
    if unpacks || !pure || alone || !cx.alone_on_its_lines(stmt.range()) {
        return;
    }
    let edit = SourceEdit::delete(cx.lines(stmt.range()));
    fixes.preferred("remove-unused", format!("Remove `{}`", var.name), edit);
}

/// Puts `_` before the name.
pub fn underscore(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if let Some(var) = variable(cx, diagnostic) {
        let title = format!("Rename `{0}` to `_{0}`", var.name);
        let edit = SourceEdit::insert(var.name_range.start(), "_");
        fixes.possible("underscore", title, edit);
    }
}

fn variable<'db>(cx: &FunctionContext<'db>, diagnostic: &Diagnostic) -> Option<Var<'db>> {
    cx.facts.var_named_at(diagnostic.range)
}
