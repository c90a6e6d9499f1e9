//! Fixes a mismatch at its origin: the annotation of a parameter, or the value of an operand, is as likely wrong as
//! the call.

use relax::Diagnostic;
use relax::dtype::DType;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode};
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, SyntaxToken};

use super::Fixes;
use crate::annotations;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// The maximum number of changes that are tried.
pub(super) const MAX_TRIED: usize = 8;

/// Changes a dimension or a dtype in a parameter's annotation to resolve a mismatch, if no error remains then.
pub fn correct(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if fixes.only_certain {
        return;
    }
    let Some((one, other)) = &diagnostic.differing else {
        return;
    };
    let function = cx.facts.function_at(diagnostic.range);
    let Some(function) = cx.facts.functions.get(function) else {
        return;
    };
    // Start with the parameters that the diagnostic mentions.
    let mut params: Vec<_> = function.params.iter().map(|it| cx.facts.var(*it)).collect();
    let is_related = |range| diagnostic.related.iter().any(|(it, _)| *it == range);
    params.sort_by_key(|var| !is_related(var.name_range));
    let places = params.iter().filter_map(|var| {
        let annotation = cx.around::<ast::Param>(var.name_range)?.annotation()?;
        let place = format!("in the annotation of `{}`", var.name);
        Some((annotation.syntax().clone(), place))
    });
    let ways = [(one, other), (other, one)];
    for (title, edit) in changes(cx, places, &ways).take(MAX_TRIED) {
        if fixes.checking(cx).improves(&edit) == Some(true) {
            fixes.possible("correct-parameter", title, edit);
        }
    }
}

/// Like `correct`, for the value of an operand or the arguments of the call itself.
pub fn correct_value(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if fixes.only_certain {
        return;
    }
    let Some((one, other)) = &diagnostic.differing else {
        return;
    };
    let related = diagnostic.related.iter().map(|(range, _)| *range);
    let mut vars: Vec<_> = related.filter_map(|it| cx.facts.var_named_at(it)).collect();
    vars.dedup_by_key(|var| var.id);
    let values = vars.iter().filter_map(|var| {
        let value = cx.covering(cx.body.range(var.value?))?;
        Some((value, format!("in the value of `{}`", var.name)))
    });
    let call = cx.around::<ast::CallExpr>(diagnostic.range);
    let here = call.map(|it| (it.syntax().clone(), "here".to_owned()));
    let ways = [(one, other), (other, one)];
    let places = here.into_iter().chain(values);
    for (title, edit) in changes(cx, places, &ways).take(MAX_TRIED) {
        if fixes.checking(cx).improves(&edit) == Some(true) {
            fixes.possible("correct-value", title, edit);
        }
    }
}

/// Returns edits that replace one dimension or dtype with another at the given nodes.
pub(super) fn changes<'c>(
    cx: &'c FunctionContext<'_>,
    places: impl Iterator<Item = (SyntaxNode, String)> + 'c,
    ways: &'c [(&'c SmolStr, &'c SmolStr)],
) -> impl Iterator<Item = (String, SourceEdit)> + 'c {
    places.flat_map(move |(node, place)| {
        let tokens = node.descendants_with_tokens();
        let tokens: Vec<SyntaxToken> = tokens.filter_map(NodeOrToken::into_token).collect();
        let ways = tokens
            .into_iter()
            .flat_map(move |token| ways.iter().map(move |way| (token.clone(), way)));
        ways.filter_map(move |(token, (old, new))| {
            let text = replaced(cx, &token, old, new)?;
            let title = format!("Change `{old}` to `{new}` {place}");
            Some((title, SourceEdit::replace(token.text_range(), text)))
        })
    })
}

/// Returns a dimension or a dtype of an annotation with `old` replaced by `new`.
fn replaced(cx: &FunctionContext<'_>, token: &SyntaxToken, old: &str, new: &str) -> Option<String> {
    let text = token.text();
    let quoted = token.kind() == SyntaxKind::STRING;
    let dtype = if quoted {
        text.trim_matches(['"', '\''])
    } else {
        text
    };
    if dtype != old {
        return None;
    }
    if DType::parse(new).is_some() {
        return quoted.then(|| text.replace(old, new));
    }
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    match token.kind() {
        SyntaxKind::INT | SyntaxKind::STRING | SyntaxKind::IDENT if is_name(new) => {
            let signature = cx.is_at_header(token.text_range());
            Some(if signature {
                annotations::dimension(cx, new)
            } else {
                new.to_owned()
            })
        }
        _ => None,
    }
}
