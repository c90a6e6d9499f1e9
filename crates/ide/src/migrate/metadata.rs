//! Constants that a text names by index, which have another key since TVM 0.27, and the metadata that has them.

use hir::metadata::{CONSTANT_KEYS, Metadata};
use relax::release::Release;
use relax::script::METADATA;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode};

use super::Pass;

/// The release of the newer key.
const NEWER: Release = Release::V0_27;

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    let (enters, leaves) = (pass.transition.enters(NEWER), pass.transition.leaves(NEWER));
    if !enters && !leaves {
        return;
    }
    if let Some(subscript) = ast::SubscriptExpr::cast(node.clone()) {
        key(pass, &subscript, enters);
    } else if let Some(call) = ast::CallExpr::cast(node.clone()) {
        loaded(pass, &call, enters);
    }
}

/// Renames the key of `metadata["relax.expr.Constant"]`.
fn key(pass: &mut Pass<'_>, subscript: &ast::SubscriptExpr, enters: bool) {
    let is_metadata =
        matches!(subscript.base(), Some(ast::Expr::NameExpr(name)) if name.text() == METADATA);
    let Some(ast::Expr::StringLit(key)) = subscript.index().filter(|_| is_metadata) else {
        return;
    };
    let [newer, older] = CONSTANT_KEYS;
    let (before, after) = if enters {
        (older, newer)
    } else {
        (newer, older)
    };
    if key.value().as_deref() == Some(before) {
        pass.replace(key.range(), format!("\"{after}\""));
    }
}

/// Writes the metadata for TVM 0.27.
fn loaded(pass: &mut Pass<'_>, call: &ast::CallExpr, enters: bool) {
    let Some(ast::Expr::AttributeExpr(callee)) = call.callee() else {
        return;
    };
    let is_load = callee.name().is_some_and(|it| it.text() == "load_json");
    let Some(ast::Expr::StringLit(literal)) = super::args_of(call)
        .first()
        .filter(|_| is_load)
        .and_then(ast::Arg::value)
    else {
        return;
    };
    let metadata = Metadata::read(&literal.value().unwrap_or_default());
    let [newer, older] = CONSTANT_KEYS;
    let other = if enters { older } else { newer };
    if !metadata
        .constants()
        .any(|(reference, _)| reference.key == other)
    {
        return;
    }
    match metadata.to_newest().filter(|_| enters) {
        Some(json) => {
            let escaped = json.replace('\\', "\\\\").replace('"', "\\\"");
            pass.replace(literal.range(), format!("\"\"\"{escaped}\"\"\""));
        }
        None => {
            let to = pass.transition.to.title();
            let message = format!("{to} saves metadata in another form: print the module with it");
            pass.leave(literal.range(), message);
        }
    }
}
