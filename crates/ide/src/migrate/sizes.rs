//! Migrates sizes that the body gives to names of the signature: `n = T.int64(4)` for `"n"`. TVM 0.17 to 0.25 read them
//! before the signature; since 0.26 the name of the signature stays a shape variable. The number takes the place of the
//! name.

use relax::dtype::DType;
use relax::release::Release;
use syntax::ast::{self, AstNode, Stmt};
use syntax::{SyntaxNode, TextRange};

use super::signature::words;
use super::{Pass, args_of, decorators};

/// The first release that no longer reads these sizes in the signature.
const END: Release = Release::V0_26;
const START: Release = Release::V0_17;

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    let Some(function) = ast::FunctionDef::cast(node.clone()) else {
        return;
    };
    if !pass.transition.enters(END)
        || pass.transition.from < START
        || !decorators::is_relax_function(pass, &function)
    {
        return;
    }
    let stmts = function.body().into_iter().flat_map(|it| it.stmts());
    let declared: Vec<(ast::AssignStmt, String, String)> = stmts
        .map_while(|stmt| match stmt {
            Stmt::AssignStmt(it) => scalar(pass, it).map(Some),
            // A docstring, `R.func_attr(...)`.
            Stmt::ExprStmt(_) => Some(None),
            _ => None,
        })
        .flatten()
        .filter_map(|(stmt, name, size)| Some((stmt, name, size?)))
        .collect();
    for (stmt, name, size) in declared {
        replace(pass, &function, &stmt, &name, &size);
    }
}

/// Returns the target of `n = T.int64(4)` or `n = T.int64()`, and its size, if it has one.
fn scalar(
    pass: &Pass<'_>,
    stmt: ast::AssignStmt,
) -> Option<(ast::AssignStmt, String, Option<String>)> {
    let bound = pass.bound_call(&stmt)?;
    let dtype = DType::of_constructor(bound.callee.strip_prefix("T.")?)?;
    let args = args_of(&bound.call);
    let size = match args.as_slice() {
        [arg] if arg.keyword().is_none() && dtype.is_int() => match arg.value() {
            Some(ast::Expr::NumberLit(it)) => it.int().map(|size| size.to_string()),
            _ => None,
        },
        _ => None,
    };
    Some((stmt, bound.target.text().clone(), size))
}

/// Writes the size for each use of the name, if each use is the whole name.
fn replace(
    pass: &mut Pass<'_>,
    function: &ast::FunctionDef,
    stmt: &ast::AssignStmt,
    name: &str,
    size: &str,
) {
    let Some(names) = pass.names_around(function.syntax()) else {
        return;
    };
    let start = stmt.range().start();
    let strings = function.syntax().descendants();
    let strings = strings.filter_map(ast::StringLit::cast).filter(|it| {
        let text = it.value().unwrap_or_default();
        words(&text).any(|word| word == name)
    });
    let strings: Vec<ast::StringLit> = strings.collect();
    let in_signature =
        |it: &ast::StringLit| it.range().end() <= start && it.value().is_some_and(|it| it == name);
    if strings.is_empty() || !strings.iter().all(in_signature) || names.bound(name).len() != 1 {
        return;
    }
    let used = names.used(name);
    // `4.dtype` is not Python.
    let is_accessed = |it: &ast::NameExpr| {
        let parent = it.syntax().parent();
        parent.is_some_and(|it| ast::AttributeExpr::can_cast(it.kind()))
    };
    if used.iter().any(is_accessed) {
        return;
    }
    let uses = used.iter().map(AstNode::range);
    let uses: Vec<TextRange> = uses
        .filter(|it| !stmt.range().contains_range(*it))
        .collect();
    for range in strings.iter().map(AstNode::range).chain(uses) {
        pass.replace(range, size);
    }
    pass.remove_stmt_and_comment(stmt);
}
