//! Moves statements about a block of a PrimFunc into a block, and merges duplicates.

use hir::prim_facts::{Access, PrimDefKind, Target};
use relax::Diagnostic;
use relax::script::Namespace;
use syntax::ast::{self, AstNode, Expr, Stmt};
use text_size::TextRange;

use super::Fixes;
use crate::dataflow::last_name;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Merges the statement into an earlier one of the same kind, or wraps it and what follows in a block.
pub fn merge_or_wrap(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(stmt) = cx.around::<Stmt>(diagnostic.range) else {
        return;
    };
    let Some(suite) = stmt.syntax().parent().and_then(ast::Suite::cast) else {
        return;
    };
    let stmts: Vec<Stmt> = suite.stmts().collect();
    let Some(at) = stmts.iter().position(|it| it.range() == stmt.range()) else {
        return;
    };
    let same = |it: &&Stmt| callee(cx, it).is_some() && callee(cx, it) == callee(cx, &stmt);
    if let Some(first) = stmts[..at].iter().find(same) {
        merge(cx, first, &stmt, fixes);
    } else {
        wrap(cx, &stmts[at..], fixes);
    }
}

/// Returns the callee of a call statement: `T.reads` for `T.reads(A[vi])`.
fn callee<'db>(cx: &FunctionContext<'db>, stmt: &Stmt) -> Option<&'db str> {
    Some(cx.slice(call(stmt)?.callee()?.range()))
}

fn call(stmt: &Stmt) -> Option<ast::CallExpr> {
    let Stmt::ExprStmt(stmt) = stmt else {
        return None;
    };
    match stmt.expr()? {
        Expr::CallExpr(call) => Some(call),
        _ => None,
    }
}

fn merge(cx: &FunctionContext<'_>, first: &Stmt, second: &Stmt, fixes: &mut Fixes) {
    let args = |stmt: &Stmt| -> Option<Vec<TextRange>> {
        let args = call(stmt)?.arg_list()?;
        let ranges = args.args().map(|arg| arg.range()).collect();
        Some(ranges)
    };
    let (Some(before), Some(more)) = (args(first), args(second)) else {
        return;
    };
    let Some(last) = before
        .last()
        .filter(|_| cx.alone_on_its_lines(second.range()))
    else {
        return;
    };
    let outputs_before: Vec<&str> = before.iter().map(|it| cx.slice(*it)).collect();
    let more = more.iter().map(|it| cx.slice(*it));
    let added = more
        .filter(|it| !outputs_before.contains(it))
        .map(|it| format!(", {it}"));
    let edit = SourceEdit::insert(last.end(), added.collect::<String>())
        .and_delete(cx.lines(second.range()));
    fixes.preferred("merge-statements", "Merge it with the first one", edit);
}

/// Wraps consecutive statements in `with T.block("C"):`.
fn wrap(cx: &FunctionContext<'_>, stmts: &[Stmt], fixes: &mut Fixes) {
    let (Some(first), Some(last)) = (stmts.first(), stmts.last()) else {
        return;
    };
    let range = TextRange::new(first.range().start(), last.range().end());
    if is_in_block(first) || !cx.starts_its_line(range) {
        return;
    }
    let block = if cx.release.has_tirx() {
        "sblock"
    } else {
        "block"
    };
    let script = cx.alias(Namespace::Tir);
    let header = format!("with {script}.{block}(\"{}\"):", written(cx, range));
    let Some(indented) = cx.indented(range) else {
        return;
    };
    let line = format!("{}{header}{}", cx.indent(range.start()), cx.newline());
    let edit = SourceEdit::insert(cx.lines(range).start(), line).and_all(indented);
    fixes.preferred("wrap-in-block", format!("Wrap it in `{header}`"), edit);
}

fn is_in_block(stmt: &Stmt) -> bool {
    let around = stmt.syntax().ancestors().filter_map(ast::WithStmt::cast);
    let opened = around.filter_map(|with| match with.items().next()?.context()? {
        Expr::CallExpr(call) => last_name(&call.callee()?),
        _ => None,
    });
    opened
        .into_iter()
        .any(|name| matches!(name.as_str(), "block" | "sblock"))
}

/// Returns a name for a block: the first buffer that is written in it.
fn written<'db>(cx: &FunctionContext<'db>, range: TextRange) -> &'db str {
    let facts = hir::function_prim_facts(cx.db, cx.function);
    let within = facts
        .mentions
        .iter()
        .filter(|it| range.contains_range(it.range));
    let mut writes = within.filter(|it| it.access == Access::Write);
    let buffer = writes.find_map(|it| match it.target {
        Target::Def(id) => {
            let def = facts.def(id);
            matches!(def.kind, PrimDefKind::Buffer(_)).then_some(def.name.as_str())
        }
        _ => None,
    });
    buffer.unwrap_or("block")
}
