//! Serializes a list of completions without copying each item. If the client supports item defaults, which `lsp-types`
//! lacks, shared properties are written only once.

use std::borrow::Cow;

use ide::{Completion, CompletionKind};
use lsp_types::{CompletionItemKind, InsertTextFormat, Range, TextEdit};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::capabilities::Client;
use crate::line_index::Lines;
use crate::to_proto;

/// The protocol's `CompletionList`.
pub struct List {
    found: ide::Completions,
    lines: Lines,
    place: ReplacedRange,
    snippets: bool,
    /// `true` if the edit range is written once for all items.
    default_place: bool,
    /// `true` if the insert text format is written once for all items.
    default_snippet: bool,
}

/// The range that an item replaces.
enum ReplacedRange {
    One(Box<RawValue>),
    /// The user chooses between the typed part and the whole word.
    Two {
        insert: Box<RawValue>,
        replace: Box<RawValue>,
    },
}

impl List {
    pub fn new(
        found: ide::Completions,
        lines: &Lines,
        client: &Client,
    ) -> serde_json::Result<List> {
        let range = |range| to_raw_value::<Range>(&lines.to_range(range));
        let place = if client.insert_replace && found.insert != found.replace {
            ReplacedRange::Two {
                insert: range(found.insert)?,
                replace: range(found.replace)?,
            }
        } else {
            ReplacedRange::One(range(found.replace)?)
        };
        let snippets = found.items.iter().filter(|item| item.snippet).count();
        Ok(List {
            place,
            snippets: client.snippets,
            default_place: client.default_edit_range,
            default_snippet: client.snippets
                && client.default_text_format
                && snippets * 2 > found.items.len(),
            lines: lines.clone(),
            found,
        })
    }

    fn item<'a>(&'a self, at: usize, item: &'a Completion) -> Item<'a> {
        let snippet = item.snippet && self.snippets;
        let new_text = if item.snippet && !snippet {
            Cow::Owned(without_places(&item.text))
        } else {
            Cow::Borrowed(item.text.as_str())
        };
        let (text_edit, text_edit_text) = if self.default_place {
            (None, Some(new_text))
        } else {
            (Some(Edit::new(&self.place, new_text)), None)
        };
        let format = if snippet {
            InsertTextFormat::SNIPPET
        } else {
            InsertTextFormat::PLAIN_TEXT
        };
        let import = item.import.as_ref();
        Item {
            label: &item.label,
            kind: kind(item.kind),
            detail: item.detail.as_deref(),
            // Some clients sort only by this text, so it has to be unique.
            sort_text: in_order(at),
            filter_text: item.filter.as_deref(),
            insert_text_format: (snippet != self.default_snippet).then_some(format),
            text_edit,
            text_edit_text,
            additional_text_edits: import.map(|it| to_proto::text_edits(&self.lines, it)),
            data: item.doc.as_deref(),
        }
    }
}

impl Serialize for List {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let defaults = Defaults {
            edit_range: self.default_place.then(|| self.place.range()),
            insert_text_format: self.default_snippet.then_some(InsertTextFormat::SNIPPET),
        };
        let mut list = serializer.serialize_struct("CompletionList", 3)?;
        list.serialize_field("isIncomplete", &self.found.incomplete)?;
        if self.default_place || self.default_snippet {
            list.serialize_field("itemDefaults", &defaults)?;
        }
        list.serialize_field("items", &Items(self))?;
        list.end()
    }
}

struct Items<'a>(&'a List);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let items = self.0.found.items.iter();
        serializer.collect_seq(items.enumerate().map(|(at, item)| self.0.item(at, item)))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Defaults<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    edit_range: Option<EditRange<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    insert_text_format: Option<InsertTextFormat>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum EditRange<'a> {
    One(&'a RawValue),
    Two {
        insert: &'a RawValue,
        replace: &'a RawValue,
    },
}

impl ReplacedRange {
    fn range(&self) -> EditRange<'_> {
        match self {
            ReplacedRange::One(range) => EditRange::One(range),
            ReplacedRange::Two { insert, replace } => EditRange::Two { insert, replace },
        }
    }
}

/// The protocol's `CompletionItem`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'a> {
    label: &'a str,
    kind: CompletionItemKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    sort_text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    filter_text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    insert_text_format: Option<InsertTextFormat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_edit: Option<Edit<'a>>,
    /// Always present with a default edit range, since not every client falls back to the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_edit_text: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_text_edits: Option<Vec<TextEdit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Edit<'a> {
    Replace {
        range: &'a RawValue,
        new_text: Cow<'a, str>,
    },
    InsertOrReplace {
        new_text: Cow<'a, str>,
        insert: &'a RawValue,
        replace: &'a RawValue,
    },
}

impl<'a> Edit<'a> {
    fn new(place: &'a ReplacedRange, new_text: Cow<'a, str>) -> Edit<'a> {
        match place {
            ReplacedRange::One(range) => Edit::Replace { range, new_text },
            ReplacedRange::Two { insert, replace } => Edit::InsertOrReplace {
                new_text,
                insert,
                replace,
            },
        }
    }
}

/// Formats an index with five digits, so that texts sort like numbers.
fn in_order(at: usize) -> String {
    let mut rest = at;
    let mut digits = ['0'; 5];
    for digit in digits.iter_mut().rev() {
        *digit = char::from(b'0' + (rest % 10) as u8);
        rest /= 10;
    }
    digits.iter().collect()
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

/// Replaces the placeholders of a snippet with their defaults: `${1:x}` becomes `x`, and `$0` is removed.
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
    use super::{in_order, without_places};

    #[test]
    fn items_sort_as_they_come() {
        assert_eq!(in_order(345), "00345");
        assert!(in_order(9) < in_order(10) && in_order(99) < in_order(100));
    }

    #[test]
    fn a_snippet_without_placeholders_uses_its_defaults() {
        assert_eq!(without_places("f(${1:x}, $2)$0"), "f(x, )");
        assert_eq!(without_places("plain"), "plain");
    }
}
