//! Reads the sizes that the first statements of a function give to its shape variables: `n = T.int64(4)`.
//!
//! TVM 0.17 to 0.25 evaluates these statements before the signature, so `"n"` is 4 there too
//! (`collect_symbolic_var_from_prelude` in TVM's `relax/parser.py`).

use relax::dtype::DType;
use relax::script::Namespace;
use smol_str::SmolStr;
use syntax::ast;

use super::{Env, script_path};
use crate::body::{Expr, lower_expr};

/// Returns the names of a function's first assignments from `T` that have a size, with it. TVM reads such assignments
/// anywhere in the body; they stand at its start.
pub(super) fn sizes(def: &ast::FunctionDef, env: &Env) -> Vec<(SmolStr, i64)> {
    let stmts = def.body().into_iter().flat_map(|suite| suite.stmts());
    stmts
        .map_while(|stmt| match stmt {
            ast::Stmt::AssignStmt(it) => scalar(&it, env).map(Some),
            // A docstring, `R.func_attr(...)`.
            ast::Stmt::ExprStmt(_) => Some(None),
            _ => None,
        })
        .flatten()
        .filter_map(|(name, size)| Some((name, size?)))
        .collect()
}

/// Returns the target of `n = T.int64(4)` or `n = T.int64()`, and its size, if it has one.
fn scalar(stmt: &ast::AssignStmt, env: &Env) -> Option<(SmolStr, Option<i64>)> {
    let mut targets = stmt.targets();
    let (Some(ast::Expr::NameExpr(target)), None) = (targets.next(), targets.next()) else {
        return None;
    };
    let (body, id) = lower_expr(&stmt.value()?);
    let Expr::Call { callee, args } = &body.exprs[id] else {
        return None;
    };
    let path = script_path(&body, *callee, env)?;
    let dtype = DType::of_constructor(&path.rest)?;
    if path.namespace != Namespace::Tir {
        return None;
    }
    let size = match args.as_slice() {
        [arg] if arg.keyword.is_none() && dtype.is_int() => match body.exprs[arg.value] {
            Expr::Int(size) => Some(size),
            _ => None,
        },
        _ => None,
    };
    Some((target.token()?.text().into(), size))
}
