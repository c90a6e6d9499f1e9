//! `textDocument/codeAction` and `codeAction/resolve`: quick fixes, assists and `source.fixAll.relax`; also runs, if
//! the client shows no code lenses.

use std::sync::LazyLock;

use ide::{ActionKind, Cancellable, Cancelled, Resolve, Runnable, Sure};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionOrCommand, CodeActionParams,
    CodeActionResponse, Command, Diagnostic, NumberOrString, ServerCapabilities, Uri,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use text_size::TextRange;

use super::execute_command::{RUN, TRACE};
use super::{migrate, translate, work_done};
use crate::capabilities::Client;
use crate::documents::Document;
use crate::session::Snapshot;
use crate::to_proto;

pub fn offer(capabilities: &mut ServerCapabilities, _: &Client) {
    let options = CodeActionOptions {
        code_action_kinds: Some(KINDS.to_vec()),
        resolve_provider: Some(true),
        work_done_progress_options: work_done(),
    };
    capabilities.code_action_provider = Some(options.into());
}

/// The kinds of actions that are offered.
static KINDS: LazyLock<[CodeActionKind; 7]> = LazyLock::new(|| {
    [
        CodeActionKind::QUICKFIX,
        CodeActionKind::REFACTOR_EXTRACT,
        CodeActionKind::REFACTOR_INLINE,
        CodeActionKind::REFACTOR_REWRITE,
        kind(ActionKind::FixAll),
        CodeActionKind::new("relax.run"),
        migrate::KIND,
    ]
});

pub fn answer(
    snapshot: &Snapshot,
    params: CodeActionParams,
) -> Cancellable<Option<CodeActionResponse>> {
    let Some(document) = snapshot.document(&params.text_document.uri) else {
        return Ok(None);
    };
    if !snapshot.client.code_actions {
        return Ok(None);
    }
    let range = document.lines.range(params.range);
    let only = params.context.only.as_deref();
    let wanted =
        |kind: &CodeActionKind| only.is_none_or(|only| only.iter().any(|it| includes(it, kind)));
    let resolve = if snapshot.client.resolve_edits {
        Resolve::None
    } else {
        Resolve::All
    };
    let mut actions = Vec::new();
    if wanted(&CodeActionKind::QUICKFIX) {
        let named = named(document, &params.context.diagnostics);
        let fixes = snapshot.analysis.fixes(document.file, range, &named)?;
        let mut codes: Vec<&str> = fixes.iter().filter_map(|fix| Some(fix.ends?.0)).collect();
        codes.dedup();
        for fix in fixes {
            let ends = ended(document, &fix, &params.context.diagnostics);
            actions.push(code_action(snapshot, document, range, fix, ends));
        }
        for code in codes {
            let all = snapshot
                .analysis
                .fix_everywhere(document.file, code, &resolve)?;
            actions.extend(all.map(|all| code_action(snapshot, document, range, all, None)));
        }
        let ignores = snapshot.analysis.ignore_actions(document.file, &named)?;
        for ignore in ignores {
            let ends = ended(document, &ignore, &params.context.diagnostics);
            actions.push(code_action(snapshot, document, range, ignore, ends));
        }
    }
    if KINDS[1..4].iter().any(wanted) {
        for assist in snapshot.analysis.assists(document.file, range, &resolve)? {
            if wanted(&kind(assist.kind)) {
                actions.push(code_action(snapshot, document, range, assist, None));
            }
        }
    }
    if wanted(&CodeActionKind::REFACTOR_REWRITE)
        && let Some(target) = translate::target(snapshot, document)
    {
        let edit = match resolve {
            Resolve::None => None,
            _ => translate::edit(snapshot, document),
        };
        let data = ActionData::new(document, range, translate::ID);
        actions.push(CodeAction {
            title: translate::title(&target),
            kind: Some(CodeActionKind::REFACTOR_REWRITE),
            data: edit.is_none().then(|| json!(data)),
            edit,
            ..CodeAction::default()
        });
    }
    // Only if requested by kind: it is meant for saving, not for the light bulb.
    if only.is_some() && wanted(&KINDS[4]) {
        let all = snapshot.analysis.fix_all(document.file, Sure::Certain)?;
        actions.extend(all.map(|all| code_action(snapshot, document, range, all, None)));
    }
    if only.is_some() && wanted(&migrate::KIND) {
        actions.extend(migrate::action(snapshot, document));
    }
    if !snapshot.client.lenses && wanted(&KINDS[5]) {
        for runnable in snapshot.analysis.runnables(document.file)? {
            let place = document.lines.to_range(runnable.name_range).start;
            if (params.range.start.line..=params.range.end.line).contains(&place.line) {
                actions.extend(runs(document, &runnable, place.line));
            }
        }
    }
    let actions = actions.into_iter().map(CodeActionOrCommand::CodeAction);
    Ok(Some(actions.collect()))
}

