//! Highlights every mention of the symbol at the cursor.

use hir::RelayFile;
use text_size::TextSize;

use super::mentions;
use crate::types::Highlight;

pub fn highlights(file: &RelayFile, offset: TextSize) -> Vec<Highlight> {
    let Some(mention) = mentions::at(file, offset) else {
        return Vec::new();
    };
    let all = mentions::of(file, &mention.symbol).into_iter();
    all.map(|it| Highlight {
        range: it.range,
        write: it.is_binding,
    })
    .collect()
}
