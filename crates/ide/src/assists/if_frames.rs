//! `if` and `else` become the frames of the builder, which TVM's parser takes as well, and back:
//! `with R.If(c):` holds `with R.Then():` and `with R.Else():`; in PrimFuncs they are under `T`.

use relax::FunctionKind;
use relax::dialect::Dialect;
use relax::script::Namespace;
use syntax::ast::{self, AstNode, Expr, Stmt};
use text_size::{TextRange, TextSize};

use super::Assists;
use crate::code_action::ActionKind;
use crate::dataflow::{bound_in, last_name};
use crate::function_context::FunctionContext;
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

/// Whether the cursor is before the body of a statement.
fn is_at(range: TextRange, start: TextSize, body: Option<ast::Suite>) -> bool {
    body.is_some_and(|body| start <= range.start() && range.end() <= body.range().start())
}

/// An `if` as frames, and what the file calls their namespace.
fn frames(cx: &FunctionContext<'_>, stmt: &ast::IfStmt) -> Option<(String, SourceEdit)> {
    let (test, then) = (stmt.test()?, stmt.then_suite()?);
    let namespace = match cx.function.kind(cx.db) {
        FunctionKind::Relax if cx.dialect == Dialect::Rfc || is_used_after(cx, stmt) => {
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

/// Whether what the branches bind is used behind them: it is not in reach behind frames.
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

/// `with R.If(test):` with the frames in it.
pub struct Frames {
    pub with: ast::WithStmt,
    call: ast::CallExpr,
    test: TextRange,
    then: ast::WithStmt,
    otherwise: Option<ast::WithStmt>,
}

impl Frames {
    pub fn new(with: &ast::WithStmt) -> Option<Frames> {
        let call = frame(with, "If")?;
        let test = call.arg_list()?.args().next()?.value()?.range();
        let inner: Vec<Stmt> = with.body()?.stmts().collect();
        let (then, otherwise) = match inner.as_slice() {
            [Stmt::WithStmt(then)] => (then, None),
            [Stmt::WithStmt(then), Stmt::WithStmt(otherwise)] => {
                frame(otherwise, "Else")?;
                (then, Some(otherwise.clone()))
            }
            _ => return None,
        };
        frame(then, "Then")?;
        Some(Frames {
            with: with.clone(),
            call,
            test,
            then: then.clone(),
            otherwise,
        })
    }

    /// The same as `if` and `else`.
    pub fn to_statement(&self, cx: &FunctionContext<'_>) -> Option<SourceEdit> {
        let outer = cx.indent(self.with.range().start());
        let step = cx.indent(self.then.range().start()).strip_prefix(outer)?;
        let start = |with: &ast::WithStmt| cx.lines(TextRange::empty(with.range().start()));
        let before = TextRange::new(self.with.range().start(), self.test.start());
        let mut edit = SourceEdit::replace(before, "if ")
            .and_delete(TextRange::new(self.test.end(), self.call.range().end()));
        // A comment between the headers belongs to the branch.
        let header = cx.lines(TextRange::empty(self.call.range().end()));
        let then = start(&self.then);
        let end = cx.lines(self.with.range()).end();
        let then_end = match &self.otherwise {
            Some(otherwise) => {
                let line = start(otherwise);
                let call = frame(otherwise, "Else")?.range();
                let old = TextRange::new(otherwise.range().start(), call.end());
                let inner = TextRange::new(line.end(), end);
                edit = edit
                    .and_delete(TextRange::at(line.start(), TextSize::of(step)))
                    .and_replace(old, "else")
                    .and_all(cx.dedented(inner, outer, step)?);
                line.start()
            }
            None => end,
        };
        let inner = TextRange::new(then.end(), then_end);
        let is_plain = cx
            .slice(TextRange::new(header.end(), then.end()))
            .lines()
            .count()
            == 1
            && !cx.slice(then).contains('#');
        if !is_plain {
            return None;
        }
        Some(
            edit.and_delete(then)
                .and_all(cx.dedented(inner, outer, step)?),
        )
    }
}

/// The call of `with R.If(...):`, if it opens a frame of this name.
fn frame(with: &ast::WithStmt, name: &str) -> Option<ast::CallExpr> {
    let mut items = with.items();
    let (Some(item), None) = (items.next(), items.next()) else {
        return None;
    };
    let Expr::CallExpr(call) = item.context()? else {
        return None;
    };
    (last_name(&call.callee()?)? == name && with.body()?.is_block()).then_some(call)
}
