//! Inlines a binding: removes it, and puts its value where it was used.

use hir::facts::VarKind;
use syntax::ast::{self, AstNode, Expr};
use text_size::TextRange;

use super::Assists;
use crate::code_action::ActionKind;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

pub fn inline(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let mut here = cx.facts.vars_around(range);
    let var = here.find(|var| {
        // An output of a dataflow block needs its name.
        let kept = var.kind == VarKind::Dataflow || var.kind == VarKind::Var && !var.in_dataflow;
        kept && var.used && var.name_range.contains_range(range)
    });
    let Some(var) = var else { return };
    let Some(stmt) = cx.around::<ast::Stmt>(var.range) else {
        return;
    };
    let value = match &stmt {
        ast::Stmt::AssignStmt(it) => it.value(),
        ast::Stmt::AnnAssignStmt(it) => it.value(),
        _ => None,
    };
    let (Some(value), Some(expr)) = (value, var.value) else {
        return;
    };
    // A value with an effect must not move, and a name that is bound again means something else later.
    let named = cx.names_in(value.range());
    let bound_again = cx.facts.vars().any(|it| {
        it.name_range.start() > var.name_range.end() && named.contains(&it.name.as_str())
    });
    if stmt.range() != var.range
        || bound_again
        || !cx.is_pure(expr)
        || !cx.alone_on_its_lines(stmt.range())
    {
        return;
    }
    let title = format!("Inline `{}`", var.name);
    assists.add("inline-binding", title, ActionKind::RefactorInline, || {
        let text = cx.slice(value.range());
        let atom = !matches!(
            value,
            Expr::BinaryExpr(_)
                | Expr::UnaryExpr(_)
                | Expr::CompareExpr(_)
                | Expr::IfExpr(_)
                | Expr::LambdaExpr(_)
                | Expr::BoolExpr(_)
                | Expr::NotExpr(_)
        ) && !matches!(&value, Expr::TupleExpr(it) if !it.is_parenthesized());
        let text = if atom {
            text.to_owned()
        } else {
            format!("({text})")
        };
        let edit = SourceEdit::delete(cx.lines(stmt.range()));
        cx.uses(var.id)
            .fold(edit, |edit, at| edit.and_replace(at, text.clone()))
    });
}
