//! Validates SARIF reports with the schema of OASIS, from the crate `serde-sarif`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::file;
use super::schemas::Schema;

/// Returns the schema of SARIF 2.1.0 from the sources of the crate `serde-sarif`.
fn schema() -> Value {
    let packages = crate::rules::licences::packages();
    let sarif = packages.iter().find(|it| it["name"] == "serde-sarif");
    let manifest = sarif.expect("it is a dependency")["manifest_path"].as_str();
    let folder = Path::new(manifest.expect("a package has a manifest"))
        .parent()
        .unwrap();
    let schema = std::fs::read_to_string(folder.join("src/schema.json")).expect("it is there");
    serde_json::from_str(&schema).expect("a schema is JSON")
}

fn report(paths: &[&Path]) -> Value {
    let output = Command::new(tests::relax_lsp())
        .args(["check", "--format", "sarif", "--"])
        .args(paths)
        .output()
        .expect("relax-lsp starts");
    serde_json::from_slice(&output.stdout).expect("SARIF is JSON")
}

#[test]
fn reports_fit_the_schema_of_sarif() {
    let schema = Schema::new(schema());
    let odd = tempfile::tempdir().unwrap();
    let odd_name = odd.path().join("a b%c#ü.py");
    std::fs::copy(file("examples/mistakes.py"), &odd_name).unwrap();
    let clean = report(&[&file("examples/mlp.py")]);
    schema.accepts(&clean);
    let examples = report(&[&file("examples"), &odd_name]);
    schema.accepts(&examples);
    let uris = examples["runs"][0]["results"].as_array().unwrap().iter();
    let uris = uris.map(|it| &it["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
    let uris: Vec<&str> = uris.map(|it| it.as_str().unwrap()).collect();
    assert!(
        uris.iter().any(|it| it.ends_with("/a%20b%25c%23%C3%BC.py")),
        "{uris:?}"
    );
    let results = examples["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() >= 4, "{}", results.len());
    let programs = report(&[&file("tests/conformance/programs"), &file("fuzz/seeds")]);
    schema.accepts(&programs);
}

#[test]
fn the_schema_refuses_an_invalid_report() {
    let schema = Schema::new(schema());
    let mut broken = report(&[&file("examples/mistakes.py")]);
    schema.accepts(&broken);
    broken["runs"][0]["results"][0]["level"] = "loud".into();
    schema.refuses(&broken);
}
