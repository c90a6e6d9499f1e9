//! Fixes the number of dimensions: adds or removes a dimension of an operand, or drops a wrong `ndim`. The operator's
//! inference rule checks each change of an operand.

use hir::facts::ArgFact;
use relax::Diagnostic;
use relax::sinfo::{StructInfo, Tensor, TensorShape};
use relax::sym::SymExpr;
use relax::value::Value;
use syntax::ast::{self, AstNode};

use super::Fixes;
use super::operands::without_argument;
use super::operator_call::OperatorCall;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Rewrites `x` to `R.expand_dims(x, axis=[0])` or `R.squeeze(x, axis=[0])`, whichever the operator accepts.
pub fn of_operand(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(called) = OperatorCall::around(cx, diagnostic) else {
        return;
    };
    for (at, arg) in called.call.args.iter().enumerate() {
        let ArgFact::One(operand) = arg else { continue };
        let Some(StructInfo::Tensor(tensor)) = cx.facts.value(*operand).struct_info() else {
            continue;
        };
        let TensorShape::Known(dims) = &tensor.shape else {
            continue;
        };
        let range = cx.body.range(*operand);
        let name = cx.slice(range);
        for (op, axis, dims) in one_more(dims).chain(one_less(dims)) {
            let shape = TensorShape::Known(dims.into());
            let changed = Tensor {
                shape,
                ..tensor.clone()
            };
            let operand = Value::Expr(StructInfo::Tensor(changed));
            if called.with(at, operand).is_some() {
                let text = format!("{}({name}, axis=[{axis}])", cx.relax(op));
                let title = format!("Write `{text}`");
                fixes.possible(op, title, SourceEdit::replace(range, text));
                break;
            }
        }
    }
}

type Changed = (&'static str, usize, Vec<SymExpr>);

/// Adds a dimension of extent 1 before all others.
fn one_more(dims: &[SymExpr]) -> impl Iterator<Item = Changed> {
    let first = std::iter::once(SymExpr::int(1));
    let dims = first.chain(dims.iter().cloned()).collect();
    std::iter::once(("expand_dims", 0, dims))
}

/// Removes one of the dimensions of extent 1.
fn one_less(dims: &[SymExpr]) -> impl Iterator<Item = Changed> {
    let ones = (0..dims.len()).filter(|at| dims[*at].as_int() == Some(1));
    ones.map(|at| {
        let mut kept = dims.to_vec();
        kept.remove(at);
        ("squeeze", at, kept)
    })
}

/// Drops `ndim`, since the written dimensions already say it.
pub fn leave_out(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(args) = cx.around::<ast::ArgList>(diagnostic.range) else {
        return;
    };
    let args: Vec<ast::Arg> = args.args().collect();
    let is_shape = |arg: &ast::Arg| arg.value().is_some_and(|it| it.range() == diagnostic.range);
    let is_rank = |arg: &&ast::Arg| arg.keyword().is_some_and(|it| it.text() == "ndim");
    if let Some(arg) = args.iter().find(is_rank)
        && args.iter().any(is_shape)
        && let Some(edit) = without_argument(cx, arg.range())
    {
        let title = format!("Remove `{}`", cx.slice(arg.range()));
        fixes.preferred("remove-ndim", title, edit);
    }
}
