//! The call hierarchy: calls between Relax functions, PrimFuncs of their module, and local functions.

use hir::{Database, FunctionItem, SourceFile, file_items};
use relax::FunctionKind;
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Access, Symbol, calls_of, function_named};
use crate::semantics::{function_at, function_range, module_of, name_range};
use crate::types::{Call, CallItem, FilePosition, SymbolKind};

impl Analysis {
    /// Returns the function that is named at a position.
    pub fn call_hierarchy(&self, position: FilePosition) -> Cancellable<Option<CallItem>> {
        self.with_file(position.file, |db, file| prepare(db, file, position.offset))
    }

    /// Returns the callers of the function at a position.
    pub fn incoming_calls(&self, position: FilePosition) -> Cancellable<Vec<Call>> {
        self.with_file(position.file, |db, file| {
            incoming(db, file, position.offset)
        })
    }

    /// Returns the functions that the function at a position calls.
    pub fn outgoing_calls(&self, position: FilePosition) -> Cancellable<Vec<Call>> {
        self.with_file(position.file, |db, file| {
            outgoing(db, file, position.offset)
        })
    }
}

/// Returns the function that is named at a position.
fn prepare(db: &Database, file: SourceFile, offset: TextSize) -> Option<CallItem> {
    let node = match mentions::mention_at(db, file, offset)?.symbol {
        Symbol::Function(function) => Node { function, inner: 0 },
        Symbol::Var(function, var) => {
            let facts = hir::lazy_facts(db, function);
            Node::named(db, function, facts.var(var).name_range)?
        }
        _ => return None,
    };
    node.item(db)
}

/// Returns the callers of the function whose name is at `offset`, with the ranges of the calls.
fn incoming(db: &Database, file: SourceFile, offset: TextSize) -> Vec<Call> {
    let Some(callee) = Node::at(db, file, offset) else {
        return Vec::new();
    };
    let mut calls = Calls::default();
    for (function, range) in callee.uses(db, file) {
        let inner = innermost(db, function, range);
        calls.add(Node { function, inner }, range + function.offset(db));
    }
    calls.into_items(db)
}

/// Returns the functions that the function at `offset` calls, in order of the first call.
fn outgoing(db: &Database, file: SourceFile, offset: TextSize) -> Vec<Call> {
    let Some(caller) = Node::at(db, file, offset) else {
        return Vec::new();
    };
    let function = caller.function;
    let mut called = Vec::new();
    for call in calls_of(db, function) {
        if let Some(callee) = function_named(
            db,
            file,
            function.module(db),
            &call.name,
            function.offset(db),
        ) {
            let callee = Node {
                function: callee,
                inner: 0,
            };
            called.push((call.range, callee));
        }
    }
    called.extend(caller.uses_of_locals(db));
    called.retain(|(range, _)| innermost(db, function, *range) == caller.inner);
    called.sort_by_key(|(range, _)| range.start());
    let mut calls = Calls::default();
    for (range, callee) in called {
        calls.add(callee, range + function.offset(db));
    }
    calls.into_items(db)
}

/// A function in the call graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node<'db> {
    function: FunctionItem<'db>,
    /// The index among the functions of the facts. 0 is the item itself; others are local functions.
    inner: usize,
}

impl<'db> Node<'db> {
    /// Returns the function whose name is at `offset`, or else the function around it.
    fn at(db: &'db Database, file: SourceFile, offset: TextSize) -> Option<Node<'db>> {
        let function = function_at(db, file, offset)?;
        let name = TextRange::empty(offset - function.offset(db));
        let local = Node::named(db, function, name);
        Some(local.unwrap_or(Node { function, inner: 0 }))
    }

    /// Returns the local function of `function` whose name contains `range`.
    fn named(
        db: &'db Database,
        function: FunctionItem<'db>,
        range: TextRange,
    ) -> Option<Node<'db>> {
        let facts = &hir::lazy_facts(db, function).functions;
        let found = facts
            .iter()
            .rposition(|it| it.name_range.contains_range(range));
        let inner = found.filter(|inner| *inner > 0)?;
        Some(Node { function, inner })
    }

