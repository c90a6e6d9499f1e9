//! From a function's body to its facts: names, StructInfo, purity, and every mistake at once.
//!
//! Knows the function alone: other functions come as signatures, the Python around it as constants.

mod annotations;
mod calls;
pub(crate) mod draft;
mod effort;
mod expressions;
mod prim;
pub(crate) mod read;
pub(crate) mod reports;
mod statements;
#[cfg(test)]
mod tests;

pub(crate) use draft::Sheet;
pub use effort::Effort;
pub use prim::prim_signature;

use relax::dialect::Dialect;
use relax::release::{Release, Releases};
use std::sync::Arc;

use relax::FunctionKind;
use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::near::{self, Near, Vocabulary};
use relax::sinfo::{AsWritten, StructInfo, VDevice};
use relax::sym::{SymCx, SymVar};
use relax::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::body::{Body, Expr, ExprId};
use crate::enclosing::Env;
use crate::facts::{Def, FunctionFact, SymId, Var, VarFact, VarId};
use crate::incremental::base::Base;
use crate::incremental::state::Outputs;
use draft::Draft;

/// What a function's facts depend on besides its own text.
pub struct Context<'a> {
    /// By which the file is read.
    pub release: Release,
    /// Those that the file may be written for.
    pub releases: Releases,
    /// Whether the project says so; otherwise what the file uses does.
    pub has_target: bool,
    pub env: &'a Arc<Env>,
    /// The name of the module's class, if the function is in one.
    pub module: Option<&'a str>,
    pub globals: &'a dyn Globals,
    /// The virtual devices of the module.
    pub vdevices: &'a [VDevice],
    /// What is assumed of the function's shape variables.
    pub sizes: &'a SymCx,
    /// Whether TVM checks that the function is well-formed; what that check alone says is a warning otherwise.
    pub checked: bool,
    pub effort: &'a Effort<'a>,
}

/// The other functions of the module.
pub trait Globals {
    fn get(&self, name: &str) -> Option<Global>;
    fn names(&self) -> Arc<Vocabulary>;
}

/// A function of the module, seen from another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    pub kind: FunctionKind,
    pub struct_info: AsWritten,
    /// Whether what it returns would be known if more functions were followed.
    pub is_cut: bool,
}

/// For so many names of a piece that nothing binds each name that something binds is looked at.
const FEW_UNBOUND: usize = 8;

/// For more of them nothing is looked for.
const MOST_UNBOUND: usize = 256;

/// Why an expression is not read to its end.
const TOO_MUCH: &str = "what it stands for is too much to be written out";

/// One piece of a function while it is read. What stands at the function's own level is in `base`; scopes and frames
/// are of what begins and ends in the piece.
struct Infer<'a> {
    /// Of the piece.
    body: &'a Body,
    cx: &'a Context<'a>,
    facts: Draft,
    base: Base<'a>,
    scopes: Vec<Scope>,
    frames: Vec<Frame>,
    sym: SymCx,
    /// How many functions of the code around this one is read in.
    depth: u32,
    /// What is read now was read before, for another element.
    repeated: bool,
}

/// Names bound in one block.
#[derive(Default)]
struct Scope {
    names: FxHashMap<SmolStr, Local>,
    dataflow: Option<Dataflow>,
    /// The last binding, which a branch of an `if` gives its value by.
    last: Option<VarId>,
}

/// A dataflow block while it is read.
struct Dataflow {
    range: TextRange,
    emitted: FxHashSet<VarId>,
    outputs: Vec<VarId>,
    ended: bool,
}

#[derive(Clone)]
pub(crate) enum Local {
    Var(VarId),
    /// A shape variable of a function, into the functions of the facts.
    Sym(u32),
    Value(Value),
}

/// One function while it is read. The first is the function itself.
#[derive(Default)]
struct Frame {
    /// Into the functions of the facts.
    index: usize,
    /// How many scopes were open when it began.
    scopes: usize,
    sym_ids: FxHashMap<SmolStr, SymId>,
    /// Names in strings of its parameters: shape variables of its own, whatever they are in the functions around it.
    introduced: FxHashSet<SmolStr>,
    bound: FxHashSet<SymVar>,
    /// What was bound, in order, so that a branch can be taken back.
    bound_order: Vec<SymVar>,
    /// The shape variables of its casts, where it is a function inside.
    cast: FxHashSet<SymVar>,
    reported: FxHashSet<SymVar>,
    force_pure: Option<bool>,
    /// The attributes that `R.func_attr` has given.
    attributes: FxHashSet<SmolStr>,
    /// Calls that are impure, and what they call.
    impure: Vec<(TextRange, SmolStr)>,
    returned: Option<TextRange>,
    result: Option<StructInfo>,
    /// How many branches of `if` statements are open.
    branches: usize,
    /// One of them holds a `return`, which is reported.
    returns_in_branch: bool,
    /// Dataflow vars whose block is over: the variable, the block, what the block gives out.
    gone: FxHashMap<SmolStr, (VarId, TextRange, Outputs)>,
    /// Strings of shapes name variables: only while the signature is read.
    in_signature: bool,
    /// They make them: those of parameters do, that of the result does not.
    in_params: bool,
    /// A name that nothing binds is a shape variable: in the shapes of the RFC's dialect.
    implicit_dims: bool,
    /// Whether an annotation is read: an unknown name under `R` is a mistake there.
    annotating: bool,
    /// What is read Python evaluates by itself, as a comprehension.
    by_python: bool,
    /// What is read is a function that `R.emit_te` calls: its calls of TOPI's are of tensor expressions.
    tensor_expressions: bool,
}

