//! From a function's body to its facts: names, StructInfo, purity, and every mistake at once.
//!
//! Knows the function alone: other functions come as signatures, the Python around it as constants.

mod annotation;
mod attribute;
mod bind;
mod call;
mod dims;
mod expr;
mod function;
mod inplace;
mod macros;
mod prim;
mod python;
mod script;
mod special;
mod spread;
mod stmt;
mod te;
#[cfg(test)]
mod tests;

pub use prim::prim_signature;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Body, ExprId};
use crate::diagnostics::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::enclosing::Env;
use crate::facts::{Def, Facts, SymId, SymVarFact, VarFact, VarId, VarKind};
use crate::item_tree::FunctionKind;
use crate::sinfo::{StructInfo, VDevice};
use crate::sym::{SymCx, SymVar};
use crate::value::Value;

/// What a function's facts depend on besides its own text.
pub struct Context<'a> {
    pub dialect: Dialect,
    pub env: &'a Env,
    /// The name of the module's class, if the function is in one.
    pub module: Option<&'a str>,
    pub globals: &'a dyn Globals,
    /// The virtual devices of the module.
    pub vdevices: &'a [VDevice],
}

/// The other functions of the module.
pub trait Globals {
    fn get(&self, name: &str) -> Option<Global>;
    fn names(&self) -> Vec<SmolStr>;
}

/// A function of the module, seen from another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    pub kind: FunctionKind,
    pub struct_info: StructInfo,
}

/// The facts of a Relax function.
pub fn infer(body: &Body, cx: &Context<'_>) -> Facts {
    let mut infer = Infer::new(body, cx);
    infer.root();
    infer.finish()
}

/// The StructInfo of the parameters and the annotated return of a function, its purity, whether it is private.
pub fn signature(body: &Body, cx: &Context<'_>) -> Facts {
    let mut infer = Infer::new(body, cx);
    infer.header_only();
    infer.finish()
}

/// A dimension that only Python knows: a variable of this id, named as the source names it.
pub const PYTHON_DIM: u32 = u32::MAX;

struct Infer<'a> {
    body: &'a Body,
    cx: &'a Context<'a>,
    facts: Facts,
    scopes: Vec<Scope>,
    frames: Vec<Frame>,
    sym: SymCx,
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
    emitted: Vec<VarId>,
    outputs: Vec<VarId>,
    ended: bool,
}

#[derive(Clone)]
enum Local {
    Var(VarId),
    Sym,
    Value(Value),
}

/// One function while it is read.
#[derive(Default)]
struct Frame {
    /// Into `facts.functions`.
    index: usize,
    /// How many scopes were open when it began.
    scopes: usize,
    sym_ids: FxHashMap<SmolStr, SymId>,
    bound: FxHashSet<SymVar>,
    reported: FxHashSet<SymVar>,
    force_pure: bool,
    /// Calls that are impure, and what they call.
    impure: Vec<(TextRange, String)>,
    returned: Option<TextRange>,
    result: Option<StructInfo>,
    /// Dataflow vars whose block is over: the variable, the block, whether the block has an output.
    gone: FxHashMap<SmolStr, (VarId, TextRange, bool)>,
    /// Strings of shapes name variables: only while the signature is read.
    in_signature: bool,
    /// A name that nothing binds is a shape variable: in the shapes of the RFC's dialect.
    implicit_dims: bool,
    /// What is read is an annotation: a name under `R` that nobody knows is a mistake there.
    annotating: bool,
}

impl<'a> Infer<'a> {
    fn new(body: &'a Body, cx: &'a Context<'a>) -> Infer<'a> {
        let facts = Facts {
            values: vec![Value::Unknown; body.exprs.len()],
            ..Facts::default()
        };
        Infer {
            body,
            cx,
            facts,
            scopes: Vec::new(),
            frames: Vec::new(),
            sym: SymCx::default(),
        }
    }

    fn finish(mut self) -> Facts {
        self.facts
            .diagnostics
            .sort_by_key(|d| (d.range.start(), d.range.end(), d.code));
        self.facts.diagnostics.dedup();
        self.facts
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

    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn set_value(&mut self, expr: ExprId, value: Value) {
        let index = u32::from(expr.into_raw()) as usize;
        if let Some(slot) = self.facts.values.get_mut(index) {
            *slot = value;
        }
    }

    fn def(&mut self, expr: ExprId, def: Def) {
        self.facts.defs.insert(expr, def);
    }

    /// Looks a name up in the scopes of this function and those around it.
    fn lookup(&self, name: &str) -> Option<Local> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(name))
            .cloned()
    }

