//! The requests of an editor, about a position and about the whole file.

use serde_json::{Value, json};

use crate::editor::URI;
use crate::places::{Places, after};

pub struct Request {
    pub method: &'static str,
    pub params: Value,
    /// Whether users wait for the answer while they type.
    pub is_urgent: bool,
}

impl Request {
    pub fn name(&self) -> &'static str {
        self.method.trim_start_matches("textDocument/")
    }
}

/// How many requests [`around`] gives.
pub const AROUND: usize = 12;

/// Requests about a binding's line.
pub fn around(places: &Places<'_>, line: usize) -> [Request; AROUND] {
    let document = json!({"uri": URI});
    let shown = places.line(line);
    let indent = shown.len() - shown.trim_start().len();
    let place = |column: usize| json!({"textDocument": document, "position": {"line": line, "character": column}});
    let name = place(indent + 1);
    // After `R.` of the call, and in its brackets.
    let operator = place(shown.find(" = R.").map_or(0, |at| at + " = R.".len()));
    let inside = place(after(shown, " = R.", "(") + 1);
    let window = json!({"textDocument": document, "range": {
        "start": {"line": line.saturating_sub(30), "character": 0},
        "end": {"line": line + 30, "character": 0},
    }});
    let with = |params: &Value, key: &str, value: Value| {
        let mut params = params.clone();
        params[key] = value;
        params
    };
    let whole = json!({"textDocument": document});
    let references = with(&name, "context", json!({"includeDeclaration": true}));
    let selection = with(&whole, "positions", json!([name["position"]]));
    [
        ("textDocument/hover", name.clone(), true),
        ("textDocument/definition", name.clone(), true),
        ("textDocument/completion", inside.clone(), true),
        ("textDocument/completion", operator, true),
        ("textDocument/signatureHelp", inside, false),
        ("textDocument/documentHighlight", name, false),
        ("textDocument/references", references, false),
        ("textDocument/selectionRange", selection, false),
        ("textDocument/semanticTokens/range", window.clone(), false),
        ("textDocument/inlayHint", window, false),
        ("textDocument/documentSymbol", whole.clone(), false),
        ("textDocument/codeLens", whole, false),
    ]
    .map(|(method, params, is_urgent)| Request {
        method,
        params,
        is_urgent,
    })
}

/// Requests about the whole file.
pub fn about_file(places: &Places<'_>) -> Vec<Request> {
    let document = json!({"uri": URI});
    let whole = json!({"textDocument": document});
    let (line, character) = places.end();
    let lines = json!({"textDocument": document, "range": {
        "start": {"line": 0, "character": 0},
        "end": {"line": line, "character": character},
    }});
    let middle = places.middle();
    let shown = places.line(middle);
    let name = json!({"line": middle, "character": shown.len() - shown.trim_start().len() + 1});
    let references = json!({"textDocument": document, "position": name,
        "context": {"includeDeclaration": true}});
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let formatting = json!({"textDocument": document, "options": options});
    [
        ("textDocument/semanticTokens/full", whole.clone()),
        ("textDocument/inlayHint", lines),
        ("textDocument/references", references),
        ("textDocument/documentSymbol", whole.clone()),
        ("textDocument/foldingRange", whole.clone()),
        ("textDocument/formatting", formatting),
        ("textDocument/codeLens", whole),
    ]
    .into_iter()
    .map(|(method, params)| Request {
        method,
        params,
        is_urgent: false,
    })
    .collect()
}
