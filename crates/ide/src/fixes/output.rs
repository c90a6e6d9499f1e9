//! Fixes the outputs of dataflow blocks.

use hir::facts::Def;
use relax::Diagnostic;
use syntax::ast::{self, AstNode};
use text_size::TextSize;

use super::Fixes;
use super::operands::without_argument;
use crate::dataflow::{DataflowBlock, output_call};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Adds an `R.output` of the variables that the block itself does not use.
pub fn add(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(block) = DataflowBlock::around(cx, diagnostic.range) else {
        return;
    };
    let vars = || {
        cx.facts
            .vars()
            .filter(|var| block.range().contains_range(var.range))
    };
    let mut names: Vec<&str> = vars()
        .filter(|var| !var.used && !var.name.starts_with('_'))
        .map(|var| var.name.as_str())
        .collect();
    if names.is_empty() {
        names.extend(vars().last().map(|var| var.name.as_str()));
    }
    if let Some(edit) = give(cx, &block, &names) {
        let title = format!("Add `{}`", block.output_call(cx, &names));
        fixes.preferred("add-output", title, edit);
    }
}

/// Adds the variable to the outputs of its block.
pub fn give_out(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let around = cx.body.exprs_around(diagnostic.range).into_iter();
    let mut named = around.filter(|&expr| cx.body.range(expr) == diagnostic.range);
    let Some(Def::Var(var)) = named.find_map(|expr| cx.facts.def(expr)) else {
        return;
    };
    let var = cx.facts.var(*var);
    let Some(block) = DataflowBlock::around(cx, var.name_range) else {
        return;
    };
    // A block without outputs gets all required ones at once.
    let mut names = vec![var.name.as_str()];
    if block.output.is_none() {
        let used = used_outside(cx, &block);
        names.extend(used.into_iter().filter(|it| it != var.name));
    }
    if let Some(edit) = give(cx, &block, &names) {
        let title = format!(
            "Output `{}` from {} dataflow block",
            names.join("`, `"),
            if names.len() == 1 { "its" } else { "their" }
        );
        fixes.certain("give-out", title, edit);
    }
}

/// Returns the variables of a block that are used outside of it, without duplicates.
fn used_outside<'db>(cx: &FunctionContext<'db>, block: &DataflowBlock) -> Vec<&'db str> {
    let mut names: Vec<&str> = Vec::new();
    for (expr, def) in cx.facts.defs() {
        let Def::Var(var) = def else { continue };
        let var = cx.facts.var(*var);
        let inside = block.range().contains_range(var.name_range)
            && !block.range().contains_range(cx.body.range(expr));
        if inside && !names.contains(&var.name.as_str()) {
            names.push(var.name.as_str());
        }
    }
    names
}

/// Adds names to the outputs of a block.
fn give(cx: &FunctionContext<'_>, block: &DataflowBlock, names: &[&str]) -> Option<SourceEdit> {
    if names.is_empty() {
        return None;
    }
    if let Some(output) = &block.output {
        let args = output.arg_list()?;
        let last = args.args().last();
        let (at, text) = match last {
            Some(last) => (
                last.syntax().text_range().end(),
                format!(", {}", names.join(", ")),
            ),
            None => (args.range().end() - TextSize::of(')'), names.join(", ")),
        };
        return Some(SourceEdit::insert(at, text));
    }
    let last = block.stmts.last()?;
    let indent = cx.indent(last.range().start());
    let at = cx.lines(last.range()).end();
    let call = block.output_call(cx, names);
    Some(SourceEdit::insert(
        at,
        format!("{indent}{call}{}", cx.newline()),
    ))
}

/// Removes a name from `R.output` that the block does not bind, or an `R.output` outside of a block.
pub fn correct(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let node = cx.covering(diagnostic.range);
    let parent = node.and_then(|it| it.parent());
    if !parent.is_some_and(|it| ast::ArgList::can_cast(it.kind())) {
        remove(cx, diagnostic, fixes);
    } else if let Some(edit) = without_argument(cx, diagnostic.range) {
        let title = format!("Remove `{}` from the outputs", cx.slice(diagnostic.range));
        fixes.preferred("remove-output", title, edit);
    }
}

fn remove(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let stmt = cx.around::<ast::ExprStmt>(diagnostic.range);
    if let Some(stmt) = stmt.filter(|it| cx.alone_on_its_lines(it.range())) {
        let edit = SourceEdit::delete(cx.lines(stmt.range()));
        fixes.preferred("remove-output", "Remove this output", edit);
    }
}

/// Moves `R.output` to the end of its block.
pub fn move_to_end(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(block) = DataflowBlock::around(cx, diagnostic.range) else {
        return;
    };
    let output = block.stmts.iter().find(|it| output_call(it).is_some());
    let (Some(output), Some(last)) = (output, block.stmts.last()) else {
        return;
    };
    let (from, to) = (cx.lines(output.range()), cx.lines(last.range()));
    if cx.alone_on_its_lines(output.range()) && from.end() <= to.start() {
        let edit = SourceEdit::delete(from).and_insert(to.end(), cx.slice(from));
        fixes.certain(
            "move-output",
            "Move `R.output` to the end of its block",
            edit,
        );
    }
}
