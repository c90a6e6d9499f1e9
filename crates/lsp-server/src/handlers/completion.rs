//! `textDocument/completion` and `completionItem/resolve`

use ide::{Cancellable, Completion, CompletionKind, FilePosition};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse,
    CompletionTextEdit, Documentation, InsertReplaceEdit, InsertTextFormat, Range, TextEdit,
};
use serde_json::Value;

use crate::capabilities::Client;
use crate::line_index::Lines;
use crate::session::Snapshot;
use crate::to_proto;

/// What asks for completions when it is typed, besides words.
pub const TRIGGERS: &[&str] = &[".", "\"", "'", "@", "(", "[", "="];

pub fn answer(
    snapshot: &Snapshot,
    params: CompletionParams,
) -> Cancellable<Option<CompletionResponse>> {
    let at = params.text_document_position;
    let Some(document) = snapshot.document(&at.text_document.uri) else {
        return Ok(None);
    };
    let position = FilePosition {
        file: document.file,
        offset: document.lines.offset(at.position),
    };
    let trigger = params.context.and_then(|context| context.trigger_character);
    let trigger = trigger.and_then(|trigger| trigger.chars().next());
    let Some(found) = snapshot.analysis.completions(position, trigger)? else {
        return Ok(None);
    };
    let insert = document.lines.to_range(found.insert);
    let replace = document.lines.to_range(found.replace);
    let items = found.items.into_iter().enumerate();
    Ok(Some(CompletionResponse::List(CompletionList {
        is_incomplete: found.incomplete,
        items: items
            .map(|(at, item)| {
                let range = (insert, replace);
                to_item(at, item, range, &document.lines, &snapshot.client)
            })
            .collect(),
    })))
}

/// The documentation of the item that the user looks at.
#[expect(
    clippy::unnecessary_wraps,
    reason = "all that read a snapshot are of one shape"
)]
pub fn resolve(snapshot: &Snapshot, mut item: CompletionItem) -> Cancellable<CompletionItem> {
    let key = item.data.as_ref().and_then(Value::as_str);
    if let Some(markdown) = key.and_then(ide::completion_document) {
        let markup = to_proto::markup(markdown, snapshot.client.completion_markdown);
        item.documentation = Some(Documentation::MarkupContent(markup));
    }
    Ok(item)
}

fn to_item(
    at: usize,
    item: Completion,
    (insert, replace): (Range, Range),
    lines: &Lines,
    client: &Client,
) -> CompletionItem {
    let snippet = item.snippet && client.snippets;
    let new_text = if item.snippet && !snippet {
        without_places(&item.text)
    } else {
        item.text
    };
    let edit = if client.insert_replace && insert != replace {
        CompletionTextEdit::InsertAndReplace(InsertReplaceEdit {
            new_text,
            insert,
            replace,
        })
    } else {
        CompletionTextEdit::Edit(TextEdit::new(replace, new_text))
    };
    // Clients sort by this alone, some of them before labels and some without them: no two are equal.
    let sort = format!("{at:05}");
    CompletionItem {
        label: item.label.into(),
        kind: Some(kind(item.kind)),
        detail: item.detail,
        sort_text: Some(sort),
        filter_text: item.filter.map(String::from),
        insert_text_format: snippet.then_some(InsertTextFormat::SNIPPET),
        text_edit: Some(edit),
        additional_text_edits: item
            .import
            .map(|import| to_proto::text_edits(lines, &import)),
        data: item.doc.map(Value::String),
        ..CompletionItem::default()
    }
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Operator | CompletionKind::Function => CompletionItemKind::FUNCTION,
        CompletionKind::PrimFunc | CompletionKind::Member => CompletionItemKind::METHOD,
        CompletionKind::Namespace => CompletionItemKind::MODULE,
        CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::Buffer => CompletionItemKind::FIELD,
        CompletionKind::ShapeVar => CompletionItemKind::TYPE_PARAMETER,
        CompletionKind::Constant => CompletionItemKind::CONSTANT,
        CompletionKind::Keyword => CompletionItemKind::PROPERTY,
        CompletionKind::DType => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Annotation => CompletionItemKind::CLASS,
        CompletionKind::Statement => CompletionItemKind::KEYWORD,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
    }
}

/// The text of a snippet with nothing left to fill: `${1:x}` is `x`, `$0` is nothing.
fn without_places(snippet: &str) -> String {
    let mut text = String::with_capacity(snippet.len());
    let mut rest = snippet;
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(place) = rest.strip_prefix('{') {
            let end = place.find('}').unwrap_or(place.len());
            text.push_str(
                place[..end]
                    .split_once(':')
                    .map_or("", |(_, default)| default),
            );
            rest = place.get(end + 1..).unwrap_or_default();
        } else {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::without_places;

    #[test]
    fn a_snippet_without_places_is_its_defaults() {
        assert_eq!(without_places("f(${1:x}, $2)$0"), "f(x, )");
        assert_eq!(without_places("plain"), "plain");
    }
}
