//! Reads the arguments that `call_tir` and similar operators take as one tuple.

use relax::diagnostics::Code;
use relax::ops::OpDef;
use relax::sinfo::StructInfo;
use relax::value::Value;

use crate::body::{Expr, ExprId};
use crate::facts::{ArgFact, Def};
use crate::infer::Infer;

impl Infer<'_> {
    /// Returns the arguments of a call, given as a tuple, a list, one value or a variable that holds a tuple.
    pub(in crate::infer) fn tuple_operands(&self, given: ExprId) -> (Vec<StructInfo>, Vec<ExprId>) {
        let value = self.facts.value(given);
        match (&self.body.exprs[given], value) {
            (Expr::Tuple(items) | Expr::List(items), Value::List(values))
                if items.len() == values.len() =>
            {
                (
                    values
                        .iter()
                        .map(|v| v.struct_info().unwrap_or_default())
                        .collect(),
                    items.clone(),
                )
            }
            (_, Value::List(values)) => (
                values
                    .iter()
                    .map(|v| v.struct_info().unwrap_or_default())
                    .collect(),
                vec![given; values.len()],
            ),
            (_, Value::Expr(StructInfo::Tuple(fields))) => {
                (fields.to_vec(), vec![given; fields.len()])
            }
            (_, value) => (vec![value.struct_info().unwrap_or_default()], vec![given]),
        }
    }

    /// Reports a variable where the arguments of a call must be written as a tuple.
    pub(in crate::infer) fn check_written_tuple(&mut self, op: &OpDef, facts: &[ArgFact]) {
        let takes_one = match op.script() {
            // A single value that is not a tuple becomes one.
            "make_closure" => true,
            "vm.call_tir_dyn" => false,
            _ => return,
        };
        let Some(&ArgFact::One(at)) = facts.get(1) else {
            return;
        };
        let value = self.facts.value(at);
        let is_var = matches!(self.facts.def(at), Some(Def::Var(_)));
        let is_single = match value {
            Value::Int(_)
            | Value::Float(_)
            | Value::Bool(_)
            | Value::Str(_)
            | Value::Dict(_)
            | Value::Script(_)
            | Value::Annotation(_) => true,
            Value::Expr(StructInfo::Tensor(_)) => !takes_one && !is_var,
            _ => false,
        };
        if is_single {
            let message = format!(
                "`R.{}`: `{}` must be a tuple, but is {}",
                op.script(),
                op.params[1].name,
                value.kind_name()
            );
            let range = self.range(at);
            self.report(Code::ArgumentType, range, message);
            return;
        }
        if !is_var {
            return;
        }
        let is_tuple = matches!(value, Value::Expr(StructInfo::Tuple(_)));
        if value.is_unknown() || takes_one && !is_tuple {
            return;
        }
        let message = format!(
            "`R.{}`: `{}` must be written out as a tuple, not passed as a variable",
            op.script(),
            op.params[1].name
        );
        let range = self.range(at);
        self.report(Code::ArgumentType, range, message);
    }
}
