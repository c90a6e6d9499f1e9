//! `textDocument/codeLens`: "▶ Run" and "Trace" above each function that can run, the outcome of its last run, and its
//! number of references.

use ide::{Cancellable, RunnableKind};
use lsp_types::{CodeLens, CodeLensParams, Command, Range};
use serde_json::{Value, json};

use super::execute_command::{RUN, TRACE};
use super::{cost, record};
use crate::capabilities::SHOW_REFERENCES;
use crate::documents::Document;
use crate::session::Snapshot;

pub fn answer(snapshot: &Snapshot, params: CodeLensParams) -> Cancellable<Option<Vec<CodeLens>>> {
    let Some(document) = snapshot.python_document(&params.text_document.uri) else {
        return Ok(None);
    };
    if !snapshot.config.code_lens {
        return Ok(None);
    }
    let uri = document.uri.as_str();
    let mut lenses = record::lenses(document);
    if !document.relevant {
        return Ok(Some(lenses));
    }
    for runnable in snapshot.analysis.runnables(document.file)? {
        let range = document.lines.to_range(runnable.name_range);
        let params: Vec<Value> = runnable
            .params
            .iter()
            .map(|param| json!({"name": param.name, "type": param.struct_info}))
            .collect();
        let mut arguments = json!({
            "uri": uri,
            "function": runnable.function,
            "line": range.start.line,
            "dims": runnable.dims,
            "params": params,
        });
        if runnable.kind == RunnableKind::PrimFunc {
            arguments["kind"] = json!("primFunc");
        }
        let run = Command::new("▶ Run".to_owned(), RUN.to_owned(), Some(vec![arguments]));
        lenses.push(lens(range, run));
        // Leave out `params`, which only the form of an editor needs.
        let traced = json!({
            "uri": uri,
            "function": runnable.function,
            "line": range.start.line,
            "dims": runnable.dims,
        });
        let trace = Command::new("Trace".to_owned(), TRACE.to_owned(), Some(vec![traced]));
        lenses.push(lens(range, trace));
        let last = (uri.to_owned(), runnable.function);
        if let Some(record) = snapshot.runs.get(&last) {
            let stale = record.version != Some(document.version);
            let note = if stale { " (before the last edit)" } else { "" };
            // A title without a command is plain text.
            let outcome = Command::new(format!("{}{note}", record.summary), String::new(), None);
            lenses.push(lens(range, outcome));
        }
    }
    lenses.extend(cost::lenses(snapshot, document)?);
    if snapshot.config.code_lens_references {
        for count in snapshot.analysis.reference_counts(document.file)? {
            let range = document.lines.to_range(count.name_range);
            lenses.extend(references(
                snapshot,
                document,
                range,
                count.references.len(),
            ));
        }
    }
    Ok(Some(lenses))
}

/// Returns the lens with the number of references, or `None` if there are none, as for an entry point.
fn references(
    snapshot: &Snapshot,
    document: &Document,
    range: Range,
    count: usize,
) -> Option<CodeLens> {
    let title = match count {
        0 => return None,
        1 => "1 reference".to_owned(),
        _ => format!("{count} references"),
    };
    // Only a client that supports it can show references; others get plain text.
    let command = if snapshot.client.show_references {
        let arguments = vec![json!(document.uri.as_str()), json!(range.start)];
        Command::new(title, SHOW_REFERENCES.to_owned(), Some(arguments))
    } else {
        Command::new(title, String::new(), None)
    };
    Some(lens(range, command))
}

fn lens(range: Range, command: Command) -> CodeLens {
    CodeLens {
        range,
        command: Some(command),
        data: None,
    }
}
