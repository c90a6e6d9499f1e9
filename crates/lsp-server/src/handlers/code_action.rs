//! `textDocument/codeAction`: quick fixes.

use ide::{ActionKind, Cancellable};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    Diagnostic, NumberOrString,
};
use text_size::TextRange;

use crate::session::{Document, Snapshot};
use crate::to_proto;

/// The kinds that are offered.
pub const KINDS: &[CodeActionKind] = &[CodeActionKind::QUICKFIX];

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
    let wanted = |kind: &CodeActionKind| {
        let only = params.context.only.as_deref();
        only.is_none_or(|only| only.iter().any(|it| includes(it, kind)))
    };
    let mut actions = Vec::new();
    if wanted(&CodeActionKind::QUICKFIX) {
        let named = named(document, &params.context.diagnostics);
        for fix in snapshot.analysis.fixes(document.file, range, &named)? {
            let ends = ended(document, &fix, &params.context.diagnostics);
            actions.push(code_action(snapshot, document, fix, ends));
        }
    }
    let actions = actions.into_iter().map(CodeActionOrCommand::CodeAction);
    Ok(Some(actions.collect()))
}

fn kind(kind: ActionKind) -> CodeActionKind {
    match kind {
        ActionKind::QuickFix => CodeActionKind::QUICKFIX,
    }
}

/// `refactor` includes `refactor.inline`; the empty kind includes all.
fn includes(outer: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(outer.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || outer.as_str().is_empty())
}

/// The client's diagnostics that are ours, by code and range.
fn named(document: &Document, diagnostics: &[Diagnostic]) -> Vec<(String, TextRange)> {
    let ours = diagnostics.iter().filter_map(|it| match &it.code {
        Some(NumberOrString::String(code)) => Some((code.clone(), document.lines.range(it.range))),
        _ => None,
    });
    ours.collect()
}

/// The client's diagnostics that an action ends.
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
    action: ide::CodeAction,
    diagnostics: Option<Vec<Diagnostic>>,
) -> CodeAction {
    let edit = to_proto::workspace_edit(document, &snapshot.client, &action.edit);
    CodeAction {
        title: action.title,
        kind: Some(kind(action.kind)),
        diagnostics,
        edit: Some(edit),
        is_preferred: action.preferred.then_some(true),
        ..CodeAction::default()
    }
}
