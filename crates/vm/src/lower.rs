//! Lowers hir's facts to bytecode: a function and everything it reaches, or all reasons why it cannot run.
//!
//! Lowering is done in stages, each a pass over all functions: normal form (`function`, `stmt`, `expr`, `call`, ...),
//! explicit memory (`memory`), shape lowering (`shape`, `check`), bytecode (`emit`). It reads bodies and facts, never
//! syntax. A program that cannot run is rejected here, before anything runs. Relay's definitions only need the last
//! stage (`relay`).

mod call;
mod check;
mod constants;
mod dims;
mod emit;
mod entry;
mod expr;
mod function;
mod kernel;
mod lifetime;
mod literal;
mod memory;
mod native;
pub mod relay;
mod shape;
mod special;
mod stmt;

use std::sync::Arc;

use hir::body::Body;
use hir::enclosing::Env;
use hir::metadata::MetaRef;
use hir::{
    Db, FunctionItem, LazyFacts, file_items, function_body, function_program, lazy_facts, tir,
};
use relax::FunctionKind;
use relax::nearest_name::did_you_mean;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};
use thiserror::Error;

use crate::bytecode::{Callee, CalleeId, ConstId, Constant, PrimFunc, Program};
use crate::listing::{Listing, Stage};
use crate::{builtins, ir};

pub use constants::{Constants, tensor_of};
pub use entry::entry_name;

/// Why a program cannot run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{function}: {message}")]
pub struct CompileError {
    pub message: String,
    pub function: SmolStr,
    /// The range in the file.
    pub range: TextRange,
    /// The missing packed function, if that is the reason.
    pub packed: Option<SmolStr>,
}

/// Compiles `entry` and every function that it reaches. If several functions have its name, the program uses `entry`.
pub fn compile<'db>(
    db: &'db dyn Db,
    entry: FunctionItem<'db>,
) -> Result<Program, Vec<CompileError>> {
    compile_with(db, entry, &[])
}

/// Like `compile`, with packed functions that the caller of [`crate::run`] implements.
pub fn compile_with<'db>(
    db: &'db dyn Db,
    entry: FunctionItem<'db>,
    externals: &[String],
) -> Result<Program, Vec<CompileError>> {
    compile_all(db, &[entry], externals, Constants::default())
}

/// Compiles several functions of a module to one program, where they have the names of [`entry_name`].
pub fn compile_all<'db>(
    db: &'db dyn Db,
    entries: &[FunctionItem<'db>],
    externals: &[String],
    constants: Constants,
) -> Result<Program, Vec<CompileError>> {
    let externals = Externals::named(externals);
    let mut linker = Linker::link(db, entries, externals, constants);
    native::run(&mut linker);
    linker.lower_to(Stage::Bytecode);
    entry::run(&mut linker, entries);
    linker.finish()?;
    Ok(linker.program)
}

/// Returns the ranges of the instructions of functions of one module, and of those that they reach, in the file.
pub fn places<'db>(db: &'db dyn Db, entries: &[FunctionItem<'db>]) -> Vec<TextRange> {
    // Places do not depend on the elements of constants.
    let mut linker = Linker::link(db, entries, Externals::Any, Constants::any());
    linker.lower_to(Stage::Bytecode);
    let functions = linker.program.callees.iter().filter_map(|it| match it {
        Callee::Function(function) => Some(function),
        _ => None,
    });
    let ranges = functions.flat_map(|function| {
        let ranges = function.origins.iter().map(|origin| origin.range);
        ranges.map(|range| range + function.start)
    });
    ranges.collect()
}

