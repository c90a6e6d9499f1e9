//! Binds nested calls to names: one call, or all calls of a statement, which brings it into normal form.

use std::fmt::Write;

use rustc_hash::FxHashSet;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};
use text_size::TextRange;

use super::Assists;
use crate::code_action::ActionKind;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Extracts the call that is selected or around the cursor.
pub fn extract(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let Some(stmt) = cx.around::<ast::Stmt>(range) else {
        return;
    };
    let calls = nested(cx, &stmt);
    let Some(call) = calls
        .iter()
        .find(|it| it.text_range().contains_range(range))
    else {
        return;
    };
    let kind = ActionKind::RefactorExtract;
    assists.add("extract-binding", "Extract to a binding", kind, || {
        name(cx, &stmt, std::slice::from_ref(call))
    });
}

/// Extracts every nested call of the statement.
pub fn name_nested(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let Some(stmt) = cx.around::<ast::Stmt>(range) else {
        return;
    };
    let calls = nested(cx, &stmt);
    if !calls.is_empty() {
        let title = "Name all nested calls (normal form)";
        assists.add("name-nested", title, ActionKind::RefactorRewrite, || {
            name(cx, &stmt, &calls)
        });
    }
}

/// Returns the operator calls inside the value of a simple statement, inner ones first.
fn nested(cx: &FunctionContext<'_>, stmt: &ast::Stmt) -> Vec<SyntaxNode> {
    let value = match stmt {
        ast::Stmt::AssignStmt(it) => it.value(),
        ast::Stmt::AnnAssignStmt(it) => it.value(),
        ast::Stmt::ReturnStmt(it) => it.value(),
        ast::Stmt::ExprStmt(it) => it.expr(),
        _ => None,
    };
    let Some(value) = value else {
        return Vec::new();
    };
    let calls = operator_calls(cx, value.range());
    let is_call =
        |node: &SyntaxNode| Expr::can_cast(node.kind()) && calls.contains(&node.text_range());
    let returned = matches!(stmt, ast::Stmt::ReturnStmt(_));
    let mut found: Vec<SyntaxNode> = value
        .syntax()
        .descendants()
        .filter(|node| (returned || node != value.syntax()) && is_call(node))
        .collect();
    found.sort_by_key(|node| (node.text_range().end(), node.text_range().len()));
    found
}

/// Returns the ranges of the operator calls within a range.
fn operator_calls(cx: &FunctionContext<'_>, range: TextRange) -> FxHashSet<TextRange> {
    let exprs = cx.body.expr_ranges_in(range);
    let calls = exprs.filter(|(expr, _)| cx.facts.call(*expr).is_some());
    calls.map(|(_, at)| at).collect()
}

/// Binds the calls before the statement, and replaces them with the new names.
fn name(cx: &FunctionContext<'_>, stmt: &ast::Stmt, calls: &[SyntaxNode]) -> SourceEdit {
    let mut named: Vec<(TextRange, String)> = Vec::new();
    let mut bindings = String::new();
    let indent = cx.indent(stmt.range().start());
    for call in calls {
        let taken: Vec<&str> = named.iter().map(|(_, name)| name.as_str()).collect();
        let name = cx.free_name_besides("lv", &taken);
        let value = with_names(cx, call.text_range(), &named);
        let _ = write!(bindings, "{name} = {value}{}{indent}", cx.newline());
        named.push((call.text_range(), name));
    }
    let outermost = named.iter().filter(|(range, _)| {
        !named
            .iter()
            .any(|(other, _)| other != range && other.contains_range(*range))
    });
    let edit = SourceEdit::insert(stmt.range().start(), bindings);
    outermost.fold(edit, |edit, (range, name)| {
        edit.and_replace(*range, name.clone())
    })
}

/// Returns the text of an expression with inner calls replaced by names.
fn with_names(cx: &FunctionContext<'_>, range: TextRange, named: &[(TextRange, String)]) -> String {
    let mut inside: Vec<&(TextRange, String)> = named
        .iter()
        .filter(|(it, _)| range.contains_range(*it))
        .filter(|(it, _)| {
            !named.iter().any(|(other, _)| {
                other != it && range.contains_range(*other) && other.contains_range(*it)
            })
        })
        .collect();
    inside.sort_by_key(|(it, _)| it.start());
    let edit = inside
        .iter()
        .fold(SourceEdit::default(), |edit, (it, name)| {
            edit.and_replace(*it - range.start(), name.clone())
        });
    edit.apply(cx.slice(range))
}
