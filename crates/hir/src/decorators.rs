//! Reports errors in decorators of TVMScript: arguments that Python rejects or TVM cannot read.

use relax::diagnostics::{Code, Diagnostic};
use relax::nearest_name::{did_you_mean, nearest_str};
use relax::ops;
use relax::script::{DeclaredParam, Entry, Namespace, Role, ScriptPath, entries};
use syntax::ast;

use crate::body::{Arg, Body, Expr, ExprId, Function};
use crate::enclosing::{Env, script_path, undefined_argument};

/// Arguments of `@R.function(...)` that TVM reads from the text, without evaluating them in Python.
const READ_FROM_TEXT: &[&str] = &["pure", "private"];

/// The decorators that programs use most.
const USUAL: &[&str] = &["function", "prim_func", "ir_module"];

/// Returns the first error in a decorator, with ranges relative to `body`.
pub(crate) fn mistake(body: &Body, decorator: ExprId, env: &Env) -> Option<Diagnostic> {
    let Expr::Call { callee, args } = &body.exprs[decorator] else {
        return None;
    };
    let path = script_path(body, *callee, env)?;
    let params = params(&path)?;
    if args.iter().any(|arg| arg.starred) {
        return None;
    }
    let shown = quoted_path(&path);
    args.iter().enumerate().find_map(|(at, arg)| {
        mistake_of(body, arg, at, &params, &shown, env)
            .or_else(|| (path.rest == "function").then(|| unreadable(body, arg))?)
            .or_else(|| undefined_argument(body, arg, env))
    })
}

/// Reports `@I.pyfunc` in a class without a base class: TVM requires a `BasePyModule`.
pub(crate) fn misplaced(
    class: &ast::ClassDef,
    body: &Body,
    decorator: ExprId,
    env: &Env,
) -> Option<Diagnostic> {
    let path = script_path(body, decorator, env)?;
    let is_python = path.namespace == Namespace::Ir && path.rest == "pyfunc";
    let inherits = class.args().is_some_and(|it| it.args().next().is_some());
    let message = "`@I.pyfunc` is only allowed in a class that inherits from `BasePyModule`";
    let range = body.range(decorator);
    (is_python && !inherits).then(|| Diagnostic::new(Code::UnsupportedStatement, range, message))
}

/// Reports a module function without a decorator.
pub(crate) fn missing(def: &ast::FunctionDef) -> Option<Diagnostic> {
    let name = def.name()?;
    let message = format!(
        "`{}` needs a decorator: in a module, each function must be `@R.function` or `@T.prim_func`",
        name.text()
    );
    let undecorated = def.decorators().next().is_none();
    undecorated.then(|| Diagnostic::new(Code::UnsupportedStatement, name.text_range(), message))
}

/// Reports `async def` with a TVMScript decorator.
pub(crate) fn asynchronous(function: &Function) -> Option<Diagnostic> {
    let message = "`async def` is not supported in TVMScript: write `def`";
    let range = function.name.range;
    function
        .is_async
        .then(|| Diagnostic::new(Code::UnsupportedStatement, range, message))
}

