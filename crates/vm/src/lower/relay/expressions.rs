//! Lowers expressions to operands, and emits the calls that compute them.

use std::sync::Arc;

use hir::metadata::Referent;
use hir::relay::body::{Constant, Expr, ExprId, LocalId, LocalKind, Scalar, Statement};
use hir::relay::constants::Constants;
use relax::dtype::DType;
use relax::relay::{ops, recipes};
use smol_str::SmolStr;

use super::super::constants::tensor_of;
use super::super::function::Lowered;
use super::function::Lower;
use crate::bytecode::{Callee, Operand, Origin};
use crate::error::RunResult;
use crate::ir::StmtKind;
use crate::kernels::relay::Operator;
use crate::tensor::{Kind, Scalar as Number, Tensor};
use crate::value::Value;

impl Lower<'_, '_> {
    pub fn value(&mut self, expr: ExprId) -> Lowered<Operand> {
        let (body, range) = (self.body, self.body.range(expr));
        match &body[expr] {
            Expr::Missing => self.refuse(expr, "an expression is missing"),
            Expr::Local(name) => match self.facts.use_of(expr) {
                Some(local) => self.local(local, range),
                None => self.refuse(expr, format!("`%{name}` is not bound")),
            },
            Expr::Global(name) => match self.link.global(name) {
                Some(id) => Ok(Operand::Callee(id)),
                None => self.refuse(expr, format!("no function is named `@{name}`")),
            },
            Expr::Name(name) => self.named(expr, name),
            Expr::Constant(constant) => match scalar(constant) {
                Some(Ok(tensor)) => Ok(self.constant(tensor.into())),
                Some(Err(error)) => self.refuse(expr, error.to_string()),
                None => self.refuse(expr, format!("`{}` is not a dtype", constant.dtype)),
            },
            Expr::Meta(_) => self.meta(expr),
            Expr::Tuple(parts) => {
                let parts = self.values(parts)?;
                self.builtin("vm.builtin.make_tuple", parts, range)
            }
            Expr::Projection { tuple, index } => {
                let Some(index) = *index else {
                    return self.refuse(expr, "the number of the field is missing");
                };
                let tuple = self.value(*tuple)?;
                let args = vec![tuple, Operand::Int(index.into())];
                self.builtin("vm.builtin.tuple_getitem", args, range)
            }
            Expr::Call { callee, args, .. } => self.lower_call(expr, *callee, args),
            Expr::Block { statements, value } => {
                for statement in statements {
                    self.statement(statement)?;
                }
                self.value(*value)
            }
            Expr::Function(function) => self.closure(expr, function, None),
            Expr::If {
                condition,
                then,
                otherwise,
            } => {
                let cond = self.value(*condition)?;
                let then = self.branch(*then)?;
                let otherwise = self.branch(*otherwise)?;
                let dst = self.register();
                let origin = Origin {
                    range,
                    ..Origin::default()
                };
                let branches = StmtKind::If {
                    cond,
                    dst,
                    then,
                    otherwise,
                };
                self.push(branches, origin);
                Ok(Operand::Reg(dst))
            }
            Expr::Match { value, arms, .. } => {
                let value = self.value(*value)?;
                self.arms(value, arms, range)
            }
            Expr::RefCreate(value) => {
                let value = self.value(*value)?;
                self.builtin("relay.ref_create", vec![value], range)
            }
            Expr::RefRead(reference) => {
                let reference = self.value(*reference)?;
                self.builtin("relay.ref_read", vec![reference], range)
            }
            Expr::RefWrite { reference, value } => {
                let args = self.values(&[*reference, *value])?;
                self.builtin("relay.ref_write", args, range)
            }
        }
    }

    fn values(&mut self, exprs: &[ExprId]) -> Lowered<Vec<Operand>> {
        exprs.iter().map(|it| self.value(*it)).collect()
    }

    fn statement(&mut self, statement: &Statement) -> Lowered<()> {
        match *statement {
            Statement::Binding { local, value } => {
                // A graph binding is computed when it is used.
                if self.body[local].kind == LocalKind::Graph {
                    return Ok(());
                }
                let operand = self.bound_value(local, value)?;
                self.bind(local, operand, self.body.range(value))
            }
            // The inputs of a text that consists of one expression.
            Statement::Free(local) => match self.value_in_scope(local) {
                Some(_) => Ok(()),
                None => {
                    let range = self.body.name_range(local);
                    self.refuse_at(range, "a free variable inside a function has no value")
                }
            },
            Statement::Effect(value) => self.value(value).map(|_| ()),
        }
    }

    /// Lowers the value of a binding. A function may call itself by the bound name.
    pub fn bound_value(&mut self, local: LocalId, value: ExprId) -> Lowered<Operand> {
        match &self.body[value] {
            Expr::Function(function) => self.closure(value, function, Some(local)),
            _ => self.value(value),
        }
    }

