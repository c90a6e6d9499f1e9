//! Lowers statements: bindings, branches, dataflow blocks, returns.

use hir::body::{Expr, ExprId, Name, Stmt, StmtKind, Target};
use hir::facts::{Def, VarId, VarKind};
use relax::sinfo::{Shape, StructInfo};
use relax::value::Value as Known;
use text_size::TextRange;

use super::function::{Failed, Lower, Lowered};
use crate::bytecode::{Bound, Operand};
use crate::ir::{Branch, StmtKind as Lowering};
use crate::tensor::Scalar;
use crate::value::{Prim, Value};

impl Lower<'_, '_, '_> {
    /// Lowers statements, and returns the last variable that they bind, which is the value of a branch. Continues
    /// after a statement that fails.
    pub fn block(&mut self, stmts: &[Stmt]) -> Lowered<Option<VarId>> {
        let mut last = None;
        let mut failed = false;
        for stmt in stmts {
            self.origin.range = stmt.range;
            self.origin.binding = None;
            match self.stmt(stmt) {
                Ok(bound) => last = bound.or(last),
                Err(Failed) => failed = true,
            }
        }
        if failed { Err(Failed) } else { Ok(last) }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Lowered<Option<VarId>> {
        let range = stmt.range;
        match &stmt.kind {
            StmtKind::Assign { targets, value } => match targets.as_slice() {
                [target] => self.assign(target, *value, range),
                _ => Err(self.unsupported(range)),
            },
            StmtKind::AnnAssign {
                target,
                value: Some(value),
                ..
            } => self.assign(target, *value, range),
            StmtKind::Expr(expr) => self.expr_stmt(*expr, range),
            StmtKind::Return(Some(expr)) => {
                self.ret(*expr)?;
                Ok(None)
            }
            StmtKind::If {
                test,
                then,
                otherwise: Some(otherwise),
            } => self.branch(*test, then, otherwise, range),
            StmtKind::With { body, .. } => self.dataflow(body),
            StmtKind::Function(function) => {
                self.local_function(function, function.header)?;
                Ok(self.var_at(function.name.range, function.header))
            }
            // Inference has already resolved these names.
            StmtKind::Pass
            | StmtKind::Python {
                keyword: "nonlocal" | "global",
                ..
            } => Ok(None),
            _ => Err(self.unsupported(range)),
        }
    }

    fn unsupported(&mut self, range: TextRange) -> Failed {
        self.error(range, "this statement cannot run in a Relax function")
    }

    fn assign(
        &mut self,
        target: &Target,
        value: ExprId,
        range: TextRange,
    ) -> Lowered<Option<VarId>> {
        match target {
            Target::Name(name) => self.assign_name(name, value, range),
            Target::Tuple(targets, _) => {
                let (Expr::Tuple(items) | Expr::List(items)) = &self.source.body.exprs[value]
                else {
                    let known = self.source.facts.value(value);
                    let Known::Expr(StructInfo::Tuple(fields)) = known else {
                        return Err(self.error(
                            range,
                            "the parts of this value are only known when Python runs",
                        ));
                    };
                    let tuple = self.value(value)?;
                    return self.unpack(targets, tuple, fields, range);
                };
                let mut last = None;
                for (target, item) in targets.iter().zip(items) {
                    last = self.assign(target, *item, range)?.or(last);
                }
                Ok(last)
            }
            Target::Place(_) => Err(self.unsupported(range)),
        }
    }

    /// Binds the fields of a tuple. A starred target is a Python list.
    fn unpack(
        &mut self,
        targets: &[Target],
        tuple: Operand,
        fields: &[StructInfo],
        range: TextRange,
    ) -> Lowered<Option<VarId>> {
        let mut last = None;
        let mut at = 0;
        for target in targets {
            if let Target::Place(_) = target {
                at += (fields.len() + 1).saturating_sub(targets.len());
                continue;
            }
            let from = self.code.len();
            let get = vec![tuple, Operand::Int(at as i64)];
            let field = self.builtin("vm.builtin.tuple_getitem", get)?;
            last = match (target, fields.get(at)) {
                (Target::Tuple(targets, _), Some(StructInfo::Tuple(fields))) => {
                    self.unpack(targets, field, fields, range)?
                }
                (Target::Name(name), _) => self.bind(name, field, from, range),
                _ => None,
            }
            .or(last);
            at += 1;
        }
        Ok(last)
    }

    fn assign_name(
        &mut self,
        name: &Name,
        value: ExprId,
        range: TextRange,
    ) -> Lowered<Option<VarId>> {
        // Without a variable, it is a Python alias, or declares a shape variable.
        let Some(id) = self.var_at(name.range, range) else {
            return Ok(None);
        };
        let var = self.source.facts.var(id);
        if !var.used && self.is_plain_python(value) {
            return Ok(None);
        }
        self.origin.binding = Some(name.text.clone());
        let from = self.code.len();
        let operand = match (var.kind, self.source.facts.value(value)) {
            (VarKind::MatchCast, Known::MatchCast(cast)) => {
                let (known, target) = (cast.value.clone(), cast.target.clone());
                let what = self.describe_var(id);
                let cast = self.cast_operand(value)?;
                self.match_cast(cast, &known, &target, &what)
            }
            // In the RFC of 2022: `s: R.Shape = (n, 4)`.
            (_, Known::List(_)) if let StructInfo::Shape(Shape::Known(dims)) = var.struct_info => {
                self.shape(dims, range)?
            }
            _ => match self.scalar_constant(value, var.struct_info) {
                Some(scalar) => scalar,
                None => self.bound_value(value)?,
            },
        };
        Ok(self.bind(name, operand, from, range))
    }

    /// Returns a number that is bound as a scalar.
    fn scalar_constant(&mut self, value: ExprId, info: &StructInfo) -> Option<Operand> {
        let StructInfo::Prim(prim) = info else {
            return None;
        };
        let value = match self.source.facts.value(value) {
            Known::Int(value) => Scalar::Int(*value),
            Known::Float(value) => Scalar::Float(*value),
            Known::Bool(value) => Scalar::Bool(*value),
            _ => return None,
        };
        let dtype = prim.dtype?;
        Some(self.value_constant(Value::Prim(Prim { dtype, value })))
    }

    /// Binds a variable to its value, which the code since `from` computes.
    fn bind(
        &mut self,
        name: &Name,
        operand: Operand,
        from: usize,
        range: TextRange,
    ) -> Option<VarId> {
        let id = self.var_at(name.range, range)?;
        let var = self.source.facts.var(id);
        self.origin.binding = Some(name.text.clone());
        if let Some(reg) = operand.reg() {
            self.describe(reg, Some(&name.text), var.struct_info);
            if self.code.len() > from
                && let Some(stmt) = self.code.last_mut()
            {
                stmt.origin.binds = Some(if stmt.dst() == Some(reg) {
                    Bound::Result
                } else {
                    Bound::Register(reg)
                });
            }
        }
        self.vars.insert(id, operand);
        // In the Type dialect, a bound integer is also a shape variable.
        if let StructInfo::Prim(prim) = &var.struct_info
            && let Some(sym) = prim.value.as_ref().and_then(|v| v.as_var())
            && !self.bound.contains(sym)
            && sym.name == name.text
        {
            self.store_dim(operand, sym);
        }
        Some(id)
    }

    /// Returns `true` if an expression creates a Python object from constants, so that there is nothing to run.
    fn is_plain_python(&self, value: ExprId) -> bool {
        let (body, facts) = (self.source.body, self.source.facts);
        let Expr::Call { callee, args } = &body.exprs[value] else {
            return false;
        };
        let root = body.dotted_root(*callee);
        matches!(facts.value(value), Known::Unknown)
            && facts.call(value).is_none()
            && matches!(facts.def(root), Some(Def::Python(_)))
            && args
                .iter()
                .all(|arg| super::literal::attribute(facts.value(arg.value)).is_some())
    }

    /// Returns the value that a match_cast casts.
    pub fn cast_operand(&mut self, expr: ExprId) -> Lowered<Operand> {
        match &self.source.body.exprs[expr] {
            Expr::Call { args, .. } if !args.is_empty() => self.value(args[0].value),
            _ => {
                let range = self.source.body.range(expr);
                Err(self.error(range, "this match_cast has no value"))
            }
        }
    }

    fn expr_stmt(&mut self, expr: ExprId, range: TextRange) -> Lowered<Option<VarId>> {
        match self.source.facts.value(expr) {
            Known::MatchCast(cast) => {
                let (known, target) = (cast.value.clone(), cast.target.clone());
                let value = self.cast_operand(expr)?;
                self.match_cast(value, &known, &target, "the value cast");
                Ok(None)
            }
            Known::Nothing => match self.returned(expr) {
                Some(value) => self.ret(value).map(|()| None),
                None => Ok(self.outputs(expr)),
            },
            Known::None | Known::Str(_) => Ok(None),
            _ => {
                let value = self.value(expr)?;
                // Inference binds it to `_`.
                let bound = self.var_at(range, range);
                if let Some(id) = bound {
                    self.vars.insert(id, value);
                }
                Ok(bound)
            }
        }
    }

    /// Returns the value of `R.func_ret_value(...)`.
    fn returned(&self, expr: ExprId) -> Option<ExprId> {
        let Expr::Call { callee, args } = &self.source.body.exprs[expr] else {
            return None;
        };
        let is_return = self.relax_path(*callee)?.rest == "func_ret_value";
        args.first().filter(|_| is_return).map(|arg| arg.value)
    }

    /// Returns the last variable in `R.output(...)`.
    fn outputs(&self, expr: ExprId) -> Option<VarId> {
        let Expr::Call { args, .. } = &self.source.body.exprs[expr] else {
            return None;
        };
        match self.source.facts.def(args.last()?.value)? {
            Def::Var(var) => Some(*var),
            _ => None,
        }
    }

    fn dataflow(&mut self, body: &[Stmt]) -> Lowered<Option<VarId>> {
        let last = self.block(body)?;
        let outputs = body.iter().rev().find_map(|stmt| match &stmt.kind {
            StmtKind::Expr(expr) if *self.source.facts.value(*expr) == Known::Nothing => {
                self.outputs(*expr)
            }
            _ => None,
        });
        Ok(outputs.or(last))
    }

    fn branch(
        &mut self,
        test: ExprId,
        then: &[Stmt],
        otherwise: &[Stmt],
        range: TextRange,
    ) -> Lowered<Option<VarId>> {
        let cond = self.value(test)?;
        let dst = self.register();
        let origin = self.origin.clone();
        let (then_var, then) = self.one_branch(then);
        let (else_var, otherwise) = self.one_branch(otherwise);
        self.origin = origin;
        self.emit(Lowering::If {
            cond,
            dst,
            then,
            otherwise,
        });
        let (then_var, _) = (then_var?, else_var?);
        // The joined variable has the name of the first branch's variable.
        let joined = then_var.and_then(|var| self.var_at(self.place_of(var), range));
        if let Some(joined) = joined {
            let var = self.source.facts.var(joined);
            self.describe(dst, Some(var.name), var.struct_info);
            self.vars.insert(joined, Operand::Reg(dst));
        }
        Ok(joined)
    }

    /// Lowers one branch of an `if`, and returns the variable that is its value. Its bindings are not valid after it.
    fn one_branch(&mut self, stmts: &[Stmt]) -> (Lowered<Option<VarId>>, Branch) {
        let bound = self.bound.clone();
        let outer = std::mem::take(&mut self.code);
        let var = self.block(stmts);
        let value = match var {
            Ok(Some(var)) => self.var(var).ok(),
            _ => None,
        };
        self.bound = bound;
        let body = std::mem::replace(&mut self.code, outer);
        (var, Branch { body, value })
    }

    /// Returns the range of a variable's name.
    fn place_of(&self, id: VarId) -> TextRange {
        self.source.facts.var(id).name_range
    }

    fn ret(&mut self, expr: ExprId) -> Lowered<()> {
        let value = self.bound_value(expr)?;
        self.origin.range = self.source.body.range(expr);
        let annotated = self
            .source
            .facts
            .functions
            .get(self.index)
            .and_then(|f| f.annotated_ret.clone());
        if let Some(sinfo) = annotated {
            let known = self.source.facts.value(expr).struct_info();
            let known = known.unwrap_or(StructInfo::Unknown);
            self.emit(Lowering::CheckReturn {
                value,
                known,
                target: sinfo,
            });
        }
        self.emit(Lowering::Return(value));
        Ok(())
    }
}
