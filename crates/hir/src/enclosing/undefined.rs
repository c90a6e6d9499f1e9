//! Reports names that the Python code around TVMScript does not define.

use relax::diagnostics::{Code, Diagnostic};
use text_size::TextRange;

use super::Env;
use crate::body::{Arg, Body, Expr};

/// Reports an argument that is a name without a definition.
pub(crate) fn undefined_argument(body: &Body, arg: &Arg, env: &Env) -> Option<Diagnostic> {
    match &body.exprs[arg.value] {
        Expr::Name(name) if env.is_undefined(name) => {
            Some(undefined_name(name, body.range(arg.value)))
        }
        _ => None,
    }
}

pub(crate) fn undefined_name(name: &str, range: TextRange) -> Diagnostic {
    let message = format!("`{name}` is not defined");
    Diagnostic::new(Code::UndefinedName, range, message)
}
