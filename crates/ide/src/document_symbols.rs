//! The outline of a file: modules, functions, and their bindings.

use hir::LazyFacts;
use hir::facts::{Var, VarId, VarKind};
use hir::prim_facts::{BufferOrigin, PrimDefId, PrimDefKind};
use hir::{Database, FunctionItem, PrimFacts, SourceFile, file_items};
use relax::FunctionKind;
use relax::dtype::DType;
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::relay;
use crate::semantics::spelling::LINE;
use crate::semantics::{function_range, name_range};
use crate::types::{DocumentSymbol, FileId, SymbolKind};

/// A function with more bindings is listed without them, since editors request the outline after each edit.
const MAX_BINDINGS: usize = 500;

impl Analysis {
    /// Returns the modules, functions and bindings of a file.
    pub fn document_symbols(&self, file: FileId) -> Cancellable<Vec<DocumentSymbol>> {
        self.with_file(file, |db, file| match hir::relay_file(db, file) {
            Some(relay) => relay::symbols::symbols(relay),
            None => document_symbols(db, file),
        })
    }
}

fn document_symbols(db: &Database, file: SourceFile) -> Vec<DocumentSymbol> {
    let items = file_items(db, file);
    let mut symbols = Vec::new();
    for module in &items.modules {
        symbols.push(DocumentSymbol {
            name: module.name(db).to_string(),
            kind: SymbolKind::Module,
            detail: None,
            range: module.range(db),
            name_range: module.name_range(db),
            children: module
                .functions(db)
                .iter()
                .filter_map(|&function| function_symbol(db, function))
                .collect(),
        });
    }
    for &function in &items.functions {
        if function.module(db).is_none() {
            symbols.extend(function_symbol(db, function));
        }
    }
    symbols.sort_by_key(|symbol| symbol.range.start());
    symbols
}

fn function_symbol(db: &Database, function: FunctionItem<'_>) -> Option<DocumentSymbol> {
    let start = function.offset(db);
    let (kind, children) = match function.kind(db) {
        FunctionKind::Relax => {
            let facts = hir::lazy_facts(db, function);
            (SymbolKind::Function, Outline::new(facts, start).symbols(0))
        }
        FunctionKind::PrimFunc => {
            let facts = hir::function_prim_facts(db, function);
            let ids = (0..).map(PrimDefId);
            let mut inside: FxHashMap<Option<PrimDefId>, Vec<PrimDefId>> = FxHashMap::default();
            for (id, def) in ids.zip(&facts.defs) {
                inside.entry(def.block).or_default().push(id);
            }
            (
                SymbolKind::PrimFunc,
                prim_symbols(facts, &inside, None, start),
            )
        }
        FunctionKind::Macro | FunctionKind::Python => (SymbolKind::Function, Vec::new()),
    };
    let facts = (kind == SymbolKind::Function).then(|| hir::lazy_facts(db, function));
    let detail = facts
        .and_then(|facts| facts.functions.first())
        .map(|fact| format!("→ {}", fact.ret.short_within(LINE)));
    Some(DocumentSymbol {
        name: function.name(db).to_string(),
        kind,
        detail,
        range: function_range(db, function),
        name_range: name_range(db, function)?,
        children,
    })
}

/// Returns the symbols of a PrimFunc, or of a block in it: parameters, buffers, blocks and their axes.
fn prim_symbols(
    facts: &PrimFacts,
    inside: &FxHashMap<Option<PrimDefId>, Vec<PrimDefId>>,
    block: Option<PrimDefId>,
    start: TextSize,
) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    for &id in inside.get(&block).into_iter().flatten() {
        let def = facts.def(id);
        let dtype = |dtype: Option<DType>| dtype.map(|dtype| dtype.to_string());
        let (kind, detail) = match &def.kind {
            PrimDefKind::Block(_) => (SymbolKind::Block, None),
            PrimDefKind::Axis(axis) => (SymbolKind::Axis, Some(axis.kind.name().to_owned())),
            PrimDefKind::Buffer(buffer) if buffer.origin == BufferOrigin::Param => {
                (SymbolKind::Parameter, dtype(buffer.dtype))
            }
            PrimDefKind::Buffer(buffer) => (SymbolKind::Buffer, dtype(buffer.dtype)),
            PrimDefKind::Scalar(it) => (SymbolKind::Parameter, dtype(*it)),
            PrimDefKind::Handle => (SymbolKind::Parameter, Some("handle".to_owned())),
            _ => continue,
        };
        let children = match def.kind {
            PrimDefKind::Block(_) => prim_symbols(facts, inside, Some(id), start),
            _ => Vec::new(),
        };
        // The protocol does not allow empty names.
        let name = if def.name.is_empty() {
            "(block)".to_owned()
        } else {
            def.name.to_string()
        };
        symbols.push(DocumentSymbol {
            name,
            kind,
            detail,
            range: def.range.cover(def.name_range) + start,
            name_range: def.name_range + start,
            children,
        });
    }
    symbols
}

