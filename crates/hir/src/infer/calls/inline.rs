//! Inlines Python functions of the file that consist of a `return`.

use relax::arguments::{self, Place};
use relax::value::Value;
use smol_str::SmolStr;

use crate::body::{Arg, Body, ExprId, StmtKind};
use crate::enclosing::{self, PyValue};
use crate::infer::calls::splice::Spliced;
use crate::infer::expressions::plain::python_value;
use crate::infer::{Context, Infer};

impl Infer<'_> {
    /// Inlines a call of such a function. Returns `None` for any other call.
    pub(in crate::infer) fn helper_call(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: &[Arg],
    ) -> Option<Value> {
        let (name, PyValue::Helper(helper)) = self.callee_around(callee)? else {
            return None;
        };
        let values = self.values(args);
        let given = self.spread(args, &values);
        Some(given.map_or(Value::Unknown, |given| {
            self.splice_helper(expr, name, helper, &given, false)
        }))
    }

    /// Returns the result of a helper function for these arguments. Its TOPI calls are operators if it computes
    /// `tensor_expressions`.
    pub(in crate::infer) fn splice_helper(
        &mut self,
        expr: ExprId,
        name: &SmolStr,
        helper: &Body,
        given: &[(Arg, Value)],
        tensor_expressions: bool,
    ) -> Value {
        let returned = helper.function.body.last().map(|last| &last.kind);
        let Some(&StmtKind::Return(Some(returned))) = returned else {
            return Value::Unknown;
        };
        let Some(params) = bind(helper, given, self.cx) else {
            return Value::Unknown;
        };
        let spliced = Spliced {
            name,
            body: helper,
            expressions: helper.exprs.own_len(),
            env: self.cx.env.of_file(),
            params,
        };
        let read = |inner: &mut Infer<'_>| {
            inner.frame().tensor_expressions |= tensor_expressions;
            let value = inner.expr(returned);
            let sound = inner.facts.diagnostics.is_empty();
            if sound { value } else { Value::Unknown }
        };
        let value = self.splice(expr, spliced, read);
        value.map_or(Value::Unknown, |(value, _)| value)
    }
}

/// Returns the parameters with their arguments, or `None` if they cannot be matched.
fn bind(helper: &Body, given: &[(Arg, Value)], cx: &Context<'_>) -> Option<Vec<(SmolStr, Value)>> {
    let params = &helper.function.params;
    let binding = arguments::bind(params, given.iter().map(|(arg, _)| arg));
    let values = |param: usize| binding.args(param).map(|at| given[at].1.clone());
    let mut bound = Vec::new();
    for (at, param) in params.iter().enumerate() {
        let value = if param.is_starred() {
            let items: Vec<Value> = values(at).collect();
            if items.is_empty() {
                Value::Unknown
            } else {
                Value::List(items.into())
            }
        } else if let Some(value) = values(at).next() {
            value
        } else {
            let default = enclosing::eval(helper, param.default?, cx.env);
            python_value(&default)
        };
        bound.push((param.name.text.clone(), value));
    }
    let is_surplus = |at| binding.place(at) == Place::Surplus;
    (!(0..given.len()).any(is_surplus)).then_some(bound)
}
