//! Unrolls a Python loop in a Relax function if the number of iterations is a literal.

use relax::Diagnostic;
use syntax::SyntaxKind;
use syntax::ast::{self, AstNode, Expr, Stmt};
use text_size::TextRange;

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Loops with more iterations are not unrolled.
const MAX_STEPS: u32 = 8;

/// Replaces `for i in range(3)` with three copies of its body.
pub fn unroll(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(Stmt::ForStmt(stmt)) = cx.around::<Stmt>(diagnostic.range) else {
        return;
    };
    if let Some((steps, edit)) = unrolled(cx, &stmt) {
        let title = format!("Unroll the {steps} iterations");
        fixes.possible("unroll", title, edit);
    }
}

fn unrolled(cx: &FunctionContext<'_>, stmt: &ast::ForStmt) -> Option<(u32, SourceEdit)> {
    let Expr::NameExpr(index) = stmt.target()? else {
        return None;
    };
    let steps = steps(cx, &stmt.iterable()?)?;
    let body = stmt.body()?;
    let stmts: Vec<Stmt> = body.stmts().collect();
    let simple = |stmt: &Stmt| matches!(stmt, Stmt::AssignStmt(_) | Stmt::AnnAssignStmt(_));
    if !body.is_block() || stmt.else_clause().is_some() || !stmts.iter().all(simple) {
        return None;
    }
    let (outer, newline) = (cx.indent(stmt.range().start()), cx.newline());
    let index = index.text();
    let index = index.as_str();
    let step = |at: u32| {
        let stmts = stmts.iter().map(move |stmt| {
            let names = stmt.syntax().descendants_with_tokens();
            let names = names.filter_map(syntax::NodeOrToken::into_token);
            let names = names.filter(|it| {
                let named = it.kind() == SyntaxKind::IDENT && it.text() == index;
                named
                    && it
                        .parent()
                        .is_some_and(|it| ast::NameExpr::can_cast(it.kind()))
            });
            let edit = names.fold(SourceEdit::default(), |edit, name| {
                edit.and_replace(name.text_range() - stmt.range().start(), at.to_string())
            });
            edit.apply(cx.slice(stmt.range()))
        });
        stmts.collect::<Vec<String>>()
    };
    let lines: Vec<String> = (0..steps).flat_map(step).collect();
    let range = TextRange::new(stmt.range().start(), stmts.last()?.range().end());
    // A comment belongs to no single iteration.
    if cx.slice(range).contains('#') {
        return None;
    }
    let text = lines.join(&format!("{newline}{outer}"));
    Some((steps, SourceEdit::replace(range, text)))
}

/// Returns the number in `range(3)`.
fn steps(cx: &FunctionContext<'_>, iterable: &Expr) -> Option<u32> {
    let Expr::CallExpr(call) = iterable else {
        return None;
    };
    let args: Vec<ast::Arg> = call.arg_list()?.args().collect();
    let [only] = args.as_slice() else {
        return None;
    };
    let is_range = cx.slice(call.callee()?.range()) == "range";
    let steps: u32 = cx.slice(only.range()).parse().ok()?;
    (is_range && (1..=MAX_STEPS).contains(&steps)).then_some(steps)
}
