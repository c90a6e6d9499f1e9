//! Converts `if` and `else` to the builder's frames, which TVM's parser also accepts, and back: `with R.If(c):`
//! containing `with R.Then():` and `with R.Else():`. In PrimFuncs they are in `T`.

use relax::FunctionKind;
use relax::dialect::Dialect;
use relax::script::Namespace;
use syntax::ast::{self, AstNode};
use text_size::{TextRange, TextSize};

use super::Assists;
use crate::code_action::ActionKind;
use crate::dataflow::bound_in;
use crate::if_frames::Frames;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

pub fn to_frames(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let stmt = cx.around::<ast::IfStmt>(range);
    if let Some(stmt) = stmt
        && is_at(range, stmt.range().start(), stmt.then_suite())
        && let Some((script, edit)) = frames(cx, &stmt)
    {
        let title = format!("Write it as `with {script}.If`");
        let kind = ActionKind::RefactorRewrite;
        assists.add("if-to-frames", title, kind, || edit);
    }
}

pub fn to_statement(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let Some(covering) = cx.covering(range) else {
        return;
    };
    let around = covering.ancestors().filter_map(ast::WithStmt::cast);
    let frame = around
        .filter(|with| is_at(range, with.range().start(), with.body()))
        .find_map(|with| Frames::new(&with));
    if let Some(edit) = frame.and_then(|frame| frame.to_statement(cx)) {
        let title = "Write it as `if` and `else`";
        let kind = ActionKind::RefactorRewrite;
        assists.add("frames-to-if", title, kind, || edit);
    }
}

/// Returns `true` if the cursor is in a statement before its body.
fn is_at(range: TextRange, start: TextSize, body: Option<ast::Suite>) -> bool {
    body.is_some_and(|body| start <= range.start() && range.end() <= body.range().start())
}

/// Returns the edit that writes an `if` as frames, and the file's name for their namespace.
fn frames(cx: &FunctionContext<'_>, stmt: &ast::IfStmt) -> Option<(String, SourceEdit)> {
    let (test, then) = (stmt.test()?, stmt.then_suite()?);
    let namespace = match cx.function.kind(cx.db) {
        FunctionKind::Relax if cx.release.dialect() == Dialect::Rfc || is_used_after(cx, stmt) => {
            return None;
        }
        FunctionKind::Relax => Namespace::Relax,
        FunctionKind::PrimFunc => Namespace::Tir,
        FunctionKind::Macro | FunctionKind::Python => return None,
    };
    if !then.is_block() || stmt.elif_clauses().next().is_some() || !cx.starts_its_line(stmt.range())
    {
        return None;
    }
    let script = cx.alias(namespace);
    let (indent, step, newline) = (
        cx.indent(stmt.range().start()),
        cx.indent_step(),
        cx.newline(),
    );
    let before = TextRange::new(stmt.range().start(), test.range().start());
    let header = cx.lines(TextRange::empty(test.range().end()));
    let mut edit = SourceEdit::replace(before, format!("with {script}.If("))
        .and_insert(test.range().end(), ")")
        .and_insert(
            header.end(),
            format!("{indent}{step}with {script}.Then():{newline}"),
        );
    let end = cx.lines(stmt.range()).end();
    let then_end = match stmt.else_clause() {
        Some(clause) => {
            let keyword = TextRange::at(clause.range().start(), TextSize::of("else"));
            let otherwise = clause.suite()?;
            if !otherwise.is_block() || !cx.starts_its_line(keyword) {
                return None;
            }
            let line = cx.lines(keyword);
            edit = edit
                .and_replace(keyword, format!("{step}with {script}.Else()"))
                .and_all(cx.indented(TextRange::new(line.end(), end))?);
            line.start()
        }
        None if namespace == Namespace::Tir => end,
        None => return None,
    };
    edit = edit.and_all(cx.indented(TextRange::new(header.end(), then_end))?);
    Some((script.to_string(), edit))
}

/// Returns `true` if variables that the branches bind are used after the `if`. Frames would hide them.
fn is_used_after(cx: &FunctionContext<'_>, stmt: &ast::IfStmt) -> bool {
    let bound = || bound_in(cx, stmt.range());
    let is_bound = |id| bound().any(|(var, _)| var == id);
    let joins = cx
        .facts
        .joins
        .iter()
        .filter(|join| join.branches.iter().any(|it| is_bound(*it)));
    let after = joins.map(|join| join.after);
    after
        .chain(bound().map(|(var, _)| var))
        .any(|var| cx.uses(var).any(|it| !stmt.range().contains_range(it)))
}
