//! `textDocument/documentSymbol`

use ide::Cancellable;
use lsp_types::{DocumentSymbolParams, DocumentSymbolResponse};

use crate::session::Snapshot;
use crate::to_proto;

pub fn answer(
    snapshot: &Snapshot,
    params: DocumentSymbolParams,
) -> Cancellable<Option<DocumentSymbolResponse>> {
    let Some(document) = snapshot.document(&params.text_document.uri) else {
        return Ok(None);
    };
    let symbols = snapshot.analysis.document_symbols(document.file)?;
    let symbols = symbols
        .into_iter()
        .map(|symbol| to_proto::document_symbol(&document.lines, symbol))
        .collect();
    Ok(Some(DocumentSymbolResponse::Nested(symbols)))
}
