//! Replaces an annotation that says more than inference knows with a `match_cast`, which checks it at run time.

use relax::sinfo::Fit;
use relax::sym::SymCx;
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::Assists;
use crate::casts::{cast_name, match_cast};
use crate::code_action::ActionKind;
use crate::semantics::FunctionContext;

pub fn check(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let Some(stmt) = cx.around::<ast::AnnAssignStmt>(range) else {
        return;
    };
    let Some(var) = cx
        .facts
        .vars_around(stmt.range())
        .find(|it| it.range == stmt.range())
    else {
        return;
    };
    let value = var.value.and_then(|it| cx.facts.value(it).struct_info());
    let narrower = value.is_some_and(|value| {
        !value.is_unknown()
            && matches!(
                value.fit(var.struct_info, &SymCx::default()),
                Fit::Narrower | Fit::Unproved
            )
    });
    if let Some(edit) = match_cast(cx, &stmt).filter(|_| narrower) {
        let title = format!("Check the annotation with `{}`", cast_name(cx));
        assists.add("match-cast", title, ActionKind::RefactorRewrite, || edit);
    }
}
