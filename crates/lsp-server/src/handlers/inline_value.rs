//! `textDocument/inlineValue`: the variables that a debugger may show. The debugger has the values.

use ide::Cancellable;
use lsp_types::{InlineValue, InlineValueParams, InlineValueVariableLookup};

use crate::session::Snapshot;

pub fn answer(
    snapshot: &Snapshot,
    params: InlineValueParams,
) -> Cancellable<Option<Vec<InlineValue>>> {
    let Some(document) = snapshot.document(&params.text_document.uri) else {
        return Ok(None);
    };
    let range = document.lines.range(params.range);
    let stopped = document.lines.offset(params.context.stopped_location.end);
    let found = snapshot
        .analysis
        .inline_values(document.file, range, stopped)?;
    let lookup = |it: ide::InlineVariable| {
        InlineValue::VariableLookup(InlineValueVariableLookup {
            range: document.lines.to_range(it.range),
            variable_name: Some(it.name),
            case_sensitive_lookup: true,
        })
    };
    Ok(Some(found.into_iter().map(lookup).collect()))
}
