//! `textDocument/declaration`.

use ide::Cancellable;
use lsp_types::request::{GotoDeclarationParams, GotoDeclarationResponse};

use crate::session::Snapshot;
use crate::to_proto;

pub fn answer(
    snapshot: &Snapshot,
    params: GotoDeclarationParams,
) -> Cancellable<Option<GotoDeclarationResponse>> {
    let Some((document, position)) = snapshot.place(&params.text_document_position_params) else {
        return Ok(None);
    };
    let targets = snapshot.analysis.goto_declaration(position)?;
    Ok(to_proto::targets(document, &targets).map(GotoDeclarationResponse::Array))
}
