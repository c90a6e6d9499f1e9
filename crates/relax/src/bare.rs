//! Names without a namespace. The parser of 2022 resolved annotations and operators by name, whatever Python bound to
//! these names; in newer releases they are mistakes.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::dtype::DType;
use crate::ops;
use crate::release::Release;
use crate::script::{Entry, Namespace, Role, ScriptPath, entries};

/// Returns the annotation that a name without a namespace stands for, such as `Tensor`.
pub fn bare_annotation(name: &str, release: Release) -> Option<ScriptPath> {
    let rows = || entries(Namespace::Relax).filter(|it| it.releases.contains(release));
    let is_annotation = || rows().any(|it| it.role == Role::Annotation && it.name == name);
    (release == Release::Rfc && is_annotation()).then(|| relax(name))
}

/// Returns what an unbound name without a namespace stands for: an operator (`add`), the first part of one (`nn`), a
/// statement, or `relax`. Returns `None` if it has no meaning in `release`.
pub fn bare_name(name: &str, release: Release) -> Option<ScriptPath> {
    static NAMES: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
        let first = |name: &'static str| name.split('.').next().unwrap_or(name);
        let is_statement = |it: &&Entry| {
            let is_of_rfc = it.releases.until == Release::Rfc;
            it.role == Role::Statement || it.role == Role::Value && is_of_rfc
        };
        let rows = entries(Namespace::Relax).filter(|it| it.releases.contains(Release::Rfc));
        let names = rows.filter(is_statement).map(|it| it.name);
        names
            .chain(ops::all().map(ops::OpDef::script))
            .map(first)
            .collect()
    });
    if release != Release::Rfc {
        return None;
    }
    if name == "relax" {
        let namespace = Namespace::Python;
        let rest = SmolStr::default();
        return Some(ScriptPath { namespace, rest });
    }
    NAMES.contains(name).then(|| relax(name))
}

/// Returns a dtype in the quotes that it lacks: `float32`.
pub fn quoted_dtype(name: &str) -> Option<SmolStr> {
    let is_dtype = DType::COMMON.contains(&name);
    is_dtype.then(|| format!("\"{name}\"").into())
}

/// Returns the function that a name without its letter stands for, in a function of a namespace: `add`, `grid`.
pub fn with_letter(name: &str, namespace: Namespace, release: Release) -> Option<SmolStr> {
    let has = |namespace: Namespace| {
        let mut rows = entries(namespace).filter(|row| row.name == name);
        rows.any(|row| {
            let is_called = !matches!(row.role, Role::Decorator | Role::Namespace | Role::Builder);
            is_called && row.releases.contains(release)
        })
    };
    let is_relax = namespace == Namespace::Relax;
    if is_relax && (ops::by_script(name, release).is_some() || has(namespace)) {
        return Some(format!("R.{name}").into());
    }
    has(Namespace::Tir).then(|| format!("T.{name}").into())
}

fn relax(name: &str) -> ScriptPath {
    ScriptPath {
        namespace: Namespace::Relax,
        rest: name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_dialect_of_2022_has_names_without_a_namespace() {
        let paths = |release| {
            let found = ["Tensor", "add"]
                .map(|name| bare_annotation(name, release).or_else(|| bare_name(name, release)));
            found.map(|path| path.map(|it| it.rest))
        };
        let both = [Some("Tensor".into()), Some("add".into())];
        assert_eq!(paths(Release::Rfc), both);
        assert_eq!(paths(Release::Unity), [None, None]);
        assert_eq!(bare_name("n", Release::Rfc), None);
    }
}
