//! Lowers one function to normal form: its variables, the checks on entry, and the captures of a local function.

use std::sync::Arc;

use hir::body;
use hir::facts::{Def, VarId, VarKind};
use relax::sinfo::StructInfo;
use relax::sym::{SymExpr, SymVar};
use relax::value::Value as Known;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::TextRange;

use super::{CompileError, Linker, Source};
use crate::bytecode::{self, Callee, CalleeId, Constant, Operand, Origin, Param, Reg};
use crate::ir::{Function, ParamCheck, Stmt, StmtKind, Var};
use crate::kernels::Out;
use crate::value::Value;

/// Lowering failed. The reason is in the linker's errors.
pub(super) struct Failed;

pub(super) type Lowered<T> = Result<T, Failed>;

pub(super) struct Lower<'a, 'l, 'db> {
    pub link: &'l mut Linker<'db>,
    pub source: Source<'a>,
    /// The index in the facts' functions.
    pub index: usize,
    pub name: SmolStr,
    pub vars: FxHashMap<VarId, Operand>,
    pub locals: FxHashMap<VarId, Local>,
    pub code: Vec<Stmt>,
    /// The origin of the statement that is being lowered.
    pub origin: Origin,
    /// The variables, indexed by register.
    registers: Vec<Var>,
    /// Shape variables that have values here.
    pub bound: FxHashSet<SymVar>,
    /// Variables by the range of their name and the range of the statement that binds them.
    by_place: &'a FxHashMap<(TextRange, TextRange), VarId>,
}

/// A local function.
#[derive(Clone)]
pub(super) struct Local {
    pub path: SmolStr,
    pub captures: Vec<VarId>,
    pub sym_captures: Vec<SymVar>,
}

/// What a local function needs from the enclosing function.
pub(super) struct Outer<'o> {
    pub var: VarId,
    pub local: &'o Local,
    pub locals: &'o FxHashMap<VarId, Local>,
    pub by_place: &'o FxHashMap<(TextRange, TextRange), VarId>,
}

pub(super) fn lower(
    link: &mut Linker<'_>,
    source: Source<'_>,
    function: &body::Function,
    index: usize,
    outer: Option<&Outer<'_>>,
) -> Function {
    let own_places;
    let by_place = match outer {
        Some(outer) => outer.by_place,
        None => {
            own_places = places(source);
            &own_places
        }
    };
    let name = match outer {
        Some(outer) => outer.local.path.clone(),
        None => function.name.text.clone(),
    };
    let mut lower = Lower {
        link,
        source,
        index,
        name,
        vars: FxHashMap::default(),
        locals: outer.map(|o| o.locals.clone()).unwrap_or_default(),
        code: Vec::new(),
        origin: Origin::default(),
        registers: Vec::new(),
        bound: FxHashSet::default(),
        by_place,
    };
    lower.function(function, outer)
}

fn places(source: Source<'_>) -> FxHashMap<(TextRange, TextRange), VarId> {
    source
        .facts
        .vars()
        .map(|var| ((var.name_range, var.range), var.id))
        .collect()
}

