//! Adds missing inputs to a call of a PrimFunc.

use hir::facts::Var;
use relax::Diagnostic;
use relax::sinfo::{Fit, StructInfo};
use relax::sym::SymCx;
use relax::value::Value;
use text_size::TextRange;

use super::Fixes;
use super::prim_calls::{call_with, keyword, prim_func};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Chooses a fitting variable for each input of the PrimFunc.
pub fn add(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if fixes.only_certain {
        return;
    }
    let Some((_, args)) = call_with(cx, diagnostic, |callee, _| callee == diagnostic.range) else {
        return;
    };
    let [callee, rest @ ..] = args else { return };
    let output = rest
        .iter()
        .find(|arg| matches!(keyword(arg), Some("out_sinfo" | "out_ty")));
    let (Some(prim), Some(output)) = (prim_func(cx, callee.value), output) else {
        return;
    };
    if rest
        .iter()
        .any(|arg| keyword(arg).is_none_or(|it| it == "args"))
    {
        return;
    }
    let outputs = match cx.facts.value(output.value) {
        Value::List(all) => all.len(),
        _ => 1,
    };
    let params = &hir::function_signature(cx.db, prim).params;
    let Some(count) = params.len().checked_sub(outputs) else {
        return;
    };
    let Some(inputs) = inputs(cx, diagnostic.range, &params[..count]) else {
        return;
    };
    let comma = if inputs.len() == 1 { "," } else { "" };
    let text = format!("({}{comma})", inputs.join(", "));
    let edit = SourceEdit::insert(cx.body.range(callee.value).end(), format!(", {text}"));
    if fixes.checking(cx).improves(&edit) != Some(false) {
        fixes.possible("add-inputs", format!("Add `{text}`"), edit);
    }
}

/// Returns the nearest fitting variables in the order of their bindings. Uses a variable twice only if there is no
/// other.
fn inputs<'db>(
    cx: &FunctionContext<'db>,
    at: TextRange,
    params: &[StructInfo],
) -> Option<Vec<&'db str>> {
    let known: Vec<Var<'db>> = cx.vars_before(at).collect();
    let fits = |var: &Var<'_>, param: &StructInfo| {
        var.struct_info.fit(param, &SymCx::default()) > Fit::Narrower
    };
    let mut chosen: Vec<&Var<'db>> = Vec::new();
    for param in params {
        let mut fitting = known.iter().rev().filter(|var| fits(var, param));
        let nearest = fitting.clone().next()?;
        let other = fitting.find(|var| chosen.iter().all(|it| it.id != var.id));
        chosen.push(other.unwrap_or(nearest));
    }
    chosen.sort_by_key(|var| var.id.0);
    let mut named = Vec::new();
    for param in params {
        let first = chosen.iter().position(|var| fits(var, param))?;
        named.push(chosen.remove(first).name.as_str());
    }
    Some(named)
}
