//! Fixes names: duplicates, the number of loop variables, and global symbols.

use hir::body::Expr;
use relax::Diagnostic;
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Names for loop variables, in order of preference.
const LOOPS: &[&str] = &["i", "j", "k", "l", "m", "n"];

/// Appends a number to a name that is bound twice.
pub fn rename_second(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let old = cx.slice(diagnostic.range);
    let new = free(cx, (1..).map(|number| format!("{old}_{number}")));
    let title = format!("Rename this one to `{new}`");
    let edit = SourceEdit::replace(diagnostic.range, new);
    fixes.possible("rename-second", title, edit);
}

/// Adjusts the number of loop variables to the number of extents.
pub fn count_loops(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(stmt) = cx.around::<ast::ForStmt>(diagnostic.range) else {
        return;
    };
    let (Some(ast::Expr::TupleExpr(target)), Some(ast::Expr::CallExpr(call))) =
        (stmt.target(), stmt.iterable())
    else {
        return;
    };
    let names: Vec<TextRange> = target.elements().map(|it| it.range()).collect();
    let extents = call.arg_list().map_or(0, |args| args.args().count());
    let Some(last) = names.last() else { return };
    if names.len() < extents {
        let mut added: Vec<String> = Vec::new();
        for _ in names.len()..extents {
            let plain = LOOPS.iter().map(|&name| name.to_owned());
            let numbered = (0..).map(|number| format!("i_{number}"));
            let unused = plain.chain(numbered).filter(|it| !added.contains(it));
            added.push(free(cx, unused));
        }
        let text = added.join(", ");
        let title = format!("Add `{text}`");
        let edit = SourceEdit::insert(last.end(), format!(", {text}"));
        fixes.preferred("add-loop-variables", title, edit);
    } else if let Some([kept, surplus @ ..]) = names.get(extents.saturating_sub(1)..)
        && extents > 1
        && !surplus.is_empty()
    {
        let body = stmt.range();
        let body = TextRange::new(call.range().end(), body.end());
        let used = cx.names_in(body);
        if surplus.iter().all(|it| !used.contains(&cx.slice(*it))) {
            let range = TextRange::new(kept.end(), last.end());
            let names: Vec<_> = surplus.iter().map(|it| cx.slice(*it)).collect();
            let title = format!("Remove `{}`", names.join("`, `"));
            let edit = SourceEdit::delete(range);
            fixes.preferred("remove-loop-variables", title, edit);
        }
    }
}

/// Changes the global symbol of a function to its name.
pub fn correct_symbol(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let within = cx.body.expr_ranges_in(diagnostic.range);
    let mut within = within.filter(|(_, range)| diagnostic.range.contains_range(*range));
    let symbol = within.find_map(|(expr, _)| match &cx.body.exprs[expr] {
        Expr::Dict(entries) => entries.iter().find_map(|(key, value)| {
            let is_symbol =
                matches!(&cx.body.exprs[(*key)?], Expr::Str(key) if key == "global_symbol");
            is_symbol.then_some(cx.body.range(*value))
        }),
        _ => None,
    });
    if let Some(symbol) = symbol {
        let name = cx.function.name(cx.db);
        let title = format!("Change {} to \"{name}\"", cx.slice(symbol));
        let edit = SourceEdit::replace(symbol, format!("\"{name}\""));
        fixes.preferred("correct-symbol", title, edit);
    }
}

/// Returns the first of the given names that does not occur in the function.
fn free(cx: &FunctionContext<'_>, mut names: impl Iterator<Item = String>) -> String {
    let held = cx.names_in(TextRange::up_to(
        cx.text().len().try_into().unwrap_or_default(),
    ));
    let found = names.find(|name| !held.contains(&name.as_str()));
    found.expect("there are more names than a function holds")
}
