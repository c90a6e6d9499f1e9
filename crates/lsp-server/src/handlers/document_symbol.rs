//! `textDocument/documentSymbol`.

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
    let symbols: Vec<_> = symbols
        .into_iter()
        .map(|symbol| to_proto::document_symbol(&document.lines, symbol))
        .collect();
    if snapshot.client.nested_symbols {
        return Ok(Some(DocumentSymbolResponse::Nested(symbols)));
    }
    let mut flat = Vec::new();
    to_proto::flat_symbols(&document.uri, symbols, None, &mut flat);
    Ok(Some(DocumentSymbolResponse::Flat(flat)))
}
