//! Converts our answers to the protocol's types.

use std::fmt::Write;

use ide::{HintKind, Markdown, NavigationTarget, Severity, SourceEdit, SymbolKind, Tag};
use lsp_types::{
    CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    DocumentChanges, DocumentSymbol, Hover, HoverContents, InlayHint, InlayHintKind,
    InlayHintLabel, InlayHintLabelPart, Location, MarkupContent, MarkupKind, NumberOrString, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, SymbolInformation, TextDocumentEdit,
    TextEdit, Uri, WorkspaceEdit,
};
use serde_json::json;

use crate::capabilities::Client;
use crate::documents::Document;
use crate::line_index::Lines;

/// Converts an edit to the form of a workspace edit that the client supports.
pub fn workspace_edit(document: &Document, client: &Client, edit: &SourceEdit) -> WorkspaceEdit {
    let uri = document.uri.clone();
    let edits = text_edits(&document.lines, edit);
    if client.versioned_edits {
        let text_document = OptionalVersionedTextDocumentIdentifier {
            uri,
            version: Some(document.version),
        };
        let edits = edits.into_iter().map(OneOf::Left).collect();
        return WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(vec![TextDocumentEdit {
                text_document,
                edits,
            }])),
            ..WorkspaceEdit::default()
        };
    }
    #[expect(clippy::mutable_key_type, reason = "the protocol's own type")]
    let changes = [(uri, edits)].into_iter().collect();
    WorkspaceEdit::new(changes)
}

pub fn text_edits(lines: &Lines, edit: &SourceEdit) -> Vec<TextEdit> {
    let replacements = edit.replacements().iter();
    replacements
        .map(|it| TextEdit::new(lines.to_range(it.range), it.text.clone()))
        .collect()
}

/// The name shown as the source of a diagnostic.
const SOURCE: &str = "relax-lsp";

pub fn diagnostic(
    lines: &Lines,
    uri: &Uri,
    client: &Client,
    diagnostic: &ide::Diagnostic,
) -> lsp_types::Diagnostic {
    let mut message = diagnostic.message.clone();
    let related = diagnostic.related.iter().map(|related| {
        let location = Location::new(uri.clone(), lines.to_range(related.range));
        DiagnosticRelatedInformation {
            location,
            message: related.message.clone(),
        }
    });
    let related: Vec<_> = related.collect();
    if !client.related_information {
        for it in &related {
            let line = it.location.range.start.line + 1;
            let _ = write!(message, "\nline {line}: {}", it.message);
        }
    }
    let tags = diagnostic.tags.iter().map(|tag| match tag {
        Tag::Unnecessary => DiagnosticTag::UNNECESSARY,
        Tag::Deprecated => DiagnosticTag::DEPRECATED,
    });
    let tags: Vec<_> = tags.collect();
    lsp_types::Diagnostic {
        range: lines.to_range(diagnostic.range),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Hint => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(diagnostic.code.to_owned())),
        code_description: client
            .pages
            .address(diagnostic.code)
            .map(|href| CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (client.related_information && !related.is_empty()).then_some(related),
        tags: (client.diagnostic_tags && !tags.is_empty()).then_some(tags),
        ..lsp_types::Diagnostic::default()
    }
}

/// Converts positions in one document. Returns `None` if there are none, which editors report as such.
pub fn targets(document: &Document, targets: &[NavigationTarget]) -> Option<Vec<Location>> {
    let location = |target: &NavigationTarget| {
        Location::new(
            document.uri.clone(),
            document.lines.to_range(target.name_range),
        )
    };
    (!targets.is_empty()).then(|| targets.iter().map(location).collect())
}

pub fn hover(lines: &Lines, client: &Client, hover: ide::Hover) -> Hover {
    Hover {
        contents: HoverContents::Markup(markup(&hover.markdown, client.markdown)),
        range: Some(lines.to_range(hover.range)),
    }
}

/// Returns Markdown, or plain text for a client that does not show Markdown.
pub fn markup(markdown: &Markdown, shown: bool) -> MarkupContent {
    if shown {
        MarkupContent {
            kind: MarkupKind::Markdown,
            value: markdown.to_string(),
        }
    } else {
        MarkupContent {
            kind: MarkupKind::PlainText,
            value: plain(markdown.as_str()),
        }
    }
}

