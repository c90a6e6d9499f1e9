//! Resolves TVMScript names by the imports of the file.

use relax::script::{ScriptPath, unbound_path};

use super::{Env, PyValue};
use crate::body::{Body, Expr, ExprId};

/// Returns the path under `R`, `T` or `I` that a dotted name stands for, whether it is called or not.
pub(crate) fn script_path(body: &Body, expr: ExprId, env: &Env) -> Option<ScriptPath> {
    let mut parts: Vec<&str> = Vec::new();
    let mut at = expr;
    loop {
        match &body.exprs[at] {
            Expr::Call { callee, .. } if at == expr => at = *callee,
            Expr::Attribute { base, name } => {
                parts.push(&name.text);
                at = *base;
            }
            Expr::Name(root) => {
                let mut path = match env.get(root) {
                    Some(PyValue::Path(path)) => path.to_string(),
                    Some(_) => return None,
                    None => {
                        let root = unbound_path(root)?;
                        parts.reverse();
                        return Some(ScriptPath {
                            rest: parts.join(".").into(),
                            ..root
                        });
                    }
                };
                for part in parts.iter().rev() {
                    path.push('.');
                    path.push_str(part);
                }
                return ScriptPath::of_path(&path);
            }
            _ => return None,
        }
    }
}
