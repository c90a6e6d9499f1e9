//! Tests of definitions and references over the protocol.

use serde_json::{Value, json};

use super::programs::{DOUBLE, position};
use tests::client::Client;

const URI: &str = "file:///double.py";

fn opened(capabilities: Value) -> Client {
    let mut client = Client::initialized(capabilities);
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    client
}

fn at(needle: &str) -> Value {
    json!({"textDocument": {"uri": URI}, "position": position(DOUBLE, needle)})
}

fn lines(locations: &Value) -> Vec<i64> {
    let locations = locations.as_array().expect("locations are an array");
    let line = |it: &Value| it["range"]["start"]["line"].as_i64().expect("a line");
    locations.iter().map(line).collect()
}

#[test]
fn definition_leads_to_the_binding() {
    let mut client = opened(json!({}));
    let found = client.call("textDocument/definition", at("y)"));
    assert_eq!(found[0]["uri"], URI);
    assert_eq!(found[0]["range"]["start"], position(DOUBLE, "y = R.add"));
}

#[test]
fn declaration_and_type_definition_lead_to_the_dimension() {
    let mut client = opened(json!({}));
    let dimension = position(DOUBLE, "n\", 4");
    for method in ["textDocument/declaration", "textDocument/typeDefinition"] {
        let found = client.call(method, at("n\", 4"));
        assert_eq!(found[0]["range"]["start"], dimension, "{method}");
    }
    let found = client.call("textDocument/typeDefinition", at("y\n"));
    assert_eq!(found[0]["range"]["start"], dimension);
}

#[test]
fn references_come_with_the_declaration_or_without() {
    let mut client = opened(json!({}));
    let mut ask = |declaration: bool| {
        let mut params = at("y = R.add");
        params["context"] = json!({"includeDeclaration": declaration});
        lines(&client.call("textDocument/references", params))
    };
    assert_eq!(ask(true), [9, 10, 11]);
    assert_eq!(ask(false), [10, 11]);
}

#[test]
fn highlights_tell_writes_from_reads() {
    let mut client = opened(json!({}));
    let found = client.call("textDocument/documentHighlight", at("y = R.add"));
    let kinds: Vec<&Value> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["kind"])
        .collect();
    assert_eq!(kinds, [3, 2, 2]);
}

#[test]
fn a_rename_is_prepared_where_the_client_asks_for_that() {
    let mut client = opened(json!({"textDocument": {"rename": {"prepareSupport": true}}}));
    let target = client.call("textDocument/prepareRename", at("y = R.add"));
    assert_eq!(target["placeholder"], "y");
    let why = client.refused("textDocument/prepareRename", at("add(x"));
    assert_eq!(why["code"], -32803);
    assert_eq!(why["message"], "`R.add` is defined by TVM");
}

#[test]
fn a_rename_edits_every_use_in_its_document_version() {
    let rename = |client: &mut Client, name: &str| {
        let mut params = at("y = R.add");
        params["newName"] = json!(name);
        client.call("textDocument/rename", params)
    };
    let mut client = opened(json!({}));
    let edit = rename(&mut client, "twice");
    assert_eq!(edit["changes"][URI].as_array().unwrap().len(), 3);
    assert_eq!(edit["changes"][URI][0]["newText"], "twice");

    let changes = json!({"workspace": {"workspaceEdit": {"documentChanges": true}}});
    let mut client = opened(changes);
    let edit = rename(&mut client, "twice");
    assert_eq!(edit["documentChanges"][0]["textDocument"]["version"], 1);
    assert_eq!(
        edit["documentChanges"][0]["edits"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn a_rename_to_a_used_name_reports_the_conflict() {
    let mut client = opened(json!({}));
    let mut params = at("y = R.add");
    params["newName"] = json!("R");
    let why = client.refused("textDocument/rename", params);
    assert_eq!(why["code"], -32803);
    assert_eq!(
        why["message"],
        "`R` already refers to something else on line 7"
    );
}