impl Lower<'_, '_, '_> {
    fn function(&mut self, function: &body::Function, outer: Option<&Outer<'_>>) -> Function {
        let facts = self.source.facts;
        let Some(fact) = facts.functions.get(self.index) else {
            return Function::empty(self.name.clone());
        };
        self.origin.range = function.header;
        let mut params: Vec<Param> = Vec::new();
        for &id in &fact.params {
            params.push(self.param(id));
        }
        let mut captured_dims = Vec::new();
        if let Some(outer) = outer {
            for &id in &outer.local.captures {
                let param = self.param(id);
                params.push(param);
            }
            for var in &outer.local.sym_captures {
                let reg = self.register();
                self.describe(reg, Some(&var.name), &StructInfo::Unknown);
                params.push(Param {
                    name: var.name.clone(),
                    struct_info: StructInfo::Unknown,
                });
                self.bound.insert(var.clone());
                captured_dims.push((reg, var.clone()));
            }
            // The function's own name is its closure, recreated from the captured values.
            self.locals.insert(outer.var, outer.local.clone());
        }
        let num_input = self.num_input(&function.body);
        let checks = self.checks(&fact.params, num_input.unwrap_or(fact.params.len()));
        let _ = self.block(&function.body);
        let shape_vars = self.vars.iter().map(|(id, &value)| (id.0, value)).collect();
        Function {
            name: self.name.clone(),
            captured: params.len() - fact.params.len(),
            params,
            ret: fact.ret.clone(),
            pure: fact.pure,
            num_input,
            explicit: false,
            captured_dims,
            checks,
            body: std::mem::take(&mut self.code),
            vars: std::mem::take(&mut self.registers),
            shape_vars,
            header: function.header,
            start: self.source.start,
        }
    }

    fn param(&mut self, id: VarId) -> Param {
        let var = self.source.facts.var(id);
        let reg = self.register();
        self.describe(reg, Some(var.name), var.struct_info);
        self.vars.insert(id, Operand::Reg(reg));
        Param {
            name: var.name.clone(),
            struct_info: var.struct_info.clone(),
        }
    }

    /// Returns the checks of the parameters. The first `inputs` of them are inputs.
    fn checks(&mut self, params: &[VarId], inputs: usize) -> Vec<ParamCheck> {
        let mut checks = Vec::with_capacity(params.len());
        for (at, &id) in params.iter().enumerate() {
            let var = self.source.facts.var(id);
            let Some(&value) = self.vars.get(&id) else {
                continue;
            };
            self.bind_dims(var.struct_info);
            checks.push(ParamCheck {
                value,
                struct_info: var.struct_info.clone(),
                what: self.describe_var(id),
                weight: at >= inputs,
                range: var.name_range,
            });
        }
        checks
    }

    /// Returns the number of inputs, from `R.func_attr({"num_input": 1})`.
    fn num_input(&self, stmts: &[body::Stmt]) -> Option<usize> {
        stmts.iter().find_map(|stmt| {
            let body::StmtKind::Expr(expr) = stmt.kind else {
                return None;
            };
            let body::Expr::Call { callee, args } = &self.source.body.exprs[expr] else {
                return None;
            };
            if self.relax_path(*callee)?.rest != "func_attr" {
                return None;
            }
            let Known::Dict(entries) = self.source.facts.value(args.first()?.value) else {
                return None;
            };
            entries.iter().find_map(|(key, value)| match (key, value) {
                (Known::Str(key), Known::Int(count)) if key == "num_input" => {
                    usize::try_from(*count).ok()
                }
                _ => None,
            })
        })
    }

    pub fn register(&mut self) -> Reg {
        self.registers.push(Var::default());
        Reg(self.registers.len() as u32 - 1)
    }

    /// Sets the name and the StructInfo of a variable if they are missing.
    pub fn describe(&mut self, reg: Reg, name: Option<&SmolStr>, info: &StructInfo) {
        if let Some(var) = self.registers.get_mut(reg.0 as usize) {
            if var.name.is_none() {
                var.name = name.cloned();
            }
            if var.struct_info.is_unknown() {
                var.struct_info = info.clone();
            }
        }
    }

    pub fn var_at(&self, name: TextRange, stmt: TextRange) -> Option<VarId> {
        self.by_place.get(&(name, stmt)).copied()
    }

    pub fn emit(&mut self, kind: StmtKind) {
        self.code.push(Stmt {
            kind,
            origin: self.origin.clone(),
        });
    }

    pub fn call(&mut self, callee: CalleeId, args: Vec<Operand>) -> Operand {
        let dst = self.register();
        self.emit(StmtKind::Call { dst, callee, args });
        Operand::Reg(dst)
    }

    pub fn call_with_out(&mut self, callee: CalleeId, args: Vec<Operand>, out: Out) -> Operand {
        let result = self.call(callee, args);
        if let Some(stmt) = self.code.last_mut() {
            stmt.origin.out = Some(out);
        }
        result
    }

    /// Calls a builtin of the machine.
    pub fn builtin(&mut self, name: &str, args: Vec<Operand>) -> Lowered<Operand> {
        match self.link.builtin(name) {
            Some(callee) => Ok(self.call(callee, args)),
            None => Err(self.unknown_packed(name, self.origin.range)),
        }
    }

    pub fn constant(&mut self, constant: Constant) -> Operand {
        Operand::Const(self.link.constant(constant))
    }

    pub fn value_constant(&mut self, value: impl Into<Value>) -> Operand {
        self.constant(Constant::Value(value.into()))
    }

    pub fn error(&mut self, range: TextRange, message: impl Into<String>) -> Failed {
        self.link.errors.push(CompileError {
            message: message.into(),
            function: self.name.clone(),
            range: range + self.source.start,
            packed: None,
        });
        Failed
    }

    pub fn unknown_packed(&mut self, name: &str, range: TextRange) -> Failed {
        let message = super::no_packed(name, crate::builtins::nearest(name));
        let failed = self.error(range, message);
        if let Some(error) = self.link.errors.last_mut() {
            error.packed = Some(name.into());
        }
        failed
    }

    /// Lowers a local function, and binds its closure.
    pub fn local_function(&mut self, function: &body::Function, stmt: TextRange) -> Lowered<()> {
        let facts = self.source.facts;
        let Some(var) = self.var_at(function.name.range, stmt) else {
            return Err(Failed);
        };
        let Some(index) = facts
            .functions
            .iter()
            .position(|f| f.range == function.range)
        else {
            return Err(Failed);
        };
        let path = facts.functions[index].name.clone();
        let callee =
            self.link
                .program
                .add_callee(Callee::Function(Arc::new(bytecode::Function::empty(
                    path.clone(),
                ))));
        self.link.program.name(path.clone(), callee);
        let captures = self.captures(function, index, var);
        let local = Local {
            path,
            sym_captures: self.sym_captures(function, index, &captures),
            captures,
        };
        let outer = Outer {
            var,
            local: &local,
            locals: &self.locals,
            by_place: self.by_place,
        };
        let lowered = lower(self.link, self.source, function, index, Some(&outer));
        self.link.functions.push((callee, lowered));
        self.locals.insert(var, local.clone());
        let made = self.closure(&local)?;
        self.vars.insert(var, made);
        Ok(())
    }

    /// Creates the closure of a local function with the current values of its captures.
    pub fn closure(&mut self, local: &Local) -> Lowered<Operand> {
        let function = self.value_constant(Value::Function(local.path.clone()));
        let mut args = vec![function];
        for &id in &local.captures {
            args.push(self.var(id)?);
        }
        for var in &local.sym_captures {
            let range = self.origin.range;
            args.push(self.prim(&SymExpr::var(var.clone()), range)?);
        }
        self.builtin("vm.builtin.make_closure", args)
    }

    /// Returns the variables of enclosing functions that `function` uses.
    fn captures(&self, function: &body::Function, index: usize, own: VarId) -> Vec<VarId> {
        let facts = self.source.facts;
        let inside = |at: usize| {
            facts
                .functions
                .get(at)
                .is_some_and(|f| facts.functions[index].range.contains_range(f.range))
        };
        let mut captures: Vec<VarId> = facts
            .defs()
            .filter_map(|(expr, def)| match def {
                Def::Var(var)
                    if *var != own
                        && function.range.contains_range(self.source.body.range(expr))
                        && !inside(facts.var(*var).function) =>
                {
                    Some(*var)
                }
                _ => None,
            })
            .collect();
        captures.sort_unstable();
        captures.dedup();
        captures
    }

    /// Returns the shape variables that `function` captures: those with values here that its text, its captures or its
    /// bindings use, unless its parameters bind them.
    fn sym_captures(
        &self,
        function: &body::Function,
        index: usize,
        captures: &[VarId],
    ) -> Vec<SymVar> {
        let facts = self.source.facts;
        let mut used: FxHashSet<SymVar> = FxHashSet::default();
        for (_, sym) in facts.syms() {
            let mut mentions = sym.mentions.iter();
            if mentions.any(|at| function.range.contains_range(*at)) {
                used.insert(sym.var);
            }
        }
        for var in facts.vars() {
            if function.range.contains_range(var.name_range) || captures.contains(&var.id) {
                var.struct_info.for_each_sym_var(&mut |sym| {
                    if !used.contains(sym) {
                        used.insert(sym.clone());
                    }
                });
            }
        }
        for &param in &facts.functions[index].params {
            for own in facts.var(param).struct_info.defined_vars() {
                used.remove(&own);
            }
        }
        used.retain(|var| self.bound.contains(var));
        let mut captured: Vec<SymVar> = used.into_iter().collect();
        captured.sort();
        captured
    }

    /// Returns the current value of a variable.
    pub fn var(&mut self, id: VarId) -> Lowered<Operand> {
        if let Some(&operand) = self.vars.get(&id) {
            return Ok(operand);
        }
        if let Some(local) = self.locals.get(&id).cloned() {
            return self.closure(&local);
        }
        // The statement that binds it has failed, and its error is already reported.
        if self.link.errors.is_empty() {
            let range = self.origin.range;
            let name = self.source.facts.var(id).name.clone();
            return Err(self.error(range, format!("`{name}` has no value here")));
        }
        Err(Failed)
    }

    /// Returns the name of a variable for messages.
    pub fn describe_var(&self, id: VarId) -> String {
        let var = self.source.facts.var(id);
        match var.kind {
            VarKind::Param => format!("parameter `{}`", var.name),
            VarKind::MatchCast => format!("the value cast to `{}`", var.name),
            _ => format!("`{}`", var.name),
        }
    }
}
