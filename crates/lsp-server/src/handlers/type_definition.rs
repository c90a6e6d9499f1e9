//! `textDocument/typeDefinition`: the dimensions that bind the shape variables of a value's StructInfo.

use ide::Cancellable;
use lsp_types::request::{GotoTypeDefinitionParams, GotoTypeDefinitionResponse};

use crate::session::Snapshot;
use crate::to_proto;

pub fn answer(
    snapshot: &Snapshot,
    params: GotoTypeDefinitionParams,
) -> Cancellable<Option<GotoTypeDefinitionResponse>> {
    let Some((document, position)) = snapshot.place(&params.text_document_position_params) else {
        return Ok(None);
    };
    let targets = snapshot.analysis.goto_type_definition(position)?;
    Ok(to_proto::targets(document, &targets).map(GotoTypeDefinitionResponse::Array))
}
