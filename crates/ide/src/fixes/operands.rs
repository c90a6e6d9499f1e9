//! Operands: of one dtype by `R.astype`, of a tensor by `R.take`; the output of `R.call_tir`.

use hir::Diagnostic;
use hir::body::{Expr, ExprId};
use hir::facts::{ArgFact, Def};
use hir::sinfo::call::derive;
use hir::sinfo::{Callable, StructInfo};
use hir::sym::SymCx;
use hir::{FunctionKind, file_items, function_signature};
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::annotations;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

/// One of two operands is converted to the dtype of the other.
pub fn convert(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let around = cx.body.exprs_around(diagnostic.range).into_iter();
    let mut calls = around.filter_map(|expr| Some((expr, cx.facts.call(expr)?)));
    let call = calls.find(|(expr, call)| {
        let range = cx.body.range(*expr);
        range == diagnostic.range
            || is_callee(cx, *expr, diagnostic)
            || is_operand(cx, &call.args, diagnostic)
    });
    let Some((_, call)) = call else { return };
    let tensors: Vec<(ExprId, hir::dtype::DType)> = call
        .args
        .iter()
        .filter_map(|arg| match arg {
            ArgFact::One(expr) => {
                let sinfo = cx.facts.value(*expr).struct_info()?;
                Some((*expr, sinfo.as_tensor()?.dtype?))
            }
            _ => None,
        })
        .collect();
    let [(first, a), (second, b)] = tensors.as_slice() else {
        return;
    };
    // The later operand is more often the constant or the bias.
    for (expr, dtype) in [(second, a), (first, b)] {
        let range = cx.body.range(*expr);
        let operand = cx.slice(range);
        let title = format!("Convert `{operand}` to `{dtype}`");
        let text = format!("R.astype({operand}, \"{dtype}\")");
        let edit = SourceEdit::replace(range, text);
        if a != b {
            fixes.add("convert-dtype", title, expr == second, edit);
        }
    }
}

fn is_operand(cx: &FunctionContext<'_>, args: &[ArgFact], diagnostic: &Diagnostic) -> bool {
    args.iter()
        .any(|arg| matches!(arg, ArgFact::One(it) if cx.body.range(*it) == diagnostic.range))
}

fn is_callee(cx: &FunctionContext<'_>, call: ExprId, diagnostic: &Diagnostic) -> bool {
    matches!(&cx.body.exprs[call], Expr::Call { callee, .. }
        if cx.body.range(*callee) == diagnostic.range)
}

/// `x[0]` of a tensor is `R.take`.
pub fn take(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(subscript) = cx.around::<ast::SubscriptExpr>(diagnostic.range) else {
        return;
    };
    let (Some(base), Some(ast::Expr::NumberLit(index))) = (subscript.base(), subscript.index())
    else {
        return;
    };
    let (base, index) = (
        cx.slice(base.range()),
        cx.slice(index.syntax().text_range()),
    );
    let text = format!("R.take({base}, R.const({index}, \"int64\"), axis=0)");
    let title = format!("Write `{text}`");
    fixes.possible("take", title, SourceEdit::replace(subscript.range(), text));
}

/// `out_sinfo=` or `out_ty=` of what the PrimFunc writes.
pub fn add_output(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let mut around = cx.body.exprs_around(diagnostic.range).into_iter();
    let call = around.find(|expr| is_callee(cx, *expr, diagnostic));
    let Some(Expr::Call { args, .. }) = call.map(|it| &cx.body.exprs[it]) else {
        return;
    };
    let [callee, given] = args.as_slice() else {
        return;
    };
    let Some(Def::Global(name)) = cx.facts.def(callee.value) else {
        return;
    };
    let operands: Vec<StructInfo> = match &cx.body.exprs[given.value] {
        Expr::Tuple(items) | Expr::List(items) => items
            .iter()
            .map(|it| cx.facts.value(*it).struct_info().unwrap_or_default())
            .collect(),
        _ => return,
    };
    let module = cx.function.module(cx.db);
    let functions = file_items(cx.db, cx.function.file(cx.db)).functions.iter();
    let mut named = functions.filter(|it| it.module(cx.db) == module && it.name(cx.db) == *name);
    let Some(prim) = named.find(|it| it.kind(cx.db) == FunctionKind::PrimFunc) else {
        return;
    };
    let params = &function_signature(cx.db, *prim).params;
    if operands.len() >= params.len() {
        return;
    }
    let (inputs, outputs) = params.split_at(operands.len());
    let callable = |ret: &StructInfo| Callable {
        params: Some(inputs.into()),
        ret: ret.clone(),
        pure: true,
    };
    let computed: Option<Vec<String>> = outputs
        .iter()
        .map(|it| derive(&callable(it), &operands, &SymCx::default()).ret)
        .map(|it| annotations::in_body(cx, &it))
        .collect();
    let Some(computed) = computed else { return };
    let keyword = match cx.dialect {
        hir::dialect::Dialect::Type => "out_ty",
        _ => "out_sinfo",
    };
    let text = match computed.as_slice() {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    let edit = SourceEdit::insert(
        cx.body.range(given.value).end(),
        format!(", {keyword}={text}"),
    );
    fixes.preferred(
        "add-output-annotation",
        format!("Add `{keyword}={text}`"),
        edit,
    );
}
