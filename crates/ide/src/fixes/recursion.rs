//! Adds a return annotation to a recursive function.

use relax::Diagnostic;
use relax::sinfo::{Fit, StructInfo, Tensor};
use relax::sym::SymCx;
use syntax::ast::{AstNode, Stmt};
use text_size::TextSize;

use super::{Confidence, FileContext, Fixes};
use crate::annotations;
use crate::draft::Draft;
use crate::semantics::FunctionContext;
use crate::semantics::function_at;
use crate::source_edit::SourceEdit;

/// Uses the inferred type, or else that of a branch without recursion if all other branches fit it, or else
/// `R.Object`.
pub fn annotate(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if fixes.only_certain {
        return;
    }
    let function = function_at(cx.db, cx.file, diagnostic.range.start());
    let Some(within) = function.and_then(|it| FunctionContext::new(cx.db, cx.file, it)) else {
        return;
    };
    let Some(params) = within.tree.params() else {
        return;
    };
    let at = params.range().end() + within.start;
    let annotation = |text: &str| SourceEdit::insert(at, format!(" -> {text}"));
    let known = candidates(&within).into_iter().find_map(|sinfo| {
        let text = annotations::of_result(&within, 0, &sinfo)?;
        let file = TextSize::of(&*cx.file.source(cx.db).text);
        fixes.checks.spend(file, within.tree.range().len())?;
        holds(cx, &annotation(&text), within.start).then_some(text)
    });
    let confidence = Confidence::likely_if(known.is_some());
    let text = known.unwrap_or_else(|| annotations::of_anything(&within));
    let edit = annotation(&text);
    fixes.add(
        "annotate-return",
        format!("Return `{text}`"),
        confidence,
        edit,
    );
}

/// Returns the possible return types, the most precise first: the inferred one, those of the branches, and those of
/// the branches reduced to rank and dtype.
fn candidates(cx: &FunctionContext<'_>) -> Vec<StructInfo> {
    let branches = cx.facts.joins.iter().rev().flat_map(|join| join.branches);
    let branches = branches.map(|var| cx.facts.var(var).struct_info.clone());
    let known: Vec<StructInfo> = returned(cx)
        .into_iter()
        .chain(branches)
        .filter(|it| !matches!(it, StructInfo::Object | StructInfo::Unknown))
        .collect();
    let coarse: Vec<StructInfo> = known
        .iter()
        .filter_map(|it| it.as_tensor())
        .map(|it| Tensor::of_ndim(it.ndim(), it.dtype).into())
        .collect();
    known.into_iter().chain(coarse).collect()
}

/// Returns the StructInfo of the last returned value.
fn returned(cx: &FunctionContext<'_>) -> Option<StructInfo> {
    let Stmt::ReturnStmt(stmt) = cx.tree.body()?.stmts().last()? else {
        return None;
    };
    let value = stmt.value()?.range();
    let mut around = cx.body.exprs_around(value).into_iter();
    let value = around.find(|expr| cx.body.range(*expr) == value)?;
    cx.facts.value(value).struct_info()
}

/// Returns `true` if, after the edit, inference confirms the return annotation.
fn holds(cx: &FileContext<'_>, edit: &SourceEdit, start: TextSize) -> bool {
    let mut draft = Draft::new(cx.db, cx.file);
    draft.apply(edit);
    let function = function_at(&draft.db, draft.file, start);
    let after = function.and_then(|it| FunctionContext::new(&draft.db, draft.file, it));
    after.is_some_and(|after| {
        let annotated = after.facts.functions.first();
        let annotated = annotated.and_then(|it| it.annotated_ret.as_ref());
        let fit = |it: &StructInfo| Some(it.fit(annotated?, &SymCx::default()));
        returned(&after).as_ref().and_then(fit) == Some(Fit::Always)
    })
}
