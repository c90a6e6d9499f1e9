//! Replaces Python operators and undecorated functions with those of Relax.

use hir::body::{Expr, ExprId};
use relax::{Diagnostic, ops};
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::Fixes;
use crate::dataflow::DataflowBlock;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Rewrites `x @ y` to `R.matmul(x, y)`.
pub fn call(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let range = diagnostic.range;
    let around = cx.body.exprs_around(range).into_iter();
    let parts = around
        .filter(|it| cx.body.range(*it) == range)
        .find_map(|it| parts(cx, it));
    let Some((operator, operands)) = parts else {
        return;
    };
    let values: Vec<_> = operands.iter().map(|it| cx.facts.value(*it)).collect();
    let Some(op) = ops::meant_by_python(operator, &values, cx.release) else {
        return;
    };
    let given: Vec<&str> = operands
        .iter()
        .map(|it| cx.slice(cx.body.range(*it)))
        .collect();
    let text = format!("{}({})", cx.relax(op.script()), given.join(", "));
    let title = format!("Write `{text}`");
    fixes.preferred("call-operator", title, SourceEdit::replace(range, text));
}

/// Returns the operator and the operands of an expression.
fn parts(cx: &FunctionContext<'_>, expr: ExprId) -> Option<(&'static str, Vec<ExprId>)> {
    Some(match &cx.body.exprs[expr] {
        Expr::Binary { op, lhs, rhs } => (op.text(), vec![*lhs, *rhs]),
        Expr::Unary { op, operand } => (op.text(), vec![*operand]),
        Expr::Not(operand) => ("not", vec![*operand]),
        Expr::Compare { first, rest } => match rest.as_slice() {
            [(op, operand)] => (op.text(), vec![*first, *operand]),
            _ => return None,
        },
        Expr::BoolOp { op, operands } if operands.len() == 2 => (op.text(), operands.clone()),
        _ => return None,
    })
}

/// Rewrites `y = a if c else b` to an `if` with branches.
pub fn branch(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(stmt) = cx.around::<ast::AssignStmt>(diagnostic.range) else {
        return;
    };
    let targets: Vec<ast::Expr> = stmt.targets().collect();
    let ([ast::Expr::NameExpr(target)], Some(ast::Expr::IfExpr(value))) =
        (targets.as_slice(), stmt.value())
    else {
        return;
    };
    let (Some(test), Some(then), Some(otherwise)) = (value.test(), value.then(), value.or_else())
    else {
        return;
    };
    let is_here = |range: TextRange| range == diagnostic.range;
    if !(is_here(test.range()) || is_here(value.range()))
        || !cx.alone_on_its_lines(stmt.range())
        || DataflowBlock::around(cx, stmt.range()).is_some()
    {
        return;
    }
    let indent = cx.indent(stmt.range().start());
    let (step, newline) = (cx.indent_step(), cx.newline());
    let name = cx.slice(target.range());
    let branch = |value: &ast::Expr| {
        let value = cx.slice(value.range());
        format!("{newline}{indent}{step}{name} = {value}{newline}{indent}")
    };
    let text = format!(
        "if {}:{}else:{}",
        cx.slice(test.range()),
        branch(&then),
        branch(&otherwise).trim_end()
    );
    let edit = SourceEdit::replace(stmt.range(), text);
    fixes.preferred("if-statement", "Write it as `if` and `else`", edit);
}

/// Adds the decorator of the enclosing function to a local function.
pub fn decorate(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(def) = cx.around::<ast::FunctionDef>(diagnostic.range) else {
        return;
    };
    let is_name = def
        .name()
        .is_some_and(|it| it.text_range() == diagnostic.range);
    if !is_name || def.decorators().next().is_some() {
        return;
    }
    let start = def.range().start();
    let decorator = cx.relax("function");
    let text = format!("@{decorator}{}{}", cx.newline(), cx.indent(start));
    let title = format!("Add `@{decorator}`");
    let edit = SourceEdit::replace(TextRange::empty(start), text);
    fixes.preferred("decorate", title, edit);
}
