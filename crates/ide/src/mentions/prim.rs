//! The mentions of a PrimFunc, read from its facts. All ranges are relative to its start.

use std::cell::RefCell;

use hir::prim_facts::{self, PrimDefId, PrimFacts, Target};
use hir::{Database, FunctionItem};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::{Access, Mention, Symbol, function_named, python};

/// Calls `found` with every mention in `window`.
pub fn mentions<'db>(
    db: &'db Database,
    function: FunctionItem<'db>,
    window: TextRange,
    found: &mut dyn FnMut(Mention<'db>),
) {
    let facts = hir::function_prim_facts(db, function);
    let outside: RefCell<FxHashMap<SmolStr, Symbol<'db>>> = RefCell::default();
    let python = |name: &SmolStr| {
        let find = || python::symbol(db, function.file(db), name, function.offset(db));
        let mut known = outside.borrow_mut();
        known.entry(name.clone()).or_insert_with(find).clone()
    };
    let text = &function.file(db).source(db).text;
    for mention in in_window(facts, window) {
        // The `T` in `T.grid` is a name of the surrounding code.
        if let Target::Script(_) = &mention.target
            && let Some((root, _)) = text[mention.range + function.offset(db)].split_once('.')
            && function.env(db).get(root).is_some()
        {
            found(Mention {
                range: TextRange::at(mention.range.start(), TextSize::of(root)),
                symbol: python(&SmolStr::from(root)),
                access: Access::Read,
            });
        }
        let (range, symbol) = match &mention.target {
            Target::Def(id) => (mention.range, Symbol::Tir(function, *id)),
            Target::Global(name) => {
                let called = function_named(
                    db,
                    function.file(db),
                    function.module(db),
                    name,
                    function.offset(db),
                );
                let Some(called) = called else { continue };
                (last_part(mention.range, name), Symbol::Function(called))
            }
            Target::Script(path) => {
                let name = path.rsplit('.').next().unwrap_or_default();
                let path = SmolStr::from(format!("T.{path}"));
                (last_part(mention.range, name), Symbol::Script(path))
            }
            Target::Python(name) => (mention.range, python(name)),
        };
        found(Mention {
            range,
            symbol,
            access: match mention.access {
                prim_facts::Access::Define => Access::Bind,
                prim_facts::Access::Read => Access::Read,
                prim_facts::Access::Write => Access::Write,
            },
        });
    }
}

/// Returns the definitions of a name of a PrimFunc, as ranges of the file.
pub fn definitions(db: &Database, function: FunctionItem<'_>, id: PrimDefId) -> Vec<TextRange> {
    let def = hir::function_prim_facts(db, function).def(id);
    vec![def.name_range + function.offset(db)]
}

/// Relies on mentions being sorted by position.
fn in_window(facts: &PrimFacts, window: TextRange) -> impl Iterator<Item = &prim_facts::Mention> {
    let to = facts
        .mentions
        .partition_point(|it| it.range.start() <= window.end());
    let touches = move |it: &&prim_facts::Mention| it.range.end() >= window.start();
    facts.mentions[..to].iter().filter(touches)
}

/// Returns the range of the last part of a dotted name.
fn last_part(range: TextRange, name: &str) -> TextRange {
    let length = TextSize::of(name).min(range.len());
    TextRange::new(range.end() - length, range.end())
}
