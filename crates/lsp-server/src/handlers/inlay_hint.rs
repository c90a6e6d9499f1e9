//! `textDocument/inlayHint`

use ide::Cancellable;
use lsp_types::{InlayHint, InlayHintParams};

use crate::session::Snapshot;
use crate::to_proto;

pub fn answer(snapshot: &Snapshot, params: InlayHintParams) -> Cancellable<Option<Vec<InlayHint>>> {
    let Some(document) = snapshot.document(&params.text_document.uri) else {
        return Ok(None);
    };
    if !snapshot.config.inlay_hints {
        return Ok(None);
    }
    let range = document.lines.range(params.range);
    let hints = snapshot.analysis.inlay_hints(document.file, range)?;
    Ok(Some(
        hints
            .into_iter()
            .map(|hint| to_proto::inlay_hint(&document.lines, hint))
            .collect(),
    ))
}
