//! Constant indices of `take`, `gather_*`, `scatter_*` and the like, outside of the tensor that they index.

use relax::diagnostics::Code;
use relax::ops::OpDef;
use relax::sinfo::{StructInfo, Tensor};
use relax::sym::SymExpr;
use relax::value::Value;

use crate::body::{Expr, ExprId};
use crate::facts::ArgFact;
use crate::infer::Infer;

/// What the indices of an operator select.
#[derive(Clone, Copy)]
enum Along {
    /// Positions along the axis that this parameter gives.
    Axis(&'static str),
    /// Coordinates in the last dimension, after as many dimensions as this parameter says.
    Coordinates(&'static str),
    /// Positions along one dimension for each tensor.
    Each,
}

/// The operators, and whether a negative index counts from the end, as in TVM's code for them. The first parameter is
/// the tensor, the second one the indices.
const INDEXED: &[(&str, Along, bool)] = &[
    ("relax.take", Along::Axis("axis"), false),
    ("relax.gather_elements", Along::Axis("axis"), false),
    ("relax.gather_nd", Along::Coordinates("batch_dims"), false),
    ("relax.index_tensor", Along::Each, false),
    ("relax.scatter_elements", Along::Axis("axis"), true),
    ("relax.scatter_nd", Along::Coordinates(""), false),
    ("relax.index_put", Along::Each, true),
];

impl Infer<'_> {
    /// Reports constant indices that are out of range.
    pub(super) fn check_indices(&mut self, op: &OpDef, args: &[ArgFact]) {
        let Some(&(_, along, from_end)) = INDEXED.iter().find(|row| row.0 == op.name) else {
            return;
        };
        let operand = |name: &str| {
            let at = op.params.iter().position(|it| it.name == name)?;
            match args.get(at) {
                Some(ArgFact::One(expr)) => Some(*expr),
                _ => None,
            }
        };
        let mode = operand("mode").map(|it| self.facts.value(it).clone());
        if mode.is_some_and(|it| !matches!(it, Value::Str(mode) if mode == "fast")) {
            return;
        }
        let (Some(&ArgFact::One(data)), Some(indices)) = (args.first(), args.get(1)) else {
            return;
        };
        let Value::Expr(StructInfo::Tensor(tensor)) = self.facts.value(data).clone() else {
            return;
        };
        let int = |name: &str| match operand(name).map(|it| self.facts.value(it)) {
            Some(Value::Int(value)) => Some(*value),
            Some(Value::None) | None => Some(0),
            Some(_) => None,
        };
        let tensors = match (along, indices) {
            (Along::Each, ArgFact::Many(exprs)) => exprs.clone(),
            (Along::Each, ArgFact::One(expr)) => match &self.body.exprs[*expr] {
                Expr::Tuple(items) | Expr::List(items) => items.clone(),
                _ => return,
            },
            (_, ArgFact::One(expr)) => vec![*expr],
            _ => return,
        };
        let first = match along {
            Along::Axis(name) => int(name),
            Along::Coordinates(name) => int(name).filter(|it| *it >= 0),
            Along::Each => Some(0),
        };
        let Some(first) = first else { return };
        for (at, &expr) in tensors.iter().enumerate() {
            let Some(constant) = self.constant_of(expr) else {
                continue;
            };
            let mut found = None;
            for_each_int(&constant, 0, &mut |position, index| {
                let dim = match along {
                    Along::Axis(_) => first,
                    Along::Coordinates(_) => first + position as i64,
                    Along::Each => at as i64,
                };
                found = found.or_else(|| out_of_range(&tensor, dim, index, from_end));
            });
            if let Some((index, dim, extent)) = found {
                let data = match &self.body.exprs[data] {
                    Expr::Name(name) => format!("`{name}`"),
                    _ => format!("`{}`", op.params[0].name),
                };
                let has_mode = op.params.iter().any(|it| it.name == "mode");
                let hint = if has_mode && (-extent..0).contains(&index) {
                    ": only `mode=\"wrap\"` counts from the end"
                } else {
                    ""
                };
                let message = format!(
                    "index `{index}` is out of range for dimension {dim} of {data}, which is {extent}{hint}"
                );
                let range = self.range(expr);
                self.report(Code::IndexOutOfRange, range, message);
            }
        }
    }

    /// Returns the value of a number or of `R.const(...)`. A variable may be bound in another piece.
    fn constant_of(&self, expr: ExprId) -> Option<Value> {
        if let it @ Value::Int(_) = self.facts.value(expr) {
            return Some(it.clone());
        }
        let Expr::Call { callee, args } = &self.body.exprs[expr] else {
            return None;
        };
        let is_const = matches!(&self.body.exprs[*callee], Expr::Attribute { name, .. } if name.text == "const");
        let value = self.facts.value(args.first()?.value);
        is_const.then(|| value.clone())
    }
}

/// Calls `f` with each integer of nested lists, and its position in the innermost one.
fn for_each_int(value: &Value, position: usize, f: &mut dyn FnMut(usize, i64)) {
    match value {
        Value::Int(value) => f(position, *value),
        Value::List(items) => {
            for (at, item) in items.iter().enumerate() {
                for_each_int(item, at, f);
            }
        }
        _ => {}
    }
}

/// Returns an index with its dimension and extent, if it is out of range.
fn out_of_range(tensor: &Tensor, dim: i64, index: i64, from_end: bool) -> Option<(i64, i64, i64)> {
    let dims = relax::ops::explicit_dims(tensor)?;
    let dim = if dim < 0 {
        dim + dims.len() as i64
    } else {
        dim
    };
    let extent = dims.get(usize::try_from(dim).ok()?)?;
    let extent = SymExpr::as_int(extent)?;
    let least = if from_end { -extent } else { 0 };
    (!(least..extent).contains(&index)).then_some((index, dim, extent))
}
