//! The metadata of a file: `metadata = tvm.ir.load_json("...")` at its top level, as TVM prints it.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use syntax::ast::{self, AstNode};
use text_size::TextSize;

use super::PyValue;
use crate::metadata::Metadata;

/// The metadata by the offsets of their texts.
#[derive(Default)]
pub(crate) struct Loaded(pub FxHashMap<TextSize, Arc<Metadata>>);

impl Loaded {
    /// Returns the value of an expression that loads a text, and `None` for any other.
    pub fn value(&self, expr: &ast::Expr) -> Option<PyValue> {
        let offset = loaded_text(expr)?.syntax().text_range().start();
        let metadata = self.0.get(&offset);
        Some(metadata.map_or(PyValue::Unknown, |it| PyValue::Metadata(Arc::clone(it))))
    }
}

/// Returns the text that an expression loads.
pub(crate) fn loaded_text(expr: &ast::Expr) -> Option<ast::StringLit> {
    let ast::Expr::CallExpr(call) = expr else {
        return None;
    };
    let Some(ast::Expr::AttributeExpr(callee)) = call.callee() else {
        return None;
    };
    if callee.name()?.text() != "load_json" {
        return None;
    }
    let mut args = call.arg_list()?.args();
    match (args.next()?.value(), args.next()) {
        (Some(ast::Expr::StringLit(text)), None) => Some(text),
        _ => None,
    }
}
