//! `textDocument/semanticTokens/full`, `full/delta` and `range`: the legend, the tokens, and differences from the
//! client's last tokens.

use std::sync::Arc;

use ide::{Cancellable, TokenKind, TokenModifier};
use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensDelta,
    SemanticTokensDeltaParams, SemanticTokensEdit, SemanticTokensFullDeltaResult,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions, SemanticTokensParams,
    SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult, ServerCapabilities,
    Uri,
};
use text_size::{TextRange, TextSize};

use super::work_done;
use crate::capabilities::Client;
use crate::documents::Document;
use crate::session::Snapshot;

/// The number of integers per token in the protocol's arrays.
const INTEGERS: u32 = 5;

pub fn offer(capabilities: &mut ServerCapabilities, _: &Client) {
    let options = SemanticTokensOptions {
        work_done_progress_options: work_done(),
        legend: legend(),
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
    };
    capabilities.semantic_tokens_provider = Some(options.into());
}

fn legend() -> SemanticTokensLegend {
    let types = TokenKind::ALL.iter().map(|it| it.name());
    let modifiers = TokenModifier::ALL.iter().map(|it| it.name());
    SemanticTokensLegend {
        token_types: types.map(SemanticTokenType::new).collect(),
        token_modifiers: modifiers.map(SemanticTokenModifier::new).collect(),
    }
}

pub fn full(
    snapshot: &Snapshot,
    params: SemanticTokensParams,
) -> Cancellable<Option<SemanticTokensResult>> {
    let tokens = whole_document(snapshot, &params.text_document.uri)?;
    Ok(tokens.map(|(result_id, data)| {
        let data = Arc::unwrap_or_clone(data);
        SemanticTokensResult::Tokens(SemanticTokens { result_id, data })
    }))
}

pub fn delta(
    snapshot: &Snapshot,
    params: SemanticTokensDeltaParams,
) -> Cancellable<Option<SemanticTokensFullDeltaResult>> {
    let uri = &params.text_document.uri;
    let before = snapshot
        .tokens
        .get(uri.as_str(), &params.previous_result_id);
    let Some((result_id, data)) = whole_document(snapshot, uri)? else {
        return Ok(None);
    };
    Ok(Some(match before {
        Some(before) => SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
            result_id,
            edits: difference(&before, &data).into_iter().collect(),
        }),
        None => SemanticTokensFullDeltaResult::Tokens(SemanticTokens {
            result_id,
            data: Arc::unwrap_or_clone(data),
        }),
    }))
}

pub fn range(
    snapshot: &Snapshot,
    params: SemanticTokensRangeParams,
) -> Cancellable<Option<SemanticTokensRangeResult>> {
    let Some(document) = snapshot.document(&params.text_document.uri) else {
        return Ok(None);
    };
    let data = tokens(snapshot, document, document.lines.range(params.range))?;
    let result_id = None;
    Ok(Some(SemanticTokensRangeResult::Tokens(SemanticTokens {
        result_id,
        data,
    })))
}

type DocumentTokens = (Option<String>, Arc<Vec<SemanticToken>>);

fn whole_document(snapshot: &Snapshot, uri: &Uri) -> Cancellable<Option<DocumentTokens>> {
    let Some(document) = snapshot.document(uri) else {
        return Ok(None);
    };
    let range = TextRange::up_to(TextSize::of(&**document.lines.text()));
    let tokens = Arc::new(tokens(snapshot, document, range)?);
    let id = snapshot.tokens.keep(uri.as_str(), &tokens);
    Ok(Some((id, tokens)))
}

/// Encodes each token relative to the previous one, as the protocol requires.
fn tokens(
    snapshot: &Snapshot,
    document: &Document,
    range: TextRange,
) -> Cancellable<Vec<SemanticToken>> {
    let found = snapshot.analysis.semantic_tokens(document.file, range)?;
    let mut tokens = Vec::with_capacity(found.len());
    let (mut line, mut start) = (0, 0);
    for token in found {
        let range = document.lines.to_range(token.range);
        // The protocol has no multi-line tokens.
        if range.start.line != range.end.line {
            continue;
        }
        let at = range.start;
        tokens.push(SemanticToken {
            delta_line: at.line - line,
            delta_start: at.character - if at.line == line { start } else { 0 },
            length: range.end.character - at.character,
            token_type: token.kind as u32,
            token_modifiers_bitset: token.modifiers,
        });
        (line, start) = (at.line, at.character);
    }
    Ok(tokens)
}

/// Returns the single edit between two lists of tokens: the part between their common prefix and suffix.
fn difference(before: &[SemanticToken], after: &[SemanticToken]) -> Option<SemanticTokensEdit> {
    let same = |(a, b): &(&SemanticToken, &SemanticToken)| a == b;
    let head = before.iter().zip(after).take_while(same).count();
    let (before, after) = (&before[head..], &after[head..]);
    let tail = before.iter().rev().zip(after.iter().rev());
    let tail = tail.take_while(same).count();
    let (removed, new) = (before.len() - tail, &after[..after.len() - tail]);
    (removed > 0 || !new.is_empty()).then(|| SemanticTokensEdit {
        start: head as u32 * INTEGERS,
        delete_count: removed as u32 * INTEGERS,
        data: Some(new.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(length: u32) -> SemanticToken {
        SemanticToken {
            delta_line: 0,
            delta_start: 1,
            length,
            token_type: 0,
            token_modifiers_bitset: 0,
        }
    }

    fn tokens(lengths: &[u32]) -> Vec<SemanticToken> {
        lengths.iter().map(|&length| token(length)).collect()
    }

    #[test]
    fn common_prefixes_and_suffixes_are_not_sent() {
        let edit = difference(&tokens(&[1, 2, 3, 4]), &tokens(&[1, 5, 6, 4])).unwrap();
        assert_eq!((edit.start, edit.delete_count), (5, 10));
        assert_eq!(edit.data, Some(tokens(&[5, 6])));
    }

    #[test]
    fn a_repetition_is_counted_once() {
        let edit = difference(&tokens(&[1, 1]), &tokens(&[1, 1, 1])).unwrap();
        assert_eq!((edit.start, edit.delete_count), (10, 0));
        assert_eq!(edit.data, Some(tokens(&[1])));
    }

    #[test]
    fn nothing_changed_is_no_edit() {
        assert_eq!(difference(&tokens(&[1]), &tokens(&[1])), None);
    }

    #[test]
    fn the_legend_names_every_kind_once() {
        let legend = legend();
        let mut names: Vec<&str> = legend
            .token_types
            .iter()
            .map(SemanticTokenType::as_str)
            .collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(legend.token_modifiers.len() <= 32);
    }
}
