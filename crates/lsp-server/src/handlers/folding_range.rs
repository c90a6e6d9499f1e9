//! `textDocument/foldingRange`.

use ide::{Cancellable, FoldKind};
use lsp_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};

use crate::session::Snapshot;

pub fn answer(
    snapshot: &Snapshot,
    params: FoldingRangeParams,
) -> Cancellable<Option<Vec<FoldingRange>>> {
    let Some(document) = snapshot.document(&params.text_document.uri) else {
        return Ok(None);
    };
    let folds = snapshot.analysis.folding_ranges(document.file)?;
    let fold = |it: &ide::Fold| {
        let range = document.lines.to_range(it.range);
        FoldingRange {
            start_line: range.start.line,
            end_line: range.end.line,
            kind: match it.kind {
                FoldKind::Region => None,
                FoldKind::Imports => Some(FoldingRangeKind::Imports),
                FoldKind::Comment => Some(FoldingRangeKind::Comment),
            },
            ..FoldingRange::default()
        }
    };
    Ok(Some(folds.iter().map(fold).collect()))
}
