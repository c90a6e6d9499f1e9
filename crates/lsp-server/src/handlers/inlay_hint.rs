//! `textDocument/inlayHint` and `inlayHint/resolve`.

use ide::{Cancellable, FilePosition, HintKind};
use lsp_types::{
    InlayHint, InlayHintLabel, InlayHintOptions, InlayHintParams, InlayHintServerCapabilities,
    InlayHintTooltip, OneOf, ServerCapabilities, TextDocumentPositionParams,
};
use serde_json::{Value, json};
use text_size::TextRange;

use super::{cost, record, work_done};
use crate::capabilities::Client;
use crate::config::InlayHintConfig;
use crate::documents::Document;
use crate::run::notes::within;
use crate::session::Snapshot;
use crate::to_proto;

pub fn offer(capabilities: &mut ServerCapabilities, _: &Client) {
    let options = InlayHintServerCapabilities::Options(InlayHintOptions {
        resolve_provider: Some(true),
        work_done_progress_options: work_done(),
    });
    capabilities.inlay_hint_provider = Some(OneOf::Right(options));
}

pub fn answer(snapshot: &Snapshot, params: InlayHintParams) -> Cancellable<Option<Vec<InlayHint>>> {
    let Some(document) = snapshot.python_document(&params.text_document.uri) else {
        return Ok(None);
    };
    let config = &snapshot.config.inlay_hints;
    if !config.enable {
        return Ok(None);
    }
    let range = document.lines.range(params.range);
    let mut hints = Vec::new();
    if config.struct_info {
        hints.extend(record::hints(&snapshot.programs, document, range));
    }
    if !document.relevant {
        return Ok(Some(hints));
    }
    let of_relax = snapshot.analysis.inlay_hints(document.file, range)?;
    let of_relax = of_relax.into_iter();
    hints.extend(
        of_relax
            .filter(|hint| is_enabled(config, hint.kind))
            .map(|hint| to_proto::inlay_hint(&document.lines, &document.uri, hint)),
    );
    hints.extend(cost::hints(snapshot, document, range)?);
    if config.values && !snapshot.client.shows_traces {
        hints.extend(values(snapshot, document, range));
    }
    Ok(Some(hints))
}

/// Returns hints after values that traced runs of this version recorded.
fn values<'s>(
    snapshot: &'s Snapshot,
    document: &'s Document,
    range: TextRange,
) -> impl Iterator<Item = InlayHint> + 's {
    let runs = snapshot.runs.iter();
    let runs = runs.filter(|((uri, _), record)| {
        uri == document.uri.as_str() && record.version == Some(document.version)
    });
    let notes = runs.flat_map(move |(_, record)| within(&record.notes, range));
    notes.map(|note| InlayHint {
        position: document.lines.position(note.offset),
        label: InlayHintLabel::String(note.text.clone()),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(note.detail.clone())),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    })
}

fn is_enabled(config: &InlayHintConfig, kind: HintKind) -> bool {
    match kind {
        HintKind::StructInfo => config.struct_info,
        HintKind::Parameter => config.parameter_names,
        HintKind::Dimension => config.dimensions,
        HintKind::Purity => config.purity,
    }
}

/// Adds the text of the hover at this position to a hint.
pub fn resolve(snapshot: &Snapshot, mut hint: InlayHint) -> Cancellable<InlayHint> {
    let Some(at) = hint.data.take().and_then(position_of) else {
        return Ok(hint);
    };
    if let Some(document) = snapshot.document(&at.text_document.uri) {
        let position = FilePosition {
            file: document.file,
            offset: document.lines.offset(at.position),
        };
        let hover = snapshot.analysis.hover(position, &document.lines)?;
        hint.tooltip = hover.map(|hover| {
            let markup = to_proto::markup(&hover.markdown, snapshot.client.markdown);
            InlayHintTooltip::MarkupContent(markup)
        });
    }
    Ok(hint)
}

fn position_of(mut data: Value) -> Option<TextDocumentPositionParams> {
    let position = data["position"].take();
    let place = json!({"textDocument": {"uri": data["uri"].take()}, "position": position});
    serde_json::from_value(place).ok()
}
