//! Rules about manifests: dependencies between the crates, and forbidden dependencies of the crates below the server.

use super::{assert_none, files};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Each crate with the crates of this workspace that it may depend on.
const EDGES: &[(&str, &[&str])] = &[
    ("syntax", &[]),
    ("relax", &[]),
    ("testing", &[]),
    ("hir", &["syntax", "relax"]),
    ("ide", &["syntax", "relax", "hir"]),
    ("vm", &["syntax", "relax", "hir", "testing"]),
    ("relax-lsp", &["syntax", "relax", "hir", "ide", "vm"]),
];

/// Protocol, serialisation and runtimes: only the server may use them.
const SERVER_ONLY: &[&str] = &[
    "lsp-types",
    "serde",
    "serde_json",
    "tokio",
    "tower-lsp",
    "clap",
    "tempfile",
    "tracing-subscriber",
];

/// The metadata of a Relay text is JSON, which `hir` reads.
const READS_JSON: (&str, &str) = ("hir", "serde_json");

struct Manifest {
    package: String,
    /// The name of each dependency, and its table.
    dependencies: Vec<(String, &'static str)>,
}

const TABLES: &[&str] = &["dependencies", "build-dependencies", "dev-dependencies"];

fn manifest(text: &str) -> Manifest {
    let table: toml::Table = text.parse().expect("a manifest is TOML");
    let package = table["package"]["name"]
        .as_str()
        .expect("a package has a name")
        .to_owned();
    let mut dependencies = Vec::new();
    let targets = table.get("target").and_then(toml::Value::as_table);
    let per_target = targets.into_iter().flat_map(|targets| targets.values());
    let places = per_target.filter_map(toml::Value::as_table).chain([&table]);
    for place in places {
        for &kind in TABLES {
            let names = place.get(kind).and_then(toml::Value::as_table);
            dependencies.extend(
                names
                    .into_iter()
                    .flat_map(|names| names.keys())
                    .map(|name| (name.clone(), kind)),
            );
        }
    }
    Manifest {
        package,
        dependencies,
    }
}

fn crates() -> Vec<Manifest> {
    files(|name| name == "Cargo.toml")
        .into_iter()
        .filter(|(name, _)| name.starts_with("crates/"))
        .map(|(_, path)| manifest(&fs::read_to_string(path).expect("a manifest is readable")))
        .collect()
}

fn forbidden_edges(manifest: &Manifest) -> Vec<String> {
    let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    let Some(allowed) = allowed.get(manifest.package.as_str()) else {
        return vec![format!("{} is in no row of EDGES", manifest.package)];
    };
    let ours = |name: &str| EDGES.iter().any(|(package, _)| *package == name);
    manifest
        .dependencies
        .iter()
        .filter(|(name, kind)| {
            let only_tests = name == "testing" && *kind != "dev-dependencies";
            ours(name) && (only_tests || !allowed.contains(&name.as_str()))
        })
        .map(|(name, kind)| format!("{} has {name} in [{kind}]", manifest.package))
        .collect()
}

/// Tests may read recorded JSON, so `[dev-dependencies]` are not checked.
fn server_matters(manifest: &Manifest) -> Vec<String> {
    if manifest.package == "relax-lsp" {
        return Vec::new();
    }
    manifest
        .dependencies
        .iter()
        .filter(|(name, kind)| *kind != "dev-dependencies" && SERVER_ONLY.contains(&name.as_str()))
        .filter(|(name, _)| (manifest.package.as_str(), name.as_str()) != READS_JSON)
        .map(|(name, kind)| format!("{} has {name} in [{kind}]", manifest.package))
        .collect()
}

fn rowan_abroad(manifest: &Manifest) -> Vec<String> {
    let mut names = manifest.dependencies.iter().map(|(name, _)| name);
    if manifest.package != "syntax" && names.any(|name| name == "rowan") {
        vec![format!("{} depends on rowan", manifest.package)]
    } else {
        Vec::new()
    }
}

fn all(rule: impl Fn(&Manifest) -> Vec<String>) -> Vec<String> {
    crates().iter().flat_map(rule).collect()
}

#[test]
fn crates_depend_only_downwards() {
    assert_none(
        "an edge between crates that the layers forbid",
        &all(forbidden_edges),
    );
}

#[test]
fn protocol_and_serialisation_stay_in_the_server() {
    assert_none(
        "a crate below the server depends on what is the server's",
        &all(server_matters),
    );
}

#[test]
fn rowan_stays_in_syntax() {
    assert_none("rowan outside syntax", &all(rowan_abroad));
}

#[test]
fn contributing_says_why_each_dependency_is_there() {
    let table: toml::Table = include_str!("../../Cargo.toml").parse().expect("TOML");
    let dependencies = table["workspace"]["dependencies"].as_table();
    let dependencies = dependencies.expect("a table").iter();
    let of_others = dependencies.filter(|(_, it)| it.get("path").is_none());
    let of_others: BTreeSet<&str> = of_others.map(|(name, _)| name.as_str()).collect();
    let (_, section) = include_str!("../../CONTRIBUTING.md")
        .split_once("## Dependencies\n")
        .expect("CONTRIBUTING.md has that section");
    let rows = section.split("\n## ").next().unwrap_or_default().lines();
    let cells = rows.filter_map(|row| row.split('|').nth(2));
    let named: BTreeSet<&str> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    assert_eq!(of_others, named);
}

#[test]
fn every_row_of_the_layers_is_a_crate() {
    let mut packages: Vec<String> = crates()
        .into_iter()
        .map(|manifest| manifest.package)
        .collect();
    let mut rows: Vec<&str> = EDGES.iter().map(|(package, _)| *package).collect();
    packages.sort();
    rows.sort_unstable();
    assert_eq!(packages, rows);
}

#[test]
fn an_edge_upwards_or_sideways_is_seen() {
    let ide = manifest(
        "[package]\nname = 'ide'\n[dependencies]\nhir.workspace = true\n[dev-dependencies]\nvm.workspace = true\n",
    );
    assert_eq!(forbidden_edges(&ide), ["ide has vm in [dev-dependencies]"]);
    let hir = manifest(
        "[package]\nname = 'hir'\n[target.'cfg(unix)'.dependencies]\nide.workspace = true\n",
    );
    assert_eq!(forbidden_edges(&hir), ["hir has ide in [dependencies]"]);
}

#[test]
fn serde_below_the_server_is_seen_but_not_in_tests() {
    let vm = manifest(
        "[package]\nname = 'vm'\n[dependencies]\nserde = '1'\n[dev-dependencies]\nserde_json = '1'\n",
    );
    assert_eq!(server_matters(&vm), ["vm has serde in [dependencies]"]);
}

#[test]
fn a_tree_in_the_vm_is_seen() {
    let vm = manifest("[package]\nname = 'vm'\n[dependencies]\nrowan = '0.16'\n");
    assert_eq!(rowan_abroad(&vm), ["vm depends on rowan"]);
}
