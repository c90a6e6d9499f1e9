//! Adds inferred annotations to bindings, or removes annotations.

use hir::facts::{Var, VarKind};
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::Assists;
use crate::annotations;
use crate::code_action::ActionKind;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Annotates the binding under the cursor.
pub fn one(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let mut here = cx.facts.vars_around(range);
    let var = here.find(|var| var.name_range.contains_range(range) && lacks_annotation(var));
    let Some(var) = var else { return };
    let Some((text, declared)) = annotations::in_body_declared(cx, var.struct_info) else {
        return;
    };
    let title = format!("Annotate `{}` as `{text}`", var.name);
    assists.add("annotate", title, ActionKind::RefactorRewrite, || {
        declared.and_insert(var.name_range.end(), format!(": {text}"))
    });
}

/// Annotates all bindings of the function.
pub fn all(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    if cx.is_at_header(range) && missing(cx).next().is_some() {
        let kind = ActionKind::RefactorRewrite;
        assists.add("annotate-all", "Annotate all bindings", kind, || {
            missing(cx).fold(SourceEdit::default(), |edit, (var, text, declared)| {
                let known = edit.replacements();
                let mut declared = declared.replacements().to_vec();
                declared.retain(|it| !known.contains(it));
                let declared = declared.into_iter();
                declared
                    .fold(edit, |edit, it| edit.and_replace(it.range, it.text))
                    .and_insert(var.name_range.end(), format!(": {text}"))
            })
        });
    }
}

/// Removes the annotations of all bindings of the function.
pub fn remove_all(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    if cx.is_at_header(range) && present(cx).next().is_some() {
        let title = "Remove the annotations of all bindings";
        assists.add(
            "remove-annotations",
            title,
            ActionKind::RefactorRewrite,
            || present(cx).fold(SourceEdit::default(), SourceEdit::and_delete),
        );
    }
}

/// Returns the bindings without an annotation, each with its annotation and the declarations that this needs.
fn missing<'db>(cx: &FunctionContext<'db>) -> impl Iterator<Item = (Var<'db>, String, SourceEdit)> {
    let vars = cx.facts.vars().filter(lacks_annotation);
    vars.filter_map(|var| {
        let (text, declared) = annotations::in_body_declared(cx, var.struct_info)?;
        Some((var, text, declared))
    })
}

fn lacks_annotation(var: &Var<'_>) -> bool {
    matches!(var.kind, VarKind::Var | VarKind::Dataflow)
        && !var.annotated
        && !var.name_range.is_empty()
        && !var.name.starts_with('_')
        && var.value.is_some()
}

/// Returns the ranges of annotations, including the colon, that can be removed.
fn present(cx: &FunctionContext<'_>) -> impl Iterator<Item = TextRange> {
    let nodes = cx.tree.syntax().descendants();
    nodes.filter_map(ast::AnnAssignStmt::cast).filter_map(|it| {
        it.value()?;
        let (target, annotation) = (it.target()?, it.annotation()?);
        // Removing the annotation must not lose information.
        let var = cx.facts.var_named_at(target.range())?;
        let value = cx.facts.value(var.value?).struct_info()?;
        if value.is_unknown() || *var.struct_info != value {
            return None;
        }
        Some(TextRange::new(
            target.range().end(),
            annotation.range().end(),
        ))
    })
}
