//! Fixes floats in PrimFuncs where integers are required: `/`, and dimensions with a decimal point.

use relax::{Diagnostic, FunctionKind};
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Rewrites `a / b` to `a // b`.
pub fn floor(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if cx.function.kind(cx.db) != FunctionKind::PrimFunc {
        return;
    }
    let division = cx.around::<ast::BinaryExpr>(diagnostic.range);
    let op = division
        .filter(|it| it.range() == diagnostic.range)
        .and_then(|it| it.op_token());
    if let Some(op) = op.filter(|it| it.text() == "/") {
        let edit = SourceEdit::replace(op.text_range(), "//");
        fixes.preferred("floor-division", "Use integer division `//`", edit);
    }
}

/// Rewrites a dimension `4.0` to `4`.
pub fn whole_number(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let old = cx.slice(diagnostic.range);
    let is_prim = cx.function.kind(cx.db) == FunctionKind::PrimFunc;
    let number = old.trim_end_matches('0').strip_suffix('.');
    if let Some(number) = number.filter(|it| is_prim && it.parse::<u64>().is_ok()) {
        let edit = SourceEdit::replace(diagnostic.range, number);
        fixes.preferred("whole-number", format!("Write `{number}`"), edit);
    }
}
