//! Migrates values bound to a name in PrimFuncs: `T.LetStmt`, `T.bind`, `x: T.let`.

use relax::release::Release;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::{Pass, blocks, decorators, scopes};

/// The first release that has `T.bind` instead of `T.LetStmt` (#18874, #18889).
const BIND: Release = Release::V0_24;
/// The first release in which a scalar is a mutable variable unless it is declared with `T.let` (#19581).
const VARIABLES: Release = Release::V0_25;

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    if let Some(with) = ast::WithStmt::cast(node.clone()) {
        if pass.transition.enters(BIND) {
            block(pass, &with);
        }
    } else if let Some(call) = ast::CallExpr::cast(node.clone()) {
        function(pass, &call);
    } else if let Some(stmt) = ast::AnnAssignStmt::cast(node.clone())
        && decorators::is_in_prim_func(pass, node)
    {
        annotated(pass, &stmt);
    }
}

/// Rewrites `with T.LetStmt(value) as x:` to `x = T.bind(value)`.
fn block(pass: &mut Pass<'_>, with: &ast::WithStmt) {
    let Some((call, target)) = blocks::context(pass, with, "T.LetStmt") else {
        return;
    };
    let text = pass.slice(call.range());
    let statement = match &target {
        Some(target) if scopes::is_renamed(pass, target) => return,
        Some(target) => format!("{} = {text}", pass.slice(target.range())),
        None => text.to_owned(),
    };
    blocks::unwrap(pass, with, &statement);
}

/// Converts between `T.LetStmt(value, var=x)` and `T.bind(value, var=x)`.
fn function(pass: &mut Pass<'_>, call: &ast::CallExpr) {
    let name = call.callee().and_then(|it| pass.script_name(&it));
    let new = match name.as_deref() {
        Some("T.LetStmt") if pass.transition.enters(BIND) => "bind",
        Some("T.bind") if pass.transition.leaves(BIND) => "LetStmt",
        _ => return,
    };
    let parent = call.syntax().parent();
    if parent
        .as_ref()
        .is_some_and(|it| ast::WithItem::can_cast(it.kind()))
    {
        return;
    }
    if let Some(last) = call.callee().and_then(|it| it.syntax().last_token()) {
        pass.replace(last.text_range(), new);
    }
    let assign = parent.and_then(ast::AssignStmt::cast);
    if let Some(target) = assign.and_then(|it| it.targets().next())
        && new == "bind"
    {
        scopes::is_renamed(pass, &target);
    }
}

/// Annotates a bound pointer as `p: T.let[T.handle("float32")]`; backwards, replaces `T.let` with the plain dtype.
fn annotated(pass: &mut Pass<'_>, stmt: &ast::AnnAssignStmt) {
    let (Some(target), Some(annotation)) = (stmt.target(), stmt.annotation()) else {
        return;
    };
    let text = pass.slice(annotation.range());
    if pass.transition.enters(VARIABLES) {
        let callee = match &annotation {
            Expr::CallExpr(call) => call.callee(),
            _ => None,
        };
        let name = pass.script_name(&callee.unwrap_or_else(|| annotation.clone()));
        if name.as_deref() == Some("T.handle") && stmt.value().is_some() {
            let root = text.split_once('.').map_or("T", |it| it.0);
            pass.replace(annotation.range(), format!("{root}.let[{text}]"));
        }
    } else if pass.transition.leaves(VARIABLES) {
        let (base, dtype) = match &annotation {
            Expr::SubscriptExpr(it) => (it.base(), it.index()),
            _ => (Some(annotation.clone()), None),
        };
        let name = base.and_then(|it| pass.script_name(&it));
        match (name.as_deref(), dtype) {
            (Some("T.let"), Some(dtype)) => {
                let dtype = pass.slice(dtype.range()).to_owned();
                pass.replace(annotation.range(), dtype);
            }
            (Some("T.let"), None) => {
                let range =
                    text_size::TextRange::new(target.range().end(), annotation.range().end());
                pass.replace(range, "");
            }
            _ => assigned_again(pass, stmt, &target),
        }
    }
}

/// Lists assignments that change a scalar. Older releases bind a new variable for each of them.
fn assigned_again(pass: &mut Pass<'_>, stmt: &ast::AnnAssignStmt, target: &Expr) {
    let names = pass.names_around(stmt.syntax());
    let Some(names) = names.filter(|_| stmt.value().is_some()) else {
        return;
    };
    for node in names.assigned(pass.slice(target.range())) {
        let message = "before TVM 0.25 an assignment does not change a scalar: use a buffer";
        pass.leave(node.text_range(), message);
    }
}
