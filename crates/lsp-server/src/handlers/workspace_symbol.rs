//! `workspace/symbol`: the names in open documents and in the other files of the workspace that hold TVMScript.

use ide::{Cancellable, matches_query};
use lsp_types::{Location, OneOf, Range, SymbolInformation, Uri, WorkspaceSymbolParams};
use serde_json::json;

use crate::session::{Snapshot, Survey};
use crate::to_proto;

/// More than anybody reads through; typing on narrows them down.
const MOST: usize = 1000;

/// Symbols that are sent ahead at once.
const PART: usize = 100;

pub type Symbols = Vec<SymbolInformation>;

/// The symbols of open documents.
pub fn of_open(snapshot: &Snapshot, query: String) -> Cancellable<Symbols> {
    let mut found = Vec::new();
    for document in snapshot.documents.values().filter(|it| it.relevant) {
        for symbol in snapshot.analysis.workspace_symbols(document.file)? {
            if matches_query(&symbol.name, &query) {
                let range = document.lines.to_range(symbol.name_range);
                found.push(information(&symbol, &document.uri, range));
            }
        }
    }
    Ok(found)
}

/// Those of the files that are not open; sent ahead in parts where the client says where to.
pub fn of_files(mut survey: Survey, params: WorkspaceSymbolParams) -> Symbols {
    survey.refresh();
    let mut found = Vec::new();
    for file in survey.workspace.files() {
        if survey.open.contains(&file.path) {
            continue;
        }
        let named = |it: &&crate::workspace::Symbol| matches_query(&it.symbol.name, &params.query);
        for it in file.symbols.iter().filter(named) {
            found.push(information(&it.symbol, &file.uri, it.range));
        }
        if found.len() >= MOST {
            break;
        }
    }
    found.truncate(MOST);
    if let Some(token) = &params.partial_result_params.partial_result_token {
        for part in found.chunks(PART) {
            survey.send(token, json!(part));
        }
        found.clear();
    }
    found
}

/// Both together, the nearest names first.
pub fn together(
    query: &str,
    mut open: Symbols,
    files: Symbols,
) -> OneOf<Vec<SymbolInformation>, Vec<lsp_types::WorkspaceSymbol>> {
    open.extend(files);
    open.sort_by_key(|it| (!it.name.starts_with(query), it.name.len(), it.name.clone()));
    open.truncate(MOST);
    OneOf::Left(open)
}

fn information(symbol: &ide::WorkspaceSymbol, uri: &Uri, range: Range) -> SymbolInformation {
    #[expect(
        deprecated,
        reason = "the field `deprecated` has no default and must be named"
    )]
    SymbolInformation {
        name: symbol.name.clone(),
        kind: to_proto::symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: Location::new(uri.clone(), range),
        container_name: symbol.container.clone(),
    }
}
