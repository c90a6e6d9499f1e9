//! The mentions of a Relax function, read from its facts. All ranges are relative to its start.

use std::cell::RefCell;

use hir::LazyFacts;
use hir::body::{Arg, Body, Expr, ExprId, Stmt, StmtKind, Target};
use hir::enclosing::PyValue;
use hir::facts::{Def, SymId, VarId};
use hir::{Database, FunctionItem};
use relax::script::{Namespace, unbound_path};
use relax::sinfo::StructInfo;
use relax::value::Value;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::{Access, Mention, Symbol, contents, function_named, python};
use crate::semantics::module_of;

/// Calls whose first operand is a string that names a function of the host.
const PACKED: &[&str] = &[
    "ExternFunc",
    "call_packed",
    "call_pure_packed",
    "call_dps_packed",
    "call_inplace_packed",
];

/// Calls `found` with every mention in `window`.
pub fn mentions<'db>(
    db: &'db Database,
    function: FunctionItem<'db>,
    window: TextRange,
    found: &mut dyn FnMut(Mention<'db>),
) {
    let names = Names::new(db, function);
    names.variables(window, found);
    names.shape_variables(window, found);
    names.expressions(window, found);
    names.aliases_in(window, found);
}

/// Calls `found` with the mentions of a shape variable, without reading what else the function mentions.
pub fn mentions_of_shape<'db>(
    db: &'db Database,
    function: FunctionItem<'db>,
    found: &mut dyn FnMut(Mention<'db>),
) {
    let names = Names::new(db, function);
    let start = function.offset(db);
    names.shape_variables(names.body.function.range, &mut |mention| {
        found(Mention {
            range: mention.range + start,
            ..mention
        });
    });
}

/// Returns `true` if a variable of this name is a number, which may also be a shape variable.
pub fn binds_number(db: &Database, function: FunctionItem<'_>, name: &str) -> bool {
    let facts = hir::lazy_facts(db, function);
    let is_number = |sinfo: &StructInfo| matches!(sinfo, StructInfo::Prim(_));
    let mut vars = facts.vars();
    vars.any(|var| var.name == name && is_number(var.struct_info))
}

/// Returns the bindings of a symbol's variables in the file. For an `if`, these are in both branches.
pub fn definitions(db: &Database, function: FunctionItem<'_>, var: VarId) -> Vec<TextRange> {
    let facts = hir::lazy_facts(db, function);
    let start = function.offset(db);
    let mut ranges = Vec::new();
    let mut open = vec![var];
    while let Some(var) = open.pop() {
        match facts.joins.iter().find(|join| join.after == var) {
            Some(join) => open.extend(join.branches.iter().rev()),
            None => ranges.push(facts.var(var).name_range + start),
        }
    }
    ranges.dedup();
    ranges
}

/// Returns the dimension that binds a shape variable, as a range of the file.
pub fn bound_at(db: &Database, function: FunctionItem<'_>, sym: SymId) -> Vec<TextRange> {
    let facts = hir::lazy_facts(db, function);
    let bound = facts.sym_bound_at(sym);
    let bound = bound.map(|range| range + function.offset(db));
    bound.into_iter().collect()
}

fn touches(window: TextRange, range: TextRange) -> bool {
    window.intersect(range).is_some()
}

struct Names<'db> {
    db: &'db Database,
    function: FunctionItem<'db>,
    body: &'db Body,
    facts: &'db LazyFacts,
    /// The name of the module's class.
    module: Option<SmolStr>,
    /// The symbol of each shape variable.
    shapes: RefCell<FxHashMap<SymId, Symbol<'db>>>,
    /// The symbol of each name of the surrounding Python code.
    outside: RefCell<FxHashMap<SmolStr, Symbol<'db>>>,
}

