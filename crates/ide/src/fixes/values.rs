//! Operands that the rule of an operator refuses become such that it takes: shapes with as many elements,
//! matrices the other way round, axes and fields that exist. Each is asked of the rule before it is offered.

use hir::Diagnostic;
use hir::body::{Expr, ExprId};
use hir::facts::{ArgFact, CallFact};
use hir::ops::{self, Call};
use hir::sinfo::{StructInfo, TensorShape};
use hir::sym::{SymCx, SymExpr};
use hir::value::Value;
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

/// Axes tried in the place of one that is out of range.
const MAX_AXES: i64 = 16;

/// A dimension of a new shape becomes the one with which the elements are as many as before.
pub fn reshape(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(called) = Called::around(cx, diagnostic) else {
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
        fixes.add("fit-shape", title, only, edit);
    }
}

/// An operand of a matrix product is transposed, or the two change places.
pub fn transpose(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(called) = Called::around(cx, diagnostic) else {
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
            let text = format!("R.permute_dims({name}{axes})");
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

/// The last two dimensions of a tensor change places, and the argument that says so.
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

/// An axis that is out of range becomes the last that is in it.
pub fn last_axis(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(called) = Called::around(cx, diagnostic) else {
        return;
    };
    let at = called.call.args.iter().position(
        |arg| matches!(arg, ArgFact::One(expr) if cx.body.range(*expr) == diagnostic.range),
    );
    let Some(at) = at else { return };
    let param = called.call.op.0.params[at].name;
    let Ok(given) = cx.slice(diagnostic.range).parse::<i64>() else {
        return;
    };
    if !matches!(param, "axis" | "dim") || given > MAX_AXES {
        return;
    }
    let fits = |axis: &i64| called.with(at, Value::Int(*axis)).is_some();
    if let Some(axis) = (0..given).rev().find(fits) {
        let title = format!("Change `{given}` to `{axis}`, the last axis");
        let edit = SourceEdit::replace(diagnostic.range, axis.to_string());
        fixes.possible("last-axis", title, edit);
    }
}

/// A field that a tuple does not have becomes its last.
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

/// The call of an operator that a diagnostic is about.
struct Called<'c, 'db> {
    cx: &'c FunctionContext<'db>,
    call: &'db CallFact,
}

impl<'c, 'db> Called<'c, 'db> {
    fn around(cx: &'c FunctionContext<'db>, diagnostic: &Diagnostic) -> Option<Called<'c, 'db>> {
        let around = cx.body.exprs_around(diagnostic.range).into_iter();
        let holds = |expr: &ExprId| cx.body.range(*expr).contains_range(diagnostic.range);
        let mut calls = around.filter(holds).collect::<Vec<_>>();
        calls.sort_by_key(|expr| cx.body.range(*expr).len());
        let call = calls.into_iter().find_map(|expr| cx.facts.call(expr))?;
        Some(Called { cx, call })
    }

    fn operands(&self) -> Vec<Option<Value>> {
        let value = |expr: &ExprId| self.cx.facts.value(*expr).clone();
        let operand = |arg: &ArgFact| match arg {
            ArgFact::Absent => None,
            ArgFact::One(expr) => Some(value(expr)),
            ArgFact::Many(exprs) => Some(Value::List(exprs.iter().map(value).collect())),
        };
        self.call.args.iter().map(operand).collect()
    }

    /// What the operator gives with another operand, if it takes that.
    fn with(&self, at: usize, operand: Value) -> Option<StructInfo> {
        let mut operands = self.operands();
        operands[at] = Some(operand);
        self.infer(&operands)
    }

    fn infer(&self, operands: &[Option<Value>]) -> Option<StructInfo> {
        let cx = SymCx::default();
        let call = Call {
            op: self.call.op.0,
            args: operands,
            cx: &cx,
            dialect: self.cx.dialect,
            vdevices: &[],
        };
        ops::infer(&call).ok()
    }
}
