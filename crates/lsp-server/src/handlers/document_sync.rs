//! `textDocument/didOpen`, `didChange` and `didClose`.

use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions,
};

use crate::capabilities::Client;
use crate::session::Event;
use crate::uri;

pub fn offer(capabilities: &mut ServerCapabilities, _: &Client) {
    let options = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    capabilities.text_document_sync = Some(TextDocumentSyncCapability::Options(options));
}

pub fn opened(params: DidOpenTextDocumentParams) -> Event {
    let document = params.text_document;
    Event::Open {
        language: uri::language(&document.uri, &document.language_id),
        uri: document.uri,
        version: document.version,
        text: document.text,
    }
}

pub fn changed(params: DidChangeTextDocumentParams) -> Event {
    let changes = params.content_changes.into_iter();
    Event::Change {
        uri: params.text_document.uri,
        version: params.text_document.version,
        changes: changes.map(|it| (it.range, it.text)).collect(),
    }
}

pub fn closed(params: DidCloseTextDocumentParams) -> Event {
    Event::Close {
        uri: params.text_document.uri,
    }
}
