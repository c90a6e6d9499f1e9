//! Validates SARIF reports with the part of the standard's schema that they use.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::schemas::Schema;
use super::{file, json};

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
    let schema = Schema::new(json("tests/packaging/sarif.schema.json"));
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
    let schema = Schema::new(json("tests/packaging/sarif.schema.json"));
    let mut broken = report(&[&file("examples/mistakes.py")]);
    schema.accepts(&broken);
    broken["runs"][0]["results"][0]["level"] = "loud".into();
    schema.refuses(&broken);
}
