//! Compares the rows with the recorded exports of TVM's modules.

use crate::release::Release;
use serde_json::Value as Json;

use super::{below, entries, find, words_after};
use crate::script::Namespace;

const SPACES: [(Namespace, &str); 3] = [
    (Namespace::Relax, "R"),
    (Namespace::Tir, "T"),
    (Namespace::Ir, "I"),
];

/// Parameters that scripts do not use: the location of a node, and parameters of builders.
const UNSAID: &[&str] = &[
    "span",
    "*args",
    "**kwargs",
    "is_size_var",
    "predicate",
    "attrs",
    "body",
];

/// Names of TVM that the record lacks: names derived from other functions, a module, names of the parser only.
const UNRECORDED: &[&str] = &[
    "DTensor",
    "alloc_local",
    "alloc_shared",
    "device_mesh",
    "smem",
    "tile",
    "tmem",
];

/// The recorded versions, and the minimum number of names in each.
const EXPORTED: [(&str, Release, &str); 2] = [
    (
        "0.19",
        Release::V0_19,
        include_str!("../../test_data/names.tvm-0.19.json"),
    ),
    (
        "0.27",
        Release::NEWEST,
        include_str!("../../test_data/names.tvm-0.27.json"),
    ),
];

fn exported(text: &str) -> Json {
    let names: Json = serde_json::from_str(text).expect("the record is JSON");
    assert!(names.as_object().is_some_and(|it| it.len() > 500));
    names
}

#[test]
fn every_row_exists_in_the_versions_of_its_dialects() {
    let mut complaints = Vec::new();
    for (version, release, text) in EXPORTED {
        let names = exported(text);
        for (namespace, letter) in SPACES {
            for entry in entries(namespace) {
                // The record contains only names directly in the namespace.
                let nested = namespace == Namespace::Tir && entry.name.contains('.');
                let unrecorded = UNRECORDED.contains(&entry.name);
                if !entry.releases.contains(release) || nested || unrecorded {
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
fn every_name_used_by_scripts_has_one_row_per_dialect() {
    for (namespace, letter) in SPACES {
        for entry in entries(namespace) {
            for release in Release::ALL
                .into_iter()
                .filter(|d| entry.releases.contains(*d))
            {
                let found = find(namespace, entry.name, release).expect("the table has it");
                assert!(std::ptr::eq(found, entry), "{letter}.{} twice", entry.name);
            }
        }
    }
}

#[test]
fn parameters_after_a_star_are_given_by_name() {
    let params = find(Namespace::Tir, "thread_binding", Release::NEWEST).map(super::Entry::params);
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
    for (version, _, text) in EXPORTED {
        let names = exported(text);
        for name in names.as_object().expect("an object").keys() {
            let namespace = match name.split_once('.') {
                Some(("T", _)) => Namespace::Tir,
                Some(("I", _)) => Namespace::Ir,
                _ => continue,
            };
            let unknown = super::unknown(namespace, &name[2..], Release::NEWEST);
            assert_eq!(unknown, None, "{version}: {name}");
        }
    }
}

#[test]
fn unknown_names_get_a_suggestion_of_their_dialect() {
    let near = |name: &str, release| {
        super::unknown(Namespace::Tir, name, release).and_then(|unknown| unknown.near)
    };
    assert_eq!(near("blok", Release::V0_19), Some("block"));
    assert_eq!(near("sblok", Release::NEWEST), Some("sblock"));
    assert_eq!(near("something_of_tomorrow", Release::NEWEST), None);
}

fn names_below(prefix: &str, release: Release) -> Vec<&'static str> {
    let rows = below(Namespace::Tir, prefix, release);
    rows.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn dotted_names_are_looked_up_level_by_level() {
    assert!(names_below("", Release::NEWEST).contains(&"cuda"));
    assert!(!names_below("", Release::V0_19).contains(&"cuda"));
    let cuda = names_below("cuda", Release::NEWEST);
    assert!(
        cuda.contains(&"cta_sync") && cuda.contains(&"tcgen05"),
        "{cuda:?}"
    );
    assert!(!cuda.contains(&"encode_matrix_descriptor"));
    let names = names_below("cuda.wgmma", Release::NEWEST);
    assert_eq!(names, ["encode_matrix_descriptor", "noop_barrier"]);
    // `async_` is not an instruction, but a prefix of some.
    assert_eq!(names_below("ptx.cp", Release::NEWEST), ["async_", "reduce"]);
}

#[test]
fn a_ptx_instruction_is_found_with_its_modifiers() {
    let name = |path| find(Namespace::Tir, path, Release::NEWEST).map(|entry| entry.name);
    assert_eq!(name("ptx.ld.global_.acquire.gpu.b32"), Some("ptx.ld"));
    assert_eq!(
        name("ptx.cp.async_.bulk.wait_group"),
        Some("ptx.cp.async_.bulk.wait_group")
    );
    assert_eq!(name("cuda.cta_sync.more"), None);
    let words = words_after(Namespace::Tir, "ptx.popc", Release::NEWEST);
    assert_eq!(words, ["b32", "b64"]);
    let words = words_after(Namespace::Tir, "ptx.popc.b32", Release::NEWEST);
    assert_eq!(words, ["b64"]);
}

#[test]
fn tiles_are_equal_for_every_thread_group() {
    let tile = find(Namespace::Tir, "tile.copy", Release::NEWEST).expect("a row");
    for path in ["cta.copy", "tile.cta.copy", "wg.copy"] {
        let found = find(Namespace::Tir, path, Release::NEWEST).expect(path);
        assert!(std::ptr::eq(found, tile), "{path}");
    }
    assert!(names_below("cta", Release::NEWEST).contains(&"copy"));
    assert!(names_below("tile", Release::NEWEST).contains(&"cta"));
    assert_eq!(
        find(Namespace::Tir, "tile.cta", Release::NEWEST).map(|it| it.name),
        Some("cta")
    );
}

#[test]
fn a_dtype_may_be_given_by_name_in_older_calls() {
    let forms = |name| -> Vec<String> {
        let entry = find(Namespace::Tir, name, Release::V0_19).expect("a row");
        let texts =
            |form: Vec<super::DeclaredParam>| form.iter().map(|it| it.text).collect::<Vec<_>>();
        entry
            .forms()
            .into_iter()
            .map(|form| texts(form).join(", "))
            .collect()
    };
    assert_eq!(forms("exp"), ["x", "x, dtype"]);
    assert_eq!(forms("reinterpret"), ["dtype, value", "value, dtype"]);
    assert_eq!(forms("grid"), ["*extents"]);
}
