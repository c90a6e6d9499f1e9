//! Tries an operator call with other operands by asking its inference rule.

use hir::body::{Expr, ExprId};
use hir::facts::{ArgFact, CallFact};
use relax::Diagnostic;
use relax::dtype::DType;
use relax::ops::{self, Call, OpErrorKind, Stop};
use relax::sinfo::{StructInfo, Tensor};
use relax::sym::SymCx;
use relax::value::Value;

use crate::semantics::FunctionContext;

/// The operator call that a diagnostic is about.
pub struct OperatorCall<'c, 'db> {
    cx: &'c FunctionContext<'db>,
    pub call: &'db CallFact,
}

/// A tensor operand.
pub struct TensorOperand {
    param: usize,
    /// For an element of a tuple, its index.
    element: Option<usize>,
    pub expr: ExprId,
    pub tensor: Tensor,
}

impl<'c, 'db> OperatorCall<'c, 'db> {
    pub fn around(
        cx: &'c FunctionContext<'db>,
        diagnostic: &Diagnostic,
    ) -> Option<OperatorCall<'c, 'db>> {
        let around = cx.body.exprs_around(diagnostic.range).into_iter();
        let holds = |expr: &ExprId| cx.body.range(*expr).contains_range(diagnostic.range);
        let mut calls = around.filter(holds).collect::<Vec<_>>();
        calls.sort_by_key(|expr| cx.body.range(*expr).len());
        let call = calls.into_iter().find_map(|expr| cx.facts.call(expr))?;
        Some(OperatorCall { cx, call })
    }

    pub fn operands(&self) -> Vec<Option<Value>> {
        let value = |expr: &ExprId| self.cx.facts.value(*expr).clone();
        let operand = |arg: &ArgFact| match arg {
            ArgFact::Absent => None,
            ArgFact::One(expr) => Some(value(expr)),
            ArgFact::Many(exprs) => Some(Value::List(exprs.iter().map(value).collect())),
        };
        self.call.args.iter().map(operand).collect()
    }

    /// Returns the result with another operand, or `None` if the operator rejects it.
    pub fn with(&self, at: usize, operand: Value) -> Option<StructInfo> {
        let mut operands = self.operands();
        operands[at] = Some(operand);
        self.infer(&operands)
    }

    pub fn infer(&self, operands: &[Option<Value>]) -> Option<StructInfo> {
        self.result(operands).ok()
    }

    /// Returns the tensor operands, including the elements of tuples that are written out.
    pub fn tensors(&self) -> Vec<TensorOperand> {
        let mut found = Vec::new();
        let mut add = |param, element, expr: ExprId| {
            let tensor = self.cx.facts.value(expr).struct_info();
            if let Some(StructInfo::Tensor(tensor)) = tensor {
                found.push(TensorOperand {
                    param,
                    element,
                    expr,
                    tensor,
                });
            }
        };
        for (param, arg) in self.call.args.iter().enumerate() {
            match arg {
                ArgFact::Absent => {}
                ArgFact::One(expr) => match &self.cx.body.exprs[*expr] {
                    Expr::Tuple(items) | Expr::List(items) => {
                        for (element, item) in items.iter().enumerate() {
                            add(param, Some(element), *item);
                        }
                    }
                    _ => add(param, None, *expr),
                },
                ArgFact::Many(exprs) => {
                    for (element, expr) in exprs.iter().enumerate() {
                        add(param, Some(element), *expr);
                    }
                }
            }
        }
        found
    }

    /// Returns `true` if the operator accepts an operand with another dtype.
    pub fn takes_dtype(&self, operand: &TensorOperand, dtype: DType) -> bool {
        let converted = Value::Expr(StructInfo::Tensor(Tensor {
            dtype: Some(dtype),
            ..operand.tensor.clone()
        }));
        let mut operands = self.operands();
        match (&operands[operand.param], operand.element) {
            (_, None) => operands[operand.param] = Some(converted),
            (Some(Value::List(items)), Some(element)) if element < items.len() => {
                let mut items = items.to_vec();
                items[element] = converted;
                operands[operand.param] = Some(Value::List(items.into()));
            }
            _ => return false,
        }
        !matches!(self.result(&operands), Err(Stop::Error(error)) if error.kind == OpErrorKind::DType)
    }

    fn result(&self, operands: &[Option<Value>]) -> ops::Infer {
        let cx = SymCx::default();
        let call = Call {
            op: self.call.op.0,
            args: operands,
            cx: &cx,
            release: self.cx.release,
            oldest: self.cx.oldest,
            vdevices: &[],
        };
        ops::infer(&call)
    }
}
