//! Infers the facts of a function from its body: names, StructInfo, purity, and all errors.
//!
//! Knows only the function itself: other functions are given by their signatures, and the Python code around it as
//! constants.

mod annotations;
mod calls;
pub(crate) mod draft;
mod effort;
mod expressions;
mod prim;
pub(crate) mod read;
pub(crate) mod reports;
mod shape_vars;
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
use relax::nearest_name::{self, NearestName, Vocabulary};
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
    /// The release that the file is read as.
    pub release: Release,
    /// The releases that the file may be written for.
    pub releases: Releases,
    /// `true` if the project determines the release, `false` if the contents of the file do.
    pub has_target: bool,
    pub env: &'a Arc<Env>,
    /// The name of the module's class, if the function is in one.
    pub module: Option<&'a str>,
    pub globals: &'a dyn Globals,
    /// The virtual devices of the module, or `None` if they cannot be read.
    pub vdevices: Option<&'a [VDevice]>,
    /// Assumptions about the function's shape variables.
    pub sizes: &'a SymCx,
    /// `true` if TVM checks the function's well-formedness. Otherwise, errors of that check are only warnings.
    pub checked: bool,
    pub effort: &'a Effort<'a>,
}

/// The other functions of the module.
pub trait Globals {
    fn get(&self, name: &str) -> Option<Global>;
    fn names(&self) -> Arc<Vocabulary>;
}

/// A function of the module, as other functions see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    pub kind: FunctionKind,
    pub struct_info: AsWritten,
    /// `true` if following more functions would make its result known.
    pub is_cut: bool,
}

/// Up to this many unbound names in a piece, every bound name is considered for a suggestion.
const FEW_UNBOUND: usize = 8;

/// If there are more unbound names, there are no suggestions.
const MOST_UNBOUND: usize = 256;

/// The reason for skipping an expression.
const TOO_MUCH: &str = "its value is too large to be written out";

/// The state while one piece of a function is read. `base` has what earlier pieces bind at the function's top level;
/// scopes and frames belong to code that begins and ends in the piece.
struct Infer<'a> {
    /// The body of the piece.
    body: &'a Body,
    cx: &'a Context<'a>,
    facts: Draft,
    base: Base<'a>,
    scopes: Vec<Scope>,
    frames: Vec<Frame>,
    sym: SymCx,
    /// The nesting depth of Python functions that are being inlined.
    depth: u32,
    /// `true` if the current code was read before, for another element.
    repeated: bool,
    /// The casts in the expression that is being read.
    casts: Vec<ExprId>,
}

/// The names bound in one block.
#[derive(Default)]
struct Scope {
    names: FxHashMap<SmolStr, Local>,
    dataflow: Option<Dataflow>,
    /// The last binding, which is the value of an `if`'s branch.
    last: Option<VarId>,
}

/// A dataflow block that is being read.
struct Dataflow {
    range: TextRange,
    emitted: FxHashSet<VarId>,
    outputs: Vec<VarId>,
    ended: bool,
}

#[derive(Clone)]
pub(crate) enum Local {
    Var(VarId),
    /// A shape variable of a function, as an index into the functions of the facts.
    Sym(u32),
    Value(Value),
}

/// A function that is being read. The first is the outermost function.
#[derive(Default)]
struct Frame {
    /// The index into the functions of the facts.
    index: usize,
    /// The number of scopes that were open when it began.
    scopes: usize,
    sym_ids: FxHashMap<SmolStr, SymId>,
    /// Names in strings of its parameters. They are its own shape variables, even if an enclosing function has one of
    /// that name.
    introduced: FxHashSet<SmolStr>,
    /// The names of `def f[n, m]`.
    type_params: FxHashSet<SmolStr>,
    bound: FxHashSet<SymVar>,
    /// Bound variables in order, so that those of a branch can be unbound.
    bound_order: Vec<SymVar>,
    /// The shape variables that its casts bind, if it is a local function.
    cast: FxHashSet<SymVar>,
    reported: FxHashSet<SymVar>,
    force_pure: Option<bool>,
    /// The attributes that `R.func_attr` sets.
    attributes: FxHashSet<SmolStr>,
    /// Impure calls with their callees.
    impure: Vec<(TextRange, SmolStr)>,
    returned: Option<TextRange>,
    result: Option<StructInfo>,
    /// The number of open branches of `if` statements.
    branches: usize,
    /// `true` if one of them contains a `return`, which is reported.
    returns_in_branch: bool,
    /// Variables of dataflow blocks that have ended: the variable, the block, and the outputs of the block.
    gone: FxHashMap<SmolStr, (VarId, TextRange, Outputs)>,
    /// `true` while the signature is read, where strings in shapes name variables.
    in_signature: bool,
    /// `true` while parameters are read, whose strings declare variables; those of the result don't.
    in_params: bool,
    /// `true` if an unbound name is a shape variable, as in shapes of the RFC's dialect.
    implicit_dims: bool,
    /// `true` while an annotation is read, where an unknown name under `R` is an error.
    annotating: bool,
    /// `true` while code is read that Python evaluates itself, such as a comprehension.
    by_python: bool,
    /// `true` while a function is read that `R.emit_te` calls, where TOPI calls are tensor expressions.
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
            casts: Vec::new(),
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

