//! `textDocument/documentLink`.

use ide::{Cancellable, LinkTarget};
use lsp_types::{
    DocumentLink, DocumentLinkOptions, DocumentLinkParams, ServerCapabilities,
    WorkDoneProgressOptions,
};

use crate::capabilities::Client;
use crate::session::Snapshot;

pub fn offer(capabilities: &mut ServerCapabilities, _: &Client) {
    capabilities.document_link_provider = Some(DocumentLinkOptions {
        resolve_provider: Some(false),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    });
}

pub fn answer(
    snapshot: &Snapshot,
    params: DocumentLinkParams,
) -> Cancellable<Option<Vec<DocumentLink>>> {
    let Some(document) = snapshot.document(&params.text_document.uri) else {
        return Ok(None);
    };
    let links = snapshot.analysis.document_links(document.file)?;
    let link = |it: ide::Link| {
        let target = match it.target {
            LinkTarget::Address(address) => address,
            LinkTarget::Place(range) => {
                let at = document.lines.position(range.start());
                // Editors follow this form of a link to a line and a column, both starting at 1.
                let place = format!("#L{},{}", at.line + 1, at.character + 1);
                format!("{}{place}", document.uri.as_str())
            }
        };
        Some(DocumentLink {
            range: document.lines.to_range(it.range),
            target: Some(target.parse().ok()?),
            tooltip: it.tooltip,
            data: None,
        })
    };
    Ok(Some(links.into_iter().filter_map(link).collect()))
}
