//! `textDocument/definition`

use ide::{Cancellable, FilePosition};
use lsp_types::{GotoDefinitionParams, GotoDefinitionResponse, Location};

use crate::session::Snapshot;

pub fn answer(
    snapshot: &Snapshot,
    params: GotoDefinitionParams,
) -> Cancellable<Option<GotoDefinitionResponse>> {
    let at = params.text_document_position_params;
    let Some(document) = snapshot.document(&at.text_document.uri) else {
        return Ok(None);
    };
    let position = FilePosition {
        file: document.file,
        offset: document.lines.offset(at.position),
    };
    let targets = snapshot.analysis.goto_definition(position)?;
    let locations: Vec<Location> = targets
        .iter()
        .filter_map(|target| {
            let of = snapshot
                .documents
                .values()
                .find(|document| document.file == target.file)?;
            Some(Location::new(
                of.uri.clone(),
                of.lines.to_range(target.name_range),
            ))
        })
        .collect();
    Ok((!locations.is_empty()).then_some(GotoDefinitionResponse::Array(locations)))
}
