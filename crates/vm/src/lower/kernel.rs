//! Lowers operator calls: converts each argument to what its kernel takes, by the operator table's parameters.

use hir::body::{Expr, ExprId};
use hir::facts::{ArgFact, CallFact};
use relax::ops::{Kind, OpDef, Rule};
use relax::sinfo::StructInfo;
use relax::value::Value as Known;

use super::function::{Lower, Lowered};
use super::literal;
use crate::builtins;
use crate::bytecode::{Constant, Operand};
use crate::kernels::{Arg, Out};

impl Lower<'_, '_, '_> {
    pub fn operator(&mut self, expr: ExprId, call: &CallFact) -> Lowered<Operand> {
        let op: &'static OpDef = call.op.0;
        if matches!(op.rule, Rule::Special)
            || matches!(op.name, "relax.make_closure" | "relax.vm.call_tir_dyn")
        {
            return self.special(expr, op, call);
        }
        let callee = if builtins::of_operator(op.name) {
            self.link.builtin(op.name)
        } else {
            self.link.kernel(op)
        };
        let Some(callee) = callee else {
            let range = self.range(expr);
            return Err(self.error(
                range,
                format!("`R.{}` has no kernel on this machine", op.script()),
            ));
        };
        let mut args = Vec::with_capacity(call.args.len());
        for (param, arg) in op.params.iter().zip(&call.args) {
            let operand = match arg {
                ArgFact::Absent => self.constant(Constant::Attr(Arg::Default)),
                ArgFact::One(at) => self.argument(op, param.name, param.kind, *at)?,
                ArgFact::Many(items) => self.arguments(op, param.name, param.kind, items)?,
            };
            args.push(operand);
        }
        let dtype = match self.source.facts.value(expr) {
            Known::Expr(StructInfo::Tensor(tensor)) => tensor.known_dtype(),
            _ => None,
        };
        Ok(self.call_with_out(callee, args, Out { shape: None, dtype }))
    }

    /// Lowers one argument: to an attribute if it is a constant, otherwise to a value.
    fn argument(&mut self, op: &OpDef, name: &str, kind: Kind, at: ExprId) -> Lowered<Operand> {
        let known = self.source.facts.value(at);
        if let Some(attr) = literal::attribute(known).or_else(|| self.converted(at)) {
            return Ok(self.constant(Constant::Attr(attr)));
        }
        let range = self.range(at);
        match known.clone() {
            Known::List(items) if kind != Kind::Tensors => {
                // A shape with some symbolic dimensions.
                let dims: Option<Vec<_>> = items.iter().map(Known::sym).collect();
                match dims {
                    Some(dims) => self.shape(&dims, range),
                    None => self.value(at),
                }
            }
            Known::Sym(value) => self.prim(&value, range),
            // There is only one device.
            Known::Unknown | Known::Device(_) if kind == Kind::VDevice => {
                Ok(self.constant(Constant::Attr(Arg::None)))
            }
            Known::Unknown => {
                if self.source.facts.call(at).is_some() || self.is_runtime(at) {
                    return self.value(at);
                }
                if self.source.body.is_metadata(at) {
                    return self.value(at);
                }
                let message = format!(
                    "argument `{name}` of `R.{}` is only known when Python runs",
                    op.script()
                );
                Err(self.error(range, message))
            }
            _ => self.value(at),
        }
    }

    /// Evaluates `bool(x)`, `int(x)`, `float(x)` of a constant.
    fn converted(&self, at: ExprId) -> Option<Arg> {
        let Expr::Call { callee, args } = &self.source.body.exprs[at] else {
            return None;
        };
        let ([arg], Expr::Name(name)) = (args.as_slice(), &self.source.body.exprs[*callee]) else {
            return None;
        };
        let number = match self.source.facts.value(arg.value) {
            Known::Bool(value) => f64::from(u8::from(*value)),
            Known::Int(value) => *value as f64,
            Known::Float(value) => *value,
            _ => return None,
        };
        match name.as_str() {
            "bool" => Some(Arg::Bool(number != 0.0)),
            "int" => Some(Arg::Int(number as i64)),
            "float" => Some(Arg::Float(number)),
            _ => None,
        }
    }

    /// Returns `true` if an expression of unknown StructInfo is computed at run time rather than by Python.
    fn is_runtime(&self, at: ExprId) -> bool {
        matches!(self.source.facts.def(at), Some(hir::facts::Def::Var(_)))
            || matches!(self.source.body.exprs[at], hir::body::Expr::Call { .. })
    }

    /// Lowers the operands of a starred parameter to one list.
    fn arguments(
        &mut self,
        op: &OpDef,
        name: &str,
        kind: Kind,
        items: &[ExprId],
    ) -> Lowered<Operand> {
        let facts = self.source.facts;
        let attrs: Option<Vec<Arg>> = items
            .iter()
            .map(|&item| literal::attribute(facts.value(item)))
            .collect();
        if let Some(attrs) = attrs {
            return Ok(self.constant(Constant::Attr(Arg::List(attrs))));
        }
        // `R.f([a, b])` is the same as `R.f(a, b)`.
        if let [item] = items
            && matches!(facts.value(*item), Known::List(_))
        {
            return self.argument(op, name, kind, *item);
        }
        self.tuple(items)
    }
}
