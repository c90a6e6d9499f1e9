//! Tests of the files with which a version is released.

use std::process::Command;

use serde_json::Value;

use super::{file, is_here, yaml};

/// Returns what `packaging/release_notes.py` prints about a version of a changelog.
fn notes(changelog: &str, version: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let packaging = folder.path().join("packaging");
    std::fs::create_dir(&packaging).unwrap();
    let script = packaging.join("release_notes.py");
    std::fs::copy(file("packaging/release_notes.py"), &script).unwrap();
    std::fs::write(folder.path().join("CHANGELOG.md"), changelog).unwrap();
    let output = Command::new("python3").arg(script).arg(version).output();
    let output = output.expect("python3 starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    output.status.success().then(|| text.trim_end().to_owned())
}

#[test]
fn the_notes_of_a_release_are_its_section_of_the_changelog() {
    if !is_here("python3") {
        return;
    }
    let changelog = "# Changelog\n\n## Unreleased: more\n\n- C\n\n## 0.2.0\n\n- B\n\n### Fixed\n- b\n\n## 0.1.0: the first version\n- A\n";
    let of = |version| notes(changelog, version);
    assert_eq!(of("v0.1.0").as_deref(), Some("- A"));
    assert_eq!(of("v0.2.0").as_deref(), Some("- B\n\n### Fixed\n- b"));
    assert_eq!(of("v0.3.0").as_deref(), Some("- C"));
    assert_eq!(notes("# Changelog\n\n## 0.1.0\n- A\n", "v0.2.0"), None);
}

#[test]
fn the_script_that_tries_a_wheel_gets_diagnostics_from_the_server() {
    if !is_here("python3") {
        return;
    }
    let script = file("packaging/handshake.py");
    let tried = |program: &str| {
        let mut command = Command::new("python3");
        command.arg(&script).arg(program).output().unwrap()
    };
    let output = tried(tests::relax_lsp().to_str().expect("UTF-8"));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(!tried("true").status.success());
}

#[test]
fn a_release_attests_all_files_that_it_names() {
    let workflow = yaml(".github/workflows/release.yml");
    let publish = &workflow["jobs"]["publish"];
    for permission in ["id-token", "attestations"] {
        assert_eq!(publish["permissions"][permission], "write");
    }
    let steps = publish["steps"].as_array().expect("a list");
    let at = |what: &str| {
        let found = steps.iter().position(|it| it.to_string().contains(what));
        found.unwrap_or_else(|| panic!("no step has {what}"))
    };
    let attest = at("actions/attest-build-provenance@");
    assert!(at("sha256sum -- * >SHA256SUMS") < attest && attest < at("gh release create"));
    assert_eq!(
        steps[attest]["with"]["subject-checksums"],
        "dist/SHA256SUMS"
    );
}

#[test]
fn a_release_waits_for_all_of_its_files() {
    let workflow = yaml(".github/workflows/release.yml");
    let jobs = workflow["jobs"].as_object().expect("there are jobs");
    let makers = jobs.keys().filter(|it| *it != "publish");
    let needed = jobs["publish"]["needs"].as_array().expect("a list");
    let needed: Vec<&str> = needed.iter().filter_map(Value::as_str).collect();
    assert_eq!(makers.map(String::as_str).collect::<Vec<_>>(), needed);
}
