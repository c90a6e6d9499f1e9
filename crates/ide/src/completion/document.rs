//! The documentation of a completion, computed when the client resolves it.

use relax::FunctionKind;
use relax::release::Release;
use relax::script::Marked;
use relax::script::Namespace;
use relax::{ops, script};

use crate::hover::script::{mark_page, written};
use crate::hover::{code, operator};
use crate::markdown::{Markdown, markdown};

/// Returns the key of an operator or a script function, for [`document`].
pub fn key(namespace: Namespace, name: &str, release: Release) -> String {
    let letter = match namespace {
        Namespace::Relax | Namespace::Python => "R",
        Namespace::Tir => "T",
        Namespace::Ir => "I",
    };
    format!("{} {letter} {name}", release.name())
}

pub fn attr_key(kind: FunctionKind, name: &str, release: Release) -> String {
    let kind = if kind == FunctionKind::PrimFunc {
        "prim"
    } else {
        "relax"
    };
    format!("{} {kind} {name}", release.name())
}

/// Returns the key of an annotation of a loop, a block, a buffer or a statement, for [`document`].
pub fn mark_key(of: Marked, name: &str, release: Release) -> String {
    format!("{} {} {name}", release.name(), of.name())
}

/// Returns Markdown documentation for a key.
pub fn document(key: &str) -> Option<Markdown> {
    let mut parts = key.splitn(3, ' ');
    let release = Release::from_name(parts.next()?)?;
    let (space, name) = (parts.next()?, parts.next()?);
    let namespace = match space {
        "R" => Namespace::Relax,
        "T" => Namespace::Tir,
        "I" => Namespace::Ir,
        "prim" | "relax" => {
            let kind = if space == "prim" {
                FunctionKind::PrimFunc
            } else {
                FunctionKind::Relax
            };
            let attr = script::function_attr(name, kind, release)?;
            let example = format!("\"{}\": {}", attr.key, attr.example);
            return Some(markdown!("{}{}", code(&example), attr.doc));
        }
        _ => {
            let mark = script::mark(name, Marked::from_name(space)?, release)?;
            return Some(mark_page(mark));
        }
    };
    if namespace == Namespace::Relax
        && let Some(op) = ops::by_script(name, release)
    {
        return Some(operator::page(op));
    }
    let entry = script::find(namespace, name, release)?;
    let forms = written(&format!("{space}.{name}"), entry);
    Some(markdown!("{}{}", code(&forms), entry.doc))
}
