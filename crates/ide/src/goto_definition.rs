//! Goes from a name to the place where it gets its value.

use hir::{Database, SourceFile};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Symbol};
use crate::relay;
use crate::semantics::{function_at, function_range};
use crate::types::{FilePosition, NavigationTarget};

impl Analysis {
    /// Returns the definitions of the symbol at a position.
    pub fn goto_definition(&self, position: FilePosition) -> Cancellable<Vec<NavigationTarget>> {
        self.with_file(position.file, |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                let inner = FilePosition { offset, ..position };
                let all = relay::navigation::definition(relay.file, inner).into_iter();
                let outer = all.map(|it| NavigationTarget {
                    range: relay.outer(it.range),
                    name_range: relay.outer(it.name_range),
                    ..it
                });
                return outer.collect();
            }
            goto_definition(db, file, position)
        })
    }
}

pub fn goto_definition(
    db: &Database,
    file: SourceFile,
    position: FilePosition,
) -> Vec<NavigationTarget> {
    let Some(mention) = mentions::mention_at(db, file, position.offset) else {
        return Vec::new();
    };
    // Operators are defined in TVM, not in a file.
    if matches!(mention.symbol, Symbol::Script(_) | Symbol::Packed(_)) {
        return Vec::new();
    }
    let whole = match &mention.symbol {
        Symbol::Function(function) => Some(function_range(db, *function)),
        Symbol::Module(module) => Some(module.range(db)),
        _ => None,
    };
    let mut found = mentions::definitions(db, file, &mention.symbol);
    // A type variable of the file is bound by a dimension in each function that uses it.
    if let (Symbol::Python(..), Some(around)) =
        (&mention.symbol, function_at(db, file, position.offset))
    {
        let around = function_range(db, around);
        if found.iter().any(|&range| around.contains_range(range)) {
            found.retain(|&range| around.contains_range(range));
        }
    }
    found
        .into_iter()
        .map(|name_range| NavigationTarget {
            file: position.file,
            range: whole.unwrap_or(name_range),
            name_range,
        })
        .collect()
}
