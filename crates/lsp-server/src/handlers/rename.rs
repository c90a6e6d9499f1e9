//! `textDocument/prepareRename` and `textDocument/rename`. What cannot be renamed is refused with a sentence.

use ide::Cancellable;
use lsp_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, WorkspaceEdit};

use crate::session::Snapshot;
use crate::to_proto;

pub fn prepare(
    snapshot: &Snapshot,
    params: TextDocumentPositionParams,
) -> Cancellable<Result<Option<PrepareRenameResponse>, String>> {
    let Some((document, position)) = snapshot.place(&params) else {
        return Ok(Ok(None));
    };
    let target = snapshot.analysis.prepare_rename(position)?;
    Ok(target.map(|target| {
        Some(PrepareRenameResponse::RangeWithPlaceholder {
            range: document.lines.to_range(target.range),
            placeholder: target.name,
        })
    }))
}

pub fn answer(
    snapshot: &Snapshot,
    params: RenameParams,
) -> Cancellable<Result<Option<WorkspaceEdit>, String>> {
    let Some((document, position)) = snapshot.place(&params.text_document_position) else {
        return Ok(Ok(None));
    };
    let edit = snapshot.analysis.rename(position, &params.new_name)?;
    Ok(edit.map(|edit| Some(to_proto::workspace_edit(document, &snapshot.client, &edit))))
}
