//! How a file writes what it uses: its names for `R`, `T` and `I`, StructInfo, and the alias of a module.

use hir::body::{Body, Expr, StmtKind, Target};
use hir::enclosing::Env;
use relax::release::Release;
use relax::script::Namespace;
use relax::sinfo::display::Names;
use relax::sinfo::{StructInfo, VDevice};
use smol_str::SmolStr;

/// Returns the usual name of a namespace.
fn letter(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::Relax | Namespace::Python => "R",
        Namespace::Tir => "T",
        Namespace::Ir => "I",
    }
}

/// Returns the name that is bound to a namespace.
pub fn alias_of(env: &Env, namespace: Namespace) -> Option<SmolStr> {
    let letter = letter(namespace);
    let is_it = |name: &str| {
        let path = env.script_path(&[name.into()]);
        path.is_some_and(|path| path.namespace == namespace && path.rest.is_empty())
    };
    // The usual letter counts even if it is not bound, but a bound name takes precedence.
    if env.get(letter).is_some() && is_it(letter) {
        return Some(letter.into());
    }
    let bound = env.names().find(|name| is_it(name)).cloned();
    bound.or_else(|| is_it(letter).then(|| letter.into()))
}

/// Like `alias_of`, but returns the usual letter if no name is bound to the namespace.
pub fn alias(env: &Env, namespace: Namespace) -> SmolStr {
    alias_of(env, namespace).unwrap_or_else(|| letter(namespace).into())
}

/// The maximum length of StructInfo next to a name in one line.
pub const LINE: usize = 2000;

/// Writes StructInfo with the names that are bound here, usually `R.Tensor`.
pub fn written(sinfo: &StructInfo, release: Release, env: &Env) -> String {
    written_among(sinfo, release, env, (&[], usize::MAX))
}

/// Like `written`, for a module that lists virtual devices, truncated after `most` bytes.
pub fn written_among(
    sinfo: &StructInfo,
    release: Release,
    env: &Env,
    (devices, most): (&[VDevice], usize),
) -> String {
    let (relax, tir) = (alias(env, Namespace::Relax), alias(env, Namespace::Tir));
    let names = Names {
        relax: &relax,
        tir: &tir,
        devices,
    };
    sinfo
        .written(release.dialect(), names)
        .within(most)
        .to_string()
}

/// Returns a function's alias of its module: `cls = Module`. Printers put it first.
pub fn module_alias(body: &Body, module: &str) -> Option<SmolStr> {
    let first = body.function.body.beginning().iter().take(4);
    first
        .filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign { targets, value } => Some((targets.as_slice(), *value)),
            _ => None,
        })
        .find_map(|(targets, value)| match (targets, &body.exprs[value]) {
            ([Target::Name(name)], Expr::Name(value)) if *value == module => {
                Some(name.text.clone())
            }
            _ => None,
        })
}
