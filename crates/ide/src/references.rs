//! Finds every mention of the symbol at the cursor.

use hir::{Database, SourceFile};
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions;
use crate::relay;
use crate::types::FilePosition;

impl Analysis {
    /// Returns every mention of the symbol at a position.
    pub fn references(
        &self,
        position: FilePosition,
        definitions: bool,
    ) -> Cancellable<Vec<TextRange>> {
        self.with_file(position.file, |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                let all = relay::navigation::references(relay.file, offset, definitions);
                return all.into_iter().map(|it| relay.outer(it)).collect();
            }
            references(db, file, position.offset, definitions)
        })
    }
}

/// Returns the mentions in order. `definitions` says whether bindings and declarations are included.
fn references(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    definitions: bool,
) -> Vec<TextRange> {
    let Some(mention) = mentions::mention_at(db, file, offset) else {
        return Vec::new();
    };
    mentions::mentions_of(db, file, &mention.symbol)
        .into_iter()
        .filter(|mention| definitions || !mention.access.is_definition())
        .map(|mention| mention.range)
        .collect()
}
