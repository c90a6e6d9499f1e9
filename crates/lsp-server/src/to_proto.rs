//! From our answers to the protocol's types.

use ide::{Severity, SymbolKind, Tag};
use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, DocumentSymbol, Hover,
    HoverContents, InlayHint, InlayHintKind, InlayHintLabel, InlayHintTooltip, Location,
    MarkupContent, MarkupKind, NumberOrString, TextEdit, Uri,
};

use crate::line_index::Lines;

/// The name shown as the source of a diagnostic.
const SOURCE: &str = "relax-lsp";

pub fn diagnostic(lines: &Lines, uri: &Uri, diagnostic: &ide::Diagnostic) -> lsp_types::Diagnostic {
    lsp_types::Diagnostic {
        range: lines.to_range(diagnostic.range),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Information => DiagnosticSeverity::INFORMATION,
            Severity::Hint => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(diagnostic.code.to_owned())),
        source: Some(SOURCE.to_owned()),
        message: diagnostic.message.clone(),
        related_information: (!diagnostic.related.is_empty()).then(|| {
            diagnostic
                .related
                .iter()
                .map(|related| DiagnosticRelatedInformation {
                    location: Location::new(uri.clone(), lines.to_range(related.range)),
                    message: related.message.clone(),
                })
                .collect()
        }),
        tags: (!diagnostic.tags.is_empty()).then(|| {
            diagnostic
                .tags
                .iter()
                .map(|tag| match tag {
                    Tag::Unnecessary => DiagnosticTag::UNNECESSARY,
                    Tag::Deprecated => DiagnosticTag::DEPRECATED,
                })
                .collect()
        }),
        ..lsp_types::Diagnostic::default()
    }
}

pub fn hover(lines: &Lines, hover: ide::Hover) -> Hover {
    Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: hover.markdown,
        }),
        range: Some(lines.to_range(hover.range)),
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
        kind: match symbol.kind {
            SymbolKind::Module => lsp_types::SymbolKind::MODULE,
            SymbolKind::Function => lsp_types::SymbolKind::FUNCTION,
            SymbolKind::PrimFunc => lsp_types::SymbolKind::METHOD,
            SymbolKind::Parameter | SymbolKind::Binding => lsp_types::SymbolKind::VARIABLE,
            SymbolKind::ShapeVar => lsp_types::SymbolKind::TYPE_PARAMETER,
        },
        tags: None,
        deprecated: None,
        range: lines.to_range(symbol.range),
        selection_range: lines.to_range(symbol.name_range),
        children: Some(children),
    }
}

pub fn inlay_hint(lines: &Lines, hint: ide::InlayHint) -> InlayHint {
    let position = lines.position(hint.offset);
    InlayHint {
        position,
        text_edits: hint.insertable.then(|| {
            vec![TextEdit::new(
                lsp_types::Range::new(position, position),
                hint.label.clone(),
            )]
        }),
        label: InlayHintLabel::String(hint.label),
        kind: Some(InlayHintKind::TYPE),
        tooltip: hint.tooltip.map(InlayHintTooltip::String),
        padding_left: None,
        padding_right: None,
        data: None,
    }
}
