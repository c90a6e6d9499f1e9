//! `textDocument/prepareRename` and `textDocument/rename`. A rename that is not possible is refused with a reason.

use lsp_types::{
    OneOf, PrepareRenameResponse, RenameOptions, RenameParams, ServerCapabilities,
    TextDocumentPositionParams, WorkspaceEdit,
};

use super::work_done;
use crate::capabilities::Client;
use crate::session::{Refusal, Snapshot};
use crate::to_proto;

pub fn offer(capabilities: &mut ServerCapabilities, client: &Client) {
    // Options are for clients that support `prepareRename`.
    capabilities.rename_provider = Some(if client.prepare_rename {
        OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: work_done(),
        })
    } else {
        OneOf::Left(true)
    });
}

pub fn prepare(
    snapshot: &Snapshot,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>, Refusal> {
    let Some((document, position)) = snapshot.place(&params) else {
        return Ok(None);
    };
    let target = snapshot.analysis.prepare_rename(position)?;
    let target = target.map_err(Refusal::Impossible)?;
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
        range: document.lines.to_range(target.range),
        placeholder: target.name,
    }))
}

pub fn answer(snapshot: &Snapshot, params: RenameParams) -> Result<Option<WorkspaceEdit>, Refusal> {
    let Some((document, position)) = snapshot.place(&params.text_document_position) else {
        return Ok(None);
    };
    let edit = snapshot.analysis.rename(position, &params.new_name)?;
    let edit = edit.map_err(Refusal::Impossible)?;
    Ok(Some(to_proto::workspace_edit(
        document,
        &snapshot.client,
        &edit,
    )))
}
