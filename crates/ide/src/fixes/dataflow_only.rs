//! Moves statements out of a dataflow block that cannot contain them.

use relax::Diagnostic;
use syntax::ast::AstNode;

use super::Fixes;
use crate::dataflow::{DataflowBlock, Part};
use crate::semantics::FunctionContext;

/// Moves the statement before or after the block, or splits the block around it.
pub fn move_out(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(block) = DataflowBlock::around(cx, diagnostic.range) else {
        return;
    };
    let rewritten = block.range().len();
    if fixes.checks.spend_on_rewriting(rewritten).is_none() {
        return;
    }
    let bindings = block.bindings();
    let found = bindings
        .iter()
        .position(|it| it.range().contains_range(diagnostic.range));
    let Some(index) = found else { return };
    let mut parts = Vec::new();
    if index > 0 {
        parts.push(Part::Block(0..index));
    }
    parts.push(Part::Beside(index));
    if index + 1 < bindings.len() {
        parts.push(Part::Block(index + 1..bindings.len()));
    }
    if let Some(edit) = block.take_apart(cx, &parts) {
        fixes.certain("move-out", "Move it out of the dataflow block", edit);
    }
}
