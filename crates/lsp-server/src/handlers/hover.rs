//! `textDocument/hover`

use ide::{Cancellable, FilePosition};
use lsp_types::{Hover, HoverParams};

use crate::session::Snapshot;
use crate::to_proto;

pub fn answer(snapshot: &Snapshot, params: HoverParams) -> Cancellable<Option<Hover>> {
    let at = params.text_document_position_params;
    let Some(document) = snapshot.document(&at.text_document.uri) else {
        return Ok(None);
    };
    let position = FilePosition {
        file: document.file,
        offset: document.lines.offset(at.position),
    };
    let hover = snapshot.analysis.hover(position)?;
    Ok(hover.map(|hover| to_proto::hover(&document.lines, &snapshot.client, hover)))
}