impl<'db> Names<'db> {
    fn new(db: &'db Database, function: FunctionItem<'db>) -> Names<'db> {
        Names {
            db,
            function,
            body: hir::function_body(db, function),
            facts: hir::lazy_facts(db, function),
            module: module_of(db, function).map(|module| module.name(db)),
            shapes: RefCell::default(),
            outside: RefCell::default(),
        }
    }

    fn variables(&self, window: TextRange, found: &mut dyn FnMut(Mention<'db>)) {
        for var in self.facts.vars_named_in(window) {
            // A call without a target binds `_`, and its range stands for the missing name.
            let named = var.name_range.len() == TextSize::of(var.name.as_str());
            if named && !var.name.is_empty() {
                found(Mention {
                    range: var.name_range,
                    symbol: self.var_symbol(var.id),
                    access: Access::Bind,
                });
            }
        }
    }

    fn shape_variables(&self, window: TextRange, found: &mut dyn FnMut(Mention<'db>)) {
        for it in self.facts.sym_mentions_around(window) {
            if touches(window, it.range) {
                found(Mention {
                    range: it.range,
                    symbol: self.shape_symbol(it.sym),
                    access: match (it.binds, it.declares) {
                        (true, _) => Access::Bind,
                        (_, true) => Access::Declare,
                        _ => Access::Read,
                    },
                });
            }
        }
    }

    fn expressions(&self, window: TextRange, found: &mut dyn FnMut(Mention<'db>)) {
        for (expr, range) in self.body.expr_ranges_in(window) {
            if touches(window, range) {
                self.expression(expr, range, window, found);
            }
        }
    }

    fn expression(
        &self,
        expr: ExprId,
        range: TextRange,
        window: TextRange,
        found: &mut dyn FnMut(Mention<'db>),
    ) {
        let mut read = |range: TextRange, symbol: Symbol<'db>| {
            if touches(window, range) {
                let access = Access::Read;
                found(Mention {
                    range,
                    symbol,
                    access,
                });
            }
        };
        match &self.body.exprs[expr] {
            Expr::Name(text) => {
                if let Some(symbol) = self.name(expr, text) {
                    read(range, symbol);
                }
            }
            Expr::Attribute { name, .. } => {
                if !touches(window, name.range) {
                    return;
                }
                match (self.facts.def(expr), self.facts.value(expr)) {
                    (Some(Def::Global(function)), _) => {
                        if let Some(symbol) = self.global(function) {
                            read(name.range, symbol);
                        }
                    }
                    (Some(Def::Op(op)), _) => {
                        let path = format!("R.{}", op.0.script());
                        read(name.range, Symbol::Script(path.into()));
                    }
                    (_, Value::Script(path)) => {
                        let letter = match path.namespace {
                            Namespace::Relax | Namespace::Python => 'R',
                            Namespace::Tir => 'T',
                            Namespace::Ir => 'I',
                        };
                        let path = format!("{letter}.{}", path.rest);
                        read(name.range, Symbol::Script(path.into()));
                    }
                    _ => {}
                }
            }
            Expr::Call { callee, args } => {
                if let Some((range, name)) = self.packed(*callee, args) {
                    read(range, Symbol::Packed(name.clone()));
                }
            }
            _ => {}
        }
    }

    fn name(&self, expr: ExprId, text: &SmolStr) -> Option<Symbol<'db>> {
        match self.facts.def(expr) {
            Some(Def::Var(var)) => return Some(self.var_symbol(*var)),
            // Already reported as a mention of the shape variable.
            Some(Def::Sym(_) | Def::Op(_)) => return None,
            Some(Def::Global(name)) => return self.global(name),
            Some(Def::Python(name)) => return Some(self.python(name)),
            None => {}
        }
        if text.is_empty() {
            return None;
        }
        if self.module.as_ref() == Some(text) {
            return module_of(self.db, self.function).map(Symbol::Module);
        }
        if self.function.env(self.db).get(text).is_some() {
            return Some(self.python(text));
        }
        if unbound_path(text).is_some() || hir::enclosing::BUILTINS.contains(&text.as_str()) {
            return None;
        }
        Some(Symbol::Alias(self.function, text.clone()))
    }

    fn global(&self, name: &str) -> Option<Symbol<'db>> {
        let file = self.function.file(self.db);
        let module = self.function.module(self.db);
        let at = self.function.offset(self.db);
        function_named(self.db, file, module, name, at).map(Symbol::Function)
    }

    fn python(&self, name: &SmolStr) -> Symbol<'db> {
        let find = || {
            let file = self.function.file(self.db);
            python::symbol(self.db, file, name, self.function.offset(self.db))
        };
        let mut known = self.outside.borrow_mut();
        known.entry(name.clone()).or_insert_with(find).clone()
    }

    /// Returns the string operand that names a function of the host.
    fn packed(&self, callee: ExprId, args: &'db [Arg]) -> Option<(TextRange, &'db SmolStr)> {
        let Expr::Attribute { name, .. } = &self.body.exprs[callee] else {
            return None;
        };
        if !PACKED.contains(&name.text.as_str()) {
            return None;
        }
        let operand = args.first()?.value;
        let Expr::Str(symbol) = &self.body.exprs[operand] else {
            return None;
        };
        Some((contents(self.body, operand, symbol)?, symbol))
    }

    fn var_symbol(&self, var: VarId) -> Symbol<'db> {
        let var = self.facts.joined(var);
        let fact = self.facts.var(var);
        // In the Type dialect, an integer variable is also a shape variable of the same name.
        if let StructInfo::Prim(prim) = &fact.struct_info
            && let Some(sym) = prim.value.as_ref().and_then(|value| value.as_var())
            && sym.name == *fact.name
            && let Some(id) = self.facts.sym_id(sym)
        {
            return self.shape_symbol(id);
        }
        Symbol::Var(self.function, var)
    }

    fn shape_symbol(&self, id: SymId) -> Symbol<'db> {
        if let Some(known) = self.shapes.borrow().get(&id) {
            return known.clone();
        }
        let var = self.facts.sym_var(id);
        let outside = self.function.env(self.db).get(&var.name);
        let python = matches!(outside, Some(PyValue::ShapeVar(_, _))) && !self.facts.declares(id);
        let symbol = if python {
            self.python(&var.name)
        } else {
            Symbol::Shape(self.function, id)
        };
        self.shapes.borrow_mut().insert(id, symbol.clone());
        symbol
    }

    /// Calls `found` with the Python names that statements bind.
    fn aliases_in(&self, window: TextRange, found: &mut dyn FnMut(Mention<'db>)) {
        for stmt in self.body.stmts_in(window) {
            self.aliases(std::slice::from_ref(stmt), window, found);
        }
    }

    fn aliases(&self, stmts: &[Stmt], window: TextRange, found: &mut dyn FnMut(Mention<'db>)) {
        let from = stmts.partition_point(|stmt| stmt.range.end() < window.start());
        for stmt in stmts[from..]
            .iter()
            .take_while(|stmt| stmt.range.start() <= window.end())
        {
            match &stmt.kind {
                StmtKind::Assign { targets, .. } => {
                    for target in targets {
                        self.alias(target, window, found);
                    }
                }
                StmtKind::AnnAssign { target, .. } | StmtKind::AugAssign { target, .. } => {
                    self.alias(target, window, found);
                }
                StmtKind::For { target, body, .. } => {
                    self.alias(target, window, found);
                    self.aliases(body, window, found);
                }
                StmtKind::With { items, body } => {
                    for target in items.iter().filter_map(|(_, target)| target.as_ref()) {
                        self.alias(target, window, found);
                    }
                    self.aliases(body, window, found);
                }
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    self.aliases(then, window, found);
                    self.aliases(otherwise.as_deref().unwrap_or_default(), window, found);
                }
                StmtKind::While { body, .. } => self.aliases(body, window, found),
                StmtKind::Function(inner) => self.aliases(&inner.body, window, found),
                _ => {}
            }
        }
    }

    fn alias(&self, target: &Target, window: TextRange, found: &mut dyn FnMut(Mention<'db>)) {
        match target {
            Target::Name(name) => {
                if touches(window, name.range)
                    && !name.text.is_empty()
                    && self.facts.var_named_at(name.range).is_none()
                    && self.facts.sym_named_at(name.range).is_none()
                {
                    found(Mention {
                        range: name.range,
                        symbol: Symbol::Alias(self.function, name.text.clone()),
                        access: Access::Bind,
                    });
                }
            }
            Target::Tuple(targets, _) => {
                for target in targets {
                    self.alias(target, window, found);
                }
            }
            Target::Place(_) => {}
        }
    }
}
