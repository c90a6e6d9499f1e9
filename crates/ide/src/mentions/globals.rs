//! The functions that each function names. The result is cached per function, so that callers are found without
//! reading every function again.

use hir::prim_facts::Target;
use hir::{Database, Db, FunctionItem, SourceFile, file_items};
use relax::FunctionKind;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::{Access, Mention, Symbol, in_whole_function, python};
use crate::semantics::name_range;

/// The name of a function inside another function, relative to the start of the latter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalName {
    pub name: SmolStr,
    pub range: TextRange,
}

/// Returns the functions of the module that a function names, in order.
#[salsa::tracked(returns(ref))]
pub fn calls_of<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> Vec<GlobalName> {
    let mut names = Vec::new();
    match function.kind(db) {
        FunctionKind::Relax => {
            for (name, range) in hir::lazy_facts(db, function).globals() {
                let name = name.clone();
                names.push(GlobalName { name, range });
            }
        }
        FunctionKind::PrimFunc => {
            for mention in &hir::function_prim_facts(db, function).mentions {
                if let Target::Global(name) = &mention.target {
                    let length = TextSize::of(name.as_str()).min(mention.range.len());
                    let end = mention.range.end();
                    names.push(GlobalName {
                        name: name.clone(),
                        range: TextRange::new(end - length, end),
                    });
                }
            }
        }
        FunctionKind::Macro | FunctionKind::Python => {}
    }
    names.sort_by_key(|it| it.range.start());
    names
}

/// Resolves a function name at an offset: in a module, to the first function of that name; otherwise, to the one that
/// is visible there.
pub fn function_named<'db>(
    db: &'db Database,
    file: SourceFile,
    module: Option<u32>,
    name: &str,
    at: TextSize,
) -> Option<FunctionItem<'db>> {
    let named = named_functions(db, file).get(&(module, SmolStr::from(name)))?;
    let functions = &file_items(db, file).functions;
    let seen = if module.is_none() && named.len() > 1 {
        let starts = named.iter().map(|&it| functions[it].offset(db));
        python::seen_from(db, file, at, starts).map(|seen| named[seen])
    } else {
        None
    };
    let meant = seen.or(named.first().copied())?;
    functions.get(meant).copied()
}

/// Returns the Relax functions and PrimFuncs by module and name, as indices into the file's functions.
#[salsa::tracked(returns(ref))]
fn named_functions(db: &dyn Db, file: SourceFile) -> FxHashMap<(Option<u32>, SmolStr), Vec<usize>> {
    let mut named: FxHashMap<_, Vec<usize>> = FxHashMap::default();
    for (at, &function) in file_items(db, file).functions.iter().enumerate() {
        let kind = function.kind(db);
        if matches!(kind, FunctionKind::Relax | FunctionKind::PrimFunc) {
            let name = (function.module(db), function.name(db));
            named.entry(name).or_default().push(at);
        }
    }
    named
}

/// Calls `found` for each mention of a function inside functions: its `def`, its global symbol, and each use.
pub fn mentions_of<'db>(
    db: &'db Database,
    file: SourceFile,
    function: FunctionItem<'db>,
    found: &mut dyn FnMut(Mention<'_>),
) {
    let name = function.name(db);
    in_whole_function(db, function, found);
    for &other in &file_items(db, file).functions {
        if other == function || other.module(db) != function.module(db) {
            continue;
        }
        for call in calls_of(db, other) {
            if call.name == name
                && function_named(db, file, other.module(db), &name, other.offset(db))
                    == Some(function)
            {
                found(Mention {
                    range: call.range + other.offset(db),
                    symbol: Symbol::Function(function),
                    access: Access::Read,
                });
            }
        }
    }
    if let Some(range) = name_range(db, function) {
        found(Mention {
            range,
            symbol: Symbol::Function(function),
            access: Access::Bind,
        });
    }
}
