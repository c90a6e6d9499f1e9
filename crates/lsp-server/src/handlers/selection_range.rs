//! `textDocument/selectionRange`.

use ide::{Cancellable, FilePosition};
use lsp_types::{SelectionRange, SelectionRangeParams};
use text_size::TextRange;

use crate::session::Snapshot;

pub fn answer(
    snapshot: &Snapshot,
    params: SelectionRangeParams,
) -> Cancellable<Option<Vec<SelectionRange>>> {
    let Some(document) = snapshot.document(&params.text_document.uri) else {
        return Ok(None);
    };
    let mut answers = Vec::with_capacity(params.positions.len());
    for position in params.positions {
        let offset = document.lines.offset(position);
        let file = document.file;
        let mut ranges = snapshot
            .analysis
            .selection_ranges(FilePosition { file, offset })?;
        // The protocol requires an answer for every position.
        if ranges.is_empty() {
            ranges.push(TextRange::empty(offset));
        }
        let mut outer = None;
        for range in ranges.into_iter().rev() {
            outer = Some(SelectionRange {
                range: document.lines.to_range(range),
                parent: outer.map(Box::new),
            });
        }
        answers.extend(outer);
    }
    Ok(Some(answers))
}
