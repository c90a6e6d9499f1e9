//! Lists names, keywords and operators that have no equivalent in the target release, with the advice of their row.

use relax::evidence::{Evidence, EvidenceId, EvidenceOf, evidences};
use relax::ops;
use relax::release::{Form, meanings};
use relax::script::Namespace;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode};

use super::Pass;

/// Operators whose arguments all changed their meaning in some release.
const RESHAPED: &[&str] = &["R.image.grid_sample"];

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    let Some(subscript) = ast::SubscriptExpr::cast(node.clone()) else {
        return;
    };
    let base = subscript.base();
    let name = base.and_then(|it| pass.script_name(&it));
    if let Some(message) = name.and_then(|it| lost(pass, &it, |it| it == EvidenceOf::Subscript)) {
        pass.leave(subscript.range(), message);
    }
}

/// Returns the message for a name that the target release does not have, or `None` if the name still exists.
fn lost(pass: &Pass<'_>, name: &str, is_it: impl Fn(EvidenceOf) -> bool) -> Option<String> {
    let (letter, rest) = name.split_once('.')?;
    let namespace = Namespace::of_letter(letter);
    let all = evidences();
    let last = rest.rsplit('.').next().unwrap_or(rest);
    let mut rows = all.by_name(last).iter().map(|id: &EvidenceId| all.row(*id));
    let row = rows.find(|row| {
        let is_lost =
            row.namespace == namespace && row.name == rest && pass.transition.loses(row.releases);
        is_lost && is_it(row.of) && !row.weak
    })?;
    let to = pass.transition.to.title();
    let source = row.spelling.map(|it| format!(" ({})", it.source));
    let source = source.unwrap_or_default();
    let spelling = row
        .spelling
        .filter(|it| it.has_replacement(pass.transition.to));
    Some(match spelling.map_or("", |it| it.instead) {
        "" => format!("{to} does not have `{name}`{source}"),
        instead => format!("use `{instead}` in {to}{source}"),
    })
}

/// Returns `true` for a keyword that has another name in other releases, so that its position stays the same.
fn is_renamed(row: &Evidence) -> bool {
    let form = row.spelling.map(|it| it.form);
    matches!(form, Some(Form::Keyword(_, _, Some(_))))
}

/// Lists a call if its name or one of its keywords is gone, or if the operator's arguments changed their meaning.
pub fn call(pass: &mut Pass<'_>, call: &ast::CallExpr, name: &str, args: &[ast::Arg]) {
    let is_call = |it| matches!(it, EvidenceOf::Name | EvidenceOf::Call);
    if let Some(message) = lost(pass, name, is_call) {
        return pass.leave(call.range(), message);
    }
    let Some((letter, rest)) = name.split_once('.') else {
        return;
    };
    let (transition, all) = (pass.transition, evidences());
    let namespace = Namespace::of_letter(letter);
    let operator = ops::by_script(rest, transition.from).filter(|_| letter == "R");
    for (at, arg) in args.iter().enumerate() {
        let keyword = arg.keyword();
        let param = match &keyword {
            Some(keyword) => Some(keyword.text()),
            None if arg.stars() != ast::Stars::None => continue,
            None => operator.and_then(|it| Some(it.params.get(at)?.name)),
        };
        let Some(param) = param else { continue };
        let is_lost = |id: &EvidenceId| {
            let row = all.row(*id);
            row.namespace == namespace
                && row.name == rest
                && transition.loses(row.releases)
                && !row.weak
                && (keyword.is_some() || !is_renamed(row))
        };
        if all.by_keyword(param).iter().any(is_lost) {
            let message = format!("`{name}` has no `{param}` in {}", transition.to.title());
            pass.leave(arg.range(), message);
        }
    }
    for change in meanings(rest).filter(|_| RESHAPED.contains(&name)) {
        if transition.enters(change.since) || transition.leaves(change.since) {
            pass.leave(call.range(), change.sentence());
        }
    }
}
