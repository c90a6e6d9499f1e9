//! Counts the references to each function, for the code lens above it.

use hir::{Database, SourceFile, file_items};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{Symbol, calls_of, function_named, members};
use crate::semantics::name_range;
use crate::types::{FileId, ReferenceCount};

impl Analysis {
    /// Returns the number of references to each function of a module.
    pub fn reference_counts(&self, file: FileId) -> Cancellable<Vec<ReferenceCount>> {
        self.with_file(file, reference_counts)
    }
}

/// Returns one count for each function of a module, in order. Uses the cached calls of each function, and the Python
/// code.
fn reference_counts(db: &Database, file: SourceFile) -> Vec<ReferenceCount> {
    let items = file_items(db, file);
    let mut uses: FxHashMap<(Option<u32>, SmolStr), Vec<TextRange>> = FxHashMap::default();
    for &function in &items.functions {
        for call in calls_of(db, function) {
            let called = uses.entry((function.module(db), call.name.clone()));
            called.or_default().push(call.range + function.offset(db));
        }
    }
    members(db, file, &mut |mention| {
        if let Symbol::Function(function) = mention.symbol {
            let named = uses.entry((function.module(db), function.name(db)));
            named.or_default().push(mention.range);
        }
    });
    let counted = items.functions.iter().filter_map(|&function| {
        function.module(db)?;
        let name = function.name(db);
        if function_named(db, file, function.module(db), &name, function.offset(db))
            != Some(function)
        {
            return None;
        }
        let mut references = uses
            .remove(&(function.module(db), name))
            .unwrap_or_default();
        references.sort_by_key(|it| it.start());
        Some(ReferenceCount {
            name_range: name_range(db, function)?,
            references,
        })
    });
    counted.collect()
}
