//! The rows held against what TVM's own modules export, where their record is beside the sources.

use serde_json::Value as Json;

use super::{Role, entries, find};
use crate::dialect::Dialect;
use crate::enclosing::Namespace;

const SPACES: [(Namespace, &str); 3] = [
    (Namespace::Relax, "R"),
    (Namespace::Tir, "T"),
    (Namespace::Ir, "I"),
];

/// Parameters that scripts do not give: where a node comes from, and what only builders say.
const UNSAID: &[&str] = &[
    "span",
    "*args",
    "**kwargs",
    "is_size_var",
    "predicate",
    "attrs",
    "body",
];

fn exported(version: &str) -> Option<Json> {
    let file = format!("../../../shared/reference/names-tvm-{version}.json");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(path).ok()?;
    Some(serde_json::from_str(&text).expect("the record is JSON"))
}

#[test]
fn every_row_exists_in_the_versions_of_its_dialects() {
    let mut complaints = Vec::new();
    for (version, dialect) in [("0.19", Dialect::StructInfo), ("0.27", Dialect::Type)] {
        let Some(names) = exported(version) else {
            continue;
        };
        for (namespace, letter) in SPACES {
            for entry in entries(namespace) {
                // The record has the names of the namespace itself, not of the object `T.axis`.
                if !entry.dialects.contains(dialect) || entry.role == Role::Axis {
                    continue;
                }
                let name = format!("{letter}.{}", entry.name);
                if names.get(&name).is_none() {
                    complaints.push(format!("{version} has no {name}"));
                    continue;
                }
                let Some(known) = names[&name].as_array() else {
                    continue;
                };
                let known: Vec<&str> = known
                    .iter()
                    .filter_map(Json::as_str)
                    .map(|param| param.trim_end_matches('='))
                    .collect();
                for param in entry.params() {
                    let text = param.text.split('=').next().unwrap_or_default();
                    if !known.contains(&text) && !UNSAID.contains(&text) {
                        complaints.push(format!("{version}: {name} has no {text}: {known:?}"));
                    }
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_name_that_scripts_use_has_a_row_in_each_dialect_once() {
    for (namespace, letter) in SPACES {
        for entry in entries(namespace) {
            for dialect in Dialect::ALL
                .into_iter()
                .filter(|d| entry.dialects.contains(*d))
            {
                let found = find(namespace, entry.name, dialect).expect("the table has it");
                assert!(std::ptr::eq(found, entry), "{letter}.{} twice", entry.name);
            }
        }
    }
}

#[test]
fn parameters_after_a_star_are_given_by_name() {
    let params = find(Namespace::Tir, "thread_binding", Dialect::Type).map(super::Entry::params);
    let params = params.unwrap_or_default();
    let shown: Vec<(&str, bool)> = params.iter().map(|p| (p.name, p.keyword_only)).collect();
    let expected = [
        ("start", false),
        ("stop", false),
        ("thread", false),
        ("annotations", true),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn every_name_that_tvm_exports_exists() {
    for version in ["0.19", "0.27"] {
        let Some(names) = exported(version) else {
            continue;
        };
        for name in names.as_object().expect("an object").keys() {
            let namespace = match name.split_once('.') {
                Some(("T", _)) => Namespace::Tir,
                Some(("I", _)) => Namespace::Ir,
                _ => continue,
            };
            let unknown = super::unknown(namespace, &name[2..], Dialect::Type);
            assert_eq!(unknown, None, "{version}: {name}");
        }
    }
}

#[test]
fn a_name_that_does_not_exist_is_told_the_nearest_of_its_dialect() {
    let near = |name: &str, dialect| {
        super::unknown(Namespace::Tir, name, dialect).and_then(|unknown| unknown.near)
    };
    assert_eq!(near("blok", Dialect::StructInfo), Some("block"));
    assert_eq!(near("sblok", Dialect::Type), Some("sblock"));
    assert_eq!(near("something_of_tomorrow", Dialect::Type), None);
}
