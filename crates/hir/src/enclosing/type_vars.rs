//! Finds arguments of `TypeVar("n")` that Python rejects.

use relax::diagnostics::{Code, Diagnostic};
use syntax::ast;

use super::{Env, PyValue, undefined_argument};
use crate::body::{Arg, Body, Expr, lower_expr};

/// The keywords that `TypeVar` accepts in any version of Python.
const KEYWORDS: &[&str] = &[
    "bound",
    "contravariant",
    "covariant",
    "default",
    "infer_variance",
    "name",
];

/// Returns the mistake in a statement that creates a TypeVar, if any.
pub(crate) fn mistake_of_type_var(stmt: &ast::Stmt, env: &Env) -> Option<Diagnostic> {
    let ast::Stmt::AssignStmt(assignment) = stmt else {
        return None;
    };
    let value = assignment.value()?;
    if !makes_type_var(&value, env) {
        return None;
    }
    let (body, id) = lower_expr(&value);
    let Expr::Call { args, .. } = &body.exprs[id] else {
        return None;
    };
    if args.iter().any(|arg| arg.starred) {
        return None;
    }
    if let Some(found) = args
        .iter()
        .find_map(|arg| undefined_argument(&body, arg, env))
    {
        return Some(found);
    }
    let message = mistake(&body, args)?;
    let range = body.range(id);
    Some(Diagnostic::new(Code::ArgumentValue, range, message))
}

/// Returns `true` if the expression calls `typing.TypeVar`, also under another name.
fn makes_type_var(value: &ast::Expr, env: &Env) -> bool {
    let ast::Expr::CallExpr(call) = value else {
        return false;
    };
    let Some(ast::Expr::NameExpr(callee)) = call.callee() else {
        return false;
    };
    let name = callee.token();
    let path = name.as_ref().and_then(|it| env.get(it.text()));
    matches!(path, Some(PyValue::Path(path)) if path == "typing.TypeVar")
}

fn mistake(body: &Body, args: &[Arg]) -> Option<String> {
    let by_keyword = |name: &str| {
        let named = |arg: &&Arg| arg.keyword.as_ref().is_some_and(|it| it.text == name);
        args.iter().find(named)
    };
    let unknown = args.iter().filter_map(|arg| arg.keyword.as_ref());
    let mut unknown = unknown.filter(|it| !KEYWORDS.contains(&it.text.as_str()));
    if let Some(unknown) = unknown.next() {
        return Some(format!("`TypeVar` has no parameter `{}`", unknown.text));
    }
    let is_true =
        |arg: Option<&Arg>| arg.is_some_and(|it| body.exprs[it.value] == Expr::Bool(true));
    let positional = args.iter().filter(|arg| arg.keyword.is_none()).count();
    let message = match (positional, by_keyword("name").is_some()) {
        (0, false) => {
            "`TypeVar` needs a name: the name of its variable, as in `n = TypeVar(\"n\")`"
        }
        (1.., true) => "this TypeVar is given two names",
        (2, false) => "a TypeVar cannot have a single constraint, and a shape variable has none",
        (3.., false) if by_keyword("bound").is_some() => {
            "a TypeVar cannot have both constraints and a bound, and a shape variable has neither"
        }
        _ if is_true(by_keyword("covariant")) && is_true(by_keyword("contravariant")) => {
            "a TypeVar cannot be both covariant and contravariant, and a shape variable is neither"
        }
        _ => return None,
    };
    Some(message.to_owned())
}
