//! The functions that each function names. The result is cached per function, so that callers are found without
//! reading every function again.

use hir::prim_facts::Target;
use hir::{Database, Db, FunctionItem, ModuleItem, SourceFile, file_items};
use relax::FunctionKind;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::SyntaxNode;
use text_size::{TextRange, TextSize};

use super::scopes::Definitions;
use super::{Access, Mention, Symbol, in_whole_function, is_script};
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
    let named = named_definitions(db, file);
    let index = match module {
        Some(module) => named.in_modules.get(&(module, name.into())).copied(),
        None => {
            let functions = named.functions.get(name)?;
            let seen = functions.seen_from(&tree(db, file), at);
            seen.or_else(|| functions.first())
        }
    };
    file_items(db, file).functions.get(index?).copied()
}

/// Resolves the name of a module at an offset.
pub fn module_named<'db>(
    db: &'db Database,
    file: SourceFile,
    name: &str,
    at: TextSize,
) -> Option<ModuleItem<'db>> {
    let named = named_definitions(db, file).modules.get(name)?;
    let index = named.seen_from(&tree(db, file), at)?;
    file_items(db, file).modules.get(index).copied()
}

fn tree(db: &dyn Db, file: SourceFile) -> SyntaxNode {
    file.source(db).parse.syntax()
}

/// The Relax functions, PrimFuncs and modules of a file by name, as indices into its items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct NamedDefinitions {
    modules: FxHashMap<SmolStr, Definitions>,
    /// The functions outside of modules.
    functions: FxHashMap<SmolStr, Definitions>,
    /// The first function of each name in a module.
    in_modules: FxHashMap<(u32, SmolStr), usize>,
}

#[salsa::tracked(returns(ref))]
fn named_definitions(db: &dyn Db, file: SourceFile) -> NamedDefinitions {
    let tree = tree(db, file);
    let items = file_items(db, file);
    let mut named = NamedDefinitions::default();
    for (at, module) in items.modules.iter().enumerate() {
        let definitions = named.modules.entry(module.name(db)).or_default();
        definitions.add(&tree, module.range(db).start(), at);
    }
    for (at, &function) in items.functions.iter().enumerate() {
        if !is_script(db, function) {
            continue;
        }
        let name = function.name(db);
        match function.module(db) {
            Some(module) => {
                named.in_modules.entry((module, name)).or_insert(at);
            }
            None => {
                let definitions = named.functions.entry(name).or_default();
                definitions.add(&tree, function.offset(db), at);
            }
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