/// Prints functions of one module, and every function that they reach, at a stage of lowering.
pub fn listing<'db>(
    db: &'db dyn Db,
    entries: &[FunctionItem<'db>],
    stage: Stage,
    constants: Constants,
) -> Result<Listing, Vec<CompileError>> {
    let mut linker = Linker::link(db, entries, Externals::Any, constants);
    linker.lower_to(stage);
    linker.finish()?;
    if stage == Stage::Bytecode {
        return Ok(linker.program.listing());
    }
    let Some(file) = entries.first().map(|entry| entry.file(db)) else {
        return Ok(Listing::default());
    };
    let functions: Vec<ir::Function> = linker.functions.into_iter().map(|(_, it)| it).collect();
    let text = &file.source(db).text;
    let prim_funcs: Vec<(String, TextRange)> = linker
        .prim_funcs
        .iter()
        .filter_map(|it| {
            let range = function_body(db, it.item).function.range + it.item.offset(db);
            let text = text.get(std::ops::Range::<usize>::from(range))?;
            Some((text.to_owned(), range))
        })
        .collect();
    let release = hir::file_release(db, file);
    Ok(ir::print::module(
        &linker.program,
        &functions,
        &prim_funcs,
        release,
    ))
}

/// Prints functions of one module at a stage of lowering, and leaves out those that cannot run and PrimFuncs.
pub fn runnable_listing<'db>(
    db: &'db dyn Db,
    entries: &[FunctionItem<'db>],
    stage: Stage,
) -> Listing {
    let Some(file) = entries.first().map(|entry| entry.file(db)) else {
        return Listing::default();
    };
    // The memory of a program does not depend on the elements.
    let mut linker = Linker::link(db, entries, Externals::named(&[]), Constants::any());
    linker.errors.clear();
    linker.lower_to(stage);
    let functions: Vec<ir::Function> = linker.functions.into_iter().map(|(_, it)| it).collect();
    let release = hir::file_release(db, file);
    ir::print::module(&linker.program, &functions, &[], release)
}

fn no_packed(name: &str, near: Option<&str>) -> String {
    if let Some(why) = builtins::refusal(name) {
        return format!("`{name}` does not run on this machine: {why}");
    }
    format!("there is no packed function `{name}`{}", did_you_mean(near))
}

/// State that is shared between compiled functions.
struct Linker<'db> {
    db: &'db dyn Db,
    by_name: FxHashMap<SmolStr, FunctionItem<'db>>,
    program: Program,
    pending: Vec<(CalleeId, FunctionItem<'db>)>,
    externals: Externals,
    constants: Constants,
    /// The constants that texts name by index, as they are in the program.
    indexed: FxHashMap<MetaRef, ConstId>,
    /// The functions that can run, in the order in which they were reached.
    functions: Vec<(CalleeId, ir::Function)>,
    prim_funcs: Vec<Reached<'db>>,
    errors: Vec<CompileError>,
}

/// The packed functions that someone else implements.
enum Externals {
    Named(FxHashSet<SmolStr>),
    /// A program that is only shown may call any.
    Any,
}

impl Externals {
    fn named(names: &[String]) -> Externals {
        Externals::Named(names.iter().map(|name| name.as_str().into()).collect())
    }

    fn contains(&self, name: &str) -> bool {
        match self {
            Externals::Named(names) => names.contains(name),
            Externals::Any => true,
        }
    }
}

/// A PrimFunc that a function calls.
struct Reached<'db> {
    id: CalleeId,
    item: FunctionItem<'db>,
    func: Arc<hir::tir::PrimFunc>,
}

/// The source of the function that is being compiled.
#[derive(Clone, Copy)]
struct Source<'a> {
    body: &'a Body,
    facts: &'a LazyFacts,
    /// The Python code around the function.
    env: &'a Env,
    start: TextSize,
}

