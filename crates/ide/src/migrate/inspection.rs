//! Lists attributes of tensors that programs read at run time: `x.dtype.bits`, `x.shape[0]`.

use relax::release::Release;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::{Pass, decorators};

/// The first release in which Relax variables have no such attributes (#19910).
const CALLS_ONLY: Release = Release::V0_26;

const FIELDS: &[&str] = &[
    "dtype",
    "ndim",
    "shape",
    "strides",
    "byte_offset",
    "elem_offset",
];

/// Lists an attribute access on a tensor parameter.
pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    let Some(attribute) = ast::AttributeExpr::cast(node.clone()) else {
        return;
    };
    let (Some(Expr::NameExpr(base)), Some(field)) = (attribute.base(), attribute.name()) else {
        return;
    };
    let is_field = pass.transition.enters(CALLS_ONLY) && FIELDS.contains(&field.text());
    if !is_field || !decorators::is_in_relax_function(pass, node) {
        return;
    }
    let functions = node.ancestors().filter_map(ast::FunctionDef::cast);
    let mut functions = functions.filter_map(|it| pass.names_around(it.syntax()));
    let param = functions.find_map(|it| it.param(&base.text()).cloned());
    let annotation = match param.and_then(|it| it.annotation()) {
        Some(Expr::CallExpr(call)) => call.callee(),
        other => other,
    };
    let name = annotation.and_then(|it| pass.script_name(&it));
    if name.as_deref() == Some("R.Tensor") {
        let message = "since TVM 0.26 tensors are inspected with calls of `relax.inspect.*`";
        pass.leave(node.text_range(), message);
    }
}
