//! Rules about dependencies: the licence and the origin of every crate, as `deny.toml` requires. CI also runs `cargo
//! deny`.

use std::process::Command;

use serde_json::Value;
use spdx::{Expression, LicenseReq, Licensee};

use super::{assert_none, root};

/// Returns cargo's metadata of the packages in the lock file, for every platform.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--all-features",
        ])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    match metadata["packages"].take() {
        Value::Array(packages) => packages,
        other => panic!("there are packages: {other}"),
    }
}

fn accepted() -> Vec<Licensee> {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("it is there");
    let deny: toml::Table = text.parse().expect("it is TOML");
    let allowed = deny["licenses"]["allow"].as_array().expect("a list");
    let names = allowed.iter().map(|it| it.as_str().expect("a name"));
    names
        .map(|name| Licensee::parse(name).expect("a licence of SPDX"))
        .collect()
}

fn is_accepted(licence: &str, accepted: &[Licensee]) -> bool {
    // Older crates separate alternative licences by a slash.
    let parsed = Expression::parse_mode(licence, spdx::ParseMode::LAX);
    let accepts = |wanted: &LicenseReq| accepted.iter().any(|it| it.satisfies(wanted));
    parsed.is_ok_and(|it| it.evaluate(accepts))
}

#[test]
fn every_crate_has_a_licence_that_deny_toml_accepts() {
    let accepted = accepted();
    let packages = packages();
    let foreign = packages.iter().filter(|it| !it["source"].is_null());
    let refused = foreign.filter_map(|it| {
        let licence = it["license"].as_str().unwrap_or("none");
        (!is_accepted(licence, &accepted)).then(|| format!("{}: {licence}", it["name"]))
    });
    assert_none("permissive licences only", &refused.collect::<Vec<_>>());
}

#[test]
fn a_licence_that_is_not_accepted_is_seen() {
    let accepted = accepted();
    assert!(is_accepted("MIT/GPL-3.0", &accepted));
    assert!(is_accepted(
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        &accepted
    ));
    assert!(!is_accepted("MIT AND GPL-3.0-only", &accepted));
    assert!(!is_accepted("none", &accepted));
}

#[test]
fn every_crate_comes_from_the_registry_and_is_not_banned() {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("it is there");
    let deny: toml::Table = text.parse().expect("it is TOML");
    let banned = deny["bans"]["deny"].as_array().expect("a list");
    let banned: Vec<&str> = banned
        .iter()
        .filter_map(|it| it["crate"].as_str())
        .collect();
    assert!(!banned.is_empty());
    let is_wrong = |it: &&Value| {
        let source = it["source"].as_str().unwrap_or("registry+");
        let name = it["name"].as_str().expect("a package has a name");
        !source.starts_with("registry+") || banned.contains(&name)
    };
    let packages = packages();
    let found = packages
        .iter()
        .filter(is_wrong)
        .map(|it| it["id"].to_string());
    assert_none(
        "registries only, and nothing that deny.toml bans",
        &found.collect::<Vec<_>>(),
    );
}
