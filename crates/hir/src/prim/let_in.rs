//! `T.Let(body, where={x: value})`: an expression with variables that are bound to values.

use text_size::TextRange;

use super::arith::Number;
use super::value::Value;
use super::{Entity, Reader};
use crate::body::{Arg, Expr, ExprId};
use crate::tir::{self, ExprKind, VarId};

impl Reader<'_> {
    /// Returns the value of the call, or `None` if the call has another form.
    pub fn let_in(&mut self, args: &[Arg], range: TextRange) -> Option<Value> {
        let [body, bound] = args else {
            return None;
        };
        let Expr::Dict(entries) = &self.body.exprs[bound.value] else {
            return None;
        };
        let mut values: Vec<(VarId, tir::Expr)> = Vec::with_capacity(entries.len());
        for &(key, value) in entries {
            let number = self.number(value)?;
            let value = self.strong(number);
            let var = self.let_var(key?)?;
            values.push((var, value));
        }
        let body = self.number(body.value)?;
        let mut body = self.strong(body);
        for (var, value) in &values {
            self.substitute(&mut body, *var, value);
        }
        body.range = range;
        Some(Value::Number(Number::strong(body)))
    }

    fn let_var(&mut self, key: ExprId) -> Option<VarId> {
        self.silent(|it| it.value(key));
        let Expr::Name(name) = &self.body.exprs[key] else {
            return None;
        };
        match self.entity(self.lookup(name)?) {
            Entity::Var(var) => Some(*var),
            _ => None,
        }
    }

    fn substitute(&mut self, expr: &mut tir::Expr, var: VarId, value: &tir::Expr) {
        if expr.kind == ExprKind::Var(var) {
            *expr = self.copy(value, expr.range);
            return;
        }
        expr.for_each_child_mut(&mut |child| self.substitute(child, var, value));
    }
}
