//! From hir's facts to bytecode: a function and all it reaches, or every reason why it cannot run.
//!
//! Reads bodies and facts, never syntax. What cannot run is said here, before anything runs.

mod call;
mod check;
mod expr;
mod function;
mod kernel;
mod literal;
mod shape;
mod special;
mod stmt;

use std::sync::Arc;

use hir::body::Body;
use hir::{Db, Facts, FunctionItem, FunctionKind, file_items, function_body, function_facts};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};
use thiserror::Error;

use crate::builtins;
use crate::bytecode::{Callee, CalleeId, ConstId, Constant, PrimFunc, Program};
use crate::kernels;
use crate::tir;

/// Why a program cannot run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{function}: {message}")]
pub struct CompileError {
    pub message: String,
    pub function: SmolStr,
    /// In the file.
    pub range: TextRange,
}

/// Compiles `entry` and every function that it reaches. The program's function of its name is `entry`.
pub fn compile<'db>(
    db: &'db dyn Db,
    entry: FunctionItem<'db>,
) -> Result<Program, Vec<CompileError>> {
    compile_all(db, &[entry])
}

/// Compiles functions of one module, and every function that they reach.
pub fn compile_all<'db>(
    db: &'db dyn Db,
    entries: &[FunctionItem<'db>],
) -> Result<Program, Vec<CompileError>> {
    let mut linker = Linker {
        db,
        by_name: FxHashMap::default(),
        program: Program::default(),
        pending: Vec::new(),
        kernels: FxHashMap::default(),
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
        // Of several functions of one name, the one that was asked for.
        linker.by_name.insert(entry.name(db), entry);
        if linker.global(&entry.name(db)).is_none() {
            linker.errors.push(CompileError {
                message: "only Relax functions run".to_owned(),
                function: entry.name(db),
                range: TextRange::empty(entry.offset(db)),
            });
        }
    }
    while let Some((id, function)) = linker.pending.pop() {
        linker.function(id, function);
    }
    if linker.errors.is_empty() {
        Ok(linker.program)
    } else {
        linker
            .errors
            .sort_by_key(|e| (e.range.start(), e.range.end()));
        linker.errors.dedup();
        Err(linker.errors)
    }
}

/// What compiled functions share.
struct Linker<'db> {
    db: &'db dyn Db,
    by_name: FxHashMap<SmolStr, FunctionItem<'db>>,
    program: Program,
    pending: Vec<(CalleeId, FunctionItem<'db>)>,
    kernels: FxHashMap<&'static str, CalleeId>,
    errors: Vec<CompileError>,
}

/// The source of the function that is being compiled.
#[derive(Clone, Copy)]
struct Source<'a> {
    body: &'a Body,
    facts: &'a Facts,
    start: TextSize,
}

impl<'db> Linker<'db> {
    /// The function of the module of this name, compiled now or later.
    fn global(&mut self, name: &SmolStr) -> Option<CalleeId> {
        if let Some(id) = self.program.find(name) {
            return Some(id);
        }
        let &function = self.by_name.get(name)?;
        match function.kind(self.db) {
            FunctionKind::Relax => {
                let empty = function::empty(name.clone());
                let id = self.program.add_callee(Callee::Function(Arc::new(empty)));
                self.program.name(name.clone(), id);
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
            facts: function_facts(self.db, item),
            start: item.offset(self.db),
        };
        let compiled = function::lower(self, source, &source.body.function, 0, None);
        self.fill(id, compiled);
    }

    /// A PrimFunc of the module, compiled. What of it does not run is among the errors.
    fn prim_func(&mut self, name: &SmolStr) -> Option<CalleeId> {
        if let Some(id) = self.program.find(name) {
            return Some(id);
        }
        let &item = self.by_name.get(name)?;
        if item.kind(self.db) != FunctionKind::PrimFunc {
            return None;
        }
        let start = item.offset(self.db);
        let compiled = hir::tir::lower(function_body(self.db, item), item.env(self.db))
            .and_then(|func| tir::compile(&func));
        match compiled {
            Ok(code) => {
                let prim = Arc::new(PrimFunc { code, start });
                let id = self.program.add_callee(Callee::PrimFunc(prim));
                self.program.name(name.clone(), id);
                Some(id)
            }
            Err(errors) => {
                self.by_name.remove(name);
                self.errors
                    .extend(errors.into_iter().map(|error| CompileError {
                        message: error.message,
                        function: name.clone(),
                        range: error.range + start,
                    }));
                None
            }
        }
    }

    fn fill(&mut self, id: CalleeId, function: crate::bytecode::Function) {
        if let Some(slot) = self.program.callees.get_mut(id.0 as usize) {
            *slot = Callee::Function(Arc::new(function));
        }
    }

    fn constant(&mut self, constant: Constant) -> ConstId {
        self.program.add_constant(constant)
    }

    /// The kernel of an operator, if it has one.
    fn kernel(&mut self, op: &'static hir::ops::OpDef) -> Option<CalleeId> {
        if let Some(&id) = self.kernels.get(op.name) {
            return Some(id);
        }
        let kernel = kernels::lookup(op.name)?;
        let id = self.program.add_callee(Callee::Kernel(op, kernel));
        self.kernels.insert(op.name, id);
        Some(id)
    }

    /// A function of the host by its global symbol.
    fn builtin(&mut self, name: &str) -> Option<CalleeId> {
        let builtin = builtins::lookup(name)?;
        if let Some(&id) = self.kernels.get(builtin.name) {
            return Some(id);
        }
        let id = self.program.add_callee(Callee::Builtin(builtin));
        self.kernels.insert(builtin.name, id);
        Some(id)
    }
}
