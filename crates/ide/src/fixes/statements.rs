//! Rewrites Python statements that Relax expresses differently, and binds values that are not used.

use std::fmt::Write;

use relax::Diagnostic;
use syntax::ast::{self, AstNode, Expr, Stmt};
use text_size::TextRange;

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Rewrites `x += y` to `x = x + y`, binds a tuple before its fields are taken, and turns a docstring into a comment.
pub fn rewrite(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(stmt) = cx.around::<Stmt>(diagnostic.range) else {
        return;
    };
    match &stmt {
        Stmt::AugAssignStmt(it) => augmented(cx, it, fixes),
        Stmt::AssignStmt(it) => unpacked(cx, it, fixes),
        Stmt::ExprStmt(it) => docstring(cx, it, fixes),
        Stmt::ImportStmt(_)
        | Stmt::ImportFromStmt(_)
        | Stmt::RaiseStmt(_)
        | Stmt::DelStmt(_)
        | Stmt::GlobalStmt(_)
        | Stmt::NonlocalStmt(_) => remove(cx, stmt.range(), fixes),
        _ => {}
    }
}

fn remove(cx: &FunctionContext<'_>, stmt: TextRange, fixes: &mut Fixes) {
    if cx.alone_on_its_lines(stmt) {
        let edit = SourceEdit::delete(cx.lines(stmt));
        fixes.possible("remove-statement", "Remove the statement", edit);
    }
}

fn augmented(cx: &FunctionContext<'_>, stmt: &ast::AugAssignStmt, fixes: &mut Fixes) {
    let (Some(target), Some(op), Some(value)) = (stmt.target(), stmt.op(), stmt.value()) else {
        return;
    };
    let target = cx.slice(target.range());
    let simple = matches!(
        value,
        Expr::NameExpr(_) | Expr::CallExpr(_) | Expr::NumberLit(_)
    );
    let value = cx.slice(value.range());
    let operand = if simple {
        value.to_owned()
    } else {
        format!("({value})")
    };
    let text = format!("{target} = {target} {} {operand}", op.op.text());
    let title = format!("Write `{text}`");
    fixes.certain(
        "expand-assignment",
        title,
        SourceEdit::replace(stmt.range(), text),
    );
}

fn unpacked(cx: &FunctionContext<'_>, stmt: &ast::AssignStmt, fixes: &mut Fixes) {
    let targets: Vec<Expr> = stmt.targets().collect();
    if let ([first, _, ..], Some(value)) = (targets.as_slice(), stmt.value()) {
        return one_by_one(cx, stmt, first, &value, fixes);
    }
    let ([Expr::TupleExpr(target)], Some(value)) = (targets.as_slice(), stmt.value()) else {
        return;
    };
    let names: Vec<&str> = target.elements().map(|it| cx.slice(it.range())).collect();
    let is_name = |it: &&str| it.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !names.iter().all(is_name) {
        return;
    }
    let tuple = cx.free_name("lv");
    let (indent, newline) = (cx.indent(stmt.range().start()), cx.newline());
    let mut text = format!("{tuple} = {}", cx.slice(value.range()));
    for (at, name) in names.iter().enumerate() {
        let _ = write!(text, "{newline}{indent}{name} = {tuple}[{at}]");
    }
    let title = "Bind the tuple, then its fields";
    fixes.certain("unpack", title, SourceEdit::replace(stmt.range(), text));
}

/// Rewrites `a = b = x` to `a = x` and `b = a`.
fn one_by_one(
    cx: &FunctionContext<'_>,
    stmt: &ast::AssignStmt,
    first: &Expr,
    value: &Expr,
    fixes: &mut Fixes,
) {
    let (value, name) = (cx.slice(value.range()), cx.slice(first.range()));
    let repeated = match first {
        Expr::NameExpr(_) => name,
        _ => value,
    };
    let (indent, newline) = (cx.indent(stmt.range().start()), cx.newline());
    let mut text = format!("{name} = {value}");
    for target in stmt.targets().skip(1) {
        let target = cx.slice(target.range());
        let _ = write!(text, "{newline}{indent}{target} = {repeated}");
    }
    let edit = SourceEdit::replace(stmt.range(), text);
    fixes.preferred("assign-one-by-one", "Split into separate assignments", edit);
}

fn docstring(cx: &FunctionContext<'_>, stmt: &ast::ExprStmt, fixes: &mut Fixes) {
    let Some(Expr::StringLit(_)) = stmt.expr() else {
        return;
    };
    let text = cx.slice(stmt.range()).trim_matches(['"', '\'']).trim();
    let indent = cx.indent(stmt.range().start());
    let lines: Vec<String> = text
        .lines()
        .map(|line| format!("# {}", line.trim()).trim_end().to_owned())
        .collect();
    let text = lines.join(&format!("{}{indent}", cx.newline()));
    let edit = SourceEdit::replace(stmt.range(), text);
    fixes.certain("docstring-to-comment", "Turn it into a comment", edit);
}

/// Rewrites a statement `y == value` to an assignment if nothing binds `y`.
pub fn assign(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(Stmt::ExprStmt(stmt)) = cx.around::<Stmt>(diagnostic.range) else {
        return;
    };
    let Some(Expr::CompareExpr(compare)) = stmt.expr() else {
        return;
    };
    let operands: Vec<Expr> = compare.operands().collect();
    let [Expr::NameExpr(name), value] = operands.as_slice() else {
        return;
    };
    let between = TextRange::new(name.range().end(), value.range().start());
    if name.range() == diagnostic.range && cx.slice(between).trim() == "==" {
        let edit = SourceEdit::replace(between, " = ");
        let title = format!("Bind `{}` with `=`", cx.slice(name.range()));
        fixes.preferred("assign", title, edit);
    }
}

/// Binds a value that is not used, or removes it.
pub fn bind(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(Stmt::ExprStmt(stmt)) = cx.around::<Stmt>(diagnostic.range) else {
        return;
    };
    let edit = SourceEdit::insert(stmt.range().start(), "_ = ");
    fixes.possible("bind-value", "Bind the value to `_`", edit);
    remove(cx, stmt.range(), fixes);
}
