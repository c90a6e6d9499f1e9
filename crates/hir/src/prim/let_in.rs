//! `T.Let(body, where={x: value})`: an expression with variables that are bound to values.

use text_size::TextRange;

use rustc_hash::FxHashMap;

use super::arith::Number;
use super::value::Value;
use super::{Entity, Reader};
use crate::body::{Arg, Expr, ExprId};
use crate::tir::{self, ExprKind, StmtKind, VarId};

/// The most variables that are replaced one after the other, as a variable may name itself.
const MOST_STEPS: u32 = 64;

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

    /// Replaces variables in extents and strides of buffers by their values: these numbers are computed at the
    /// function's entry, before the variables are bound.
    pub fn write_out_extents(&mut self) {
        let body = std::mem::take(&mut self.func.body);
        let mut values: FxHashMap<VarId, &tir::Expr> = FxHashMap::default();
        tir::for_each_stmt(&body, &mut |stmt| {
            if let StmtKind::Let { var, value } = &stmt.kind {
                values.insert(*var, value);
            }
        });
        let mut buffers = std::mem::take(&mut self.func.buffers);
        for buffer in &mut buffers {
            let strides = buffer.strides.iter_mut().flatten();
            for number in buffer.shape.iter_mut().chain(strides) {
                self.write_out(number, &values, 0);
            }
        }
        self.func.buffers = buffers;
        self.func.body = body;
    }

    fn write_out(
        &mut self,
        expr: &mut tir::Expr,
        values: &FxHashMap<VarId, &tir::Expr>,
        depth: u32,
    ) {
        if let ExprKind::Var(var) = expr.kind
            && let Some(value) = values.get(&var)
            && depth < MOST_STEPS
        {
            *expr = self.copy(value, expr.range);
            return self.write_out(expr, values, depth + 1);
        }
        expr.for_each_child_mut(&mut |child| self.write_out(child, values, depth));
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

    pub fn substitute(&mut self, expr: &mut tir::Expr, var: VarId, value: &tir::Expr) {
        if expr.kind == ExprKind::Var(var) {
            *expr = self.copy(value, expr.range);
            return;
        }
        expr.for_each_child_mut(&mut |child| self.substitute(child, var, value));
    }
}
