//! `textDocument/documentHighlight`.

use ide::Cancellable;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

use crate::session::Snapshot;

pub fn answer(
    snapshot: &Snapshot,
    params: DocumentHighlightParams,
) -> Cancellable<Option<Vec<DocumentHighlight>>> {
    let Some((document, position)) = snapshot.place(&params.text_document_position_params) else {
        return Ok(None);
    };
    let found = snapshot.analysis.document_highlight(position)?;
    let highlight = |it: &ide::Highlight| DocumentHighlight {
        range: document.lines.to_range(it.range),
        kind: Some(if it.write {
            DocumentHighlightKind::WRITE
        } else {
            DocumentHighlightKind::READ
        }),
    };
    Ok((!found.is_empty()).then(|| found.iter().map(highlight).collect()))
}
