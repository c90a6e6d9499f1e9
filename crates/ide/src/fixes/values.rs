//! Fixes operands that an operator's inference rule rejects: shapes with the wrong number of elements, matrices that
//! need a transpose, axes and fields out of range. The rule checks each change before it is offered.

use hir::body::{Expr, ExprId};
use hir::facts::ArgFact;
use relax::Diagnostic;
use relax::sinfo::{StructInfo, TensorShape};
use relax::sym::SymExpr;
use relax::value::Value;
use syntax::ast::{self, AstNode};

use super::nearest_name::everywhere;
use super::operator_call::OperatorCall;
use super::{Confidence, Fixes};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// The maximum number of axes tried for one that is out of range.
const MAX_AXES: i64 = 16;

/// Changes a dimension of a new shape so that the number of elements stays the same.
pub fn reshape(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(called) = OperatorCall::around(cx, diagnostic) else {
        return;
    };
    let Some(ArgFact::One(shape)) = called.call.args.get(1) else {
        return;
    };
    if called.call.op.0.script() != "reshape" || cx.body.range(*shape) != diagnostic.range {
        return;
    }
    let (Expr::Tuple(items) | Expr::List(items)) = &cx.body.exprs[*shape] else {
        return;
    };
    let values: Vec<Value> = items.iter().map(|it| cx.facts.value(*it).clone()).collect();
    let fit = |at: usize| -> Option<SymExpr> {
        let mut tried = values.clone();
        tried[at] = Value::Int(-1);
        let result = called.with(1, Value::List(tried.into()))?;
        match &result.as_tensor()?.shape {
            TensorShape::Known(dims) => dims.get(at)?.as_int().map(SymExpr::int),
            _ => None,
        }
    };
    let is_int = |at: &usize| matches!(values[*at], Value::Int(_));
    let fitting: Vec<_> = (0..items.len())
        .filter(is_int)
        .filter_map(|at| Some((at, fit(at)?)))
        .collect();
    let only = fitting.len() == 1;
    for (at, dim) in &fitting {
        let range = cx.body.range(items[*at]);
        let title = format!(
            "Change dimension {at} from `{}` to `{dim}`",
            cx.slice(range)
        );
        let edit = SourceEdit::replace(range, dim.to_string());
        fixes.add("fit-shape", title, Confidence::likely_if(only), edit);
    }
}

/// Replaces a string that TVM prints for a float: `"inf"` by `float("inf")`.
pub fn printed_float(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if let Some((range, float)) = &diagnostic.instead {
        let title = format!("Write `{float}`");
        let edit = everywhere(cx, diagnostic, *range, float);
        fixes.certain("float-constant", title, edit);
    }
}

/// Transposes an operand of a matrix product, or swaps the operands.
pub fn transpose(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(called) = OperatorCall::around(cx, diagnostic) else {
        return;
    };
    let [ArgFact::One(lhs), ArgFact::One(rhs), ..] = called.call.args.as_slice() else {
        return;
    };
    if called.call.op.0.script() != "matmul" {
        return;
    }
    for (at, operand) in [(1, *rhs), (0, *lhs)] {
        let Some((sinfo, axes)) = transposed(cx.facts.value(operand)) else {
            continue;
        };
        if called.with(at, Value::Expr(sinfo)).is_some() {
            let range = cx.body.range(operand);
            let name = cx.slice(range);
            let text = format!("{}({name}{axes})", cx.relax("permute_dims"));
            let edit = SourceEdit::replace(range, text);
            fixes.possible("transpose", format!("Transpose `{name}`"), edit);
        }
    }
    let (left, right) = (cx.body.range(*lhs), cx.body.range(*rhs));
    let mut swapped = called.operands();
    swapped.swap(0, 1);
    if called.infer(&swapped).is_some() {
        let edit = SourceEdit::replace(left, cx.slice(right)).and_replace(right, cx.slice(left));
        fixes.possible("swap-operands", "Swap the operands", edit);
    }
}

/// Returns the tensor with its last two dimensions swapped, and the `axes` argument for that.
fn transposed(value: &Value) -> Option<(StructInfo, String)> {
    let sinfo = value.struct_info()?;
    let mut tensor = sinfo.as_tensor()?.clone();
    let TensorShape::Known(dims) = &tensor.shape else {
        return None;
    };
    let mut dims = dims.to_vec();
    let rank = dims.len();
    let last = rank.checked_sub(1).filter(|last| *last > 0)?;
    dims.swap(last - 1, last);
    let mut axes: Vec<String> = (0..rank).map(|axis| axis.to_string()).collect();
    axes.swap(last - 1, last);
    let axes = match rank {
        2 => String::new(),
        _ => format!(", axes=[{}]", axes.join(", ")),
    };
    tensor.shape = TensorShape::Known(dims.into());
    Some((StructInfo::Tensor(tensor), axes))
}

/// Replaces an axis that is out of range with the nearest valid one, also in a list.
pub fn last_axis(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(called) = OperatorCall::around(cx, diagnostic) else {
        return;
    };
    let found = called.call.args.iter().enumerate();
    let found = found.filter_map(|(at, arg)| match arg {
        ArgFact::One(expr) if cx.body.range(*expr) == diagnostic.range => Some((at, *expr)),
        _ => None,
    });
    let Some((at, given)) = found.last() else {
        return;
    };
    if !matches!(called.call.op.0.params[at].name, "axis" | "axes" | "dim") {
        return;
    }
    let items: Vec<(usize, ExprId)> = match &cx.body.exprs[given] {
        Expr::Tuple(items) | Expr::List(items) => items.iter().copied().enumerate().collect(),
        _ => vec![(0, given)],
    };
    let with = |nth: usize, axis: i64| match cx.facts.value(given) {
        Value::List(values) => {
            let mut values = values.to_vec();
            *values.get_mut(nth)? = Value::Int(axis);
            called.with(at, Value::List(values.into()))
        }
        _ => called.with(at, Value::Int(axis)),
    };
    for (nth, item) in items {
        let Value::Int(axis) = *cx.facts.value(item) else {
            continue;
        };
        if axis.abs() > MAX_AXES {
            continue;
        }
        let nearer: Vec<i64> = match axis {
            0.. => (0..axis).rev().collect(),
            _ => (axis + 1..0).collect(),
        };
        if let Some(nearest) = nearer.into_iter().find(|it| with(nth, *it).is_some()) {
            let which = if axis < 0 { "first" } else { "last" };
            let title = format!("Change `{axis}` to `{nearest}`, the {which} axis");
            let edit = SourceEdit::replace(cx.body.range(item), nearest.to_string());
            fixes.possible("last-axis", title, edit);
            return;
        }
    }
}

/// Replaces a field that a tuple does not have with its last field.
pub fn last_field(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(subscript) = cx.around::<ast::SubscriptExpr>(diagnostic.range) else {
        return;
    };
    let Some(base) = subscript.base() else { return };
    let around = cx.body.exprs_around(base.range()).into_iter();
    let tuple = around
        .filter(|it| cx.body.range(*it) == base.range())
        .find_map(|it| cx.facts.value(it).struct_info());
    let Some(StructInfo::Tuple(fields)) = tuple else {
        return;
    };
    if let Some(last) = fields.len().checked_sub(1) {
        let old = cx.slice(diagnostic.range);
        let title = format!("Change `{old}` to `{last}`, the last field");
        let edit = SourceEdit::replace(diagnostic.range, last.to_string());
        fixes.possible("last-field", title, edit);
    }
}
