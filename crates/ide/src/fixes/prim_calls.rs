//! Fixes calls of PrimFuncs and Relax functions: the right kind of call, and the outputs of PrimFuncs.

use hir::body::{Arg, Expr, ExprId};
use hir::facts::Def;
use hir::{FunctionItem, file_items};
use relax::dialect::Dialect;
use relax::script::Namespace;
use relax::sinfo::StructInfo;
use relax::{Diagnostic, FunctionKind};
use text_size::TextRange;

use super::Fixes;
use super::nearest_name::everywhere;
use crate::annotations;
use crate::prim_output;
use crate::semantics::FunctionContext;
use crate::semantics::spelling::module_alias;
use crate::source_edit::SourceEdit;

/// Adds the output of a PrimFunc: `out_sinfo=`, `out_ty=`, or the RFC's shape and dtype.
pub fn add_output(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some((_, [callee, given])) =
        call_with(cx, diagnostic, |callee, _| callee == diagnostic.range)
    else {
        return;
    };
    let operands = operands(cx, given.value);
    let output = prim_func(cx, callee.value).and_then(|prim| output(cx, prim, &operands?));
    let Some(output) = output else { return };
    let text = format!("{}{output}", prim_output::keyword(cx.release));
    let edit = SourceEdit::insert(cx.body.range(given.value).end(), format!(", {text}"));
    fixes.certain("add-output-annotation", format!("Add `{text}`"), edit);
}

/// Replaces the output with what the PrimFunc writes.
pub fn correct_output(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let holds = |arg: &Arg| cx.body.range(arg.value).contains_range(diagnostic.range);
    let found = call_with(cx, diagnostic, |_, args| args.iter().skip(2).any(holds));
    let Some((_, [callee, given, rest @ ..])) = found else {
        return;
    };
    let operands = operands(cx, given.value);
    let output = prim_func(cx, callee.value).and_then(|prim| output(cx, prim, &operands?));
    if let (Some(output), Some(named)) = (output, rest.iter().find(|arg| holds(arg))) {
        let title = format!("Change the output to `{output}`");
        // The RFC has a separate argument for the dtype.
        let dtype = rest.iter().filter(|arg| keyword(arg) == Some("dtype"));
        let old = dtype.fold(cx.body.range(named.value), |old, arg| {
            old.cover(cx.body.range(arg.value))
        });
        let edit = SourceEdit::replace(old, output);
        fixes.preferred("correct-output", title, edit);
    }
}

/// Rewrites `cls.f(x)`, where `f` is a PrimFunc, to `R.call_tir(cls.f, (x,), out_sinfo=...)`.
pub fn call_tir(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some((call, args)) = call_with(cx, diagnostic, |callee, _| callee == diagnostic.range)
    else {
        return;
    };
    let Expr::Call { callee, .. } = &cx.body.exprs[call] else {
        return;
    };
    if args.iter().any(|arg| arg.keyword.is_some() || arg.starred) {
        return;
    }
    let operands: Vec<_> = args.iter().map(|arg| struct_info(cx, arg.value)).collect();
    let output = prim_func(cx, *callee).and_then(|prim| output(cx, prim, &operands));
    let Some(output) = output else { return };
    let inputs: Vec<_> = args.iter().map(|arg| slice(cx, arg.value)).collect();
    let comma = if inputs.len() == 1 { "," } else { "" };
    let text = format!(
        "{}({}, ({}{comma}), {}{output})",
        cx.relax("call_tir"),
        slice(cx, *callee),
        inputs.join(", "),
        prim_output::keyword(cx.release)
    );
    let title = format!("Write `{text}`");
    let edit = SourceEdit::replace(cx.body.range(call), text);
    fixes.preferred("call-tir", title, edit);
}

/// Rewrites `R.call_tir(cls.f, (x,), ...)`, where `f` is a Relax function, to `cls.f(x)`.
pub fn call_directly(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let first = |_, args: &[Arg]| {
        let first = args.first().map(|arg| cx.body.range(arg.value));
        first == Some(diagnostic.range)
    };
    let Some((call, [callee, given, ..])) = call_with(cx, diagnostic, first) else {
        return;
    };
    let (Expr::Tuple(items) | Expr::List(items)) = &cx.body.exprs[given.value] else {
        return;
    };
    if function(cx, callee.value, FunctionKind::Relax).is_some() {
        let args: Vec<_> = items.iter().map(|item| slice(cx, *item)).collect();
        let text = format!("{}({})", slice(cx, callee.value), args.join(", "));
        let title = format!("Write `{text}`");
        let edit = SourceEdit::replace(cx.body.range(call), text);
        fixes.certain("call-directly", title, edit);
    }
}

