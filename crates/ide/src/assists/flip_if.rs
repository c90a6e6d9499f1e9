//! Swaps the branches of an `if` and negates the condition.

use syntax::ast::{self, AstNode, Expr};
use text_size::TextRange;

use super::Assists;
use crate::code_action::ActionKind;
use crate::dataflow::last_name;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

pub fn flip(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let Some(stmt) = cx.around::<ast::IfStmt>(range) else {
        return;
    };
    let (Some(test), Some(then), Some(otherwise)) =
        (stmt.test(), stmt.then_suite(), stmt.else_suite())
    else {
        return;
    };
    let at_keyword = stmt.range().start() <= range.start() && range.end() <= then.range().start();
    if !at_keyword
        || stmt.elif_clauses().next().is_some()
        || !then.is_block()
        || !otherwise.is_block()
    {
        return;
    }
    let kind = ActionKind::RefactorRewrite;
    assists.add(
        "flip-if",
        "Negate the condition and swap the branches",
        kind,
        || {
            SourceEdit::replace(test.range(), negated(cx, &test))
                .and_replace(then.range(), cx.slice(otherwise.range()))
                .and_replace(otherwise.range(), cx.slice(then.range()))
        },
    );
}

/// Returns `R.logical_not(c)`, or `c` if the condition already is such a call.
fn negated(cx: &FunctionContext<'_>, test: &Expr) -> String {
    if let Expr::CallExpr(call) = test
        && call.callee().and_then(|it| last_name(&it)).as_deref() == Some("logical_not")
        && let Some(value) = call.arg_list().and_then(|it| it.args().next()?.value())
    {
        return cx.slice(value.range()).to_owned();
    }
    format!("{}({})", cx.relax("logical_not"), cx.slice(test.range()))
}
