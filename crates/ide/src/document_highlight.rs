//! Highlights every mention of the symbol at the cursor, with its kind of access. For a keyword, highlights the
//! keywords that belong to it.

mod keywords;

use hir::{Database, SourceFile};
use text_size::TextSize;

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Access};
use crate::relay;
use crate::types::{FilePosition, Highlight};

impl Analysis {
    /// Returns every mention of the symbol at a position, with the kind of access.
    pub fn document_highlight(&self, position: FilePosition) -> Cancellable<Vec<Highlight>> {
        self.with_file(position.file, |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                let all = relay::highlights::highlights(relay.file, offset).into_iter();
                let outer = all.map(|it| Highlight {
                    range: relay.outer(it.range),
                    ..it
                });
                return outer.collect();
            }
            document_highlight(db, file, position.offset)
        })
    }
}

fn document_highlight(db: &Database, file: SourceFile, offset: TextSize) -> Vec<Highlight> {
    let Some(mention) = mentions::mention_at(db, file, offset) else {
        let related = keywords::related(db, file, offset).into_iter();
        return related
            .map(|range| Highlight {
                range,
                write: false,
            })
            .collect();
    };
    mentions::mentions_of(db, file, &mention.symbol)
        .into_iter()
        .map(|mention| Highlight {
            range: mention.range,
            write: matches!(mention.access, Access::Bind | Access::Write),
        })
        .collect()
}
