//! Replaces the spelling under the cursor with that of other releases.

use relax::release::{Form, Release, Spelling, spellings};
use syntax::SyntaxToken;
use text_size::TextRange;

use syntax::ast::AstNode;

use super::Assists;
use crate::code_action::ActionKind;
use crate::respell::respelled;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

pub fn change(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let mut tokens = syntax::tokens_at(cx.tree.syntax(), range.start());
    let found = tokens.find_map(|token| {
        let (row, new) = spellings().find_map(|row| Some((row, replacement(row, &token)?)))?;
        Some((token, row, new))
    });
    let Some((token, row, new)) = found else {
        return in_other_words(cx, range, assists);
    };
    let after = row.releases.last().and_then(Release::next);
    let Some(other) = after.or_else(|| row.releases.since.previous()) else {
        return;
    };
    let title = format!("Write `{new}` ({})", other.title());
    assists.add(
        "change-spelling",
        title,
        ActionKind::RefactorRewrite,
        || SourceEdit::replace(token.text_range(), new),
    );
}

/// Offers to rewrite a construct that another release spells with a different structure.
fn in_other_words(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let mut newest_first = Release::ALL.into_iter().rev();
    let found = newest_first.find_map(|other| Some((other, respelled(cx, range, other)?)));
    let Some((other, respelled)) = found else {
        return;
    };
    let title = format!("Write `{}` ({})", respelled.shown, other.title());
    let kind = ActionKind::RefactorRewrite;
    assists.add("change-spelling", title, kind, || respelled.edit);
}

/// Returns what releases without this spelling write instead of `token`.
fn replacement(row: &'static Spelling, token: &SyntaxToken) -> Option<&'static str> {
    match row.form {
        Form::Name(path, new) => {
            let (_, name) = path.rsplit_once('.')?;
            let after_dot = token.prev_token().is_some_and(|it| it.text() == ".");
            new.filter(|_| after_dot && token.text() == name)
        }
        Form::Keyword(_, name, new) => {
            let before_value = token.next_token().is_some_and(|it| it.text() == "=");
            new.filter(|_| before_value && token.text() == name)
        }
        _ => None,
    }
}
