//! `textDocument/codeLens`: "▶ Run" over each function that can run, and how its last run ended.

use ide::Cancellable;
use lsp_types::{CodeLens, CodeLensParams, Command, Range};
use serde_json::json;

use super::execute_command::RUN;
use crate::session::Snapshot;

pub fn answer(snapshot: &Snapshot, params: CodeLensParams) -> Cancellable<Option<Vec<CodeLens>>> {
    let Some(document) = snapshot.document(&params.text_document.uri) else {
        return Ok(None);
    };
    if !snapshot.config.code_lens {
        return Ok(None);
    }
    let uri = document.uri.as_str();
    let mut lenses = Vec::new();
    for runnable in snapshot.analysis.runnables(document.file)? {
        let range = document.lines.to_range(runnable.name_range);
        let arguments = json!({
            "uri": uri,
            "function": runnable.function,
            "line": range.start.line,
            "dims": runnable.dims,
        });
        let run = Command::new("▶ Run".to_owned(), RUN.to_owned(), Some(vec![arguments]));
        lenses.push(lens(range, run));
        let last = (uri.to_owned(), runnable.function);
        if let Some(record) = snapshot.runs.get(&last) {
            let stale = record.version != Some(document.version);
            let note = if stale { " (before the last edit)" } else { "" };
            // A title without a command is plain text.
            let outcome = Command::new(format!("{}{note}", record.summary), String::new(), None);
            lenses.push(lens(range, outcome));
        }
    }
    Ok(Some(lenses))
}

fn lens(range: Range, command: Command) -> CodeLens {
    CodeLens {
        range,
        command: Some(command),
        data: None,
    }
}
