//! `textDocument/formatting` and `textDocument/rangeFormatting`.
//!
//! Ignores the client's options for tabs: TVMScript is indented as TVM prints it.

use ide::Cancellable;
use lsp_types::{DocumentFormattingParams, DocumentRangeFormattingParams, Range, TextEdit, Uri};

use crate::session::Snapshot;
use crate::to_proto;

type Edits = Cancellable<Option<Vec<TextEdit>>>;

pub fn document(snapshot: &Snapshot, params: DocumentFormattingParams) -> Edits {
    answer(snapshot, &params.text_document.uri, None)
}

pub fn range(snapshot: &Snapshot, params: DocumentRangeFormattingParams) -> Edits {
    answer(snapshot, &params.text_document.uri, Some(params.range))
}

fn answer(snapshot: &Snapshot, uri: &Uri, range: Option<Range>) -> Edits {
    let Some(document) = snapshot.document(uri) else {
        return Ok(None);
    };
    let range = range.map(|range| document.lines.range(range));
    let options = snapshot.config.format();
    let edit = snapshot.analysis.format(document.file, range, options)?;
    Ok(Some(to_proto::text_edits(&document.lines, &edit)))
}
