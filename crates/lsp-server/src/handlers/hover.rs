//! `textDocument/hover`.

use ide::Cancellable;
use lsp_types::{Hover, HoverParams};

use crate::session::Snapshot;
use crate::to_proto;

pub fn answer(snapshot: &Snapshot, params: HoverParams) -> Cancellable<Option<Hover>> {
    let Some((document, position)) = snapshot.place(&params.text_document_position_params) else {
        return Ok(None);
    };
    let hover = snapshot.analysis.hover(position, &document.lines)?;
    Ok(hover.map(|hover| to_proto::hover(&document.lines, &snapshot.client, hover)))
}
