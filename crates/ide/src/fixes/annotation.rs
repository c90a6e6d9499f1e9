//! Fixes annotations: a wrong annotation becomes the inferred StructInfo, and a missing one is added.

use hir::facts::Var;
use relax::dialect::Dialect;
use relax::script::Namespace;
use relax::sinfo::StructInfo;
use relax::{Diagnostic, FunctionKind};
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::Fixes;
use crate::annotations;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Replaces the annotation of a binding with the StructInfo of its value, or removes it. Also corrects later
/// annotations that this makes wrong.
pub fn correct(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some((at, var)) = annotated(cx, diagnostic) else {
        return;
    };
    let checking = fixes.checking(cx);
    let followed = |title: String, edit: SourceEdit| {
        let all = checking.followed(edit.clone());
        if all == edit {
            (title, edit)
        } else {
            (
                format!("{title}, and correct the annotations after it"),
                all,
            )
        }
    };
    if let Some((title, edit)) = corrected(cx, diagnostic) {
        let (title, edit) = followed(title, edit);
        fixes.preferred("correct-annotation", title, edit);
    }
    let annotation = TextRange::new(var.name_range.end(), at.end());
    let title = format!("Remove the annotation of `{}`", var.name);
    let (title, edit) = followed(title, SourceEdit::delete(annotation));
    fixes.possible("remove-annotation", title, edit);
}

/// Annotates a variable whose type names another one of its dataflow block with what is known outside of it.
pub fn without_shape_vars(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let is_named = |var: &Var<'_>| {
        let mut has_shape = false;
        var.struct_info
            .for_each_shape_var(&mut |_, _| has_shape = true);
        has_shape && !var.annotated && diagnostic.about.as_ref() == Some(var.name)
    };
    let vars: Vec<Var<'_>> = cx.facts.vars().filter(is_named).collect();
    let at_name = vars.iter().find(|it| it.name_range == diagnostic.range);
    // Until TVM 0.25, the diagnostic is at the output.
    let var = at_name.or(vars.last());
    let text = var.and_then(|it| annotations::in_body(cx, &it.struct_info.without_shape_vars()));
    if let (Some(var), Some(text)) = (var, text) {
        let title = format!("Annotate `{}` as `{text}`", var.name);
        let edit = SourceEdit::insert(var.name_range.end(), format!(": {text}"));
        fixes.certain("annotate", title, edit);
    }
}

/// Returns the StructInfo of a value as text, and the edit that writes it over the annotation.
pub fn corrected(
    cx: &FunctionContext<'_>,
    diagnostic: &Diagnostic,
) -> Option<(String, SourceEdit)> {
    let (at, var) = annotated(cx, diagnostic)?;
    let value = cx.facts.value(var.value?).struct_info()?;
    let (text, declared) = annotations::in_body_declared(cx, &value)?;
    let title = format!("Annotate `{}` as `{text}`", var.name);
    Some((title, declared.and_replace(at, text)))
}

/// Returns the range of an annotation, and the variable that it belongs to.
fn annotated<'db>(
    cx: &FunctionContext<'db>,
    diagnostic: &Diagnostic,
) -> Option<(TextRange, Var<'db>)> {
    let stmt = cx.around::<ast::AnnAssignStmt>(diagnostic.range)?;
    let at = stmt.annotation()?.range();
    let bound = cx.facts.vars_around(at).filter(|var| var.value.is_some());
    let around = bound.filter(|var| var.range.contains_range(at));
    Some((at, around.min_by_key(|it| it.range.len())?))
}

/// Annotates a parameter with a StructInfo that accepts every value; in a PrimFunc, with a handle.
pub fn of_parameter(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let text = match cx.function.kind(cx.db) {
        FunctionKind::PrimFunc => format!("{}.handle", cx.alias(Namespace::Tir)),
        _ => annotations::of_anything(cx),
    };
    let title = format!("Annotate `{}` as `{text}`", cx.slice(diagnostic.range));
    let edit = SourceEdit::insert(diagnostic.range.end(), format!(": {text}"));
    fixes.possible("annotate-parameter", title, edit);
}

/// Replaces the return annotation with the StructInfo of the returned value.
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
    if let Some(text) = annotations::of_result(cx, function, &sinfo) {
        let title = format!("Return `{text}`");
        let edit = SourceEdit::replace(old.range(), text);
        fixes.preferred("correct-return", title, edit);
    }
}

/// Replaces the target of a cast with the StructInfo of the value.
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
    let written = |sinfo: StructInfo| match cx.release.dialect() {
        Dialect::Rfc => annotations::shape_in_body(cx, &sinfo),
        Dialect::StructInfo | Dialect::Type => annotations::in_body(cx, &sinfo),
    };
    if let Some(text) = sinfo.and_then(written) {
        let title = format!("Cast to `{text}`");
        let edit = SourceEdit::replace(target.range(), text);
        // The cast may be the binding of a shape variable.
        if fixes.checking(cx).improves(&edit) != Some(false) {
            fixes.possible("correct-cast", title, edit);
        }
    }
}