/// The bindings of one function, in order.
#[derive(Default)]
struct Bound<'f> {
    /// The variables; incomplete if there are too many to list.
    vars: Vec<Var<'f>>,
    /// The local functions among them.
    functions: Vec<Var<'f>>,
    /// The number of bindings that are not parameters.
    bindings: usize,
}

impl<'f> Bound<'f> {
    fn add(&mut self, var: Var<'f>) {
        self.bindings += usize::from(var.kind != VarKind::Param);
        if self.bindings <= MAX_BINDINGS {
            self.vars.push(var);
        }
        if var.kind == VarKind::Function {
            self.functions.push(var);
        }
    }

    fn listed_vars(&self) -> &[Var<'f>] {
        if self.bindings <= MAX_BINDINGS {
            &self.vars
        } else {
            &self.functions
        }
    }
}

/// The outline of a function and its local functions.
struct Outline<'f> {
    facts: &'f LazyFacts,
    start: TextSize,
    /// The bindings of each function, by its index in the facts.
    bound: FxHashMap<usize, Bound<'f>>,
    /// The index of each function, by the range of its name.
    functions: FxHashMap<TextRange, usize>,
}

impl<'f> Outline<'f> {
    fn new(facts: &'f LazyFacts, start: TextSize) -> Outline<'f> {
        // List a variable after an `if` at its bindings in the branches.
        let after: FxHashSet<VarId> = facts.joins.iter().map(|join| join.after).collect();
        let mut bound: FxHashMap<usize, Bound<'f>> = FxHashMap::default();
        for var in facts.vars().filter(|var| !after.contains(&var.id)) {
            bound.entry(var.function).or_default().add(var);
        }
        let functions = facts.functions.iter().enumerate().rev();
        Outline {
            facts,
            start,
            bound,
            functions: functions.map(|(at, it)| (it.name_range, at)).collect(),
        }
    }

    /// Returns the symbols of the function at `index` of the facts. Local functions contain their own.
    fn symbols(&self, index: usize) -> Vec<DocumentSymbol> {
        let shown = self.bound.get(&index).map_or(&[][..], Bound::listed_vars);
        shown.iter().filter_map(|var| self.symbol(var)).collect()
    }

    fn symbol(&self, var: &Var<'_>) -> Option<DocumentSymbol> {
        let inner = (var.kind == VarKind::Function)
            .then(|| self.functions.get(&var.name_range).copied())
            .flatten();
        if inner.is_none() && var.name.is_empty() {
            return None;
        }
        // The protocol requires that the range of a symbol contains its name and its children.
        let range = inner.map_or(var.range, |inner| self.facts.functions[inner].range);
        let detail = || var.struct_info.short_within(LINE).to_string();
        Some(DocumentSymbol {
            name: var.name.to_string(),
            kind: match (inner, var.kind) {
                (Some(_), _) => SymbolKind::Function,
                (None, VarKind::Param) => SymbolKind::Parameter,
                (None, _) => SymbolKind::Binding,
            },
            detail: (!var.struct_info.is_unknown()).then(detail),
            range: range.cover(var.name_range) + self.start,
            name_range: var.name_range + self.start,
            children: inner.map_or_else(Vec::new, |inner| self.symbols(inner)),
        })
    }
}
