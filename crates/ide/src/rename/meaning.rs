//! Checks that a rename keeps the meaning of functions, by comparing what each name refers to before and after.

use std::mem::discriminant;

use hir::{Database, FunctionItem, SourceFile, file_items};
use relax::Code;
use rustc_hash::FxHashMap;
use salsa::Database as _;
use text_size::TextSize;

use crate::draft::Draft;
use crate::mentions::{self, Access, Symbol};
use crate::semantics::function_range;
use crate::source_edit::SourceEdit;

/// Returns `true` if every name in these functions refers to the same symbol after `edit`, and no new errors appear.
pub fn is_kept(
    db: &Database,
    file: SourceFile,
    edit: &SourceEdit,
    functions: &[FunctionItem<'_>],
) -> bool {
    let mut draft = Draft::new(db, file);
    draft.apply(edit);
    let moves = edit.moves();
    let all = &file_items(db, file).functions;
    let edited = &file_items(&draft.db, draft.file).functions;
    all.len() == edited.len()
        && functions.iter().all(|function| {
            db.unwind_if_revision_cancelled();
            let at = all.iter().position(|it| it == function);
            at.is_some_and(|at| {
                let after = edited[at];
                names(db, file, *function, |at| moves.of(at))
                    == names(&draft.db, draft.file, after, |at| at)
                    && codes(db, *function) == codes(&draft.db, after)
            })
        })
}

/// A name with its position and what it refers to.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    at: TextSize,
    access: Access,
    /// The positions of its definitions.
    defined: Vec<TextSize>,
    /// The kind of the symbol; for symbols that the file does not define, also which one.
    kind: String,
}

fn names(
    db: &Database,
    file: SourceFile,
    function: FunctionItem<'_>,
    moved: impl Fn(TextSize) -> TextSize,
) -> Vec<Named> {
    let mut mentions = Vec::new();
    mentions::in_function(db, function, function_range(db, function), &mut |it| {
        mentions.push(it);
    });
    let mut known: FxHashMap<_, Vec<TextSize>> = FxHashMap::default();
    let named = mentions.into_iter().map(|it| {
        let kind = match &it.symbol {
            Symbol::Script(name) | Symbol::Packed(name) => name.to_string(),
            symbol => format!("{:?}", discriminant(symbol)),
        };
        let defined = known.entry(it.symbol.clone()).or_insert_with(|| {
            let places = mentions::definitions(db, file, &it.symbol);
            places.iter().map(|range| moved(range.start())).collect()
        });
        Named {
            at: moved(it.range.start()),
            access: it.access,
            defined: defined.clone(),
            kind,
        }
    });
    let mut named: Vec<Named> = named.collect();
    named.sort();
    named
}

fn codes(db: &Database, function: FunctionItem<'_>) -> Vec<Code> {
    let mut codes: Vec<Code> = hir::function_diagnostics(db, function)
        .map(|it| it.code)
        .collect();
    codes.sort();
    codes
}
