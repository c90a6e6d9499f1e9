//! Infers the values of expressions.

mod attribute;
mod comprehension;
mod constants;
mod index_map;
mod metadata;
mod names;
pub(in crate::infer) mod operators;
pub(in crate::infer) mod plain;
mod python;
mod python_operators;
mod scalar;
mod spread;
mod subscript;

use relax::diagnostics::Code;
use relax::value::Value;

use crate::body::{BoolOp, CompareOp, Expr, ExprId, FormatPart};
use crate::enclosing::{self};
use crate::infer::expressions::plain::plain;
use crate::infer::expressions::scalar::Operand;
use crate::infer::{Infer, Local};

impl Infer<'_> {
    /// Infers the value of `expr`, and records it.
    pub(in crate::infer) fn expr(&mut self, expr: ExprId) -> Value {
        self.cx.effort.step();
        if self.repeated && !self.may_read(expr, 1) {
            return Value::Unknown;
        }
        let value = self.expr_value(expr);
        self.set_value(expr, value.clone());
        value
    }

    fn expr_value(&mut self, expr: ExprId) -> Value {
        let body = self.body;
        match &body.exprs[expr] {
            Expr::Missing | Expr::BigNumber(_) | Expr::Ellipsis => Value::Unknown,
            Expr::Endless => {
                let range = self.range(expr);
                let message = "this chain is too long, also for TVM: bind a part of it to a name";
                self.report(Code::UnsupportedStatement, range, message);
                Value::Unknown
            }
            Expr::None => Value::None,
            Expr::Bool(value) => Value::Bool(*value),
            Expr::Int(value) => Value::Int(*value),
            Expr::Float(value) => Value::Float(*value),
            Expr::Str(value) => Value::Str(value.clone()),
            Expr::Name(name) => self.name(expr, name),
            Expr::Tuple(items) | Expr::List(items) => self.list(expr, items),
            Expr::Dict(entries) => {
                let entries = entries.iter().map(|(key, value)| {
                    let key = key.map_or(Value::Unknown, |k| self.expr(k));
                    (key, self.expr(*value))
                });
                Value::dict(entries.collect::<Vec<_>>())
            }
            Expr::Call { callee, args } => self.call(expr, *callee, args),
            Expr::Attribute { base, name } => self.attribute(expr, *base, name),
            Expr::Subscript { base, index } => self.subscript(expr, *base, *index),
            Expr::Slice { start, stop, step } => {
                for part in [start, stop, step].into_iter().flatten() {
                    self.expr(*part);
                }
                Value::Unknown
            }
            Expr::Binary { op, lhs, rhs } => {
                let (a, b) = (self.expr(*lhs), self.expr(*rhs));
                self.binary(expr, *op, (*lhs, &a), (*rhs, &b))
            }
            Expr::Unary { op, operand } => {
                let value = self.expr(*operand);
                self.unary(expr, *op, (*operand, &value))
            }
            Expr::Not(operand) => match self.expr(*operand) {
                Value::Bool(value) => Value::Bool(!value),
                value => match self.scalar_not((*operand, &value)) {
                    Some(scalar) => scalar,
                    None => self.refused_not(expr, "not", &value),
                },
            },
            Expr::Compare { first, rest } => self.comparison(expr, *first, rest),
            Expr::BoolOp { op, operands } => self.bool_op(expr, *op, operands),
            Expr::IfElse {
                test,
                then,
                otherwise,
            } => self.choice(expr, *test, *then, *otherwise),
            Expr::Star(inner) => self.expr(*inner),
            Expr::Lambda(lambda) => self.lambda(lambda),
            Expr::Comprehension(comprehension) => self.comprehension(comprehension),
            Expr::Walrus { name, value } => {
                let value = self.expr(*value);
                self.check_walrus(name);
                self.bind_local(name.text.clone(), Local::Value(value.clone()));
                value
            }
            Expr::Format(parts) => self.format(parts),
            Expr::Python(parts) => {
                for &part in parts {
                    self.expr(part);
                }
                Value::Unknown
            }
            Expr::Suspended { keyword, value } => {
                if let &Some(part) = value {
                    self.expr(part);
                }
                let range = self.range(expr);
                self.unsupported(range, &format!("`{keyword}`"));
                Value::Unknown
            }
        }
    }

    /// Infers `a < b <= c`. TVMScript joins the comparisons with `and`.
    fn comparison(&mut self, expr: ExprId, first: ExprId, rest: &[(CompareOp, ExprId)]) -> Value {
        let mut lhs = (first, self.expr(first));
        let mut results = Vec::with_capacity(rest.len());
        for (op, rhs) in rest {
            let rhs = (*rhs, self.expr(*rhs));
            results.push(self.compare(expr, *op, (lhs.0, &lhs.1), (rhs.0, &rhs.1)));
            lhs = rhs;
        }
        if let [result] = results.as_slice() {
            return result.clone();
        }
        let parts: Vec<Operand<'_>> = results.iter().map(|it| (expr, it)).collect();
        match (self.scalar_junction(BoolOp::And, &parts), results.last()) {
            (Some(all), _) => all,
            (None, Some(last)) => self.refused_not(expr, "and", last),
            (None, None) => Value::Unknown,
        }
    }

    /// Infers `then if test else otherwise`.
    fn choice(&mut self, expr: ExprId, test: ExprId, then: ExprId, otherwise: ExprId) -> Value {
        let decided = self.expr(test);
        if let Value::Bool(first) = decided {
            let (read, unread) = if first {
                (then, otherwise)
            } else {
                (otherwise, then)
            };
            let reported = self.facts.diagnostics.len();
            self.expr(unread);
            // Python never evaluates it.
            self.turn_into_warnings(reported);
            return self.expr(read);
        }
        let (yes, no) = (self.expr(then), self.expr(otherwise));
        self.check_choice(expr, test, [&yes, &no]);
        let chosen = self.scalar_choice((test, &decided), (then, &yes), (otherwise, &no));
        chosen.unwrap_or_default()
    }

    /// Infers an f-string.
    fn format(&mut self, parts: &[FormatPart]) -> Value {
        let mut text = String::new();
        let mut known = true;
        for part in parts {
            match part {
                FormatPart::Text(part) => text.push_str(part),
                FormatPart::Field(field) => {
                    let value = plain(&self.expr(*field));
                    known &= value.is_some_and(|value| enclosing::write_plain(&value, &mut text));
                }
            }
        }
        if known {
            Value::Str(text.into())
        } else {
            Value::Unknown
        }
    }

    fn list(&mut self, expr: ExprId, items: &[ExprId]) -> Value {
        let mut values = Vec::with_capacity(items.len());
        for &item in items {
            let value = self.expr(item);
            match (&self.body.exprs[item], value) {
                (Expr::Star(_), Value::List(inner)) if self.may_read(expr, inner.len() / 4) => {
                    values.extend(inner.iter().cloned());
                }
                (Expr::Star(_), _) => return self.unknown_rest(items, item),
                (_, value) => values.push(value),
            }
        }
        self.pay_for_value(expr, Value::list(values))
    }

    fn unknown_rest(&mut self, items: &[ExprId], after: ExprId) -> Value {
        for &item in items.iter().filter(|&&item| item > after) {
            self.expr(item);
        }
        Value::Unknown
    }
}
