//! Fixes operands: converts dtypes with `R.astype`, indexes tensors with `R.take`, takes a field of a tuple.

use std::iter;

use hir::facts::ArgFact;
use relax::Diagnostic;
use relax::dtype::DType;
use relax::sinfo::StructInfo;
use relax::value::Value;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::operator_call::OperatorCall;
use super::{Confidence, Fixes};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// The maximum number of tuple fields that are offered.
const MAX_FIELDS: usize = 4;

/// Converts an operand to the dtype of another operand, or to a dtype that the operator accepts.
pub fn convert(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let (Some([one, other]), Some(called)) =
        (dtypes(diagnostic), OperatorCall::around(cx, diagnostic))
    else {
        return;
    };
    let mut converted = Vec::new();
    for place in called.tensors() {
        let wanted = match place.tensor.dtype {
            Some(dtype) if dtype == one => other,
            Some(dtype) if dtype == other => one,
            _ => continue,
        };
        if called.takes_dtype(&place, wanted) {
            converted.push((place.expr, wanted));
        }
    }
    // The later operand is more often a constant or a bias, so offer to convert it first.
    for (at, (expr, dtype)) in converted.iter().rev().enumerate() {
        let (title, edit) = conversion(cx, cx.body.range(*expr), *dtype);
        fixes.add("convert-dtype", title, Confidence::likely_if(at == 0), edit);
    }
}

/// Converts an argument of a function to the dtype of its parameter.
pub fn convert_argument(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if fixes.only_certain {
        return;
    }
    let Some([wanted, _]) = dtypes(diagnostic) else {
        return;
    };
    let (title, edit) = conversion(cx, diagnostic.range, wanted);
    if fixes.checking(cx).improves(&edit) == Some(true) {
        fixes.possible("convert-dtype", title, edit);
    }
}

fn dtypes(diagnostic: &Diagnostic) -> Option<[DType; 2]> {
    let (one, other) = diagnostic.differing.as_ref()?;
    Some([DType::parse(one)?, DType::parse(other)?])
}

fn conversion(cx: &FunctionContext<'_>, operand: TextRange, dtype: DType) -> (String, SourceEdit) {
    let name = cx.slice(operand);
    let text = format!("{}({name}, \"{dtype}\")", cx.relax("astype"));
    let title = format!("Convert `{name}` to `{dtype}`");
    (title, SourceEdit::replace(operand, text))
}

/// Removes an argument without a parameter.
pub fn remove(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if let Some(edit) = without_argument(cx, diagnostic.range) {
        let title = format!("Remove `{}`", cx.slice(diagnostic.range));
        fixes.possible("remove-argument", title, edit);
    }
}

/// Returns the edit that removes an argument of a call with several, and a comma.
pub fn without_argument(cx: &FunctionContext<'_>, arg: TextRange) -> Option<SourceEdit> {
    let mut around = cx.covering(arg)?.ancestors();
    let node = around.find(|it| {
        it.parent()
            .is_some_and(|it| ast::ArgList::can_cast(it.kind()))
    })?;
    let is_arg = |it: &SyntaxNode| ast::Arg::can_cast(it.kind());
    if node.text_range() != arg || !is_arg(&node) {
        return None;
    }
    let mut before = iter::successors(node.prev_sibling(), SyntaxNode::prev_sibling);
    let mut after = iter::successors(node.next_sibling(), SyntaxNode::next_sibling);
    let removed = match (before.find(is_arg), after.find(is_arg)) {
        (Some(before), _) => TextRange::new(before.text_range().end(), arg.end()),
        (None, Some(after)) => TextRange::new(arg.start(), after.text_range().start()),
        (None, None) => return None,
    };
    Some(SourceEdit::delete(removed))
}

/// Replaces a tuple with one of its fields.
pub fn field(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(called) = OperatorCall::around(cx, diagnostic) else {
        return;
    };
    let args = called.call.args.iter();
    let at = args.enumerate().find_map(|(at, arg)| match arg {
        ArgFact::One(it) if cx.body.range(*it) == diagnostic.range => Some((at, *it)),
        _ => None,
    });
    let Some((at, operand)) = at else { return };
    let Some(StructInfo::Tuple(fields)) = cx.facts.value(operand).struct_info() else {
        return;
    };
    let fits = |field: &StructInfo| called.with(at, Value::Expr(field.clone())).is_some();
    let fitting: Vec<usize> = (0..fields.len()).filter(|at| fits(&fields[*at])).collect();
    for field in fitting.iter().take(MAX_FIELDS) {
        let text = format!("{}[{field}]", cx.slice(diagnostic.range));
        let title = format!("Write `{text}`");
        let edit = SourceEdit::replace(diagnostic.range, text);
        fixes.add(
            "field-operand",
            title,
            Confidence::likely_if(fitting.len() == 1),
            edit,
        );
    }
}

/// Rewrites `x[0]` of a tensor to `R.take`.
pub fn take(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(subscript) = cx.around::<ast::SubscriptExpr>(diagnostic.range) else {
        return;
    };
    let (Some(base), Some(ast::Expr::NumberLit(index))) = (subscript.base(), subscript.index())
    else {
        return;
    };
    let around = cx.body.exprs_around(base.range()).into_iter();
    let mut around = around.filter(|it| cx.body.range(*it) == base.range());
    let sinfo = around.find_map(|it| cx.facts.value(it).struct_info());
    let ndim = sinfo.and_then(|it| it.as_tensor()?.ndim());
    if ndim == Some(0) {
        return;
    }
    let (base, index) = (
        cx.slice(base.range()),
        cx.slice(index.syntax().text_range()),
    );
    let (take, constant) = (cx.relax("take"), cx.relax("const"));
    let text = format!("{take}({base}, {constant}({index}, \"int64\"), axis=0)");
    let title = format!("Write `{text}`");
    fixes.possible("take", title, SourceEdit::replace(subscript.range(), text));
}
