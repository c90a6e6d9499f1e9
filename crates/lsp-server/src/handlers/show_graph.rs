//! `relax.showGraph`: the dataflow graph of a function, as nodes and edges and as text for Graphviz.

use ide::graph::{GraphLimit, ModulePaths};
use ide::{FilePosition, RunnableKind};
use lsp_types::{Position, Uri};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::compilation::graphs::json::graph as to_json;
use crate::compilation::json::with;
use crate::documents::Document;
use crate::session::{Refusal, Snapshot};
use crate::uri;

/// The maximum number of functions that an error message lists.
const LISTED: usize = 20;

#[derive(Debug, Deserialize)]
pub struct GraphArguments {
    pub uri: Uri,
    /// `Module.forward`, or a bare name. If missing, the function at the position, or the only one.
    #[serde(default)]
    pub function: Option<String>,
    /// The line of the `def`, starting at 0.
    #[serde(default)]
    pub line: Option<u32>,
    /// The position on which to center the graph if it exceeds the limit.
    #[serde(default)]
    pub position: Option<Position>,
    /// The maximum number of nodes.
    #[serde(default)]
    pub limit: Option<usize>,
    /// The maximum number of nodes inside boxes: modules of the model, and called functions.
    #[serde(default, rename = "limitInBoxes")]
    pub limit_in_boxes: Option<usize>,
}

pub fn answer(snapshot: &Snapshot, arguments: GraphArguments) -> Result<Value, Refusal> {
    let document = snapshot.required_document(&arguments.uri);
    let document = document.map_err(Refusal::Impossible)?;
    let position = function(snapshot, document, &arguments)?;
    let cursor = arguments
        .position
        .map_or(position.offset, |position| document.lines.offset(position));
    let limit = limit(arguments.limit, arguments.limit_in_boxes);
    let path = uri::path(&arguments.uri);
    let origins = path.and_then(|it| snapshot.origins.of_file(&it));
    let paths = origins.map_or_else(ModulePaths::default, |it| it.modules.clone());
    let graph = snapshot
        .analysis
        .graph_of_model(position, cursor, limit, &paths)?;
    let none = || Refusal::Impossible("there is no Relax function at that position".to_owned());
    let lines = &document.lines;
    let graph = to_json(&graph.ok_or_else(none)?, lines, lines);
    Ok(with(graph, json!({"version": document.version})))
}

/// Returns the limit that a client requests, or no limit.
pub fn limit(nodes: Option<usize>, in_boxes: Option<usize>) -> GraphLimit {
    match nodes {
        Some(nodes) => GraphLimit {
            nodes,
            in_boxes: in_boxes.unwrap_or(0),
        },
        None => GraphLimit::NONE,
    }
}

/// Returns a position in the requested function, or an error that lists the available functions.
fn function(
    snapshot: &Snapshot,
    document: &Document,
    arguments: &GraphArguments,
) -> Result<FilePosition, Refusal> {
    let at = |offset| FilePosition {
        file: document.file,
        offset,
    };
    if let (None, Some(position)) = (&arguments.function, arguments.position) {
        return Ok(at(document.lines.offset(position)));
    }
    let mut all = snapshot.analysis.runnables(document.file)?;
    all.retain(|it| it.kind == RunnableKind::Function);
    let wanted = arguments.function.as_deref().unwrap_or_default();
    let named = |it: &&ide::Runnable| {
        let bare = it.function.rsplit('.').next();
        wanted.is_empty() || it.function == wanted || bare == Some(wanted)
    };
    let named: Vec<_> = all.iter().filter(named).collect();
    let line = |it: &ide::Runnable| document.lines.to_range(it.name_range).start.line;
    let on_line = named
        .iter()
        .find(|it| arguments.line == Some(line(it)))
        .copied();
    let only = match named[..] {
        [only] => Some(only),
        _ => None,
    };
    if let Some(it) = on_line.or(only) {
        return Ok(at(it.name_range.start()));
    }
    let names = all.iter().take(LISTED);
    let names: Vec<String> = names
        .map(|it| format!("`{}` in line {}", it.function, line(it) + 1))
        .collect();
    Err(Refusal::Impossible(format!(
        "name one of the Relax functions: {}",
        names.join(", ")
    )))
}