/// Removes fences and rules from Markdown, which leaves readable text.
fn plain(markdown: &str) -> String {
    let lines = markdown
        .lines()
        .filter(|line| !line.starts_with("```") && *line != "---");
    let mut text = String::new();
    for line in lines {
        // Keep at most one empty line in a row.
        if !(line.is_empty() && text.ends_with("\n\n")) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text.trim().to_owned()
}

/// Flattens symbols, each with the name of its container.
pub fn flat_symbols(
    uri: &Uri,
    symbols: Vec<DocumentSymbol>,
    container: Option<&str>,
    found: &mut Vec<SymbolInformation>,
) {
    for symbol in symbols {
        #[expect(
            deprecated,
            reason = "the field `deprecated` has no default and must be named"
        )]
        found.push(SymbolInformation {
            name: symbol.name.clone(),
            kind: symbol.kind,
            tags: None,
            deprecated: None,
            location: Location::new(uri.clone(), symbol.range),
            container_name: container.map(str::to_owned),
        });
        let children = symbol.children.unwrap_or_default();
        flat_symbols(uri, children, Some(&symbol.name), found);
    }
}

pub fn symbol_kind(kind: SymbolKind) -> lsp_types::SymbolKind {
    match kind {
        SymbolKind::Module => lsp_types::SymbolKind::MODULE,
        SymbolKind::Function => lsp_types::SymbolKind::FUNCTION,
        SymbolKind::PrimFunc => lsp_types::SymbolKind::METHOD,
        SymbolKind::Parameter | SymbolKind::Binding => lsp_types::SymbolKind::VARIABLE,
        SymbolKind::ShapeVar => lsp_types::SymbolKind::TYPE_PARAMETER,
        SymbolKind::Buffer => lsp_types::SymbolKind::ARRAY,
        SymbolKind::Block => lsp_types::SymbolKind::NAMESPACE,
        SymbolKind::Axis => lsp_types::SymbolKind::FIELD,
    }
}

#[expect(
    deprecated,
    reason = "the field `deprecated` has no default and must be named"
)]
pub fn document_symbol(lines: &Lines, symbol: ide::DocumentSymbol) -> DocumentSymbol {
    let children = symbol
        .children
        .into_iter()
        .map(|child| document_symbol(lines, child))
        .collect();
    DocumentSymbol {
        name: symbol.name,
        detail: symbol.detail,
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: lines.to_range(symbol.range),
        selection_range: lines.to_range(symbol.name_range),
        children: Some(children),
    }
}

pub fn inlay_hint(lines: &Lines, uri: &Uri, hint: ide::InlayHint) -> InlayHint {
    let position = lines.position(hint.offset);
    let is_parameter = hint.kind == HintKind::Parameter;
    let explained = hint.explained.then(|| {
        // The hover at the name before the hint, or at the argument after it.
        let beside = if is_parameter {
            position
        } else {
            Position::new(position.line, position.character.saturating_sub(1))
        };
        json!({"uri": uri, "position": beside})
    });
    InlayHint {
        position,
        text_edits: hint.insert.as_ref().map(|edit| text_edits(lines, edit)),
        kind: match hint.kind {
            HintKind::StructInfo => Some(InlayHintKind::TYPE),
            HintKind::Parameter => Some(InlayHintKind::PARAMETER),
            HintKind::Dimension | HintKind::Purity => None,
        },
        label: label(lines, uri, hint),
        tooltip: None,
        padding_left: None,
        padding_right: None,
        data: explained,
    }
}

/// Splits the label of a hint into parts if some of them link to a definition.
fn label(lines: &Lines, uri: &Uri, hint: ide::InlayHint) -> InlayHintLabel {
    if hint.links.is_empty() {
        return InlayHintLabel::String(hint.label);
    }
    let mut parts = Vec::new();
    let part = |text: &str, location| InlayHintLabelPart {
        value: text.to_owned(),
        location,
        ..InlayHintLabelPart::default()
    };
    let mut from = 0;
    for link in hint.links {
        let range = std::ops::Range::<usize>::from(link.range);
        if from < range.start {
            parts.push(part(&hint.label[from..range.start], None));
        }
        let location = Location::new(uri.clone(), lines.to_range(link.target));
        parts.push(part(&hint.label[range.clone()], Some(location)));
        from = range.end;
    }
    if from < hint.label.len() {
        parts.push(part(&hint.label[from..], None));
    }
    InlayHintLabel::LabelParts(parts)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn plain_text_has_no_fences() {
        let markdown = "```python\nx: R.Tensor((4,))\n```\n\n\n---\n\nparameter\n";
        assert_eq!(plain(markdown), "x: R.Tensor((4,))\n\nparameter");
    }
}