impl<'a> Infer<'a> {
    fn new(body: &'a Body, cx: &'a Context<'a>, base: Base<'a>) -> Infer<'a> {
        Infer {
            facts: Draft::new(body),
            body,
            cx,
            base,
            scopes: Vec::new(),
            frames: Vec::new(),
            sym: cx.sizes.clone(),
            depth: 0,
            repeated: false,
        }
    }

    fn report(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.facts
            .diagnostics
            .push(Diagnostic::new(code, range, message));
        let last = self.facts.diagnostics.len() - 1;
        &mut self.facts.diagnostics[last]
    }

    /// Of the diagnostics from a number on: only TVM's check of form says them, whatever their code.
    fn only_of_form(&mut self, from: usize) {
        if !self.cx.checked {
            self.only_warnings(from);
        }
    }

    /// The same of a comparison with the signature of a PrimFunc, which is younger than that check.
    fn only_of_comparison(&mut self, from: usize) {
        if !self.cx.release.compares_struct_info() {
            self.only_warnings(from);
        }
    }

    /// Diagnostics from a number on are no errors.
    fn only_warnings(&mut self, from: usize) {
        for diagnostic in &mut self.facts.diagnostics[from..] {
            diagnostic.severity = diagnostic.severity.max(Severity::Warning);
        }
    }

    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Whether what is read belongs to the function itself, not to one inside it.
    fn is_outermost(&self) -> bool {
        self.frames.len() <= 1
    }

    fn set_value(&mut self, expr: ExprId, value: Value) {
        self.facts.set_value(expr, value);
    }

    fn def(&mut self, expr: ExprId, def: Def) {
        if let Def::Global(name) = &def {
            let at = match &self.body.exprs[expr] {
                Expr::Attribute { name, .. } => name.range,
                _ => self.body.range(expr),
            };
            self.facts.globals.push((name.clone(), at));
        }
        self.facts.defs.insert(expr, def);
    }

    fn function(&self, index: usize) -> &FunctionFact {
        let first = self.base.entry().functions as usize;
        match index.checked_sub(first) {
            Some(at) => &self.facts.functions[at],
            None => self.base.root(),
        }
    }

    /// A function that begins in this piece.
    fn function_mut(&mut self, index: usize) -> &mut FunctionFact {
        let first = self.base.entry().functions as usize;
        &mut self.facts.functions[index - first]
    }

    /// Looks a name up in the scopes of this function and those around it.
    fn lookup(&self, name: &str) -> Option<Local> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(name))
            .cloned()
            .or_else(|| self.base.lookup(name, &self.facts))
    }

    fn bind_local(&mut self, name: SmolStr, local: Local) {
        match self.scopes.last_mut() {
            Some(scope) => {
                scope.names.insert(name, local);
            }
            None => self.base.bind(&name, local, &mut self.facts),
        }
    }

    /// A dataflow var whose block is over.
    fn gone_var(&self, name: &str) -> Option<(VarId, TextRange, Outputs)> {
        let inside = self.frames.iter().rev().find_map(|f| f.gone.get(name));
        inside
            .copied()
            .or_else(|| self.base.gone(name, &self.facts))
    }

    /// The name is bound again.
    fn is_back(&mut self, name: &SmolStr) {
        self.frame().gone.remove(name);
        if self.is_outermost() {
            self.base.is_back(name);
        }
    }

    fn new_var(&mut self, fact: VarFact) -> VarId {
        // `incremental` finds the variables of a name by the place of the name.
        if fact.name_range.len() == TextSize::of(fact.name.as_str()) {
            self.base.touch(&fact.name);
        }
        let id = self.base.new_var(&fact.name);
        self.facts.add_var(id, fact);
        id
    }

    fn var(&self, id: VarId) -> Var<'_> {
        self.base.var(id, &self.facts)
    }

    /// A variable that this piece binds.
    fn var_mut(&mut self, id: VarId) -> Option<&mut VarFact> {
        let at = self.facts.row(id)?;
        self.facts.vars.get_mut(at)
    }

    fn is_type_dialect(&self) -> bool {
        self.cx.release.dialect() == Dialect::Type
    }

    fn in_dataflow(&self) -> bool {
        let from = self.frames.last().map_or(0, |f| f.scopes);
        self.scopes[from..].iter().any(|s| s.dataflow.is_some())
            || (self.is_outermost() && self.base.dataflow().is_some())
    }

    /// The header of the innermost dataflow block.
    fn dataflow_range(&self) -> Option<TextRange> {
        let inside = self.scopes.iter().rev().find_map(|s| s.dataflow.as_ref());
        inside.map(|d| d.range).or_else(|| self.base.dataflow())
    }

    /// The function whose shape variable a name is here: the innermost that has one of this name, or the current one.
    fn sym_owner(&self, name: &SmolStr) -> u32 {
        let mut inside = self.frames.iter().skip(1).rev();
        let owner = inside
            .find(|frame| frame.introduced.contains(name) || frame.sym_ids.contains_key(name));
        match (owner, self.frames.last()) {
            (Some(owner), _) => owner.index as u32,
            (None, Some(current)) if !self.base.get(name).sym.known => current.index as u32,
            (None, _) => 0,
        }
    }

    /// The shape variable that a name is here.
    fn sym_var(&self, name: &SmolStr) -> SymVar {
        SymVar {
            name: name.clone(),
            id: self.sym_owner(name),
        }
    }

    /// The shape variable `name` of the current function, whatever it is in the functions around it.
    fn own_sym(&mut self, name: &SmolStr) -> SymVar {
        let var = SymVar {
            name: name.clone(),
            id: self.frame().index as u32,
        };
        self.sym_id(&var);
        var
    }

    fn sym_id(&mut self, var: &SymVar) -> SymId {
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

    /// Whether this function or one around it has a shape variable of this name.
    fn knows_sym(&self, name: &SmolStr) -> bool {
        let inside = self.frames.iter().skip(1);
        inside.rev().any(|f| f.sym_ids.contains_key(name)) || self.base.get(name).sym.known
    }

    /// Notes that `expr` names a shape variable.
    fn mention(&mut self, expr: ExprId, name: &SmolStr, range: TextRange) -> SymVar {
        let owner = self.sym_owner(name);
        self.mention_of(owner, expr, name, range)
    }

    /// Notes that `expr` names a shape variable of a function.
    fn mention_of(&mut self, owner: u32, expr: ExprId, name: &SmolStr, range: TextRange) -> SymVar {
        let var = SymVar {
            name: name.clone(),
            id: owner,
        };
        let id = self.sym_id(&var);
        self.facts.defs.insert(expr, Def::Sym(id));
        self.facts.sym(id).mentions.push(range);
        var
    }

    /// Notes that a shape variable is named at `range`, which is no expression.
    fn mention_at(&mut self, var: &SymVar, range: TextRange) {
        let id = self.sym_id(var);
        self.facts.sym(id).mentions.push(range);
    }

    /// Notes that the program declares a shape variable.
    fn declared_at(&mut self, var: &SymVar, range: TextRange) {
        let id = self.sym_id(var);
        let part = self.facts.sym(id);
        part.mentions.push(range);
        part.declared_at.get_or_insert(range);
    }

    /// Binds the shape variables that `sinfo` defines: those that are a whole dimension or value of it.
    fn bind_sym_vars(&mut self, sinfo: &StructInfo, range: TextRange) {
        for var in sinfo.defined_vars() {
            self.bind_sym(&var, range);
        }
        // Until TVM 0.25, what a callable binds is bound around it as well.
        if self.cx.release.dialect() == Dialect::StructInfo && !self.is_outermost() {
            for var in sinfo.vars_of_callables() {
                self.bind_sym(&var, range);
            }
        }
    }

    fn bind_sym(&mut self, var: &SymVar, range: TextRange) {
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
        // The mention inside the annotation is the place to go to.
        let inside = part
            .mentions
            .iter()
            .copied()
            .find(|m| range.contains_range(*m));
        part.bound_at.get_or_insert(inside.unwrap_or(range));
    }

    fn is_bound(&self, var: &SymVar) -> bool {
        if self.frames.is_empty() {
            return self.is_bound_outside(var);
        }
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            if frame.bound.contains(var) || depth == 0 && self.is_bound_outside(var) {
                return true;
            }
            // Before the Type dialect, TVM lets no function see the shape variables of those around it.
            if self.cx.release.dialect() == Dialect::StructInfo {
                return false;
            }
        }
        false
    }

    /// Whether a piece before this one binds the variable, or this one at the function's own level.
    fn is_bound_outside(&self, var: &SymVar) -> bool {
        var.id == 0 && self.base.get(&var.name).sym.bound
    }

    fn set_bound(&mut self, var: &SymVar, bound: bool) {
        if self.is_outermost() && var.id == 0 {
            self.base.with(&var.name, |it| it.sym.bound = bound);
        } else if bound {
            self.frame().bound.insert(var.clone());
        } else {
            self.frame().bound.remove(var);
        }
    }

    /// Forgets the shape variables bound since there were `count` of them.
    fn unbind_since(&mut self, count: usize) {
        for var in self.frame().bound_order.split_off(count) {
            self.set_bound(&var, false);
        }
    }

    /// A TypeVar that TVM cannot take for a shape variable, once.
    fn wrong_type_var(&mut self, name: &SmolStr, var: &SymVar, why: &str, range: TextRange) {
        if self.cx.release.dialect() == Dialect::Type && self.note_reported(var) {
            self.report(Code::InvalidAnnotation, range, format!("`{name}` {why}"));
        }
    }

    /// Reports the shape variables of `sinfo` that nothing has bound, each once for a function.
    fn check_sym_vars(&mut self, sinfo: &StructInfo, range: TextRange) {
        for var in sinfo.used_vars() {
            self.check_sym(&var, range);
        }
    }

    fn check_sym(&mut self, var: &SymVar, range: TextRange) {
        if var.is_python() || self.is_bound(var) {
            return;
        }
        let function = self.frames.last().map_or(0, |frame| frame.index);
        if self.function(function).has_unclear_params {
            return;
        }
        // One report a variable: whatever follows uses it too.
        if !self.note_reported(var) {
            return;
        }
        let around = self.frames.iter().rev().skip(1);
        let bound_around =
            self.is_bound_outside(var) || around.into_iter().any(|f| f.bound.contains(var));
        let message = if bound_around {
            format!(
                "shape variable `{}` is bound by the function around this one, which until TVM 0.25 functions inside do not see: make it a dimension of a parameter",
                var.name
            )
        } else {
            format!(
                "shape variable `{}` is used before anything binds it: a dimension of a parameter or a `R.match_cast`",
                var.name
            )
        };
        self.report(Code::UnboundShapeVariable, range, message)
            .about = Some(var.name.clone());
    }

    /// Whether nothing has been reported of the variable so far.
    fn note_reported(&mut self, var: &SymVar) -> bool {
        if self.is_outermost() && var.id == 0 {
            let mut before = false;
            self.base.with(&var.name, |it| {
                before = std::mem::replace(&mut it.sym.reported, true);
            });
            return !before;
        }
        self.frame().reported.insert(var.clone())
    }

    fn range(&self, expr: ExprId) -> TextRange {
        self.body.range(expr)
    }

    /// The name in reach that is nearest to one that is not.
    fn nearest_name(&mut self, name: &str) -> Option<SmolStr> {
        self.facts.unbound += 1;
        if self.facts.unbound > MOST_UNBOUND {
            return None;
        }
        let mut near = Near::to(name)?;
        let few = self.facts.unbound <= FEW_UNBOUND;
        self.base.offer_names(&mut near, few);
        let bound = self.scopes.iter().map(|scope| scope.names.len());
        if bound.sum::<usize>() <= near::MANY {
            let locals = self.scopes.iter().flat_map(|scope| scope.names.keys());
            locals.for_each(|local| near.offer(local, || Some(local.clone())));
        } else {
            near.offer_slips(near::LETTERS.iter().copied(), |slip| {
                let mut scopes = self.scopes.iter();
                scopes.find_map(|scope| Some(scope.names.get_key_value(slip)?.0.clone()))
            });
        }
        near.found()
    }

    /// Whether what is written elsewhere, with so many expressions, is read in the place of `expr`; said if not.
    fn may_read(&mut self, expr: ExprId, expressions: usize) -> bool {
        let may = self.cx.effort.spend(expressions);
        if !may {
            self.left_out(expr, TOO_MUCH);
        }
        may
    }

    /// Says once in a piece that there is too much to read.
    fn left_out(&mut self, expr: ExprId, why: &str) {
        if !std::mem::replace(&mut self.facts.left_out, true) {
            let message = format!("this is not analysed further: {why}");
            self.report(Code::NotAnalysedFurther, self.range(expr), message);
        }
    }

    fn is_used(&mut self, var: VarId) {
        self.facts.used.insert(var);
    }
}
