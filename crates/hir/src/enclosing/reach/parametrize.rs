//! The parameters that pytest passes to a test.

use std::sync::Arc;

use smol_str::SmolStr;
use syntax::ast;

use relax::arguments;

use super::Machine;
use crate::body::{Arg, Body, Expr, ExprId, lower_expr};
use crate::enclosing::eval::eval_with;
use crate::enclosing::{Env, PyValue};

impl Machine<'_> {
    /// Returns the values of `@pytest.mark.parametrize("a, b", [(1, 2), (3, 4)])`.
    pub(super) fn parametrize(
        &mut self,
        decorator: &ast::Decorator,
        env: &Arc<Env>,
    ) -> Option<Vec<Vec<(SmolStr, PyValue)>>> {
        let (body, id) = lower_expr(&decorator.expr()?);
        let Expr::Call { callee, args } = &body.exprs[id] else {
            return None;
        };
        let PyValue::Path(path) = eval_with(&body, *callee, env, self) else {
            return None;
        };
        if path != "pytest.mark.parametrize" {
            return None;
        }
        let operand = |at: usize, name: &str| operand(args, at, name);
        let names: Vec<SmolStr> = match eval_with(&body, operand(0, "argnames")?, env, self) {
            PyValue::Str(names) => names.split(',').map(|n| n.trim().into()).collect(),
            PyValue::List(names) => names
                .iter()
                .map(|name| match name {
                    PyValue::Str(name) => Some(name.clone()),
                    _ => None,
                })
                .collect::<Option<_>>()?,
            _ => return None,
        };
        let values = self.parameter_sets(&body, operand(1, "argvalues")?, env)?;
        let sets = values.into_iter().map(|value| match (&names[..], value) {
            ([name], value) => vec![(name.clone(), value)],
            (names, PyValue::List(values)) if names.len() == values.len() => {
                names.iter().cloned().zip(values.iter().cloned()).collect()
            }
            (names, _) => names
                .iter()
                .map(|n| (n.clone(), PyValue::Unknown))
                .collect(),
        });
        Some(sets.collect())
    }

    /// Returns the parameter sets of a list, including those in `pytest.param(...)`.
    fn parameter_sets(&mut self, body: &Body, at: ExprId, env: &Arc<Env>) -> Option<Vec<PyValue>> {
        let (Expr::List(items) | Expr::Tuple(items)) = &body.exprs[at] else {
            return match eval_with(body, at, env, self) {
                PyValue::List(items) => Some(items.to_vec()),
                _ => None,
            };
        };
        let mut sets = Vec::with_capacity(items.len());
        for &item in items {
            sets.push(match &body.exprs[item] {
                Expr::Call { callee, args } if is_param(body, *callee) => {
                    let mut values: Vec<PyValue> = args
                        .iter()
                        .filter(|a| a.keyword.is_none())
                        .map(|a| eval_with(body, a.value, env, self))
                        .collect();
                    match values.len() {
                        1 => values.remove(0),
                        _ => PyValue::list(values),
                    }
                }
                Expr::Star(_) => return None,
                _ => eval_with(body, item, env, self),
            });
        }
        Some(sets)
    }
}

fn operand(args: &[Arg], at: usize, name: &str) -> Option<ExprId> {
    arguments::find(args, at, &[name]).map(|arg| arg.value)
}

/// Returns `true` if `callee` is `pytest.param`.
fn is_param(body: &Body, callee: ExprId) -> bool {
    matches!(&body.exprs[callee], Expr::Attribute { name, .. } if name.text == "param")
}
