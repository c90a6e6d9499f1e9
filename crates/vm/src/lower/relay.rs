//! Lowers Relay's definitions to bytecode: a function and everything it reaches, or all reasons why it cannot run.
//!
//! Types are not needed: an operator inspects the values of its call (`kernels::relay`), which covers polymorphic
//! functions and extents that are only known at run time. Reads bodies and facts, never syntax.

mod expressions;
mod function;
mod matches;
mod scopes;

use std::sync::Arc;

use hir::RelayFile;
use hir::relay::Facts;
use hir::relay::body::{Body, Item};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::{CompileError, emit};
use crate::bytecode::{CalleeId, ConstId, Program};
use crate::ir;

/// The name of a text that consists of one expression.
const EXPRESSION: &str = "main";

/// Compiles functions of a Relay text and every function that they reach.
pub fn compile(file: &RelayFile, entries: &[SmolStr]) -> Result<Program, Vec<CompileError>> {
    let mut link = Link {
        file,
        program: Program::default(),
        globals: FxHashMap::default(),
        constants: FxHashMap::default(),
        pending: Vec::new(),
        functions: Vec::new(),
        errors: Vec::new(),
    };
    for entry in entries {
        if link.global(entry).is_none() {
            link.errors.push(CompileError {
                message: "the text has no function of this name".to_owned(),
                function: entry.clone(),
                range: TextRange::default(),
                packed: None,
            });
        }
    }
    while let Some((id, source)) = link.pending.pop() {
        let function = function::definition(&mut link, source);
        link.functions.extend(function.map(|it| (id, it)));
    }
    if !link.errors.is_empty() {
        link.errors
            .sort_by_key(|it| (it.range.start(), it.range.end()));
        return Err(link.errors);
    }
    let mut program = link.program;
    for (id, function) in link.functions {
        let compiled = emit::run(&mut program, function);
        program.fill(id, compiled);
    }
    Ok(program)
}

/// Returns the functions that a run can start with, in the order of the text, with the ranges of their names.
pub fn entries(file: &RelayFile) -> Vec<(SmolStr, TextRange)> {
    let definitions = file.module.definitions.iter();
    definitions
        .filter_map(|it| match &it.body.item {
            Item::Function { name, .. } => Some((name.text.clone(), name.range + it.start)),
            Item::Expr(root) => Some((EXPRESSION.into(), it.body.range(*root) + it.start)),
            Item::Type(_) | Item::Missing => None,
        })
        .collect()
}

/// State that is shared between compiled functions.
struct Link<'a> {
    file: &'a RelayFile,
    program: Program,
    globals: FxHashMap<SmolStr, CalleeId>,
    /// The constants of the metadata.
    constants: FxHashMap<(SmolStr, u32), ConstId>,
    pending: Vec<(CalleeId, Source<'a>)>,
    functions: Vec<(CalleeId, ir::Function)>,
    errors: Vec<CompileError>,
}

/// A definition with its facts.
#[derive(Clone, Copy)]
struct Source<'a> {
    body: &'a Body,
    facts: &'a Arc<Facts>,
    start: TextSize,
}

impl Link<'_> {
    /// Returns the function with a name, and compiles it now or later.
    fn global(&mut self, name: &str) -> Option<CalleeId> {
        if let Some(&id) = self.globals.get(name) {
            return Some(id);
        }
        let file = self.file;
        let all = file.module.definitions.iter().zip(&file.facts.definitions);
        let (definition, facts) = { all }.find(|(it, _)| match &it.body.item {
            Item::Function { name: known, .. } => known.text == name,
            Item::Expr(_) => name == EXPRESSION,
            Item::Type(_) | Item::Missing => false,
        })?;
        let id = self.program.declare(&name.into());
        self.globals.insert(name.into(), id);
        let source = Source {
            body: &definition.body,
            facts,
            start: definition.start,
        };
        self.pending.push((id, source));
        Some(id)
    }

    /// Declares a local function under a unique name.
    fn local(&mut self, wanted: &str) -> (SmolStr, CalleeId) {
        let mut name = SmolStr::from(wanted);
        let mut number = 1;
        while self.program.find(&name).is_some() || self.file.facts.env.function(&name).is_some() {
            name = smol_str::format_smolstr!("{wanted}_{number}");
            number += 1;
        }
        let id = self.program.declare(&name);
        (name, id)
    }
}

#[cfg(test)]
mod tests;
