//! Compares the table of names under `R`, `T` and `I` with the exports of an installed TVM, level by level.

use relax::dtype::DType;
use relax::release::Release;
use relax::script::Namespace;
use relax::{ops, script};
use serde_json::{Map, Value};

use super::tvm;

/// Parameters that scripts do not pass: the span of a node, and those that only TVM's own code uses.
const NOT_PASSED: &[&str] = &[
    "attrs",
    "body",
    "is_size_var",
    "name_hint",
    "predicate",
    "span",
];
/// Rows with fewer parameters than TVM declares, because scripts pass no others.
const FEWER_PARAMS: &[&str] = &[
    "alloc_local",
    "alloc_shared",
    "inline",
    "macro",
    "smem",
    "tmem",
];
/// Names of `tvm.script.parser` that `tvm.script` does not have.
const ONLY_IN_PARSER: &[&str] = &["R.DTensor", "R.device_mesh"];
/// Names that modules import for their own use, and instructions to which Python adds an `_`.
const NOT_SCRIPT_NAMES: &[&str] = &[
    "R.dist.Optional",
    "R.dist.Union",
    "T.ptx.and",
    "T.ptx.not",
    "T.ptx.or",
    "T.tile.is_buffer_var",
];

fn split(name: &str) -> (Namespace, &str) {
    match name.split_once('.').expect("a letter and a name") {
        ("R", rest) => (Namespace::Relax, rest),
        ("T", rest) => (Namespace::Tir, rest),
        (_, rest) => (Namespace::Ir, rest),
    }
}

/// Returns TVM's exports and its release.
fn exported() -> Option<(Map<String, Value>, Release)> {
    let answer = tvm::names()?;
    let version = answer["tvm"].as_str().expect("a version");
    let release = Release::from_version(version)?;
    Some((answer["names"].as_object().expect("names").clone(), release))
}

#[test]
fn every_name_that_tvm_exports_is_in_the_table() {
    let Some((names, release)) = exported() else {
        return;
    };
    let is_known = |name: &str| {
        let (namespace, rest) = split(name);
        script::find(namespace, rest, release).is_some()
            || match namespace {
                Namespace::Relax => ops::by_script(rest, release).is_some(),
                Namespace::Tir => DType::of_constructor(rest).is_some(),
                _ => false,
            }
            || !rest.contains('.') && script::unknown(namespace, rest, release).is_none()
    };
    let names = names.keys().map(String::as_str);
    let missing: Vec<&str> = names
        .filter(|name| !NOT_SCRIPT_NAMES.contains(name) && !is_known(name))
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_row_of_the_table_is_in_tvm_with_its_parameters() {
    let Some((names, release)) = exported() else {
        return;
    };
    let mut complaints = Vec::new();
    for (namespace, letter) in [
        (Namespace::Relax, "R"),
        (Namespace::Tir, "T"),
        (Namespace::Ir, "I"),
    ] {
        let rows = script::entries(namespace).filter(|row| row.releases.contains(release));
        for row in rows {
            let name = format!("{letter}.{}", row.name);
            // TVM makes up the names of instructions when they are looked up.
            let made_up = row.name.starts_with("ptx.")
                || row.name.ends_with(".legacy")
                || ONLY_IN_PARSER.contains(&name.as_str());
            let Some(known) = names.get(&name) else {
                if !made_up {
                    complaints.push(format!("TVM has no {name}"));
                }
                continue;
            };
            let Some(known) = known.as_array().filter(|_| !made_up) else {
                continue;
            };
            let known: Vec<&str> = known.iter().filter_map(Value::as_str).collect();
            let ours = row.params();
            let says_nothing = known.iter().all(|it| it.starts_with('*'));
            if FEWER_PARAMS.contains(&row.name) || says_nothing && !known.is_empty() {
                continue;
            }
            let shown = |param: &script::DeclaredParam| match param.text.split_once('=') {
                Some((name, _)) => format!("{name}="),
                None => param.text.to_owned(),
            };
            let ours: Vec<String> = ours.iter().map(shown).collect();
            let plain = |text: &str| text.trim_end_matches('=').to_owned();
            let known: Vec<&str> = known
                .into_iter()
                .filter(|it| {
                    !NOT_PASSED.contains(&plain(it).as_str()) || ours.iter().any(|o| o == it)
                })
                .collect();
            if row.params.is_some() && ours != known {
                complaints.push(format!(
                    "{name}: {} where TVM has {}",
                    ours.join(", "),
                    known.join(", ")
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
