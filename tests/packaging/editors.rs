//! Tests that `packaging/editors` follows the rules of each editor's package list.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{json, text, toml, yaml};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn keys(value: &Value) -> BTreeSet<&str> {
    let object = value.as_object().expect("a table");
    object.keys().map(String::as_str).collect()
}

fn strings(value: &Value) -> Vec<&str> {
    let list = value.as_array().expect("a list");
    list.iter().map(|it| it.as_str().expect("a text")).collect()
}

#[test]
fn mason_takes_its_package() {
    let package = yaml("packaging/editors/mason/package.yaml");
    let required = [
        "name",
        "description",
        "homepage",
        "licenses",
        "languages",
        "categories",
        "source",
    ];
    let optional = [
        "schemas",
        "bin",
        "share",
        "opt",
        "neovim",
        "ci_skip",
        "deprecation",
    ];
    let known: BTreeSet<&str> = required.into_iter().chain(optional).collect();
    assert!(keys(&package).is_subset(&known), "{package:#}");
    assert!(keys(&package).is_superset(&BTreeSet::from(required)));
    let categories = ["Compiler", "DAP", "Formatter", "LSP", "Linter", "Runtime"];
    assert!(
        strings(&package["categories"])
            .iter()
            .all(|it| categories.contains(it))
    );
    assert_eq!(
        package["source"]["id"],
        format!("pkg:pypi/relax-lsp@{VERSION}")
    );
    assert_eq!(package["bin"]["relax-lsp"], "pypi:relax-lsp");
    let lspconfig = package["neovim"]["lspconfig"].as_str().unwrap();
    text(&format!(
        "packaging/editors/nvim-lspconfig/lsp/{lspconfig}.lua"
    ));
}

#[test]
fn helix_starts_no_server_that_is_not_defined() {
    let languages = toml("packaging/editors/helix/languages.toml");
    let servers = keys(&languages["language-server"]);
    assert_eq!(
        languages["language-server"]["relax-lsp"]["command"],
        "relax-lsp"
    );
    // Helix's default servers for Python. A list of the user replaces them.
    let of_helix = ["ty", "ruff", "jedi", "pylsp", "zuban"];
    for language in languages["language"].as_array().unwrap() {
        let wanted = strings(&language["language-servers"]);
        assert!(
            wanted
                .iter()
                .all(|it| servers.contains(it) || of_helix.contains(it))
        );
        assert!(wanted.ends_with(&["relax-lsp"]));
    }
}

#[test]
fn zed_takes_its_extension() {
    let extension = toml("packaging/editors/zed/extension.toml");
    let required = [
        "id",
        "name",
        "version",
        "schema_version",
        "authors",
        "description",
        "repository",
    ];
    assert!(keys(&extension).is_superset(&BTreeSet::from(required)));
    assert_eq!(extension["schema_version"], 1);
    assert_eq!(extension["version"], VERSION);
    assert_eq!(
        extension["language_servers"]["relax-lsp"]["languages"][0],
        "Python"
    );
    let package = toml("packaging/editors/zed/Cargo.toml");
    assert_eq!(package["package"]["version"], VERSION);
    assert_eq!(package["lib"]["crate-type"][0], "cdylib");
    assert_eq!(text("packaging/editors/zed/LICENSE"), text("LICENSE"));
}

#[test]
fn zed_downloads_archives_of_our_releases() {
    let source = text("packaging/editors/zed/src/relax.rs");
    let targets = source.lines().filter_map(|line| {
        let (_, rest) = line.split_once("=> Ok((\"")?;
        rest.split_once('"').map(|(target, _)| target)
    });
    let targets: Vec<&str> = targets.collect();
    assert!(targets.len() >= 4, "{targets:?}");
    let release = yaml(".github/workflows/release.yml");
    let built = release["jobs"]["build"]["strategy"]["matrix"]["include"]
        .as_array()
        .unwrap();
    for target in targets {
        assert!(built.iter().any(|it| it["target"] == target), "{target}");
    }
    assert!(text("packaging/archive.sh").contains("folder=relax-lsp-$target"));
    assert!(source.contains("{SERVER}-{target}.tar.gz"));
}

#[test]
fn lsp4ij_takes_its_template() {
    let template = json("packaging/editors/lsp4ij/relax-lsp/template.json");
    let required = BTreeSet::from(["id", "name", "programArgs", "fileTypeMappings"]);
    assert_eq!(keys(&template), required);
    let platforms = BTreeSet::from(["default", "windows"]);
    assert_eq!(keys(&template["programArgs"]), platforms);
    let mapping = &template["fileTypeMappings"][0];
    assert_eq!(mapping["fileType"]["patterns"][0], "*.py");
    assert_eq!(mapping["languageId"], "python");

    let installer = json("packaging/editors/lsp4ij/relax-lsp/installer.json");
    assert_eq!(installer["id"], template["id"]);
    for (part, tasks) in [("check", &installer["check"]), ("run", &installer["run"])] {
        assert_eq!(keys(tasks), BTreeSet::from(["exec"]), "{part}");
    }
    assert_eq!(keys(&installer["run"]["exec"]["command"]), platforms);
}
