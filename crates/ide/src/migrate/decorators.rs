//! Migrates decorators: `s_tir=True` of PrimFuncs and their modules.

use relax::release::Release;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::{Pass, args_of};

/// The first release whose parser needs `s_tir=True` on PrimFuncs made of schedulable blocks.
const S_TIR_KEYWORD: Release = Release::V0_25;

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    let Some(expr) = ast::Decorator::cast(node.clone()).and_then(|it| it.expr()) else {
        return;
    };
    let callee = callee(&expr);
    let Some(name) = pass.script_name(&callee) else {
        return;
    };
    let is_prim_func = name == "T.prim_func";
    if is_prim_func && pass.transition.enters(S_TIR_KEYWORD) {
        add_s_tir(pass, &expr);
    }
    if (is_prim_func || name == "I.ir_module") && pass.transition.leaves(S_TIR_KEYWORD) {
        remove_s_tir(pass, &expr);
    }
}

/// Returns a decorator without its arguments.
fn callee(expr: &Expr) -> Expr {
    match expr {
        Expr::CallExpr(call) => call.callee().unwrap_or_else(|| expr.clone()),
        _ => expr.clone(),
    }
}

fn args(expr: &Expr) -> Vec<ast::Arg> {
    let Expr::CallExpr(call) = expr else {
        return Vec::new();
    };
    args_of(call)
}

fn is_s_tir(arg: &ast::Arg) -> bool {
    arg.keyword().is_some_and(|it| it.text() == "s_tir")
}

fn add_s_tir(pass: &mut Pass<'_>, expr: &Expr) {
    let args = args(expr);
    if args.iter().any(is_s_tir) {
        return;
    }
    match (args.last(), expr) {
        (Some(last), _) => pass.insert(last.range().end(), ", s_tir=True"),
        (None, Expr::CallExpr(call)) => {
            if let Some(open) = call.arg_list().and_then(|it| it.l_paren()) {
                pass.insert(open.text_range().end(), "s_tir=True");
            }
        }
        (None, _) => pass.insert(expr.range().end(), "(s_tir=True)"),
    }
}

fn remove_s_tir(pass: &mut Pass<'_>, expr: &Expr) {
    let args = args(expr);
    let Some(named) = args.iter().find(|it| is_s_tir(it)) else {
        return;
    };
    match (args.len(), expr) {
        (1, Expr::CallExpr(call)) => {
            if let Some(list) = call.arg_list() {
                pass.replace(list.range(), "");
            }
        }
        _ => pass.remove_arg(named),
    }
}

/// Returns `true` if a function is decorated with `R.function`.
pub fn is_relax_function(pass: &Pass<'_>, function: &ast::FunctionDef) -> bool {
    is_decorated(pass, function, &["R.function", "R.func"])
}

/// Returns `true` if a node is inside a function decorated with `R.function` or `R.macro`, including local functions.
pub fn is_in_relax_function(pass: &Pass<'_>, node: &SyntaxNode) -> bool {
    is_in(pass, node, &["R.function", "R.func", "R.macro"])
}

/// Returns `true` if a node is inside a PrimFunc.
pub fn is_in_prim_func(pass: &Pass<'_>, node: &SyntaxNode) -> bool {
    is_in(pass, node, &["T.prim_func", "T.macro", "T.inline"])
}

fn is_in(pass: &Pass<'_>, node: &SyntaxNode, names: &[&str]) -> bool {
    let mut functions = node.ancestors().filter_map(ast::FunctionDef::cast);
    functions.any(|it| is_decorated(pass, &it, names))
}

fn is_decorated(pass: &Pass<'_>, function: &ast::FunctionDef, names: &[&str]) -> bool {
    function.decorators().any(|it| {
        let name = it.expr().and_then(|it| pass.script_name(&callee(&it)));
        name.is_some_and(|it| names.contains(&it.as_str()))
    })
}
