//! `textDocument/hover`.

use ide::Cancellable;
use lsp_types::{Hover, HoverParams};

use crate::session::Snapshot;
use crate::{to_proto, uri};

pub fn answer(snapshot: &Snapshot, params: HoverParams) -> Cancellable<Option<Hover>> {
    let Some((document, position)) = snapshot.place(&params.text_document_position_params) else {
        return Ok(None);
    };
    let hover = snapshot.analysis.hover(position, &document.lines)?;
    let place = &params.text_document_position_params;
    let recorded = || {
        let path = uri::path(&place.text_document.uri)?;
        Some(
            snapshot
                .origins
                .of_file(&path)?
                .notes(place.position.line + 1),
        )
    };
    let hover = hover.map(|hover| hover.with_origins(&recorded().unwrap_or_default()));
    Ok(hover.map(|hover| to_proto::hover(&document.lines, &snapshot.client, hover)))
}
