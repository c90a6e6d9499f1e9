//! Operands: of one dtype by `R.astype`, of a tensor by `R.take`.

use hir::Diagnostic;
use hir::body::{Expr, ExprId};
use hir::facts::ArgFact;
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::Fixes;
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

/// An argument for which there is no parameter goes.
pub fn remove(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(list) = cx.around::<ast::ArgList>(diagnostic.range) else {
        return;
    };
    let args: Vec<ast::Arg> = list.args().collect();
    let at = args.iter().position(|arg| arg.range() == diagnostic.range);
    if let Some(before) = at.and_then(|at| args.get(at.checked_sub(1)?)) {
        let range = TextRange::new(before.range().end(), diagnostic.range.end());
        let title = format!("Remove `{}`", cx.slice(diagnostic.range));
        fixes.possible("remove-argument", title, SourceEdit::delete(range));
    }
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
