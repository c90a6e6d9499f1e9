//! What a dataflow block cannot hold moves out of it.

use hir::Diagnostic;
use syntax::ast::AstNode;

use super::Fixes;
use crate::dataflow::{DataflowBlock, Part};
use crate::function_context::FunctionContext;

/// The statement moves before or after the block, or between two halves of it.
pub fn move_out(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(block) = DataflowBlock::around(cx, diagnostic.range) else {
        return;
    };
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
        fixes.preferred("move-out", "Move it out of the dataflow block", edit);
    }
}
