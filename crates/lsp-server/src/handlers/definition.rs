//! `textDocument/definition`.

use ide::Cancellable;
use lsp_types::{GotoDefinitionParams, GotoDefinitionResponse};

use crate::session::Snapshot;
use crate::to_proto;

pub fn answer(
    snapshot: &Snapshot,
    params: GotoDefinitionParams,
) -> Cancellable<Option<GotoDefinitionResponse>> {
    let Some((document, position)) = snapshot.place(&params.text_document_position_params) else {
        return Ok(None);
    };
    let targets = snapshot.analysis.goto_definition(position)?;
    Ok(to_proto::targets(document, &targets).map(GotoDefinitionResponse::Array))
}
