//! Migrates statements and keywords of PrimFuncs that have another spelling.

use relax::release::Release;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::{Pass, args_of, decorators};

/// Buffer keywords that were removed, with the default value that is safe to drop (#20019).
const WITHOUT: &[(&str, &str)] = &[("axis_separators", "[]"), ("buffer_type", "\"\"")];

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    let Some(call) = ast::CallExpr::cast(node.clone()) else {
        return;
    };
    let Some(name) = call.callee().and_then(|it| pass.script_name(&it)) else {
        return;
    };
    if pass.transition.enters(Release::V0_26) {
        keywords(pass, &call);
    }
    if name == "T.ret" {
        result(pass, &call);
    }
}

fn keywords(pass: &mut Pass<'_>, call: &ast::CallExpr) {
    let args = args_of(call);
    for arg in &args {
        let Some((keyword, value)) = arg.keyword().zip(arg.value()) else {
            continue;
        };
        let Some((name, empty)) = WITHOUT.iter().find(|row| row.0 == keyword.text()) else {
            continue;
        };
        if pass.slice(value.range()) == *empty {
            pass.remove_arg(arg);
        } else {
            pass.leave(arg.range(), format!("`{name}` was removed (#20019)"));
        }
    }
}

/// Rewrites `T.evaluate(T.ret(x))` and `T.ret(x)` to `return x`.
fn result(pass: &mut Pass<'_>, call: &ast::CallExpr) {
    if !pass.transition.enters(Release::V0_26) || !decorators::is_in_prim_func(pass, call.syntax())
    {
        return;
    }
    let value = call
        .arg_list()
        .and_then(|it| it.args().next())
        .and_then(|it| it.value());
    let Some(value) = value else { return };
    let mut whole = call.syntax().clone();
    let around = whole.ancestors().skip(1).find_map(ast::CallExpr::cast);
    if let Some(around) = around
        && around
            .callee()
            .and_then(|it| pass.script_name(&it))
            .as_deref()
            == Some("T.evaluate")
    {
        whole = around.syntax().clone();
    }
    let is_statement = whole
        .parent()
        .is_some_and(|it| ast::ExprStmt::can_cast(it.kind()));
    if is_statement && Expr::cast(whole.clone()).is_some() {
        let text = format!("return {}", pass.slice(value.range()));
        pass.replace(whole.text_range(), text);
    }
}