/// Reports a decorator that does not exist: `@T.prim_fun`, `@I`.
pub(crate) fn misspelt(body: &Body, decorator: ExprId, env: &Env) -> Option<Diagnostic> {
    let named_at = match &body.exprs[decorator] {
        Expr::Call { callee, .. } => *callee,
        _ => decorator,
    };
    let path = script_path(body, named_at, env)?;
    if ops::by_path(&path).is_some() {
        let message = format!("`R.{}` is an operator: write `@R.function`", path.rest);
        let range = body.range(named_at);
        return Some(Diagnostic::new(Code::UnsupportedStatement, range, message));
    }
    let rows = || entries(path.namespace);
    let mut named = rows().filter(|row| row.name == path.rest).peekable();
    if path.namespace == Namespace::Python {
        return None;
    }
    if named.peek().is_some() {
        let is_none = named.all(|row| row.role != Role::Decorator);
        let letter = letter_of(path.namespace);
        let message = format!("`{letter}.{}` is not a decorator", path.rest);
        let range = body.range(named_at);
        return is_none.then(|| Diagnostic::new(Code::UnsupportedStatement, range, message));
    }
    let decorators = || {
        rows()
            .filter(|row| row.role == Role::Decorator)
            .map(|row| row.name)
    };
    let letter = letter_of(path.namespace);
    let range = body.range(named_at);
    if path.rest.is_empty() {
        let usual = decorators().find(|it| USUAL.contains(it))?;
        let message = format!("`{letter}` is no decorator: write `@{letter}.{usual}`");
        return Some(Diagnostic::new(Code::UnsupportedStatement, range, message));
    }
    let usual = || decorators().find(|it| USUAL.contains(it) && it.contains(path.rest.as_str()));
    let near = nearest_str(&path.rest, decorators()).or_else(usual);
    let suggestion = near.map(|near| format!("; did you mean `{letter}.{near}`?"));
    let suggestion = suggestion.unwrap_or_default();
    let message = format!("`{letter}.{}` does not exist{suggestion}", path.rest);
    let mut diagnostic = Diagnostic::new(Code::UndefinedName, range, message);
    diagnostic.instead = near.map(|near| (range, format!("{letter}.{near}").into()));
    Some(diagnostic)
}

/// Returns the parameters of a decorator in any release, or `None` if it accepts any.
fn params(path: &ScriptPath) -> Option<Vec<DeclaredParam>> {
    let named = |row: &&Entry| row.name == path.rest && row.role == Role::Decorator;
    let rows = entries(path.namespace).filter(named);
    let params: Vec<DeclaredParam> = rows.flat_map(Entry::params).collect();
    (!params.is_empty()).then_some(params)
}

fn quoted_path(path: &ScriptPath) -> String {
    format!("`@{}.{}`", letter_of(path.namespace), path.rest)
}

/// Returns the letter that programs use for a namespace.
pub(crate) fn letter_of(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::Tir => "T",
        Namespace::Ir => "I",
        Namespace::Relax | Namespace::Python => "R",
    }
}

fn mistake_of(
    body: &Body,
    arg: &Arg,
    at: usize,
    params: &[DeclaredParam],
    shown: &str,
    env: &Env,
) -> Option<Diagnostic> {
    let Some(keyword) = &arg.keyword else {
        let literal = matches!(
            body.exprs[arg.value],
            Expr::Bool(_)
                | Expr::Int(_)
                | Expr::Str(_)
                | Expr::Float(_)
                | Expr::List(_)
                | Expr::Tuple(_)
                | Expr::Dict(_)
        ) || script_path(body, arg.value, env)
            .is_some_and(|it| it.namespace != Namespace::Python);
        let message = || {
            format!(
                "{shown} takes the decorated function as its first argument: pass this argument by name"
            )
        };
        return (at == 0 && literal)
            .then(|| Diagnostic::new(Code::ArgumentType, body.range(arg.value), message()));
    };
    let names = params.iter().map(|param| param.name);
    if keyword.text.is_empty() || names.clone().any(|name| name == keyword.text) {
        return None;
    }
    let near = nearest_str(&keyword.text, names);
    let hint = did_you_mean(near);
    let message = format!("{shown} has no parameter `{}`{hint}", keyword.text);
    let mut diagnostic = Diagnostic::new(Code::UnknownArgument, keyword.range, message);
    diagnostic.instead = near.map(|near| (keyword.range, near.into()));
    Some(diagnostic)
}

/// Reports `pure=flag`: TVM requires a literal there.
fn unreadable(body: &Body, arg: &Arg) -> Option<Diagnostic> {
    let keyword = arg.keyword.as_ref()?;
    let read = READ_FROM_TEXT.contains(&keyword.text.as_str());
    let computed = matches!(
        body.exprs[arg.value],
        Expr::Name(_)
            | Expr::Call { .. }
            | Expr::Not(_)
            | Expr::Compare { .. }
            | Expr::BoolOp { .. }
            | Expr::IfElse { .. }
    );
    let message = format!(
        "TVM reads `{}` from the text, before Python runs: write `True` or `False`",
        keyword.text
    );
    (read && computed).then(|| Diagnostic::new(Code::ArgumentValue, body.range(arg.value), message))
}
