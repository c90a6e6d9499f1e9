//! Diagnostics about a whole module: entry points, recursion, unused functions, and the chain of calls that makes a
//! call impure; and storages that a function plans for several tensors.

mod calls;
mod locals;
mod purity;
mod rewriter;
mod storages;

use relax::FunctionKind;
use relax::diagnostics::{Code, Diagnostic};
use relax::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use crate::body::{Body, StmtKind};
use crate::db::{Db, SourceFile};
use crate::facts::Def;
use crate::incremental::LazyFacts;
use crate::item_tree::{FunctionItem, ModuleItem, file_items};
use crate::queries::{function_body, function_facts, function_signature, lazy_facts};
use calls::Calls;
use locals::Locals;

/// Longer modules are not checked as a whole: they are printed models rather than written by hand.
const LONGEST: usize = 200_000;

pub(crate) fn diagnostics(db: &dyn Db, file: SourceFile, all: &mut Vec<Diagnostic>) {
    purity::explain(db, file, all);
    for &function in &file_items(db, file).functions {
        if function.kind(db) == FunctionKind::Relax {
            captured(db, function, all);
            storages::check(db, file, function, all);
        }
    }
    for &module in &file_items(db, file).modules {
        if usize::from(module.range(db).len()) <= LONGEST {
            all.extend(module_diagnostics(db, module).iter().cloned());
        }
    }
}

/// A call of, or a reference to, another function of the module.
#[derive(Clone, Debug, PartialEq)]
struct Use {
    name: SmolStr,
    /// The range relative to the function.
    at: TextRange,
}

fn module_diagnostics<'db>(db: &'db dyn Db, module: ModuleItem<'db>) -> Vec<Diagnostic> {
    let functions = module.functions(db);
    let mut all = Vec::new();
    no_entry_point(db, module, &mut all);
    unused_functions(db, functions, &mut all);
    refused_by_all(db, functions, &mut all);
    recursion(db, functions, &mut all);
    rewriter::check(db, module, &mut all);
    all
}

/// Returns the functions of the module that a Relax function names.
#[salsa::tracked(returns(ref))]
fn function_uses<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> Vec<Use> {
    if function.kind(db) != FunctionKind::Relax {
        return Vec::new();
    }
    let globals = function_facts(db, function).globals();
    globals
        .map(|(name, at)| Use {
            name: name.clone(),
            at,
        })
        .collect()
}

/// Returns the outermost dataflow blocks of a function, in order.
fn dataflow_blocks(db: &dyn Db, function: FunctionItem<'_>) -> Vec<TextRange> {
    let def = function.source(db).def();
    let nodes = def.iter().flat_map(|it| it.syntax().descendants());
    let blocks = nodes.filter_map(ast::WithStmt::cast).filter(|block| {
        block.items().any(|item| {
            let context = item.context();
            context.is_some_and(|it| it.syntax().text().to_string().contains("dataflow"))
        })
    });
    let mut outermost: Vec<TextRange> = Vec::new();
    for range in blocks.map(|block| block.range()) {
        if outermost
            .last()
            .is_none_or(|last| last.end() <= range.start())
        {
            outermost.push(range);
        }
    }
    outermost
}

/// Returns `true` if one of these ranges, which are sorted, contains `at`.
fn is_inside(ranges: &[TextRange], at: TextRange) -> bool {
    let after = ranges.partition_point(|it| it.start() <= at.start());
    let last = after.checked_sub(1).map(|last| ranges[last]);
    last.is_some_and(|it| it.contains_range(at))
}

/// Returns `true` if the decorator has `private=True`.
#[salsa::tracked(returns(copy))]
fn is_private<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> bool {
    let Some(def) = function.source(db).def() else {
        return false;
    };
    def.decorators().any(|decorator| {
        let text = decorator.syntax().text().to_string();
        let words: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        words.contains("private=True")
    })
}

