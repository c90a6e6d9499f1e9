//! Lowers calls of functions, closures, packed functions, and names under `R` that are not operators.

use hir::body::{Arg, Expr, ExprId};
use hir::facts::Def;
use relax::FunctionKind;
use relax::sinfo::{Shape, StructInfo};
use relax::value::Value as Known;
use smol_str::SmolStr;

use super::function::{Failed, Lower, Lowered};
use crate::bytecode::{CalleeId, Constant, Operand};
use crate::value::Value;

impl Lower<'_, '_, '_> {
    pub fn lower_call(&mut self, expr: ExprId, callee: ExprId, args: &[Arg]) -> Lowered<Operand> {
        let facts = self.source.facts;
        let outer = self.origin.range;
        self.origin.range = self.range(expr);
        let result = if let Some(call) = facts.call(expr) {
            self.operator(expr, call)
        } else {
            self.other_call(expr, callee, args)
        };
        self.origin.range = outer;
        if let (Ok(operand), Known::Expr(info)) = (&result, facts.value(expr))
            && let Some(reg) = operand.reg()
        {
            self.describe(reg, None, info);
        }
        result
    }

    fn other_call(&mut self, expr: ExprId, callee: ExprId, args: &[Arg]) -> Lowered<Operand> {
        let facts = self.source.facts;
        let range = self.range(expr);
        if args.iter().any(|a| a.starred) {
            return Err(self.error(
                range,
                "the arguments of this call are only known when Python runs",
            ));
        }
        if let Some(path) = self.relax_path(callee) {
            let name = path.rest.clone();
            return self.relax_call(expr, &name, args);
        }
        if let Some(symbol) = self.extern_symbol(callee) {
            let operands = self.operands(args)?;
            return self.packed_call(&symbol, operands, callee);
        }
        match (facts.value(callee).clone(), facts.def(callee)) {
            (Known::Global(name), _) => self.global_call(&name, callee, args),
            (Known::Extern(symbol), _) => {
                let operands = self.operands(args)?;
                self.packed_call(&symbol, operands, callee)
            }
            (_, Some(Def::Var(var))) => {
                // The variable holds a packed function.
                if let Some(bound) = facts.var(*var).value
                    && let Known::Extern(symbol) = facts.value(bound)
                {
                    let operands = self.operands(args)?;
                    return self.packed_call(symbol, operands, callee);
                }
                // A local function is called directly, with its captured values as arguments.
                if let Some(local) = self.locals.get(var).cloned()
                    && !self.source.facts.functions.is_empty()
                    && self.source.facts.var(*var).kind == hir::facts::VarKind::Function
                {
                    let closure = self.closure(&local)?;
                    let mut operands = vec![closure];
                    operands.extend(self.operands(args)?);
                    return self.builtin("vm.builtin.invoke_closure", operands);
                }
                let mut operands = vec![self.var(*var)?];
                operands.extend(self.operands(args)?);
                self.builtin("vm.builtin.invoke_closure", operands)
            }
            (Known::Expr(StructInfo::Callable(_) | StructInfo::Object), None) => {
                let mut operands = vec![self.value(callee)?];
                operands.extend(self.operands(args)?);
                self.builtin("vm.builtin.invoke_closure", operands)
            }
            (Known::Unknown, Some(Def::Python(_))) => Err(self.only_python(callee)),
            // `T.int64(4)`, `T.min(n, 4)`: a shape expression.
            (Known::Script(_), _) => match facts.value(expr) {
                Known::Int(value) => Ok(self.value_constant(Value::int(*value))),
                Known::Float(value) => Ok(self.value_constant(Value::float(*value))),
                Known::Bool(value) => Ok(self.value_constant(Value::bool(*value))),
                Known::Sym(value) => self.prim(value, range),
                _ => Err(self.only_python(expr)),
            },
            _ => Err(self.only_python(expr)),
        }
    }

    /// Returns the symbol of `R.ExternFunc("symbol", ...)`.
    fn extern_symbol(&self, expr: ExprId) -> Option<SmolStr> {
        let facts = self.source.facts;
        if let Known::Extern(symbol) = facts.value(expr) {
            return Some(symbol.clone());
        }
        let Expr::Call { callee, args } = &self.source.body.exprs[expr] else {
            return None;
        };
        if self.relax_path(*callee)?.rest != "ExternFunc" {
            return None;
        }
        match facts.value(args.first()?.value) {
            Known::Str(symbol) => Some(symbol.clone()),
            _ => None,
        }
    }

    pub fn operands(&mut self, args: &[Arg]) -> Lowered<Vec<Operand>> {
        args.iter()
            .filter(|a| a.keyword.is_none())
            .map(|a| self.value(a.value))
            .collect()
    }

    fn global_call(&mut self, name: &SmolStr, callee: ExprId, args: &[Arg]) -> Lowered<Operand> {
        let range = self.range(callee);
        match self.link.kind(name) {
            Some(FunctionKind::Relax) => {
                let operands = self.operands(args)?;
                match self.link.global(name) {
                    Some(id) => Ok(self.call(id, operands)),
                    None => Err(self.error(range, format!("the module has no function `{name}`"))),
                }
            }
            Some(FunctionKind::PrimFunc) => {
                let operands = self.operands(args)?;
                let id = self.prim_func(name, range)?;
                Ok(self.call(id, operands))
            }
            Some(FunctionKind::Macro | FunctionKind::Python) => Err(self.error(
                range,
                format!("`{name}` is Python, which does not run here"),
            )),
            None => Err(self.error(range, format!("the module has no function `{name}`"))),
        }
    }

    pub fn packed_call(
        &mut self,
        symbol: &str,
        operands: Vec<Operand>,
        at: ExprId,
    ) -> Lowered<Operand> {
        let callee = self.packed_callee(symbol, 0, at)?;
        Ok(self.call(callee, operands))
    }

    /// Returns a packed function that writes to its last `outs` arguments.
    pub fn packed_callee(&mut self, symbol: &str, outs: usize, at: ExprId) -> Lowered<CalleeId> {
        let errors = self.link.errors.len();
        match self.link.packed(symbol, outs) {
            Some(callee) => Ok(callee),
            None if self.link.errors.len() > errors => Err(Failed),
            None => {
                let range = self.range(at);
                Err(self.unknown_packed(symbol, range))
            }
        }
    }

    /// Lowers a call of a name under `R` that is not an operator.
    fn relax_call(&mut self, expr: ExprId, name: &str, args: &[Arg]) -> Lowered<Operand> {
        let facts = self.source.facts;
        let range = self.range(expr);
        let first = args.first().map(|a| a.value);
        match (name, first) {
            ("const", Some(value)) => self.const_tensor(expr, value),
            ("shape" | "ShapeExpr", value) => match facts.value(expr) {
                Known::Expr(StructInfo::Shape(Shape::Known(dims))) => {
                    let dims = dims.clone();
                    self.shape(&dims, range)
                }
                Known::Expr(StructInfo::Shape(_)) if value.is_some() => {
                    self.value(value.unwrap_or(expr))
                }
                _ => Err(self.only_python(expr)),
            },
            ("prim_value" | "PrimValue", Some(value)) => self.value(value),
            ("str", Some(value)) => match facts.value(value) {
                Known::Str(text) => Ok(self.value_constant(Value::Str(text.clone()))),
                _ => Err(self.only_python(value)),
            },
            ("dtype", Some(value)) => match facts.value(value) {
                Known::Str(text) => match relax::dtype::DType::parse(text) {
                    Some(dtype) => Ok(self.constant(Constant::DType(dtype))),
                    None if text.is_empty() || text == "void" => {
                        Ok(self.value_constant(Value::Null))
                    }
                    None => Err(self.error(range, format!("`{text}` is not a dtype"))),
                },
                _ => Err(self.only_python(value)),
            },
            ("tuple", _) => {
                let items: Vec<ExprId> = args.iter().map(|a| a.value).collect();
                self.tuple(&items)
            }
            ("TupleGetItem", Some(tuple)) => match args.get(1).map(|it| facts.value(it.value)) {
                Some(&Known::Int(at)) => {
                    let tuple = self.value(tuple)?;
                    self.builtin("vm.builtin.tuple_getitem", vec![tuple, Operand::Int(at)])
                }
                _ => Err(self.only_python(expr)),
            },
            ("ExternFunc", _) => match self.extern_symbol(expr) {
                Some(symbol) => self.packed_value(&symbol, range),
                None => Err(self.only_python(expr)),
            },
            ("match_cast" | "match_shape", Some(_)) => match facts.value(expr) {
                Known::MatchCast(cast) => {
                    let (known, target) = (cast.value.clone(), cast.target.clone());
                    let value = self.cast_operand(expr)?;
                    Ok(self.match_cast(value, &known, &target, "the value cast"))
                }
                _ => Err(self.only_python(expr)),
            },
            _ => Err(self.error(
                range,
                format!("`R.{name}` is evaluated by Python, so it does not run here"),
            )),
        }
    }
}