    /// Evaluates arguments before the callee, as TVM does.
    fn lower_call(&mut self, expr: ExprId, callee: ExprId, args: &[ExprId]) -> Lowered<Operand> {
        let range = self.body.range(expr);
        match &self.body[callee] {
            Expr::Name(name) if self.link.file.facts.env.constructor(name).is_some() => {
                let fields = self.values(args)?;
                self.constructed(name, fields, expr)
            }
            Expr::Name(name) => self.operator(expr, name, args),
            Expr::Global(name) if self.link.file.facts.env.function(name).is_some() => {
                let args = self.values(args)?;
                match self.link.global(name) {
                    Some(id) => Ok(self.call(id, args, range)),
                    None => self.refuse(callee, format!("no function is named `@{name}`")),
                }
            }
            _ => {
                let args = self.values(args)?;
                let mut all = vec![self.value(callee)?];
                all.extend(args);
                self.builtin("vm.builtin.invoke_closure", all, range)
            }
        }
    }

    fn constructed(
        &mut self,
        name: &SmolStr,
        fields: Vec<Operand>,
        expr: ExprId,
    ) -> Lowered<Operand> {
        let mut args = vec![self.constant(Value::Str(name.clone()))];
        args.extend(fields);
        self.builtin("relay.make_adt", args, self.body.range(expr))
    }

    /// Lowers a constructor or an operator that is not called: to a function, or to its value if it takes no
    /// arguments.
    fn named(&mut self, expr: ExprId, name: &SmolStr) -> Lowered<Operand> {
        let range = self.body.range(expr);
        let file = self.link.file;
        if let Some(constructor) = file.facts.env.constructor(name) {
            return match constructor.fields.len() {
                0 => self.constructed(name, Vec::new(), expr),
                count => self.wrapper(name, count, range, |it, fields| {
                    it.constructed(name, fields, expr)
                }),
            };
        }
        let Some(entry) = ops::by_name(name) else {
            return self.refuse(expr, format!("`{name}` is not an operator of Relay"));
        };
        self.wrapper(name, entry.inputs.len(), range, |it, args| {
            it.operator_of(expr, name, args, Vec::new())
        })
    }

    fn operator(&mut self, expr: ExprId, name: &str, args: &[ExprId]) -> Lowered<Operand> {
        let constants = Constants {
            env: &self.link.file.facts.env,
            facts: self.facts,
        };
        let (inputs, attrs) = constants.attributes(self.body, expr, args);
        let inputs = self.values(inputs)?;
        self.operator_of(expr, name, inputs, attrs)
    }

    fn operator_of(
        &mut self,
        expr: ExprId,
        name: &str,
        inputs: Vec<Operand>,
        attrs: Vec<(SmolStr, relax::relay::Value)>,
    ) -> Lowered<Operand> {
        let Some(entry) = ops::by_name(name) else {
            return self.refuse(expr, format!("`{name}` is not an operator of Relay"));
        };
        let Some(operator) = Operator::new(entry, attrs) else {
            let why = recipes::reason(name).map_or_else(String::new, |it| format!(": {it}"));
            return self.refuse(expr, format!("`{name}` has no kernel{why}"));
        };
        let callee = Callee::Operator(Arc::new(operator));
        let callee = self.link.program.add_callee(callee);
        Ok(self.call(callee, inputs, self.body.range(expr)))
    }

    /// Returns a constant of the metadata.
    fn meta(&mut self, expr: ExprId) -> Lowered<Operand> {
        let Expr::Meta(reference) = &self.body[expr] else {
            return self.refuse(expr, "an expression is missing");
        };
        let key = (reference.key.clone(), reference.index.unwrap_or_default());
        if let Some(&known) = self.link.constants.get(&key) {
            return Ok(Operand::Const(known));
        }
        let missing = format!("the metadata has no `{}` with this index", reference.key);
        let Referent::Constant(constant) = self.link.file.facts.env.metadata.referent(reference)
        else {
            return self.refuse(expr, missing);
        };
        match tensor_of(&constant) {
            Ok(tensor) => {
                let operand = self.constant(tensor.into());
                if let Operand::Const(id) = operand {
                    self.link.constants.insert(key, id);
                }
                Ok(operand)
            }
            Err(error) => self.refuse(expr, error.to_string()),
        }
    }
}

/// Returns `None` if the constant has no tensor dtype.
fn scalar(constant: &Constant) -> Option<RunResult<Tensor>> {
    let dtype = DType::parse(&constant.dtype)?;
    let number = match constant.value {
        Scalar::Int(value) => Number::Int(value),
        Scalar::Float(value) => Number::Float(value),
        Scalar::Bool(value) => Number::Bool(value),
    };
    Some(Kind::of(dtype).and_then(|kind| Tensor::full(kind, &[], number)))
}