/// Returns the range of a function's name in the file.
fn name_range(db: &dyn Db, function: FunctionItem<'_>) -> TextRange {
    let name = function.source(db).def().and_then(|def| def.name());
    name.map(|n| n.text_range() + function.offset(db))
        .unwrap_or_default()
}

/// Reports a module without public functions.
fn no_entry_point(db: &dyn Db, module: ModuleItem<'_>, all: &mut Vec<Diagnostic>) {
    let functions = module.functions(db);
    let relax = functions.iter().any(|f| f.kind(db) == FunctionKind::Relax);
    if relax && functions.iter().all(|&f| is_private(db, f)) {
        let message = format!(
            "nothing of `{}` can be called from outside: all its functions are private",
            module.name(db)
        );
        let at = module.name_range(db);
        all.push(Diagnostic::new(Code::NoEntryPoint, at, message));
    }
}

/// Reports dataflow variables that a local function uses although they are not outputs of their block.
fn captured(db: &dyn Db, function: FunctionItem<'_>, all: &mut Vec<Diagnostic>) {
    if function_facts(db, function).functions.len() <= 1 {
        return;
    }
    let facts = lazy_facts(db, function);
    let offset = function.offset(db);
    let body = function_body(db, function);
    let locals = Locals::of(&facts.functions);
    for (expr, at) in body.expr_ranges_in(locals.range()) {
        let Some(&Def::Var(var)) = facts.def(expr) else {
            continue;
        };
        let var = facts.var(var);
        let inside = var.is_dataflow.then(|| locals.innermost(at)).flatten();
        if inside.is_none_or(|local| var.function >= local) {
            continue;
        }
        if is_in_own_dataflow(body, facts, at) {
            continue;
        }
        let name = var.name;
        let message = format!(
            "`{name}` is a dataflow var: a local function cannot use it unless it is an output of its block"
        );
        let mut diagnostic = Diagnostic::new(Code::DataflowVarCaptured, at + offset, message);
        let bound = (var.name_range + offset, format!("`{name}` is bound here"));
        diagnostic.related.push(bound);
        all.push(diagnostic);
    }
}

/// Returns `true` in a dataflow block of the innermost function. TVM accepts all dataflow variables there
/// (`DataflowVarNode` in `well_formed.cc`).
fn is_in_own_dataflow(body: &Body, facts: &LazyFacts, at: TextRange) -> bool {
    let mut is_dataflow = false;
    for stmt in body.stmts_around(at) {
        match &stmt.kind {
            StmtKind::Function(_) => is_dataflow = false,
            StmtKind::With { items, .. } => {
                let mut items = items.iter();
                is_dataflow |= items.any(|(item, _)| *facts.value(*item) == Value::Dataflow);
            }
            _ => {}
        }
    }
    is_dataflow
}

