//! The call of an operator with other operands: what its rule would say of them.

use hir::Diagnostic;
use hir::body::ExprId;
use hir::facts::{ArgFact, CallFact};
use hir::ops::{self, Call};
use hir::sinfo::StructInfo;
use hir::sym::SymCx;
use hir::value::Value;

use crate::function_context::FunctionContext;

/// The call of an operator that a diagnostic is about.
pub struct Called<'c, 'db> {
    cx: &'c FunctionContext<'db>,
    pub call: &'db CallFact,
}

impl<'c, 'db> Called<'c, 'db> {
    pub fn around(
        cx: &'c FunctionContext<'db>,
        diagnostic: &Diagnostic,
    ) -> Option<Called<'c, 'db>> {
        let around = cx.body.exprs_around(diagnostic.range).into_iter();
        let holds = |expr: &ExprId| cx.body.range(*expr).contains_range(diagnostic.range);
        let mut calls = around.filter(holds).collect::<Vec<_>>();
        calls.sort_by_key(|expr| cx.body.range(*expr).len());
        let call = calls.into_iter().find_map(|expr| cx.facts.call(expr))?;
        Some(Called { cx, call })
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

    /// What the operator gives with another operand, if it takes that.
    pub fn with(&self, at: usize, operand: Value) -> Option<StructInfo> {
        let mut operands = self.operands();
        operands[at] = Some(operand);
        self.infer(&operands)
    }

    pub fn infer(&self, operands: &[Option<Value>]) -> Option<StructInfo> {
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