    /// Returns `true` if the file imports nothing: TVM prints its imports as comments.
    fn is_printed(&self) -> bool {
        self.cx.env.get("R").is_none()
    }

    /// Marks the diagnostics from index `from` on as found only by TVM's well-formedness check.
    fn mark_as_form_errors(&mut self, from: usize) {
        if !self.cx.checked {
            self.turn_into_warnings(from);
        }
    }

    /// Like `mark_as_form_errors`, for comparisons with the signature of a PrimFunc, which TVM added later than that check.
    fn mark_as_comparison_errors(&mut self, from: usize) {
        if !self.cx.release.compares_struct_info() {
            self.turn_into_warnings(from);
        }
    }

    /// Turns the diagnostics from index `from` on into warnings.
    fn turn_into_warnings(&mut self, from: usize) {
        for diagnostic in &mut self.facts.diagnostics[from..] {
            diagnostic.severity = diagnostic.severity.max(Severity::Warning);
        }
    }

    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Returns `true` if the current code belongs to the outermost function.
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

    /// Returns a function that begins in this piece.
    fn function_mut(&mut self, index: usize) -> &mut FunctionFact {
        let first = self.base.entry().functions as usize;
        &mut self.facts.functions[index - first]
    }

    /// Looks a name up in the scopes of this function and of the enclosing ones.
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

    /// Returns a variable of a dataflow block that has ended.
    fn var_of_ended_block(&self, name: &str) -> Option<(VarId, TextRange, Outputs)> {
        let inside = self.frames.iter().rev().find_map(|f| f.gone.get(name));
        inside
            .copied()
            .or_else(|| self.base.var_of_ended_block(name, &self.facts))
    }

    /// Records that the name is bound again.
    fn note_rebound(&mut self, name: &SmolStr) {
        self.frame().gone.remove(name);
        if self.is_outermost() {
            self.base.note_rebound(name);
        }
    }

    fn new_var(&mut self, fact: VarFact) -> VarId {
        // `incremental` finds the variables of a name by the range of the name.
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

    /// Returns a variable that this piece binds.
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

    /// Returns the header of the innermost dataflow block.
    fn dataflow_range(&self) -> Option<TextRange> {
        let inside = self.scopes.iter().rev().find_map(|s| s.dataflow.as_ref());
        inside.map(|d| d.range).or_else(|| self.base.dataflow())
    }

    fn range(&self, expr: ExprId) -> TextRange {
        self.body.range(expr)
    }

    /// Returns the visible name that is most similar to an unbound one.
    fn nearest_name(&mut self, name: &str) -> Option<SmolStr> {
        self.facts.unbound += 1;
        if self.facts.unbound > MOST_UNBOUND {
            return None;
        }
        let mut near = NearestName::to(name)?;
        let few = self.facts.unbound <= FEW_UNBOUND;
        self.base.offer_names(&mut near, few);
        let bound = self.scopes.iter().map(|scope| scope.names.len());
        if bound.sum::<usize>() <= nearest_name::MANY {
            let locals = self.scopes.iter().flat_map(|scope| scope.names.keys());
            locals.for_each(|local| near.offer(local, || Some(local.clone())));
        } else {
            near.offer_slips(
                |_| Some(nearest_name::LETTERS.iter().copied()),
                |slip| {
                    let mut scopes = self.scopes.iter();
                    scopes.find_map(|scope| Some(scope.names.get_key_value(slip)?.0.clone()))
                },
            );
        }
        near.found()
    }

    /// Returns `true` if code from elsewhere with this many expressions may be read in place of `expr`. Reports it
    /// otherwise.
    fn may_read(&mut self, expr: ExprId, expressions: usize) -> bool {
        let may = self.cx.effort.spend(expressions);
        if !may {
            self.report_left_out(expr, TOO_MUCH);
        }
        may
    }

    /// Reports once per piece that the analysis is incomplete.
    fn report_left_out(&mut self, expr: ExprId, why: &str) {
        if !std::mem::replace(&mut self.facts.left_out, true) {
            let message = format!("this is not analysed further: {why}");
            self.report(Code::NotAnalysedFurther, self.range(expr), message);
        }
    }

    fn is_used(&mut self, var: VarId) {
        self.facts.used.insert(var);
    }
}