/// Accesses a function of the module through the module: `cls.f`.
pub fn through_module(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let name = cx.slice(diagnostic.range);
    let Some(module) = cx.module() else {
        return;
    };
    let mut functions = module.functions(cx.db).iter();
    let is_script = |kind| matches!(kind, FunctionKind::Relax | FunctionKind::PrimFunc);
    if cx.release.dialect() != Dialect::Rfc
        && functions.any(|it| it.name(cx.db) == name && is_script(it.kind(cx.db)))
    {
        let module = module.name(cx.db);
        let alias = module_alias(cx.body, &module).unwrap_or(module);
        let path = format!("{alias}.{name}");
        let edit = everywhere(cx, diagnostic, diagnostic.range, &path);
        fixes.certain("through-module", format!("Write `{path}`"), edit);
    }
}

/// Returns the innermost call around the diagnostic for which `fits` holds, given the callee's range and the
/// arguments.
pub(super) fn call_with<'db>(
    cx: &FunctionContext<'db>,
    diagnostic: &Diagnostic,
    fits: impl Fn(TextRange, &[Arg]) -> bool,
) -> Option<(ExprId, &'db [Arg])> {
    let around = cx.body.exprs_around(diagnostic.range).into_iter();
    let calls = around.filter_map(|expr| match &cx.body.exprs[expr] {
        Expr::Call { callee, args } if fits(cx.body.range(*callee), args) => {
            Some((expr, args.as_slice()))
        }
        _ => None,
    });
    calls.min_by_key(|(expr, _)| cx.body.range(*expr).len())
}

pub(super) fn keyword(arg: &Arg) -> Option<&str> {
    arg.keyword.as_ref().map(|it| it.text.as_str())
}

fn slice<'db>(cx: &FunctionContext<'db>, expr: ExprId) -> &'db str {
    cx.slice(cx.body.range(expr))
}

fn struct_info(cx: &FunctionContext<'_>, expr: ExprId) -> StructInfo {
    cx.facts.value(expr).struct_info().unwrap_or_default()
}

/// Returns the elements of a tuple of inputs.
fn operands(cx: &FunctionContext<'_>, given: ExprId) -> Option<Vec<StructInfo>> {
    match &cx.body.exprs[given] {
        Expr::Tuple(items) | Expr::List(items) => {
            Some(items.iter().map(|it| struct_info(cx, *it)).collect())
        }
        _ => None,
    }
}

pub(super) fn prim_func<'db>(
    cx: &FunctionContext<'db>,
    callee: ExprId,
) -> Option<FunctionItem<'db>> {
    function(cx, callee, FunctionKind::PrimFunc)
}

fn function<'db>(
    cx: &FunctionContext<'db>,
    callee: ExprId,
    kind: FunctionKind,
) -> Option<FunctionItem<'db>> {
    let Some(Def::Global(name)) = cx.facts.def(callee) else {
        return None;
    };
    let module = cx.function.module(cx.db);
    let functions = file_items(cx.db, cx.function.file(cx.db)).functions.iter();
    let mut named = functions.filter(|it| it.module(cx.db) == module && it.name(cx.db) == *name);
    named.find(|it| it.kind(cx.db) == kind).copied()
}

/// Writes the outputs of a PrimFunc for the given inputs, as the dialect spells them after the inputs of a call.
fn output(
    cx: &FunctionContext<'_>,
    prim: FunctionItem<'_>,
    operands: &[StructInfo],
) -> Option<String> {
    let outputs = prim_output::outputs(cx.db, prim, operands)?;
    let in_scope = |it| annotations::in_body(cx, it).is_some();
    if !outputs.iter().all(in_scope) {
        return None;
    }
    prim_output::written(&outputs, cx.release, &cx.alias(Namespace::Relax))
}
