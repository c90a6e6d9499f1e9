//! `TypeVar("n")` as Python makes it: what it refuses.

use relax::diagnostics::{Code, Diagnostic};
use syntax::ast;

use super::{Env, PyValue};
use crate::body::{Arg, Body, Expr, lower_expr};

/// What Python takes by keyword, in one version or another.
const KEYWORDS: &[&str] = &[
    "bound",
    "contravariant",
    "covariant",
    "default",
    "infer_variance",
    "name",
];

/// A statement that makes a TypeVar as Python cannot.
pub(crate) fn mistake_of_type_var(stmt: &ast::Stmt, env: &Env) -> Option<Diagnostic> {
    let ast::Stmt::AssignStmt(assignment) = stmt else {
        return None;
    };
    let value = assignment.value()?;
    let (body, id) = lower_expr(&value);
    let Expr::Call { callee, args } = &body.exprs[id] else {
        return None;
    };
    let path = match &body.exprs[*callee] {
        Expr::Name(name) => env.get(name)?,
        _ => return None,
    };
    if !matches!(path, PyValue::Path(path) if path == "typing.TypeVar")
        || args.iter().any(|arg| arg.starred)
    {
        return None;
    }
    let undefined = args.iter().find_map(|arg| match &body.exprs[arg.value] {
        Expr::Name(name) if env.is_undefined(name) => Some((arg.value, name)),
        _ => None,
    });
    if let Some((at, name)) = undefined {
        let message = format!("`{name}` is not defined");
        let range = body.range(at);
        return Some(Diagnostic::new(Code::UndefinedName, range, message));
    }
    let message = mistake(&body, args)?;
    let range = body.range(id);
    Some(Diagnostic::new(Code::ArgumentValue, range, message))
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
        (0, false) => "a TypeVar has a name: the one that it is bound to, `TypeVar(\"n\")`",
        (1.., true) => "this TypeVar has two names",
        (2, false) => "a TypeVar has no constraint or several: a shape variable has none",
        (3.., false) if by_keyword("bound").is_some() => {
            "a TypeVar has constraints or a bound: a shape variable has neither"
        }
        _ if is_true(by_keyword("covariant")) && is_true(by_keyword("contravariant")) => {
            "a TypeVar is covariant or contravariant: a shape variable is neither"
        }
        _ => return None,
    };
    Some(message.to_owned())
}
