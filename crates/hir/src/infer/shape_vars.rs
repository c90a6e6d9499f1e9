//! Shape variables of a function: who owns them, where they are declared and mentioned, which are bound.

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::release::Release;
use relax::sinfo::StructInfo;
use relax::sym::SymVar;
use relax::value::Value;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Expr, ExprId};
use crate::facts::{Def, SymId};
use crate::infer::Infer;

impl Infer<'_> {
    /// Returns the function that owns the shape variable of this name: the innermost that has one, or the current one.
    pub(super) fn sym_owner(&self, name: &SmolStr) -> u32 {
        let mut inside = self.frames.iter().skip(1).rev();
        let owner = inside
            .find(|frame| frame.introduced.contains(name) || frame.sym_ids.contains_key(name));
        match (owner, self.frames.last()) {
            (Some(owner), _) => owner.index as u32,
            (None, Some(current)) if !self.base.get(name).sym.known => current.index as u32,
            (None, _) => 0,
        }
    }

    /// Returns the shape variable of this name.
    pub(super) fn sym_var(&self, name: &SmolStr) -> SymVar {
        SymVar {
            name: name.clone(),
            id: self.sym_owner(name),
        }
    }

    /// Returns the shape variable `name` of the current function, even if an enclosing function has one of that name.
    pub(super) fn own_sym(&mut self, name: &SmolStr) -> SymVar {
        let var = SymVar {
            name: name.clone(),
            id: self.frame().index as u32,
        };
        self.sym_id(&var);
        var
    }

    pub(super) fn sym_id(&mut self, var: &SymVar) -> SymId {
        let id = self.base.sym(var.id, &var.name);
        let mut inside = self.frames.iter_mut().skip(1);
        match inside.find(|frame| frame.index as u32 == var.id) {
            Some(owner) => {
                owner.sym_ids.insert(var.name.clone(), id);
            }
            None if var.id == 0 => self.base.with(&var.name, |it| it.sym.known = true),
            None => {}
        }
        self.facts.sym(id);
        id
    }

    /// Returns `true` if this function or an enclosing one has a shape variable of this name.
    pub(super) fn knows_sym(&self, name: &SmolStr) -> bool {
        let inside = self.frames.iter().skip(1);
        inside.rev().any(|f| f.sym_ids.contains_key(name)) || self.base.get(name).sym.known
    }

    /// Records that `expr` mentions a shape variable.
    pub(super) fn mention(&mut self, expr: ExprId, name: &SmolStr, range: TextRange) -> SymVar {
        let owner = self.sym_owner(name);
        self.mention_of(owner, expr, name, range)
    }

    /// Records that `expr` mentions a shape variable of a function.
    pub(super) fn mention_of(
        &mut self,
        owner: u32,
        expr: ExprId,
        name: &SmolStr,
        range: TextRange,
    ) -> SymVar {
        let var = SymVar {
            name: name.clone(),
            id: owner,
        };
        let id = self.sym_id(&var);
        self.facts.defs.insert(expr, Def::Sym(id));
        self.facts.sym(id).mentions.push(range);
        var
    }

    /// Records that the text at `range`, which is not an expression, mentions a shape variable.
    pub(super) fn mention_at(&mut self, var: &SymVar, range: TextRange) {
        let id = self.sym_id(var);
        self.facts.sym(id).mentions.push(range);
    }

    /// Records that the program declares a shape variable.
    pub(super) fn declared_at(&mut self, var: &SymVar, range: TextRange) {
        let id = self.sym_id(var);
        let part = self.facts.sym(id);
        part.mentions.push(range);
        part.declared_at.get_or_insert(range);
    }

    /// Binds the shape variables that `sinfo` defines: those that are a whole dimension or value.
    pub(super) fn bind_sym_vars(&mut self, sinfo: &StructInfo, range: TextRange) {
        for var in sinfo.defined_vars() {
            self.bind_sym(&var, range);
        }
        // Before TVM 0.26, variables that a function type binds are also bound around it.
        if self.cx.release.dialect() == Dialect::StructInfo {
            for var in sinfo.vars_of_callables() {
                self.bind_sym(&var, range);
            }
        }
    }

    pub(super) fn bind_sym(&mut self, var: &SymVar, range: TextRange) {
        if var.is_python() || self.is_bound(var) {
            return;
        }
        self.set_bound(var, true);
        self.frame().bound_order.push(var.clone());
        if !self.knows_sym(&var.name) {
            return;
        }
        let id = self.sym_id(var);
        let part = self.facts.sym(id);
        // Definitions lead to the mention inside the annotation.
        let inside = part
            .mentions
            .iter()
            .copied()
            .find(|m| range.contains_range(*m));
        part.bound_at.get_or_insert(inside.unwrap_or(range));
    }

    pub(super) fn is_bound(&self, var: &SymVar) -> bool {
        if self.frames.is_empty() {
            return self.is_bound_outside(var);
        }
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            if frame.bound.contains(var) || depth == 0 && self.is_bound_outside(var) {
                return true;
            }
            // Before the Type dialect, a local function cannot use shape variables of the enclosing functions.
            if self.cx.release.dialect() == Dialect::StructInfo {
                return false;
            }
        }
        false
    }

    /// Returns `true` if an earlier piece binds the variable, or this piece does at the function's top level.
    pub(super) fn is_bound_outside(&self, var: &SymVar) -> bool {
        var.id == 0 && self.base.get(&var.name).sym.bound
    }

    pub(super) fn set_bound(&mut self, var: &SymVar, bound: bool) {
        if self.is_outermost() && var.id == 0 {
            self.base.with(&var.name, |it| it.sym.bound = bound);
        } else if bound {
            self.frame().bound.insert(var.clone());
        } else {
            self.frame().bound.remove(var);
        }
    }

    /// Unbinds the shape variables after the first `count`.
    pub(super) fn unbind_since(&mut self, count: usize) {
        for var in self.frame().bound_order.split_off(count) {
            self.set_bound(&var, false);
        }
    }

    /// Reports a TypeVar that TVM cannot use as a shape variable, once.
    pub(super) fn wrong_type_var(
        &mut self,
        name: &SmolStr,
        var: &SymVar,
        why: &str,
        range: TextRange,
    ) {
        if self.cx.release.dialect() == Dialect::Type && self.note_reported(var) {
            self.report(Code::InvalidAnnotation, range, format!("`{name}` {why}"));
        }
    }

    /// Reports the unbound shape variables of the inferred StructInfo of a value, each once per function.
    pub(super) fn check_inferred_vars(&mut self, sinfo: &StructInfo, value: ExprId) {
        let range = self.range(value);
        self.look_up_vars(sinfo, range);
        if let Expr::Call { callee, .. } = &self.body.exprs[value]
            && let Value::Global(name) = self.facts.value(*callee).clone()
            && let Some(StructInfo::Callable(callable)) =
                self.cx.globals.get(&name).map(|it| it.struct_info.0)
        {
            for var in callable.unreplaced_vars() {
                let message = format!(
                    "the function type of the result uses the shape variable `{}` of `{name}`, which a call does not replace: annotate the result with a type that does not use it",
                    var.name,
                );
                self.report(Code::UnboundShapeVariable, range, message);
            }
        }
    }

    fn look_up_vars(&mut self, sinfo: &StructInfo, range: TextRange) {
        for var in sinfo.vars_to_look_up() {
            self.check_sym(&var, range);
        }
    }

    /// Reports the unbound shape variables of an annotation, each once per function.
    pub(super) fn check_sym_vars(&mut self, sinfo: &StructInfo, range: TextRange) {
        // Parsing a name that no function around binds already fails.
        if !self.is_outermost() {
            return self.look_up_vars(sinfo, range);
        }
        for var in sinfo.used_vars() {
            self.check_sym(&var, range);
        }
    }

    pub(super) fn check_sym(&mut self, var: &SymVar, range: TextRange) {
        if var.is_python() || self.is_bound(var) {
            return;
        }
        let function = self.frames.last().map_or(0, |frame| frame.index);
        if self.function(function).has_unclear_params {
            return;
        }
        // Report each variable once, since later code uses it too.
        if !self.note_reported(var) {
            return;
        }
        let around = self.frames.iter().rev().skip(1);
        let bound_around =
            self.is_bound_outside(var) || around.into_iter().any(|f| f.bound.contains(var));
        // The first parsers shared them.
        if bound_around && self.cx.release <= Release::Unity {
            return;
        }
        let message = if bound_around {
            format!(
                "shape variable `{}` is bound by the enclosing function, and until TVM 0.25 local functions cannot use it: make it a dimension of a parameter",
                var.name
            )
        } else {
            format!(
                "shape variable `{}` is used before it is bound: bind it by a dimension of a parameter or by `R.match_cast`",
                var.name
            )
        };
        self.report(Code::UnboundShapeVariable, range, message)
            .about = Some(var.name.clone());
    }

    /// Returns `true` if nothing has been reported about the variable yet.
    pub(super) fn note_reported(&mut self, var: &SymVar) -> bool {
        if self.is_outermost() && var.id == 0 {
            let mut before = false;
            self.base.with(&var.name, |it| {
                before = std::mem::replace(&mut it.sym.reported, true);
            });
            return !before;
        }
        self.frame().reported.insert(var.clone())
    }
}
