//! Functions without a return annotation. Their result depends on the results of other functions; this module limits
//! the length of such chains.

use std::cmp::Ordering;

use relax::FunctionKind;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::SyntaxKind;
use syntax::ast::AstNode;

use super::{function_signature, module_devices, module_names};
use crate::db::{Db, SourceFile};
use crate::item_tree::{FunctionItem, file_items};

/// The maximum length of such a chain, since each function is inferred while the next one is. Real programs are
/// shorter.
const DEEPEST: u32 = 32;

/// Returns `true` if a function's result is fully annotated.
pub(super) fn is_declared<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> bool {
    let ret = &function_signature(db, function).ret;
    let exact = ret.as_ref().is_some_and(relax::sinfo::StructInfo::is_exact);
    exact && module_devices(db, function).unwrap_or_default().is_empty()
}

/// Compares the length of the chain from a function to functions with annotated results with the maximum. If it is
/// less, the result may be inferred from the body.
pub(super) fn reach(db: &dyn Db, file: SourceFile, module: u32, function: usize) -> Ordering {
    let depth = depths(db, file, module).get(function);
    depth.map_or(Ordering::Greater, |depth| depth.cmp(&DEEPEST))
}

/// Returns the length of the longest chain from each function of a module. Callees are computed first.
#[salsa::tracked(returns(ref))]
fn depths(db: &dyn Db, file: SourceFile, module: u32) -> Vec<u32> {
    let Some(item) = file_items(db, file).modules.get(module as usize) else {
        return Vec::new();
    };
    let names = module_names(db, file, module);
    let mut depths: Vec<u32> = Vec::new();
    for &function in item.functions(db) {
        let is_relax = function.kind(db) == FunctionKind::Relax;
        let depth = if !is_relax || is_declared(db, function) {
            0
        } else {
            let named = named_functions(db, function, file, module);
            let before = named.iter().filter_map(|it| depths.get(*names.get(it)?));
            before.max().map_or(0, |deepest| deepest + 1)
        };
        depths.push(depth);
    }
    depths
}

/// Returns the functions of the module whose names appear in a function's text.
#[salsa::tracked(returns(ref))]
fn named_functions<'db>(
    db: &'db dyn Db,
    function: FunctionItem<'db>,
    file: SourceFile,
    module: u32,
) -> Box<[SmolStr]> {
    let names = module_names(db, file, module);
    let def = function.source(db).def();
    let elements = def
        .iter()
        .flat_map(|it| it.syntax().descendants_with_tokens());
    let tokens = elements.filter_map(syntax::NodeOrToken::into_token);
    let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
    for token in tokens.filter(|it| it.kind() == SyntaxKind::IDENT) {
        if let Some((name, _)) = names.get_key_value(token.text()) {
            seen.insert(name.clone());
        }
    }
    let mut named: Vec<SmolStr> = seen.into_iter().collect();
    named.sort_unstable();
    named.into()
}
