//! The attributes of a module: `I.module_attrs({...})` and `I.module_global_infos({...})`, each at most once.

use relax::diagnostics::{Code, Diagnostic};
use relax::script::Namespace;
use smol_str::SmolStr;

use crate::body::{Body, Expr, ExprId};
use crate::devices::mistake_of_vdevice;
use crate::enclosing::{Env, script_path, undefined_argument};

/// Returns the mistake in a call that sets attributes of a module, if there is one. `earlier` collects the names of the
/// calls, since each is allowed once.
pub(crate) fn mistake_of_attributes(
    body: &Body,
    expr: ExprId,
    env: &Env,
    earlier: &mut Vec<SmolStr>,
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
    if args.is_empty() {
        let message = format!("`I.{name}` takes a dict");
        return Some(Diagnostic::new(
            Code::ArgumentCount,
            body.range(expr),
            message,
        ));
    }
    if let Some(wrong) = args.first().filter(|arg| is_no_dict(body, arg.value, env)) {
        let message = format!("`I.{name}` takes a dict");
        let range = body.range(wrong.value);
        return Some(Diagnostic::new(Code::ArgumentType, range, message));
    }
    if name == "module_global_infos"
        && let Some(wrong) = args
            .first()
            .and_then(|arg| invalid_info(body, arg.value, env))
    {
        let message = "`I.module_global_infos` takes a list for each name: `{\"vdevice\": [I.vdevice(\"cuda\")]}`";
        let range = body.range(wrong);
        return Some(Diagnostic::new(Code::ArgumentType, range, message));
    }
    if let Some(diagnostic) = args
        .iter()
        .find_map(|arg| mistake_of_device(body, arg.value, env))
    {
        return Some(diagnostic);
    }
    let [arg] = args.as_slice() else {
        // `allow_overwrite=True`
        return None;
    };
    // After a call with an empty dict, TVM accepts another call.
    let is_empty = matches!(&body.exprs[arg.value], Expr::Dict(entries) if entries.is_empty());
    if earlier.iter().any(|it| it == name) {
        let message = format!("the module already has `I.{name}`");
        let range = body.range(*callee);
        return Some(Diagnostic::new(Code::Redefinition, range, message));
    }
    if !is_empty {
        earlier.push(name.into());
    }
    None
}

/// Returns the first entry of a dict display that is not a name with a list of devices or meshes.
fn invalid_info(body: &Body, at: ExprId, env: &Env) -> Option<ExprId> {
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
        let is_script = |at: ExprId| belongs_in_functions(body, at, env);
        match &body.exprs[*value] {
            Expr::List(items) | Expr::Tuple(items) => {
                let mut items = items.iter().copied();
                key.or_else(|| items.find(|&it| is_plain(it) || is_script(it)))
            }
            other => {
                let is_wrong = is_plain(*value) || is_script(*value) || *other == Expr::None;
                key.or(is_wrong.then_some(*value))
            }
        }
    })
}

/// Returns the first mistake in the arguments of a device in a dict display.
fn mistake_of_device(body: &Body, at: ExprId, env: &Env) -> Option<Diagnostic> {
    let mut pending = vec![at];
    while let Some(at) = pending.pop() {
        match &body.exprs[at] {
            Expr::Call { callee, args } => {
                let path = script_path(body, *callee, env);
                let is_device =
                    path.is_some_and(|it| it.namespace == Namespace::Ir && it.rest == "vdevice");
                if let (true, Some((wrong, message))) = (is_device, mistake_of_vdevice(body, at)) {
                    let range = body.range(wrong);
                    return Some(Diagnostic::new(Code::ArgumentType, range, message));
                }
                let mut args = args.iter();
                if is_device
                    && let Some(found) = args.find_map(|arg| undefined_argument(body, arg, env))
                {
                    return Some(found);
                }
            }
            other => other.for_each_child(&mut |child| pending.push(child)),
        }
    }
    None
}

/// Returns `true` if the expression is built with `R` or `T`, whose values belong in functions.
fn belongs_in_functions(body: &Body, at: ExprId, env: &Env) -> bool {
    let path = script_path(body, at, env);
    path.is_some_and(|it| {
        matches!(it.namespace, Namespace::Relax | Namespace::Tir)
            && !MESHES.contains(&it.rest.as_str())
    })
}

/// The names under `R` that some releases use in modules.
const MESHES: &[&str] = &["device_mesh", "dist.device_mesh"];

fn is_no_dict(body: &Body, at: ExprId, env: &Env) -> bool {
    belongs_in_functions(body, at, env)
        || matches!(
            body.exprs[at],
            Expr::Int(_)
                | Expr::Float(_)
                | Expr::Str(_)
                | Expr::Bool(_)
                | Expr::None
                | Expr::List(_)
                | Expr::Tuple(_)
        )
}