/// Returns the actions that run and trace a function. A message tells the outcome.
fn runs(document: &Document, runnable: &Runnable, line: u32) -> [CodeAction; 2] {
    let function = &runnable.function;
    let arguments = json!({"uri": document.uri, "function": function, "line": line, "tell": true});
    [("Run", RUN), ("Trace", TRACE)].map(|(verb, command)| {
        let title = format!("{verb} `{function}`");
        let command = Command::new(
            title.clone(),
            command.to_owned(),
            Some(vec![arguments.clone()]),
        );
        CodeAction {
            title,
            kind: Some(KINDS[5].clone()),
            command: Some(command),
            ..CodeAction::default()
        }
    })
}

/// The data of an assist without an edit, for `codeAction/resolve`.
#[derive(Serialize, Deserialize)]
struct ActionData {
    uri: Uri,
    version: i32,
    start: u32,
    end: u32,
    id: String,
}

impl ActionData {
    fn new(document: &Document, range: TextRange, id: &str) -> ActionData {
        ActionData {
            uri: document.uri.clone(),
            version: document.version,
            start: range.start().into(),
            end: range.end().into(),
            id: id.to_owned(),
        }
    }
}

/// Returns the action with its edit, unless the text has changed since.
pub fn resolve(snapshot: &Snapshot, mut action: CodeAction) -> Cancellable<CodeAction> {
    let data = action.data.clone();
    let Some(data) = data.and_then(|data| serde_json::from_value::<ActionData>(data).ok()) else {
        return Ok(action);
    };
    let document = snapshot.document(&data.uri);
    let Some(document) = document.filter(|it| it.version == data.version) else {
        return Err(Cancelled);
    };
    if data.id == translate::ID {
        action.edit = translate::edit(snapshot, document);
        return Ok(action);
    }
    let range = TextRange::new(data.start.into(), data.end.max(data.start).into());
    let wanted = Resolve::Only(data.id.clone());
    let found = snapshot.analysis.assists(document.file, range, &wanted)?;
    let found = match found.into_iter().find(|it| it.id == data.id) {
        Some(assist) => Some(assist),
        None => snapshot
            .analysis
            .fix_everywhere(document.file, &data.id, &wanted)?,
    };
    action.edit = found
        .and_then(|it| it.edit)
        .map(|edit| to_proto::workspace_edit(document, &snapshot.client, &edit));
    Ok(action)
}

fn kind(kind: ActionKind) -> CodeActionKind {
    match kind {
        ActionKind::QuickFix => CodeActionKind::QUICKFIX,
        ActionKind::RefactorExtract => CodeActionKind::REFACTOR_EXTRACT,
        ActionKind::RefactorInline => CodeActionKind::REFACTOR_INLINE,
        ActionKind::RefactorRewrite => CodeActionKind::REFACTOR_REWRITE,
        ActionKind::FixAll => CodeActionKind::new("source.fixAll.relax"),
    }
}

/// Returns `true` if a kind includes another: `refactor` includes `refactor.inline`, and the empty kind includes all.
fn includes(outer: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(outer.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || outer.as_str().is_empty())
}

/// Returns our diagnostics among those of the client, by code and range.
fn named(document: &Document, diagnostics: &[Diagnostic]) -> Vec<(String, TextRange)> {
    let ours = diagnostics.iter().filter_map(|it| match &it.code {
        Some(NumberOrString::String(code)) => Some((code.clone(), document.lines.range(it.range))),
        _ => None,
    });
    ours.collect()
}

/// Returns the client's diagnostics that an action fixes.
fn ended(
    document: &Document,
    action: &ide::CodeAction,
    diagnostics: &[Diagnostic],
) -> Option<Vec<Diagnostic>> {
    let (code, range) = action.ends?;
    let ends = |it: &&Diagnostic| {
        it.code == Some(NumberOrString::String(code.to_owned()))
            && document.lines.range(it.range) == range
    };
    let ended: Vec<_> = diagnostics.iter().filter(ends).cloned().collect();
    (!ended.is_empty()).then_some(ended)
}

fn code_action(
    snapshot: &Snapshot,
    document: &Document,
    range: TextRange,
    action: ide::CodeAction,
    diagnostics: Option<Vec<Diagnostic>>,
) -> CodeAction {
    let data = ActionData::new(document, range, action.id);
    let edit = action
        .edit
        .map(|edit| to_proto::workspace_edit(document, &snapshot.client, &edit));
    CodeAction {
        title: action.title,
        kind: Some(kind(action.kind)),
        diagnostics,
        data: edit.is_none().then(|| json!(data)),
        edit,
        is_preferred: action.preferred.then_some(true),
        ..CodeAction::default()
    }
}
