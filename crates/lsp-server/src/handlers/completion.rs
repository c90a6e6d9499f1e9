//! `textDocument/completion` and `completionItem/resolve`.

mod list;

use ide::Cancellable;
use lsp_types::{
    CompletionItem, CompletionOptions, CompletionParams, Documentation, ServerCapabilities,
};
use serde_json::Value;

use crate::capabilities::Client;
use crate::session::Snapshot;
use crate::to_proto;
use list::List;

/// The characters that trigger completion, besides words.
const TRIGGERS: [&str; 7] = [".", "\"", "'", "@", "(", "[", "="];

pub fn offer(capabilities: &mut ServerCapabilities, _: &Client) {
    capabilities.completion_provider = Some(CompletionOptions {
        resolve_provider: Some(true),
        trigger_characters: Some(TRIGGERS.map(str::to_owned).to_vec()),
        ..CompletionOptions::default()
    });
}

pub fn answer(snapshot: &Snapshot, params: CompletionParams) -> Cancellable<Option<List>> {
    let at = params.text_document_position;
    let Some((document, position)) = snapshot.place(&at) else {
        return Ok(None);
    };
    let trigger = params.context.and_then(|context| context.trigger_character);
    let trigger = trigger.and_then(|trigger| trigger.chars().next());
    let found = snapshot.analysis.completions(position, trigger)?;
    let list = |found| List::new(found, &document.lines, &snapshot.client).ok();
    Ok(found.and_then(list))
}

/// Adds the documentation to the item that the user selects.
#[expect(
    clippy::unnecessary_wraps,
    reason = "all that read a snapshot are of one shape"
)]
pub fn resolve(snapshot: &Snapshot, mut item: CompletionItem) -> Cancellable<CompletionItem> {
    let key = item.data.as_ref().and_then(Value::as_str);
    if let Some(markdown) = key.and_then(ide::completion_document) {
        let markup = to_proto::markup(&markdown, snapshot.client.completion_markdown);
        item.documentation = Some(Documentation::MarkupContent(markup));
    }
    Ok(item)
}
