//! Adds namespaces to names without one, and gives operators their current names.

use relax::bare::{bare_annotation, bare_name};
use relax::ops;
use relax::release::Release;
use relax::script::Namespace;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::Scope;
use crate::migrate::Pass;

pub fn stage(pass: &mut Pass<'_>, scope: &Scope) {
    for node in scope.nodes(pass) {
        let Some(expr) = whole_name(&node) else {
            continue;
        };
        if let Some(new) = renamed(pass, scope, &expr)
            && pass.slice(expr.range()) != new
        {
            pass.replace(expr.range(), new);
        }
    }
}

/// Returns a dotted name if no longer dotted name continues from it.
fn whole_name(node: &SyntaxNode) -> Option<Expr> {
    let expr = Expr::cast(node.clone())?;
    let is_name = matches!(expr, Expr::NameExpr(_) | Expr::AttributeExpr(_));
    let longer = node.parent().and_then(ast::AttributeExpr::cast);
    (is_name && longer.is_none()).then_some(expr)
}

fn renamed(pass: &Pass<'_>, scope: &Scope, expr: &Expr) -> Option<String> {
    if is_function(pass, expr) {
        return None;
    }
    let text = pass.slice(expr.range());
    let (root, rest) = text.split_once('.').unwrap_or((text, ""));
    if scope.binds(root) {
        return None;
    }
    match pass.imports.path(root).as_deref() {
        Some("tvm.script.relax") => return operator(rest).map(|name| format!("{root}.{name}")),
        Some("tvm.relax") => return of_relax(scope, rest),
        Some(_) => return None,
        None if scope.is_bound_around(root) || scope.is_method(root) => return None,
        None => {}
    }
    let path = bare_annotation(root, Release::Rfc).or_else(|| bare_name(root, Release::Rfc))?;
    if path.namespace == Namespace::Python {
        return of_relax(scope, rest);
    }
    Some(match text {
        "Void" => format!("{}()", scope.relax("Tuple")),
        "Dim" => format!("{}(\"int64\")", scope.relax("Prim")),
        "Object" if pass.transition.to >= Release::V0_26 => scope.relax("Any"),
        "outputs" => scope.relax("output"),
        _ => scope.relax(operator(text).unwrap_or(text)),
    })
}

/// Returns `true` if an expression is the function argument of `call_tir`.
fn is_function(pass: &Pass<'_>, expr: &Expr) -> bool {
    let call = expr.syntax().ancestors().find_map(ast::CallExpr::cast);
    call.is_some_and(|call| {
        let callee = call.callee().map(|it| pass.slice(it.range()));
        let is_call = callee.is_some_and(|it| it.rsplit('.').next() == Some("call_tir"));
        let first = call.arg_list().and_then(|it| it.args().next()?.value());
        is_call && first.is_some_and(|it| it.syntax() == expr.syntax())
    })
}

/// Returns the name under `R` for a name of the Python module `relax`, such as `relax.add`; `None` if TVMScript lacks
/// it.
fn of_relax(scope: &Scope, rest: &str) -> Option<String> {
    let name = rest.strip_prefix("op.").unwrap_or(rest);
    let is_statement = || bare_name(name, Release::Rfc).is_some_and(|it| it.rest == name);
    match operator(name) {
        Some(name) => Some(scope.relax(name)),
        None => is_statement().then(|| scope.relax(name)),
    }
}

/// Returns the current name of an operator.
fn operator(name: &str) -> Option<&str> {
    let op = ops::by_script(name, Release::Rfc)?;
    let is_name = op.script() == name || op.aliases.contains(&name);
    Some(if is_name { name } else { op.script() })
}