/// Reports private Relax functions that no other function names. Calls between PrimFuncs are not tracked.
fn unused_functions(db: &dyn Db, functions: &[FunctionItem<'_>], all: &mut Vec<Diagnostic>) {
    let mut used: FxHashSet<SmolStr> = FxHashSet::default();
    for &function in functions {
        let name = function.name(db);
        let uses = function_uses(db, function).iter();
        used.extend(uses.filter(|u| u.name != name).map(|u| u.name.clone()));
    }
    // If nothing is public, other code decides what is used.
    if functions.iter().all(|&f| is_private(db, f)) {
        return;
    }
    for &function in functions {
        let name = function.name(db);
        if function.kind(db) == FunctionKind::Relax
            && is_private(db, function)
            && !used.contains(&name)
        {
            let at = name_range(db, function);
            let message = format!("`{name}` is private, and nothing in the module uses it");
            all.push(Diagnostic::new(Code::UnusedFunction, at, message));
        }
    }
}

/// Reports functions with an error at each of several calls: perhaps their parameters are wrong.
fn refused_by_all(db: &dyn Db, functions: &[FunctionItem<'_>], all: &mut Vec<Diagnostic>) {
    let mut uses: FxHashMap<SmolStr, usize> = FxHashMap::default();
    let mut refused: FxHashMap<&SmolStr, Vec<TextRange>> = FxHashMap::default();
    for &function in functions {
        if function.kind(db) != FunctionKind::Relax {
            continue;
        }
        for (name, at) in function_facts(db, function).refused() {
            let at = at + function.offset(db);
            refused.entry(name).or_default().push(at);
        }
        for used in function_uses(db, function) {
            *uses.entry(used.name.clone()).or_default() += 1;
        }
    }
    for &function in functions {
        let name = function.name(db);
        let Some(calls) = refused.get(&name) else {
            continue;
        };
        if calls.len() < 2 || uses.get(&name) != Some(&calls.len()) {
            continue;
        }
        let message = format!(
            "no call of `{name}` fits its parameters: all {} pass something else",
            calls.len()
        );
        let at = name_range(db, function);
        let mut diagnostic = Diagnostic::new(Code::NoFittingCall, at, message);
        let calls = calls
            .iter()
            .map(|&at| (at, "a call that does not fit".to_owned()));
        diagnostic.related.extend(calls);
        all.push(diagnostic);
    }
}

/// Reports recursive functions, also indirect ones, that are called in a dataflow block or have no return annotation.
fn recursion(db: &dyn Db, functions: &[FunctionItem<'_>], all: &mut Vec<Diagnostic>) {
    let mut by_name: FxHashMap<SmolStr, u32> = FxHashMap::default();
    for (at, &function) in functions.iter().enumerate() {
        // If several functions have the same name, the first is called.
        by_name.entry(function.name(db)).or_insert(at as u32);
    }
    let callee = |used: &Use| {
        let at = *by_name.get(&used.name)?;
        (functions[at as usize].kind(db) == FunctionKind::Relax).then_some(at)
    };
    let callees = |function: &FunctionItem<'_>| {
        let mut callees: Vec<u32> = function_uses(db, *function)
            .iter()
            .filter_map(callee)
            .collect();
        callees.sort_unstable();
        callees.dedup();
        callees
    };
    let calls = Calls::new(functions.iter().map(callees).collect());
    for (caller, &function) in (0..).zip(functions) {
        let name = function.name(db);
        let mut blocks = None;
        let mut has_result = function_signature(db, function).ret.is_some();
        for used in function_uses(db, function) {
            let Some(callee) = callee(used).filter(|it| calls.leads_back(caller, *it)) else {
                continue;
            };
            let blocks = blocks.get_or_insert_with(|| dataflow_blocks(db, function));
            let in_dataflow = is_inside(blocks, used.at);
            if has_result && !in_dataflow {
                continue;
            }
            let through = match calls.shortest_path(callee, caller).as_deref() {
                Some([]) => String::new(),
                Some(path) => {
                    let path = path.iter().map(|&it| functions[it as usize].name(db));
                    let path: Vec<SmolStr> = path.collect();
                    format!(" through `{}`", path.join("`, `"))
                }
                None => format!(" through `{}` and others", used.name),
            };
            let at = used.at + function.offset(db);
            if in_dataflow {
                let message = format!(
                    "`{name}` calls itself here{through}: a dataflow block cannot contain recursion, which may not end"
                );
                let mut diagnostic = Diagnostic::new(Code::RecursionInDataflow, at, message);
                let begin = (name_range(db, function), format!("`{name}` begins here"));
                diagnostic.related.push(begin);
                all.push(diagnostic);
            }
            if !std::mem::replace(&mut has_result, true) {
                let message = format!(
                    "`{name}` calls itself{through}: without a return annotation its result is unknown"
                );
                let here = name_range(db, function);
                let mut diagnostic =
                    Diagnostic::new(Code::RecursionWithoutAnnotation, here, message);
                diagnostic.related.push((at, "the call".to_owned()));
                all.push(diagnostic);
            }
        }
    }
}