impl<'db> Linker<'db> {
    /// Lowers functions of one module and everything they reach to normal form.
    fn link(
        db: &'db dyn Db,
        entries: &[FunctionItem<'db>],
        externals: Externals,
        constants: Constants,
    ) -> Linker<'db> {
        let mut linker = Linker {
            db,
            by_name: FxHashMap::default(),
            program: Program::default(),
            pending: Vec::new(),
            externals,
            constants,
            indexed: FxHashMap::default(),
            functions: Vec::new(),
            prim_funcs: Vec::new(),
            errors: Vec::new(),
        };
        let module = entries.first().and_then(|entry| {
            let at = entry.module(db)?;
            file_items(db, entry.file(db))
                .modules
                .get(at as usize)
                .copied()
        });
        for &function in module.iter().flat_map(|m| m.functions(db)) {
            linker.by_name.entry(function.name(db)).or_insert(function);
        }
        for &entry in entries {
            // If several functions have this name, use the requested one.
            linker.by_name.insert(entry.name(db), entry);
            let name = entry.name(db);
            let is_reached = match entry.kind(db) {
                FunctionKind::PrimFunc => {
                    // If it is not reached, the reasons are reported.
                    linker.prim_func(&name).is_some() || !linker.errors.is_empty()
                }
                _ => linker.global(&name).is_some(),
            };
            if !is_reached {
                linker.errors.push(CompileError {
                    message: "only Relax functions and PrimFuncs run".to_owned(),
                    function: name,
                    range: TextRange::empty(entry.offset(db)),
                    packed: None,
                });
            }
        }
        while let Some((id, function)) = linker.pending.pop() {
            linker.function(id, function);
        }
        linker.functions.sort_by_key(|(id, _)| id.0);
        linker
    }

    /// Returns the errors, if there are any.
    fn finish(&mut self) -> Result<(), Vec<CompileError>> {
        if self.errors.is_empty() {
            return Ok(());
        }
        self.errors
            .sort_by_key(|e| (e.range.start(), e.range.end()));
        self.errors.dedup();
        Err(std::mem::take(&mut self.errors))
    }

    /// Runs the passes up to a stage, unless there are errors.
    fn lower_to(&mut self, stage: Stage) {
        if !self.errors.is_empty() {
            return;
        }
        let mut functions = std::mem::take(&mut self.functions);
        for (_, function) in &mut functions {
            if stage >= Stage::ExplicitMemory {
                memory::run(self, function);
            }
            if stage >= Stage::ShapeLowered {
                shape::run(self, function);
            }
        }
        if stage == Stage::Bytecode && self.errors.is_empty() {
            for (id, function) in functions {
                let compiled = emit::run(&mut self.program, function);
                self.program.fill(id, compiled);
            }
        } else {
            self.functions = functions;
        }
    }

    /// Returns the module function with a name, and compiles it now or later.
    fn global(&mut self, name: &SmolStr) -> Option<CalleeId> {
        if let Some(id) = self.program.find(name) {
            return Some(id);
        }
        let &function = self.by_name.get(name)?;
        match function.kind(self.db) {
            FunctionKind::Relax => {
                let id = self.program.declare(name);
                self.pending.push((id, function));
                Some(id)
            }
            FunctionKind::PrimFunc | FunctionKind::Macro | FunctionKind::Python => None,
        }
    }

    fn kind(&self, name: &str) -> Option<FunctionKind> {
        self.by_name.get(name).map(|f| f.kind(self.db))
    }

    fn function(&mut self, id: CalleeId, item: FunctionItem<'db>) {
        let source = Source {
            body: function_body(self.db, item),
            facts: lazy_facts(self.db, item),
            env: item.env(self.db),
            start: item.offset(self.db),
        };
        let (errors, done) = (self.errors.len(), self.functions.len());
        let lowered = function::lower(self, source, &source.body.function, 0, None);
        if self.errors.len() > errors {
            self.functions.truncate(done);
        } else {
            self.functions.push((id, lowered));
        }
    }