    fn bind_local(&mut self, name: SmolStr, local: Local) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, local);
        }
    }

    fn new_var(&mut self, fact: VarFact) -> VarId {
        let id = VarId(self.facts.vars.len() as u32);
        self.facts.vars.push(fact);
        id
    }

    fn in_dataflow(&self) -> bool {
        let from = self.frames.last().map_or(0, |f| f.scopes);
        self.scopes[from..].iter().any(|s| s.dataflow.is_some())
    }

    /// The shape variable `name` of the current function.
    fn sym_var(&mut self, name: &SmolStr) -> SymVar {
        let id = self.sym_id(name);
        self.facts.sym_vars[id.0 as usize].var.clone()
    }

    fn sym_id(&mut self, name: &SmolStr) -> SymId {
        let index = self.frame().index;
        if let Some(&id) = self.frame().sym_ids.get(name) {
            return id;
        }
        let id = SymId(self.facts.sym_vars.len() as u32);
        let var = SymVar {
            name: name.clone(),
            id: index as u32,
        };
        self.facts.sym_vars.push(SymVarFact {
            var,
            function: index,
            declared_at: None,
            bound_at: None,
            mentions: Vec::new(),
        });
        self.frame().sym_ids.insert(name.clone(), id);
        id
    }

    /// Notes that `expr` names a shape variable.
    fn mention(&mut self, expr: ExprId, name: &SmolStr, range: TextRange) -> SymVar {
        let id = self.sym_id(name);
        self.facts.defs.insert(expr, Def::Sym(id));
        let fact = &mut self.facts.sym_vars[id.0 as usize];
        fact.mentions.push(range);
        fact.var.clone()
    }

    /// Binds the shape variables that `sinfo` defines: those that are a whole dimension or value of it.
    fn bind_sym_vars(&mut self, sinfo: &StructInfo, range: TextRange) {
        for var in sinfo.defined_vars() {
            self.bind_sym(&var, range);
        }
    }

    fn bind_sym(&mut self, var: &SymVar, range: TextRange) {
        if var.id == PYTHON_DIM || !self.frame().bound.insert(var.clone()) {
            return;
        }
        let Some(&id) = self.frame().sym_ids.get(&var.name) else {
            return;
        };
        let fact = &mut self.facts.sym_vars[id.0 as usize];
        // The mention inside the annotation is the place to go to.
        let inside = fact
            .mentions
            .iter()
            .copied()
            .find(|m| range.contains_range(*m));
        fact.bound_at.get_or_insert(inside.unwrap_or(range));
    }

    /// Reports the shape variables of `sinfo` that nothing has bound, each once for a function.
    fn check_sym_vars(&mut self, sinfo: &StructInfo, range: TextRange) {
        for var in sinfo.used_vars() {
            self.check_sym(&var, range);
        }
    }

    fn check_sym(&mut self, var: &SymVar, range: TextRange) {
        if var.id == PYTHON_DIM || self.frame().bound.contains(var) {
            return;
        }
        // One report a variable: whatever follows uses it too.
        if !self.frame().reported.insert(var.clone()) {
            return;
        }
        let message = format!(
            "shape variable `{}` is used before anything binds it: a dimension of a parameter or a `R.match_cast`",
            var.name
        );
        self.report(Code::UnboundShapeVariable, range, message);
    }

    fn range(&self, expr: ExprId) -> TextRange {
        self.body.range(expr)
    }

    /// The names in reach, for a suggestion.
    fn nearest_name(&self, name: &str) -> Option<SmolStr> {
        let locals = self.scopes.iter().flat_map(|s| s.names.keys());
        nearest(name, locals)
    }

    fn is_used(&mut self, var: VarId) {
        self.facts.vars[var.0 as usize].used = true;
    }

    fn report_unused(&mut self) {
        let unused: Vec<(TextRange, SmolStr)> = self
            .facts
            .vars
            .iter()
            .filter(|v| !v.used && !v.name.starts_with('_') && v.kind != VarKind::Param)
            .map(|v| (v.name_range, v.name.clone()))
            .collect();
        for (range, name) in unused {
            self.report(
                Code::UnusedBinding,
                range,
                format!("`{name}` is never used"),
            );
        }
    }
}

/// The name nearest to `name`, if one is near.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n SmolStr>) -> Option<SmolStr> {
    nearest_str(name, known.map(SmolStr::as_str)).map(SmolStr::from)
}

fn nearest_str<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() < 2 {
        return None;
    }
    let limit = (name.len() / 3).clamp(1, 3);
    known
        .map(|k| (strsim::damerau_levenshtein(k, name), k))
        .filter(|(distance, k)| *distance <= limit && *k != name)
        .min()
        .map(|(_, k)| k)
}
