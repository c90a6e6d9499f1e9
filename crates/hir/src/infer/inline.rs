//! Python functions of the file that are a `return` alone: a call of one is read as what it returns.

use std::sync::Arc;

use smol_str::SmolStr;

use super::base::Base;
use super::names::Names;
use super::state::State;
use super::{Context, Frame, Infer, Local, Scope};
use crate::body::{Arg, Body, Expr, ExprId, StmtKind};
use crate::enclosing::{self, PyValue};
use crate::facts::FunctionFact;
use crate::value::Value;

impl Infer<'_> {
    /// A call of such a function; `None` for anything else.
    pub(super) fn helper_call(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: &[Arg],
    ) -> Option<Value> {
        let Expr::Name(name) = &self.body.exprs[callee] else {
            return None;
        };
        if self.lookup(name).is_some() {
            return None;
        }
        let Some(PyValue::Helper(helper)) = self.cx.env.get(name).cloned() else {
            return None;
        };
        let values = self.values(args);
        let given = self.spread(args, &values);
        // It sees the names of the file; itself it does not call.
        let mut env = self.cx.env.of_file().clone();
        env.set(name.clone(), PyValue::Unknown);
        let env = Arc::new(env);
        let cx = Context {
            env: &env,
            ..*self.cx
        };
        let (mut names, state) = (Names::default(), State::default());
        let base = Base::alone(&mut names, &state);
        let mut inner = Infer::new(&helper, &cx, base);
        inner.facts.functions.push(FunctionFact::default());
        inner.frames.push(Frame::default());
        let mut scope = Scope::default();
        let bound = given.and_then(|given| bind(&helper, &given, &cx));
        for (name, value) in bound? {
            scope.names.insert(name, Local::Value(value));
        }
        inner.scopes.push(scope);
        let StmtKind::Return(Some(returned)) = helper.function.body.last()?.kind else {
            return Some(Value::Unknown);
        };
        let value = inner.expr(returned);
        let frame = inner.frames.pop()?;
        let sound = inner.facts.diagnostics.is_empty();
        for (_, what) in frame.impure {
            self.impure_call(expr, &what);
        }
        Some(if sound { value } else { Value::Unknown })
    }
}

/// The parameters with what is given for them; `None` where that cannot be told.
fn bind(helper: &Body, given: &[(Arg, Value)], cx: &Context<'_>) -> Option<Vec<(SmolStr, Value)>> {
    let named = |name: &str| {
        let mut keywords = given.iter();
        keywords.find(|(arg, _)| arg.keyword.as_ref().is_some_and(|k| k.text == name))
    };
    let mut rest = given.iter().filter(|(arg, _)| arg.keyword.is_none());
    let mut bound = Vec::new();
    for param in helper.function.params.iter() {
        let name = &param.name.text;
        let value = if param.starred {
            let items: Vec<Value> = rest.by_ref().map(|(_, value)| value.clone()).collect();
            if items.is_empty() {
                Value::Unknown
            } else {
                Value::List(items.into())
            }
        } else if let Some((_, value)) = rest.next().or_else(|| named(name)) {
            value.clone()
        } else {
            let default = enclosing::eval(helper, param.default?, cx.env);
            super::expr::python_value(&default)
        };
        bound.push((name.clone(), value));
    }
    rest.next().is_none().then_some(bound)
}