    /// Returns a PrimFunc of the module. Reports what cannot run.
    fn prim_func(&mut self, name: &SmolStr) -> Option<CalleeId> {
        if let Some(id) = self.program.find(name) {
            return Some(id);
        }
        let &item = self.by_name.get(name)?;
        if item.kind(self.db) != FunctionKind::PrimFunc {
            return None;
        }
        let start = item.offset(self.db);
        match function_program(self.db, item) {
            Ok(func) => {
                if !self.knows_packed(name, start, &func.body) {
                    self.by_name.remove(name);
                    return None;
                }
                let prim = Arc::new(PrimFunc {
                    name: name.clone(),
                    code: None,
                    program: None,
                    start,
                });
                let id = self.program.add_callee(Callee::PrimFunc(prim));
                self.program.name(name.clone(), id);
                let func = Arc::new(func);
                self.prim_funcs.push(Reached { id, item, func });
                Some(id)
            }
            Err(errors) => {
                self.by_name.remove(name);
                self.refuse(name, start, errors);
                None
            }
        }
    }

    /// Returns `true` if each packed function that a PrimFunc calls exists. Reports missing ones.
    fn knows_packed(&mut self, name: &SmolStr, start: TextSize, body: &[tir::Stmt]) -> bool {
        let mut missing = Vec::new();
        tir::for_each_stmt(body, &mut |stmt| {
            let tir::StmtKind::Packed(tir::Packed { symbol, .. }) = &stmt.kind else {
                return;
            };
            if builtins::sort::lookup(symbol).is_none() && !self.externals.contains(symbol) {
                missing.push((symbol.clone(), stmt.range));
            }
        });
        for (symbol, range) in &missing {
            let near = builtins::sort::nearest(symbol);
            self.errors.push(CompileError {
                message: no_packed(symbol, near),
                function: name.clone(),
                range: *range + start,
                packed: Some(symbol.clone()),
            });
        }
        missing.is_empty()
    }

    /// Reports the errors that keep a PrimFunc from running.
    fn refuse(&mut self, name: &SmolStr, start: TextSize, errors: Vec<hir::tir::TirError>) {
        self.errors
            .extend(errors.into_iter().map(|error| CompileError {
                message: error.message,
                function: name.clone(),
                range: error.range + start,
                packed: None,
            }));
    }

    fn constant(&mut self, constant: Constant) -> ConstId {
        self.program.add_constant(constant)
    }

    /// Returns the kernel of an operator, if it has one.
    fn kernel(&mut self, op: &'static relax::ops::OpDef) -> Option<CalleeId> {
        self.program.kernel(op)
    }

    /// Returns an external packed function that writes to its last `outs` arguments.
    fn external(&mut self, name: &str, outs: usize) -> Option<CalleeId> {
        let callee = self.externals.contains(name).then(|| Callee::External {
            name: name.into(),
            outs,
        })?;
        Some(self.program.add_callee(callee))
    }

    /// Returns the function that TVM's virtual machine finds by a global symbol: a PrimFunc of the module, one of its
    /// runtime, or an external one that writes to its last `outs` arguments.
    fn packed(&mut self, symbol: &str, outs: usize) -> Option<CalleeId> {
        if let Some(name) = self.exported_prim_func(symbol) {
            return self.prim_func(&name);
        }
        match self.builtin(symbol) {
            Some(callee) => Some(callee),
            None => self.external(symbol, outs),
        }
    }

    /// Returns the name of the PrimFunc with a global symbol, which is its name if it has no other.
    fn exported_prim_func(&self, symbol: &str) -> Option<SmolStr> {
        let mut prim_funcs = self
            .by_name
            .iter()
            .filter(|(_, it)| it.kind(self.db) == FunctionKind::PrimFunc);
        let found = prim_funcs.find(|(name, item)| {
            let body = function_body(self.db, **item);
            body.global_symbol().unwrap_or(name) == symbol
        });
        found.map(|(name, _)| name.clone())
    }

    /// Returns the builtin with a global symbol.
    fn builtin(&mut self, name: &str) -> Option<CalleeId> {
        self.program.builtin(name)
    }
}

#[cfg(test)]
mod tests;
