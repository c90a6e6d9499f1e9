//! Extracts selected statements into a local function, and calls it.

use std::fmt::Write;

use hir::facts::{VarId, VarKind};
use rustc_hash::FxHashSet;
use syntax::ast::{self, AstNode, Stmt};
use text_size::TextRange;

use super::Assists;
use crate::annotations;
use crate::code_action::ActionKind;
use crate::dataflow::{DataflowBlock, bound_in, used_in};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

pub fn extract(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    if range.is_empty() || DataflowBlock::around(cx, range).is_some() {
        return;
    }
    let Some(suite) = cx.around::<ast::Suite>(range) else {
        return;
    };
    let selected: Vec<Stmt> = suite
        .stmts()
        .filter(|stmt| {
            stmt.range()
                .intersect(range)
                .is_some_and(|it| !it.is_empty())
        })
        .collect();
    let (Some(first), Some(last)) = (selected.first(), selected.last()) else {
        return;
    };
    let movable = |stmt: &Stmt| {
        matches!(
            stmt,
            Stmt::AssignStmt(_) | Stmt::AnnAssignStmt(_) | Stmt::WithStmt(_)
        )
    };
    // `cls = Module` belongs to the whole function, so it must not move.
    let binds = |stmt: &Stmt| bound_in(cx, stmt.range()).next().is_some();
    if !selected.iter().all(|it| movable(it) && binds(it)) {
        return;
    }
    let whole = first.range().cover(last.range());
    if let Some(edit) = function(cx, whole) {
        let kind = ActionKind::RefactorExtract;
        assists.add(
            "extract-function",
            "Extract to a local function",
            kind,
            || edit,
        );
    }
}

fn function(cx: &FunctionContext<'_>, whole: TextRange) -> Option<SourceEdit> {
    let bound: FxHashSet<VarId> = bound_in(cx, whole).map(|it| it.0).collect();
    let mut params: Vec<VarId> = used_in(cx, whole)
        .filter(|var| !bound.contains(var) && cx.facts.var(*var).kind != VarKind::Function)
        .collect();
    params.sort_by_key(|var| var.0);
    params.dedup();
    let after = TextRange::new(whole.end(), cx.tree.syntax().text_range().end());
    let used_after: FxHashSet<VarId> = used_in(cx, after).collect();
    let results: Vec<VarId> = bound_in(cx, whole)
        .map(|(var, _)| var)
        .filter(|var| used_after.contains(var))
        .collect();
    let mut header = Vec::new();
    for param in &params {
        let var = cx.facts.var(*param);
        let annotation = annotations::in_body(cx, var.struct_info)?;
        header.push(format!("{}: {annotation}", var.name));
    }
    let names: Vec<&str> = results
        .iter()
        .map(|it| cx.facts.var(*it).name.as_str())
        .collect();
    let arguments: Vec<&str> = params
        .iter()
        .map(|it| cx.facts.var(*it).name.as_str())
        .collect();
    let annotated: Option<Vec<String>> = results
        .iter()
        .map(|it| annotations::in_body(cx, cx.facts.var(*it).struct_info))
        .collect();
    let annotated = annotated?;
    let name = cx.free_name("extracted");
    let (indent, newline) = (cx.indent(whole.start()), cx.newline());
    let call = format!("{name}({})", arguments.join(", "));
    let (returned, ret, bound) = match names.as_slice() {
        [] => return None,
        [one] => (
            (*one).to_owned(),
            annotated.concat(),
            format!("{indent}{one} = {call}{newline}"),
        ),
        several => {
            let tuple = cx.free_name("lv");
            let mut bound = format!("{indent}{tuple} = {call}{newline}");
            for (at, name) in several.iter().enumerate() {
                let _ = write!(bound, "{indent}{name} = {tuple}[{at}]{newline}");
            }
            let ret = format!("{}({})", cx.relax("Tuple"), annotated.join(", "));
            (format!("({})", several.join(", ")), ret, bound)
        }
    };
    let pure = cx.facts.functions[cx.facts.function_at(whole)].pure;
    let function = cx.relax("function");
    let purity = if pure { "" } else { "(pure=False)" };
    let step = cx.indent_step();
    let lines = cx.lines(whole);
    let mut text = format!(
        "{indent}@{function}{purity}{newline}{indent}def {name}({}) -> {ret}:{newline}",
        header.join(", ")
    );
    for line in cx.slice(lines).split_inclusive('\n') {
        if !line.trim().is_empty() {
            text.push_str(step);
        }
        text.push_str(line);
    }
    let _ = write!(text, "{indent}{step}return {returned}{newline}{bound}");
    Some(SourceEdit::replace(lines, text))
}
