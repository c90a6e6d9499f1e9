//! Rewrites what TVM prints and its parser rejects: `R.const("-inf", "float32")`.

use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::{Pass, args_of};

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    let Some(call) = ast::CallExpr::cast(node.clone()) else {
        return;
    };
    let name = call.callee().and_then(|it| pass.script_name(&it));
    let first = args_of(&call).into_iter().next();
    let (Some("R.const"), Some(Expr::StringLit(value))) =
        (name.as_deref(), first.and_then(|it| it.value()))
    else {
        return;
    };
    let text = pass.slice(value.range());
    if matches!(value.value().as_deref(), Some("inf" | "-inf" | "nan")) {
        pass.replace(value.range(), format!("float({text})"));
    }
}
