//! `workspace/symbol`: the symbols of open documents and of the other files of the workspace with TVMScript.

use ide::matches_query;
use lsp_types::{Location, Range, SymbolInformation, Uri, WorkspaceSymbolParams};
use serde_json::json;

use crate::methods::text;
use crate::session::{Refusal, SessionHandle, Snapshot, Subject, Survey};
use crate::to_proto;

/// The maximum number of symbols. More typing narrows the search.
const MOST: usize = 1000;

/// The number of symbols in a partial result.
const PART: usize = 100;

/// The title of its progress.
pub const TITLE: &str = "Looking for TVMScript";

type Symbols = Vec<SymbolInformation>;

/// Returns the symbols of open documents and of other files, the best matches first.
pub fn answer(
    session: &SessionHandle,
    params: WorkspaceSymbolParams,
) -> impl Future<Output = Result<String, Refusal>> + Send + use<> {
    let query = params.query.clone();
    let session = session.about(Subject::Workspace);
    let open = session.read(query.clone(), of_open);
    let shown = params.work_done_progress_params.work_done_token.is_some();
    let files = session.survey((!shown).then_some(TITLE), params, of_files);
    async move {
        let mut symbols = open.await?;
        symbols.extend(files.await?);
        symbols.sort_by_key(|it| (!it.name.starts_with(&query), it.name.len(), it.name.clone()));
        symbols.truncate(MOST);
        text(&symbols)
    }
}

/// Returns the symbols of open documents.
fn of_open(snapshot: &Snapshot, query: String) -> Result<Symbols, Refusal> {
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

/// Returns the symbols of other files. Sends partial results if the client supports them.
fn of_files(mut survey: Survey, params: WorkspaceSymbolParams) -> Symbols {
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