    /// Returns the uses of the item's local functions in this one, relative to the item.
    fn uses_of_locals(self, db: &'db Database) -> Vec<(TextRange, Node<'db>)> {
        let function = self.function;
        let facts = hir::lazy_facts(db, function);
        let locals = facts.functions.iter().enumerate().skip(1);
        let locals: FxHashMap<TextRange, usize> =
            locals.map(|(inner, it)| (it.name_range, inner)).collect();
        let mut uses = Vec::new();
        if locals.is_empty() {
            return uses;
        }
        let start = function.offset(db);
        let own = facts.functions[self.inner].range + start;
        mentions::in_function(db, function, own, &mut |mention| {
            if let Symbol::Var(_, var) = mention.symbol
                && mention.access == Access::Read
                && let Some(&inner) = locals.get(&facts.var(var).name_range)
            {
                uses.push((mention.range - start, Node { function, inner }));
            }
        });
        uses
    }

    /// Returns the uses of this function's name, relative to the functions that contain them.
    fn uses(self, db: &'db Database, file: SourceFile) -> Vec<(FunctionItem<'db>, TextRange)> {
        let function = self.function;
        if self.inner > 0 {
            let facts = hir::lazy_facts(db, function);
            let name = facts.functions[self.inner].name_range;
            let Some(var) = facts.var_named_at(name) else {
                return Vec::new();
            };
            let all = mentions::mentions_of(db, file, &Symbol::Var(function, var.id));
            let uses = all.into_iter().filter(|it| it.access == Access::Read);
            let relative = uses.map(|it| (function, it.range - function.offset(db)));
            return relative.collect();
        }
        let (module, name) = (function.module(db), function.name(db));
        if function_named(db, file, module, &name, function.offset(db)) != Some(function) {
            return Vec::new();
        }
        let callers = file_items(db, file).functions.iter().copied();
        let beside = callers.filter(|caller| caller.module(db) == module);
        let calls = beside.flat_map(|caller| {
            let calls = calls_of(db, caller).iter();
            calls.map(move |call| (caller, call))
        });
        let meant = calls.filter(|(caller, call)| {
            call.name == name
                && function_named(db, file, module, &name, caller.offset(db)) == Some(function)
        });
        meant.map(|(caller, call)| (caller, call.range)).collect()
    }

    fn item(self, db: &Database) -> Option<CallItem> {
        let function = self.function;
        let facts = &hir::lazy_facts(db, function).functions;
        if let Some(local) = facts.get(self.inner).filter(|_| self.inner > 0) {
            let start = function.offset(db);
            let (around, name) = local.name.rsplit_once('.')?;
            return Some(CallItem {
                name: name.to_owned(),
                kind: SymbolKind::Function,
                within: Some(around.to_owned()),
                range: local.range.cover(local.name_range) + start,
                name_range: local.name_range + start,
            });
        }
        let module = module_of(db, function);
        Some(CallItem {
            name: function.name(db).to_string(),
            kind: if function.kind(db) == FunctionKind::PrimFunc {
                SymbolKind::PrimFunc
            } else {
                SymbolKind::Function
            },
            within: module.map(|module| module.name(db).to_string()),
            range: function_range(db, function),
            name_range: name_range(db, function)?,
        })
    }
}

/// Returns the index of the innermost function around a range in `function`.
fn innermost(db: &Database, function: FunctionItem<'_>, range: TextRange) -> usize {
    hir::lazy_facts(db, function).function_at(range)
}

/// Functions in order of the first call, each with the ranges of its calls.
#[derive(Default)]
struct Calls<'db> {
    calls: Vec<(Node<'db>, Vec<TextRange>)>,
    places: FxHashMap<Node<'db>, usize>,
}

impl<'db> Calls<'db> {
    fn add(&mut self, node: Node<'db>, range: TextRange) {
        let place = *self.places.entry(node).or_insert_with(|| {
            self.calls.push((node, Vec::new()));
            self.calls.len() - 1
        });
        self.calls[place].1.push(range);
    }

    fn into_items(self, db: &Database) -> Vec<Call> {
        let calls = self.calls.into_iter().filter_map(|(node, ranges)| {
            let function = node.item(db)?;
            Some(Call { function, ranges })
        });
        calls.collect()
    }
}
