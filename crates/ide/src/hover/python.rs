//! Hover for plain values of the Python code around functions.

use hir::enclosing::{Env, PyValue};

use super::code;
use crate::markdown::{Markdown, markdown};

/// Describes a name whose value only Python knows.
pub fn unknown(name: &str) -> Markdown {
    markdown!("{}name in the surrounding Python code", code(name))
}

/// Describes the value of a Python name if it is known.
pub fn value(env: &Env, name: &str) -> Option<Markdown> {
    let shown = match env.get(name)? {
        PyValue::Int(value) => value.to_string(),
        PyValue::Float(value) => value.to_string(),
        PyValue::Bool(true) => "True".to_owned(),
        PyValue::Bool(false) => "False".to_owned(),
        PyValue::Str(text) => format!("{text:?}"),
        PyValue::ShapeVar(var, _) => {
            let title = code(&format!("{var}: int64"));
            return Some(markdown!(
                "{}shape variable of the surrounding Python code",
                title
            ));
        }
        _ => return None,
    };
    let title = code(&format!("{name} = {shown}"));
    Some(markdown!(
        "{}constant of the surrounding Python code",
        title
    ))
}
