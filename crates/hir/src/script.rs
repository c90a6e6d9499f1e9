//! What `R`, `T` and `I` offer besides operators, one row a name: completion, signature help, hover and the
//! suggestions of diagnostics read it.

mod attrs;
mod ir;
mod others;
mod relax;
#[cfg(test)]
mod tests;
mod tir;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::dialect::{Dialect, Dialects};
use crate::dtype::DType;
use crate::enclosing::Namespace;

pub use attrs::{Attr, FUNCTION_ATTRS, function_attr};

/// One name under `R`, `T` or `I`.
#[derive(Debug)]
pub struct Entry {
    /// Without the namespace: `match_cast`, `axis.spatial`.
    pub name: &'static str,
    /// As Python declares them: `value, dtype=None`. `None`: the name is not called.
    pub params: Option<&'static str>,
    pub role: Role,
    pub dialects: Dialects,
    /// One sentence.
    pub doc: &'static str,
}

/// Where a name is of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// After `@`.
    Decorator,
    /// Where StructInfo is written, or the type of a PrimFunc's parameter.
    Annotation,
    /// As a statement of its own, or after `with`.
    Statement,
    /// What a `for` runs over.
    Loop,
    /// The variables of a block, and where it stands.
    Axis,
    /// Makes a buffer.
    Buffer,
    Value,
    /// In the body of a module.
    Module,
    /// Of the builder that makes the same IR from Python: known, but nothing that scripts say.
    Builder,
}

const fn row(
    name: &'static str,
    params: &'static str,
    role: Role,
    dialects: Dialects,
    doc: &'static str,
) -> Entry {
    Entry {
        name,
        params: Some(params),
        role,
        dialects,
        doc,
    }
}

const fn plain(name: &'static str, role: Role, dialects: Dialects, doc: &'static str) -> Entry {
    Entry {
        name,
        params: None,
        role,
        dialects,
        doc,
    }
}

/// The rows of a namespace.
pub fn entries(namespace: Namespace) -> &'static [Entry] {
    match namespace {
        Namespace::Relax => relax::ENTRIES,
        Namespace::Tir => tir::ENTRIES,
        Namespace::Ir => ir::ENTRIES,
        Namespace::Python => &[],
    }
}

/// A parameter as Python declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Without stars.
    pub name: &'static str,
    /// All of it: `*fields`, `dtype=None`.
    pub text: &'static str,
    pub star: bool,
    /// After a lone `*`: by name only.
    pub keyword_only: bool,
}

impl Entry {
    pub fn params(&self) -> Vec<Param> {
        let mut keyword_only = false;
        let mut params = Vec::new();
        for text in self.params.unwrap_or_default().split(", ") {
            if text == "*" {
                keyword_only = true;
            } else if !text.is_empty() {
                let bare = text.trim_start_matches('*');
                params.push(Param {
                    name: bare.split('=').next().unwrap_or(bare),
                    text,
                    star: text.starts_with('*'),
                    keyword_only,
                });
                keyword_only |= text.starts_with('*');
            }
        }
        params
    }
}

type Key = (Namespace, &'static str);

static BY_NAME: LazyLock<FxHashMap<Key, Vec<&'static Entry>>> = LazyLock::new(|| {
    let mut map: FxHashMap<Key, Vec<&'static Entry>> = FxHashMap::default();
    for namespace in [Namespace::Relax, Namespace::Tir, Namespace::Ir] {
        for entry in entries(namespace) {
            map.entry((namespace, entry.name)).or_default().push(entry);
        }
    }
    map
});

/// The row of a name: the one for `dialect` if there is one, else any.
pub fn find(namespace: Namespace, name: &str, dialect: Dialect) -> Option<&'static Entry> {
    // The key of the table is static, so the name is looked up through an equal one.
    let rows = BY_NAME.get(&(namespace, name) as &(Namespace, &str))?;
    rows.iter()
        .find(|entry| entry.dialects.contains(dialect))
        .or(rows.first())
        .copied()
}

/// A name under `T` or `I` that no version of TVM has, as far as they are known here.
#[derive(Debug, PartialEq, Eq)]
pub struct Unknown {
    pub message: String,
    /// What was probably meant.
    pub near: Option<&'static str>,
}

/// Looks for a name right under `T` or `I`; `None`: it exists, or may.
pub fn unknown(namespace: Namespace, name: &str, dialect: Dialect) -> Option<Unknown> {
    let (letter, others) = match namespace {
        Namespace::Tir => ("T", others::TIR),
        Namespace::Ir => ("I", others::IR),
        Namespace::Relax | Namespace::Python => return None,
    };
    let exists = name.is_empty()
        || name.starts_with('_')
        || DType::parse(name).is_some()
        || BY_NAME.contains_key(&(namespace, name) as &(Namespace, &str))
        || others.binary_search(&name).is_ok()
        || matches!(name, "tir" | "tirx" | "ir");
    if exists {
        return None;
    }
    let rows = entries(namespace).iter();
    let here = rows.filter(|entry| entry.dialects.contains(dialect) && !entry.name.contains('.'));
    let known = here
        .map(|entry| entry.name)
        .chain(DType::COMMON.iter().copied());
    let near = crate::infer::nearest_str(name, known);
    let message = match near {
        Some(near) => format!("`{letter}.{name}` does not exist; did you mean `{letter}.{near}`?"),
        None => format!("`{letter}.{name}` is not a name that is known here"),
    };
    Some(Unknown { message, near })
}
