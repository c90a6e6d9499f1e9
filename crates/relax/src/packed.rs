//! The table of packed functions in TVM's runtime, one row per function and its releases: signatures and descriptions.
//!
//! hir checks calls against the rows, hover shows them, and the vm's builtins have the same names.

mod attention;
mod runtime;
mod states;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::release::{Release, Releases};

/// A function, identified by its global symbol.
#[derive(Debug)]
pub struct Packed {
    pub name: &'static str,
    /// The parameters as Python declares them, with kinds: `cache: Cache, layer: int, position: int = -1, *rest: Any`.
    signature: &'static str,
    pub result: PackedKind,
    /// `true` if a call has no visible side effects.
    pub pure: bool,
    /// `true` if it neither reads nor writes elements of tensors: it allocates, checks, or creates a view.
    pub is_free: bool,
    pub releases: Releases,
    /// A description in one sentence.
    pub doc: &'static str,
}

/// A parameter of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedParam {
    pub name: &'static str,
    pub kind: PackedKind,
    /// `true` if it may be omitted.
    pub optional: bool,
    /// `true` if it takes all remaining arguments.
    pub star: bool,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal;)*) => {
        /// The kind of an argument at run time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum PackedKind { $($(#[$doc])* $kind,)* }

        impl PackedKind {
            pub fn name(self) -> &'static str {
                match self { $(PackedKind::$kind => $name,)* }
            }

            fn of_name(name: &str) -> Option<PackedKind> {
                match name { $($name => Some(PackedKind::$kind),)* _ => None }
            }
        }
    };
}

kinds! {
    Any "Any";
    Tensor "Tensor";
    Shape "Shape";
    Int "int";
    Float "float";
    Bool "bool";
    Str "str";
    DType "dtype";
    Tuple "Tuple";
    Function "Function";
    /// A KV cache or a state.
    Object "Object";
    Nothing "None";
}

const fn row(
    name: &'static str,
    signature: &'static str,
    result: PackedKind,
    releases: Releases,
    doc: &'static str,
) -> Packed {
    Packed {
        name,
        signature,
        result,
        pure: false,
        is_free: false,
        releases,
        doc,
    }
}

impl Packed {
    const fn pure(self) -> Packed {
        Packed { pure: true, ..self }
    }

    const fn free(self) -> Packed {
        Packed {
            is_free: true,
            ..self
        }
    }

    pub fn params(&self) -> Vec<PackedParam> {
        let parts = self.signature.split(", ").filter(|part| !part.is_empty());
        parts.filter_map(param).collect()
    }

    /// Returns the declaration: `f(cache: Object, layer: int) -> Tensor`.
    pub fn declaration(&self) -> String {
        format!(
            "{}({}) -> {}",
            self.name,
            self.signature,
            self.result.name()
        )
    }

    /// Returns `true` if the function accepts `count` arguments.
    pub fn takes(&self, count: usize) -> bool {
        let params = self.params();
        let least = params.iter().filter(|it| !it.optional && !it.star).count();
        count >= least && (count <= params.len() || params.iter().any(|it| it.star))
    }
}

fn param(text: &'static str) -> Option<PackedParam> {
    let (text, optional) = match text.split_once(" = ") {
        Some((text, _)) => (text, true),
        None => (text, false),
    };
    let (name, kind) = text.split_once(": ")?;
    Some(PackedParam {
        name: name.trim_start_matches('*'),
        kind: PackedKind::of_name(kind)?,
        optional,
        star: name.starts_with('*'),
    })
}

static FAMILIES: &[&[Packed]] = &[attention::ROWS, runtime::ROWS, states::ROWS];

static BY_NAME: LazyLock<FxHashMap<&'static str, Vec<&'static Packed>>> = LazyLock::new(|| {
    let mut map: FxHashMap<&'static str, Vec<&'static Packed>> = FxHashMap::default();
    for row in all() {
        map.entry(row.name).or_default().push(row);
    }
    map
});

pub fn all() -> impl Iterator<Item = &'static Packed> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// Returns the rows of a symbol, one for each signature that it has had.
pub fn rows(name: &str) -> &'static [&'static Packed] {
    BY_NAME.get(name).map_or(&[], Vec::as_slice)
}

/// Returns the row of a symbol in a release, or else that of its last release.
pub fn of_release(name: &str, release: Release) -> Option<&'static Packed> {
    let rows = rows(name);
    let found = rows.iter().find(|row| row.releases.contains(release));
    found.or(rows.last()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signature_is_parsed_to_its_end() {
        for row in all() {
            let parts = row.signature.split(", ").filter(|it| !it.is_empty());
            assert_eq!(row.params().len(), parts.count(), "{}", row.name);
        }
    }

    #[test]
    fn rows_of_one_symbol_have_disjoint_releases() {
        for row in all() {
            for other in rows(row.name) {
                let same = std::ptr::eq(row, *other);
                assert!(
                    same || row.releases.and(other.releases).is_none(),
                    "{}",
                    row.name
                );
            }
        }
    }

    #[test]
    fn argument_counts_respect_optional_parameters() {
        let begin = of_release("vm.builtin.kv_state_begin_forward", Release::NEWEST).unwrap();
        assert_eq!(
            [2, 3, 4, 5].map(|it| begin.takes(it)),
            [false, true, true, false]
        );
        let fork = of_release("vm.builtin.kv_state_fork_sequence", Release::V0_19).unwrap();
        assert_eq!(
            fork.declaration(),
            "vm.builtin.kv_state_fork_sequence(state: Object, parent: int, child: int, position: int) -> None"
        );
    }
}
