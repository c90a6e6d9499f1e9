//! `textDocument/references`.

use ide::Cancellable;
use lsp_types::{Location, ReferenceParams};

use crate::session::Snapshot;

pub fn answer(snapshot: &Snapshot, params: ReferenceParams) -> Cancellable<Option<Vec<Location>>> {
    let Some((document, position)) = snapshot.place(&params.text_document_position) else {
        return Ok(None);
    };
    let definitions = params.context.include_declaration;
    let found = snapshot.analysis.references(position, definitions)?;
    let location = |&range| Location::new(document.uri.clone(), document.lines.to_range(range));
    Ok((!found.is_empty()).then(|| found.iter().map(location).collect()))
}
