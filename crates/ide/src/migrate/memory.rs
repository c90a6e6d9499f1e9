//! Migrates memory that a PrimFunc allocates: `T.allocate` returned a pointer, `T.alloc_buffer` returns a buffer. A
//! buffer over the memory of another buffer needs a declaration.

use relax::release::Release;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::{Pass, args_of, blocks, calls, decorators, scopes};

/// The first release in which all allocated memory is a buffer (#18865).
const BUFFERS_ONLY: Release = Release::V0_24;

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    // Two later releases require declarations in further kinds of functions, so check again when entering them.
    let asks = [BUFFERS_ONLY, Release::V0_25, Release::V0_27];
    if asks.into_iter().any(|it| pass.transition.enters(it))
        && let Some(assign) = ast::AssignStmt::cast(node.clone())
    {
        view(pass, &assign);
    }
    if !pass.transition.enters(BUFFERS_ONLY) {
        return;
    }
    if let Some(with) = ast::WithStmt::cast(node.clone()) {
        if let Some((call, Some(name))) = blocks::context(pass, &with, "T.allocate")
            && !scopes::is_renamed(pass, &name)
        {
            let (name, call) = (pass.slice(name.range()), pass.slice(call.range()));
            blocks::unwrap(pass, &with, &format!("{name} = {call}"));
        }
    } else if let Some(assign) = ast::AssignStmt::cast(node.clone()) {
        allocation(pass, &assign);
    }
}

/// Rewrites `A = T.allocate([4], "float32", "shared")` to `A = T.alloc_buffer([4], "float32", scope="shared")`, and
/// uses of its pointer to `A.data`.
fn allocation(pass: &mut Pass<'_>, assign: &ast::AssignStmt) {
    let Some((name, call)) = allocated(pass, assign) else {
        return;
    };
    let names = pass.names_around(assign.syntax());
    let Some(names) = names.filter(|_| decorators::is_in_prim_func(pass, assign.syntax())) else {
        return;
    };
    let args = args_of(&call);
    let positional = args.iter().take_while(|it| it.keyword().is_none()).count();
    let condition =
        calls::keyword(&args, "condition").or_else(|| args.get(3).filter(|_| positional > 3));
    let is_conditional = condition
        .and_then(ast::Arg::value)
        .is_some_and(|it| !matches!(pass.slice(it.range()), "True" | "T.bool(True)"));
    let is_allocation = |it: &SyntaxNode| {
        ast::AssignStmt::cast(it.clone()).is_some_and(|it| allocated(pass, &it).is_some())
    };
    let is_allocated = names.assigned(&name).iter().all(is_allocation);
    if is_conditional || positional > 4 || !is_allocated {
        return;
    }
    if let Some(callee) = call.callee()
        && let Some(last) = callee.syntax().last_token()
    {
        pass.replace(last.text_range(), "alloc_buffer");
    }
    if let Some(condition) = condition {
        pass.remove_arg(condition);
    }
    if let Some(scope) = args.get(2).filter(|it| it.keyword().is_none()) {
        pass.insert(scope.range().start(), "scope=");
    }
    if let Some(extents) = calls::keyword(&args, "extents").and_then(ast::Arg::keyword) {
        pass.replace(extents.text_range(), "shape");
    }
    // Several allocations may share a name. The first one rewrites the uses of all of them.
    if names.assigned(&name).first() != Some(assign.syntax()) {
        return;
    }
    for used in names.used(&name) {
        if is_pointer(used) {
            pass.insert(used.range().end(), ".data");
        }
    }
}

/// Rewrites `B = T.Buffer(shape, data=A.data)` to `B = T.decl_buffer(shape, data=A.data)`. Every release accepts this
/// form, and newer ones require it.
fn view(pass: &mut Pass<'_>, assign: &ast::AssignStmt) {
    let Some(Expr::CallExpr(call)) = assign.value() else {
        return;
    };
    let Some(callee) = call.callee() else { return };
    let is_buffer = pass.script_name(&callee).as_deref() == Some("T.Buffer");
    if is_buffer
        && calls::keyword(&args_of(&call), "data").is_some()
        && decorators::is_in_prim_func(pass, assign.syntax())
        && let Some(last) = callee.syntax().last_token()
    {
        pass.replace(last.text_range(), "decl_buffer");
    }
}

/// Returns the name and the call of `A = T.allocate(...)`.
fn allocated(pass: &Pass<'_>, assign: &ast::AssignStmt) -> Option<(String, ast::CallExpr)> {
    let bound = pass.bound_call(assign)?;
    (bound.callee == "T.allocate").then(|| (bound.target.text().clone(), bound.call))
}

/// Returns `true` if a name is used as a pointer: it is neither bound nor indexed here.
fn is_pointer(name: &ast::NameExpr) -> bool {
    let Some(parent) = name.syntax().parent() else {
        return false;
    };
    let is_target = ast::AssignStmt::cast(parent.clone()).is_some_and(|it| {
        let mut targets = it.targets();
        targets.any(|it| it.syntax() == name.syntax())
    });
    let is_base = ast::SubscriptExpr::cast(parent.clone())
        .and_then(|it| it.base())
        .is_some_and(|it| it.syntax() == name.syntax());
    !is_target && !is_base && !ast::AttributeExpr::can_cast(parent.kind())
}
