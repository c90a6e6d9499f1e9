//! Splits a dataflow block in two at the cursor, or merges two adjacent ones.

use syntax::ast::{self, AstNode, Stmt};
use text_size::TextRange;

use super::Assists;
use crate::code_action::ActionKind;
use crate::dataflow::{DataflowBlock, Part, bound_in};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Ends the block before the binding under the cursor, and begins another one.
pub fn split(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let Some(block) = DataflowBlock::around(cx, range) else {
        return;
    };
    let bindings = block.bindings();
    let at = bindings
        .iter()
        .position(|it| it.range().contains_range(range));
    let Some(at) = at.filter(|at| *at > 0) else {
        return;
    };
    let parts = [Part::Block(0..at), Part::Block(at..bindings.len())];
    let title = "Split the dataflow block here";
    assists.add("split-dataflow", title, ActionKind::RefactorRewrite, || {
        block.take_apart(cx, &parts).unwrap_or_default()
    });
}

/// Moves the bindings of the next block into the block under the cursor.
pub fn merge(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>) {
    let Some(block) = DataflowBlock::around(cx, range) else {
        return;
    };
    let Some(next) = block
        .with
        .syntax()
        .next_sibling()
        .and_then(ast::WithStmt::cast)
    else {
        return;
    };
    let Some(next) = DataflowBlock::new(next) else {
        return;
    };
    let (Some(output), Some(first), Some(last)) =
        (output(&block), next.stmts.first(), output(&next))
    else {
        return;
    };
    let between = TextRange::new(
        cx.lines(block.range()).end(),
        cx.lines(next.range()).start(),
    );
    if !cx.slice(between).trim().is_empty() || !cx.alone_on_its_lines(output.range()) {
        return;
    }
    let title = "Merge with the next dataflow block";
    assists.add("merge-dataflow", title, ActionKind::RefactorRewrite, || {
        // Variables that only the second block used are no longer outputs.
        let inside = block.range().cover(next.range());
        let mut names: Vec<String> = block.outputs();
        names.retain(|name| {
            let bound = bound_in(cx, block.range()).filter(|(_, it)| it == name);
            bound
                .last()
                .is_some_and(|(var, _)| cx.uses(var).any(|it| !inside.contains_range(it)))
        });
        names.extend(next.outputs());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let removed = TextRange::new(
            cx.lines(output.range()).start(),
            cx.lines(first.range()).start(),
        );
        SourceEdit::delete(removed).and_replace(last.range(), block.output_call(cx, &names))
    });
}

fn output(block: &DataflowBlock) -> Option<Stmt> {
    let output = block.output.as_ref()?;
    block
        .stmts
        .iter()
        .find(|it| it.range().contains_range(output.range()))
        .cloned()
}
