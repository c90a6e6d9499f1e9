//! What a module says of itself: `I.module_attrs({...})` and `I.module_global_infos({...})`, each once.

use relax::diagnostics::{Code, Diagnostic};
use relax::script::Namespace;
use smol_str::SmolStr;

use crate::body::{Body, Expr, ExprId};
use crate::enclosing::{Env, script_path};

/// A statement of a module that gives too much, or again what one before it, noted in `given`, has given.
pub(crate) fn given_twice(
    body: &Body,
    expr: ExprId,
    env: &Env,
    given: &mut Vec<SmolStr>,
) -> Option<Diagnostic> {
    let Expr::Call { callee, args } = &body.exprs[expr] else {
        return None;
    };
    let path = script_path(body, *callee, env)?;
    let (Namespace::Ir, name @ ("module_attrs" | "module_global_infos")) =
        (path.namespace, path.rest.as_str())
    else {
        return None;
    };
    if let ("module_global_infos", [_, second, ..]) = (name, args.as_slice()) {
        let message = "`I.module_global_infos` takes one argument";
        let range = body.range(second.value);
        return Some(Diagnostic::new(Code::ArgumentCount, range, message));
    }
    if let Some(wrong) = args.first().filter(|arg| is_no_dict(body, arg.value)) {
        let message = format!("`I.{name}` takes a dict");
        let range = body.range(wrong.value);
        return Some(Diagnostic::new(Code::ArgumentType, range, message));
    }
    if name == "module_global_infos"
        && let Some(wrong) = args.first().and_then(|arg| no_infos(body, arg.value))
    {
        let message = "`I.module_global_infos` takes a list for each name: `{\"vdevice\": [I.vdevice(\"cuda\")]}`";
        let range = body.range(wrong);
        return Some(Diagnostic::new(Code::ArgumentType, range, message));
    }
    let [arg] = args.as_slice() else {
        // `allow_overwrite=True`
        return None;
    };
    // TVM keeps the last of those before which nothing was given.
    let is_empty = matches!(&body.exprs[arg.value], Expr::Dict(entries) if entries.is_empty());
    if given.iter().any(|it| it == name) {
        let message = format!("`I.{name}` stands in the module already");
        let range = body.range(*callee);
        return Some(Diagnostic::new(Code::Redefinition, range, message));
    }
    if !is_empty {
        given.push(name.into());
    }
    None
}

/// The first part of a written dict that is no list of devices or meshes under a name.
fn no_infos(body: &Body, at: ExprId) -> Option<ExprId> {
    let Expr::Dict(entries) = &body.exprs[at] else {
        return None;
    };
    let is_plain = |at: ExprId| {
        matches!(
            body.exprs[at],
            Expr::Int(_) | Expr::Float(_) | Expr::Str(_) | Expr::Bool(_)
        )
    };
    entries.iter().find_map(|(key, value)| {
        let key = key.filter(|it| is_plain(*it) && !matches!(body.exprs[*it], Expr::Str(_)));
        let infos = match &body.exprs[*value] {
            Expr::List(items) | Expr::Tuple(items) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        key.or_else(|| infos.iter().copied().find(|it| is_plain(*it)))
    })
}

fn is_no_dict(body: &Body, at: ExprId) -> bool {
    matches!(
        body.exprs[at],
        Expr::Int(_)
            | Expr::Float(_)
            | Expr::Str(_)
            | Expr::Bool(_)
            | Expr::List(_)
            | Expr::Tuple(_)
    )
}
