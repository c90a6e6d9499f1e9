//! Lowers operators that call functions: PrimFuncs in destination-passing style, packed functions, closures.

use hir::body::{Expr, ExprId};
use hir::facts::{ArgFact, CallFact};
use relax::ops::OpDef;
use relax::sinfo::{StructInfo, Tensor, TensorShape};
use relax::value::Value as Known;
use smol_str::SmolStr;
use text_size::TextRange;

use super::function::{Failed, Lower, Lowered};
use crate::bytecode::{CalleeId, Constant, Operand};
use crate::ir::{Dps, DpsOut, StmtKind};
use crate::value::Value;

impl Lower<'_, '_, '_> {
    pub fn special(
        &mut self,
        expr: ExprId,
        op: &'static OpDef,
        call: &CallFact,
    ) -> Lowered<Operand> {
        match op.script() {
            // Before TVM 0.16, `call_tir` also accepts a packed function.
            "call_tir" if self.is_packed(op, call) => self.call_dps_packed(expr, op, call),
            "call_tir" | "call_tir_with_grad" | "call_tir_inplace" => self.call_tir(expr, op, call),
            "call_dps_packed" => self.call_dps_packed(expr, op, call),
            "call_packed" | "call_pure_packed" | "call_inplace_packed" => {
                let (symbol, at) = self.symbol(op, call)?;
                let operands = match arg(op, call, "args") {
                    Some(ArgFact::Many(items)) => items
                        .iter()
                        .map(|&i| self.value(i))
                        .collect::<Lowered<Vec<_>>>()?,
                    Some(ArgFact::One(item)) => vec![self.value(*item)?],
                    _ => Vec::new(),
                };
                self.packed_call(&symbol, operands, at)
            }
            "call_builtin_with_ctx" => {
                let (symbol, at) = self.symbol(op, call)?;
                let operands = self.args_of(expr, op, call)?;
                self.packed_call(&symbol, operands, at)
            }
            "vm.call_tir_dyn" => {
                let (name, range) = self.callee_name(expr, op, call)?;
                let operands = self.args_of(expr, op, call)?;
                let id = self.prim_func(&name, range)?;
                Ok(self.call(id, operands))
            }
            "make_closure" => {
                let (name, range) = self.callee_name(expr, op, call)?;
                if self.link.global(&name).is_none() {
                    return Err(self.error(range, format!("`{name}` is not a Relax function")));
                }
                let mut operands = vec![self.value_constant(Value::Function(name))];
                operands.extend(self.args_of(expr, op, call)?);
                self.builtin("vm.builtin.make_closure", operands)
            }
            "invoke_closure" | "invoke_pure_closure" => {
                let Some(ArgFact::One(closure)) = arg(op, call, "closure") else {
                    return Err(self.incomplete(expr));
                };
                let mut operands = vec![self.value(*closure)?];
                operands.extend(self.args_of(expr, op, call)?);
                self.builtin("vm.builtin.invoke_closure", operands)
            }
            name => {
                let range = self.range(expr);
                Err(self.error(range, format!("`R.{name}` does not run on this machine")))
            }
        }
    }

    fn incomplete(&mut self, expr: ExprId) -> Failed {
        let range = self.range(expr);
        self.error(range, "an argument of this call is missing")
    }

    /// Returns `true` if the first argument is a packed function.
    fn is_packed(&self, op: &OpDef, call: &CallFact) -> bool {
        let Some(ArgFact::One(at)) = arg(op, call, "gvar") else {
            return false;
        };
        matches!(
            self.source.facts.value(*at),
            Known::Str(_) | Known::Extern(_)
        )
    }

    /// Returns the global symbol that the first argument names.
    fn symbol(&mut self, op: &OpDef, call: &CallFact) -> Lowered<(SmolStr, ExprId)> {
        let at = arg(op, call, "func").or_else(|| arg(op, call, "gvar"));
        if let Some(ArgFact::One(at)) = at {
            return match self.source.facts.value(*at) {
                Known::Str(symbol) | Known::Extern(symbol) => Ok((symbol.clone(), *at)),
                _ => Err(self.only_python(*at)),
            };
        }
        let range = self.origin.range;
        Err(self.error(range, "this call has no function argument"))
    }

    /// Returns the elements of the tuple `args`.
    fn args_of(&mut self, expr: ExprId, op: &OpDef, call: &CallFact) -> Lowered<Vec<Operand>> {
        let Some(ArgFact::One(args)) = arg(op, call, "args") else {
            return Err(self.incomplete(expr));
        };
        match &self.source.body.exprs[*args] {
            Expr::Tuple(items) | Expr::List(items) => {
                items.iter().map(|&i| self.value(i)).collect()
            }
            // A single argument need not be in a tuple, and a variable may hold a tuple.
            _ => {
                let value = self.value(*args)?;
                match self.source.facts.value(*args) {
                    Known::Expr(StructInfo::Tuple(fields)) => {
                        let count = fields.len();
                        (0..count)
                            .map(|at| {
                                let at = Operand::Int(at as i64);
                                self.builtin("vm.builtin.tuple_getitem", vec![value, at])
                            })
                            .collect()
                    }
                    _ => Ok(vec![value]),
                }
            }
        }
    }

    /// Returns the module function that the first argument names.
    fn callee_name(
        &mut self,
        expr: ExprId,
        op: &OpDef,
        call: &CallFact,
    ) -> Lowered<(SmolStr, TextRange)> {
        let at = ["gvar", "func"]
            .iter()
            .find_map(|name| match arg(op, call, name) {
                Some(ArgFact::One(at)) => Some(*at),
                _ => None,
            });
        let Some(at) = at else {
            return Err(self.incomplete(expr));
        };
        match self.source.facts.value(at) {
            Known::Global(name) => Ok((name.clone(), self.range(at))),
            _ => Err(self.only_python(at)),
        }
    }

    fn call_tir(&mut self, expr: ExprId, op: &'static OpDef, call: &CallFact) -> Lowered<Operand> {
        let (name, range) = self.callee_name(expr, op, call)?;
        let callee = self.prim_func(&name, range)?;
        let operands = self.args_of(expr, op, call)?;
        let inplace = match arg(op, call, "inplace_indices") {
            Some(ArgFact::One(at)) => match self.source.facts.value(*at) {
                Known::Int(index) => vec![*index],
                Known::List(items) => items
                    .iter()
                    .map(|i| if let Known::Int(i) = i { *i } else { -1 })
                    .collect(),
                _ => return Err(self.only_python(*at)),
            },
            _ => Vec::new(),
        };
        let mut made = Vec::new();
        for (k, tensor) in self.outputs_of(expr)?.into_iter().enumerate() {
            let reused = inplace
                .get(k)
                .and_then(|&at| usize::try_from(at).ok())
                .and_then(|at| operands.get(at).copied());
            made.push(match reused {
                Some(value) => DpsOut::Reuse { tensor, value },
                None => self.new_out(expr, tensor)?,
            });
        }
        let mut scalars = Vec::new();
        if let Some(ArgFact::One(vars)) = arg(op, call, "tir_vars")
            && !matches!(self.source.facts.value(*vars), Known::None)
        {
            scalars = self.tir_vars(*vars)?;
        }
        Ok(self.dps(expr, callee, operands, made, scalars))
    }

    /// Emits a call that writes to its last arguments.
    fn dps(
        &mut self,
        expr: ExprId,
        callee: CalleeId,
        args: Vec<Operand>,
        outs: Vec<DpsOut>,
        scalars: Vec<Operand>,
    ) -> Operand {
        let known = self.source.facts.value(expr);
        let tuple = outs.len() != 1 || matches!(known, Known::Expr(StructInfo::Tuple(_)));
        let dst = self.register();
        self.emit(StmtKind::Dps(Dps {
            dst,
            callee,
            args,
            outs,
            scalars,
            tuple,
        }));
        Operand::Reg(dst)
    }

    fn tir_vars(&mut self, at: ExprId) -> Lowered<Vec<Operand>> {
        let range = self.range(at);
        let dims = match self.source.facts.value(at) {
            Known::Expr(StructInfo::Shape(relax::sinfo::Shape::Known(dims)))
            | Known::ShapeVar {
                shape: relax::sinfo::Shape::Known(dims),
                ..
            } => dims.to_vec(),
            Known::List(items) => match items.iter().map(Known::sym).collect::<Option<Vec<_>>>() {
                Some(dims) => dims,
                None => return Err(self.only_python(at)),
            },
            _ => return Err(self.only_python(at)),
        };
        dims.iter().map(|dim| self.prim(dim, range)).collect()
    }

    fn call_dps_packed(
        &mut self,
        expr: ExprId,
        op: &'static OpDef,
        call: &CallFact,
    ) -> Lowered<Operand> {
        let (symbol, at) = self.symbol(op, call)?;
        let operands = self.args_of(expr, op, call)?;
        let mut outs = Vec::new();
        for tensor in self.outputs_of(expr)? {
            outs.push(self.new_out(expr, tensor)?);
        }
        let callee = self.packed_callee(&symbol, outs.len(), at)?;
        Ok(self.dps(expr, callee, operands, outs, Vec::new()))
    }

    /// Returns the tensors that a call computes, according to its annotation.
    fn outputs_of(&mut self, expr: ExprId) -> Lowered<Vec<Tensor>> {
        let fields = match self.source.facts.value(expr) {
            Known::Expr(StructInfo::Tuple(fields)) => fields.to_vec(),
            Known::Expr(sinfo) => vec![sinfo.clone()],
            _ => return Err(self.only_python(expr)),
        };
        fields
            .iter()
            .map(|field| match field.as_tensor() {
                Some(tensor) => Ok(tensor.clone()),
                None => {
                    let range = self.range(expr);
                    Err(self.error(
                        range,
                        "the shape of the result is not known before it is computed",
                    ))
                }
            })
            .collect()
    }

    /// Returns an output with its own memory.
    fn new_out(&mut self, expr: ExprId, out: Tensor) -> Lowered<DpsOut> {
        let range = self.range(expr);
        let shape = match &out.shape {
            TensorShape::Known(dims) => {
                if let Some(dim) = dims.iter().find(|d| d.any_var(&|v| v.is_python())) {
                    return Err(self.error(
                        range,
                        format!("the dimension `{dim}` is only known when Python runs"),
                    ));
                }
                self.shape(&dims.clone(), range)?
            }
            TensorShape::Var { id, .. } => self.var(hir::facts::VarId(*id))?,
            TensorShape::Unknown(_) => {
                return Err(self.error(
                    range,
                    "the shape of the result is not known before it is computed",
                ));
            }
        };
        let Some(dtype) = out.known_dtype() else {
            return Err(self.error(
                range,
                "the dtype of the result is not known before it is computed",
            ));
        };
        let dtype = self.constant(Constant::DType(dtype));
        Ok(DpsOut::New {
            tensor: out,
            shape,
            dtype,
        })
    }

    /// Returns a PrimFunc of the module.
    pub fn prim_func(&mut self, name: &SmolStr, range: TextRange) -> Lowered<CalleeId> {
        let errors = self.link.errors.len();
        match self.link.prim_func(name) {
            Some(id) => Ok(id),
            // The reason is already reported.
            None if self.link.errors.len() > errors => Err(Failed),
            None => Err(self.error(range, format!("`{name}` is not a PrimFunc of the module"))),
        }
    }
}

fn arg<'c>(op: &OpDef, call: &'c CallFact, name: &str) -> Option<&'c ArgFact> {
    call.args.get(op.param(name)?)
}
