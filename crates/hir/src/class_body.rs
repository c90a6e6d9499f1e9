//! Checks the statements in the class of a module, except its functions. TVM reads `I.module_attrs(...)` and similar
//! calls, and assignments of functions to names.

use relax::diagnostics::{Code, Diagnostic};
use relax::script::Namespace;
use syntax::ast::{self, AstNode as _};
use text_size::TextRange;

use crate::body::lower_expr;
use crate::enclosing::{Env, PyValue, script_path};

/// Reports a statement that TVM cannot read in a module. `env` contains what the statement binds.
pub(crate) fn unread(stmt: &ast::Stmt, env: &Env) -> Option<Diagnostic> {
    let (what, range) = match stmt {
        ast::Stmt::AssignStmt(it) => return unread_assignment(it, env),
        ast::Stmt::ClassDef(it) => ("a class", it.name()?.text_range()),
        ast::Stmt::AnnAssignStmt(it) => ("an annotation", it.range()),
        ast::Stmt::AugAssignStmt(it) => ("an augmented assignment", it.range()),
        ast::Stmt::AssertStmt(_) => ("`assert`", first_token(stmt)?),
        ast::Stmt::DelStmt(_) => ("`del`", first_token(stmt)?),
        ast::Stmt::ForStmt(_) => ("`for`", first_token(stmt)?),
        ast::Stmt::GlobalStmt(_) => ("`global`", first_token(stmt)?),
        ast::Stmt::IfStmt(_) => ("`if`", first_token(stmt)?),
        ast::Stmt::ImportStmt(_) | ast::Stmt::ImportFromStmt(_) => ("`import`", first_token(stmt)?),
        ast::Stmt::MatchStmt(_) => ("`match`", first_token(stmt)?),
        ast::Stmt::NonlocalStmt(_) => ("`nonlocal`", first_token(stmt)?),
        ast::Stmt::RaiseStmt(_) => ("`raise`", first_token(stmt)?),
        ast::Stmt::TryStmt(_) => ("`try`", first_token(stmt)?),
        ast::Stmt::TypeAliasStmt(_) => ("`type`", first_token(stmt)?),
        ast::Stmt::WhileStmt(_) => ("`while`", first_token(stmt)?),
        ast::Stmt::WithStmt(_) => ("`with`", first_token(stmt)?),
        // Functions, calls of `I`, statements that Python rejects in a class, and syntax errors.
        ast::Stmt::FunctionDef(_)
        | ast::Stmt::ExprStmt(_)
        | ast::Stmt::PassStmt(_)
        | ast::Stmt::ReturnStmt(_)
        | ast::Stmt::BreakStmt(_)
        | ast::Stmt::ContinueStmt(_)
        | ast::Stmt::ErrorNode(_) => return None,
    };
    Some(unsupported(
        range,
        format!("{what} is not allowed in a module: write it before the class"),
    ))
}

/// Reports an assignment of anything but a function.
fn unread_assignment(stmt: &ast::AssignStmt, env: &Env) -> Option<Diagnostic> {
    let mut targets = stmt.targets();
    let (target, more) = (targets.next()?, targets.next());
    if more.is_some() {
        let message = "an assignment to several targets (`a = b = c`) is not allowed in a module";
        return Some(unsupported(stmt.range(), message.to_owned()));
    }
    let ast::Expr::NameExpr(name) = &target else {
        let message = "a module can only bind a name to a function";
        return Some(unsupported(target.range(), message.to_owned()));
    };
    let name = name.token()?;
    // Printers of old releases say `__tvm_meta__ = None`.
    let is_data = !name.text().starts_with("__")
        && (env.get(name.text()).is_some_and(is_data) || is_scalar_of_tir(stmt, env));
    let message = format!(
        "`{}` is not a function: a module binds only functions, so write this before the class",
        name.text()
    );
    is_data.then(|| unsupported(name.text_range(), message))
}

/// Returns `true` if the value is built with `T` and is not a function, such as `T.int64()`.
fn is_scalar_of_tir(stmt: &ast::AssignStmt, env: &Env) -> bool {
    let Some(value) = stmt.value() else {
        return false;
    };
    let (body, id) = lower_expr(&value);
    let path = script_path(&body, id, env);
    path.is_some_and(|it| {
        it.namespace == Namespace::Tir && !FUNCTIONS_OF_TIR.contains(&it.rest.as_str())
    })
}

/// The names under `T` whose values are functions.
const FUNCTIONS_OF_TIR: &[&str] = &["inline", "macro", "prim_func"];

fn is_data(value: &PyValue) -> bool {
    match value {
        PyValue::None
        | PyValue::Bool(_)
        | PyValue::Int(_)
        | PyValue::Float(_)
        | PyValue::Str(_)
        | PyValue::List(_)
        | PyValue::Dict(_)
        | PyValue::Array { .. }
        | PyValue::Const { .. }
        | PyValue::ShapeVar(_, _) => true,
        PyValue::Unknown
        | PyValue::Metadata(_)
        | PyValue::Path(_)
        | PyValue::IrModule(_)
        | PyValue::Script(_)
        | PyValue::Macro(_)
        | PyValue::Helper(_)
        | PyValue::Lambda(_)
        | PyValue::Function(_) => false,
    }
}

/// Returns the range of the first token of a statement.
fn first_token(stmt: &ast::Stmt) -> Option<TextRange> {
    Some(stmt.syntax().first_token()?.text_range())
}

fn unsupported(range: TextRange, message: String) -> Diagnostic {
    Diagnostic::new(Code::UnsupportedStatement, range, message)
}
