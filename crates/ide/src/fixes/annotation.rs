//! Annotations: those that cannot be true become what is inferred, those that lack are added.

use hir::Diagnostic;
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::Fixes;
use crate::annotations;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

/// The annotation of a binding becomes the StructInfo of its value, or goes.
pub fn correct(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let at = diagnostic.range;
    let bound = cx.facts.vars_around(at).filter(|var| var.value.is_some());
    let around = bound.filter(|var| var.range.contains_range(at));
    let Some(var) = around.min_by_key(|it| it.range.len()) else {
        return;
    };
    let value = var.value.and_then(|it| cx.facts.value(it).struct_info());
    if let Some((text, declared)) = value.and_then(|it| annotations::in_body_declared(cx, &it)) {
        let title = format!("Annotate `{}` as `{text}`", var.name);
        fixes.preferred("correct-annotation", title, declared.and_replace(at, text));
    }
    let annotation = TextRange::new(var.name_range.end(), at.end());
    let title = format!("Remove the annotation of `{}`", var.name);
    fixes.possible("remove-annotation", title, SourceEdit::delete(annotation));
}

/// A parameter without annotation takes every value.
pub fn of_parameter(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let text = annotations::of_anything(cx.dialect);
    let title = format!("Annotate `{}` as `{text}`", cx.slice(diagnostic.range));
    let edit = SourceEdit::insert(diagnostic.range.end(), format!(": {text}"));
    fixes.possible("annotate-parameter", title, edit);
}

/// The return annotation becomes the StructInfo of what is returned.
pub fn of_result(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(old) = cx.function_def(diagnostic.range).ret() else {
        return;
    };
    let values = cx.body.expr_ranges();
    let returned = values
        .filter(|(_, range)| *range == diagnostic.range)
        .last();
    let Some(sinfo) = returned.and_then(|(expr, _)| cx.facts.value(expr).struct_info()) else {
        return;
    };
    let function = cx.facts.function_at(diagnostic.range);
    let params = cx.facts.functions[function].params.iter();
    let bound: Vec<_> = params
        .flat_map(|it| cx.facts.var(*it).struct_info.defined_vars())
        .collect();
    let in_scope = sinfo.used_vars().iter().all(|var| bound.contains(var));
    if let Some(text) = annotations::in_signature(cx, &sinfo).filter(|_| in_scope) {
        let title = format!("Return `{text}`");
        let edit = SourceEdit::replace(old.range(), text);
        fixes.preferred("correct-return", title, edit);
    }
}

/// The StructInfo that a value is cast to becomes that of the value.
pub fn of_cast(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(call) = cx.around::<ast::CallExpr>(diagnostic.range) else {
        return;
    };
    let Some(args) = call.arg_list() else { return };
    let mut values = args.args().filter_map(|it| it.value());
    let (Some(value), Some(target)) = (values.next(), values.next()) else {
        return;
    };
    let mut exprs = cx.body.expr_ranges();
    let found = exprs.find(|(_, range)| *range == value.range());
    let sinfo = found.and_then(|(expr, _)| cx.facts.value(expr).struct_info());
    if let Some(text) = sinfo.and_then(|it| annotations::in_body(cx, &it)) {
        let title = format!("Cast to `{text}`");
        fixes.possible(
            "correct-cast",
            title,
            SourceEdit::replace(target.range(), text),
        );
    }
}
