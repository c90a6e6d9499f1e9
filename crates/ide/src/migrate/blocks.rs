//! Moves the statements under a `with` out of it, for blocks that became plain statements.

use syntax::SyntaxKind;
use syntax::ast::{self, AstNode, Expr};
use text_size::TextRange;

use super::{Pass, size};

/// If a `with` has exactly one item, and that is a call of `name`, returns the call and its target.
pub fn context(
    pass: &Pass<'_>,
    with: &ast::WithStmt,
    name: &str,
) -> Option<(ast::CallExpr, Option<Expr>)> {
    let mut items = with.items();
    let (item, None) = (items.next()?, items.next()) else {
        return None;
    };
    let Expr::CallExpr(call) = item.context()? else {
        return None;
    };
    let called = pass.script_name(&call.callee()?)?;
    (called == name).then(|| (call, item.target()))
}

/// Replaces the line of a `with` with `statement`, and dedents the body of the `with`.
pub fn unwrap(pass: &mut Pass<'_>, with: &ast::WithStmt, statement: &str) {
    beside(pass, with, Some(statement));
}

/// Replaces a `with` with its dedented body.
pub fn unwrap_bare(pass: &mut Pass<'_>, with: &ast::WithStmt) {
    beside(pass, with, None);
}

fn beside(pass: &mut Pass<'_>, with: &ast::WithStmt, statement: Option<&str>) {
    let Some(body) = with.body() else { return };
    let (Some(first), Some(last)) = (body.stmts().next(), body.stmts().last()) else {
        return;
    };
    let column = |at: usize| at - pass.text[..at].rfind('\n').map_or(0, |it| it + 1);
    let start = usize::from(with.range().start());
    let shift = column(first.range().start().into()).checked_sub(column(start));
    let colon = body.syntax().parent().and_then(|it| {
        let tokens = it
            .children_with_tokens()
            .filter_map(syntax::NodeOrToken::into_token);
        tokens.filter(|it| it.kind() == SyntaxKind::COLON).last()
    });
    let (Some(shift), Some(colon)) = (shift, colon) else {
        return;
    };
    let rest = TextRange::new(colon.text_range().end(), last.range().end());
    let text = pass.slice(rest);
    if !text[..usize::from(first.range().start() - rest.start())].contains('\n') {
        return;
    }
    let root = pass.tree.syntax().clone();
    let mut out = statement.unwrap_or_default().to_owned();
    let mut at = usize::from(rest.start());
    for line in text.split_inclusive('\n') {
        // Don't dedent the inside of a string: it is part of the program.
        let around = syntax::tokens_at(&root, size(at)).left_biased();
        let is_in_token = around.is_some_and(|it| {
            let range = it.text_range();
            range.start() < size(at) && size(at) < range.end() && it.kind() == SyntaxKind::STRING
        });
        let indent = line.len() - line.trim_start_matches(' ').len();
        let is_first = at == usize::from(rest.start());
        let cut = if is_first || is_in_token {
            0
        } else {
            shift.min(indent)
        };
        out.push_str(&line[cut..]);
        at += line.len();
    }
    if statement.is_none() {
        let start = out.len() - out.trim_start().len();
        out.drain(..start);
    }
    pass.replace(TextRange::new(size(start), rest.end()), out);
}
