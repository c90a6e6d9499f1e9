//! Tests of texts that take long to parse: which requests wait for them, and what happens to messages that arrive
//! meanwhile.

use serde_json::{Value, json};

use super::programs::{DOUBLE, position, replace};
use tests::client::Client;

const LONG: &str = "file:///long.py";
const SMALL: &str = "file:///small.py";

/// [`DOUBLE`] after a list that takes far longer to parse than a hover in [`DOUBLE`] takes.
fn long() -> String {
    format!("{DOUBLE}\nnumbers = [\n{}]\n", "    1,\n".repeat(60_000))
}

fn opened() -> Client {
    let mut client = Client::plain();
    client.open(SMALL, 1, DOUBLE);
    client.diagnostics(SMALL, 1);
    client
}

fn outline(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}})
}

/// Returns the StructInfo of `y` in a document.
fn hover(uri: &str, text: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "position": position(text, "y = R")})
}

#[test]
fn parsing_a_long_text_does_not_block_other_documents() {
    let mut client = opened();
    let text = long();
    let start = json!({"line": 0, "character": 0});
    let quotes = json!({"range": {"start": start, "end": start}, "text": "\"\"\""});
    for (version, change) in [
        (1, None),
        (2, Some(json!({"text": text.replace('1', "2")}))),
        (3, Some(quotes)),
    ] {
        match change {
            None => client.open(LONG, version, &text),
            Some(change) => client.change(LONG, version, json!([change])),
        }
        let long = client.request("textDocument/foldingRange", outline(LONG));
        let answer = client.call("textDocument/hover", hover(SMALL, DOUBLE));
        assert!(
            answer["contents"].to_string().contains("Tensor"),
            "{answer}"
        );
        assert!(!client.has(|it| it["id"] == long), "version {version}");
        let answer = client.response(long);
        assert!(answer["result"].is_array(), "{answer}");
        client.diagnostics(LONG, version);
    }
}

#[test]
fn a_request_sees_the_text_sent_before_it() {
    let mut client = opened();
    let mut text = long();
    client.open(LONG, 1, &text);
    let first = client.request("textDocument/hover", hover(LONG, &text));
    let change = replace(&mut text, "        with", "\n        with");
    client.change(LONG, 2, json!([change]));
    let second = client.request("textDocument/hover", hover(LONG, &text));
    let symbols = client.request("workspace/symbol", json!({"query": "main"}));
    let response = client.response(first);
    let overtaken = response["error"]["code"] == -32801;
    assert!(
        overtaken || response["result"]["contents"].is_object(),
        "{response}"
    );
    let response = client.response(second);
    let at = position(&text, "y = R");
    assert_eq!(response["result"]["range"]["start"], at, "{response}");
    let response = client.response(symbols);
    let places = response["result"].as_array().unwrap();
    let of_long = |it: &Value| it["location"]["uri"] == LONG;
    assert!(places.iter().any(of_long), "{response}");
    client.diagnostics(LONG, 2);
    client.published_versions(LONG);
}

#[test]
fn edits_during_parsing_apply_in_order() {
    let mut client = opened();
    let mut text = long();
    client.open(LONG, 1, &text);
    for version in (2..40).step_by(2) {
        let change = replace(&mut text, "y = R", "y_y = R");
        client.change(LONG, version, json!([change]));
        let back = replace(&mut text, "y_y = R", "\n            y = R");
        client.change(LONG, version + 1, json!([back]));
    }
    text = text.replace('1', "3");
    client.change(LONG, 40, json!([{"text": text}]));
    let change = replace(&mut text, "R.add(x, x)", "R.add(x, nothing)");
    client.change(LONG, 41, json!([change]));
    let found = client.diagnostics(LONG, 41);
    client.published_versions(LONG);
    let mut fresh = Client::plain();
    fresh.open(LONG, 1, &text);
    assert_eq!(found, fresh.diagnostics(LONG, 1));
    assert!(!found.is_empty());
}

#[test]
fn a_document_is_reopened_during_parsing() {
    let mut client = opened();
    let text = long();
    client.open(LONG, 1, &text);
    client.close(LONG);
    let closed = client.request("textDocument/documentSymbol", outline(LONG));
    client.open(LONG, 1, &text);
    client.close(LONG);
    client.open(LONG, 7, DOUBLE);
    let again = client.request("textDocument/documentSymbol", outline(LONG));
    assert_eq!(client.response(closed)["result"], Value::Null);
    assert!(client.response(again)["result"].is_array());
    client.diagnostics(LONG, 7);
    let uncertain = client.published_versions(LONG);
    assert!(
        uncertain.iter().all(|it| it.is_null() || *it == 1),
        "{uncertain:?}"
    );
}

#[test]
fn a_request_that_waits_for_parsing_can_be_cancelled() {
    let mut client = opened();
    client.open(LONG, 1, &long());
    let id = client.request("textDocument/documentSymbol", outline(LONG));
    client.notify("$/cancelRequest", json!({"id": id}));
    let response = client.response(id);
    assert_eq!(response["error"]["code"], -32800, "{response}");
    client.call("textDocument/hover", hover(SMALL, DOUBLE));
    assert!(!client.has(|it| it["params"]["uri"] == LONG));
    client.diagnostics(LONG, 1);
}

#[test]
fn the_server_ends_while_a_text_is_parsed() {
    let mut client = opened();
    client.open(LONG, 1, &long());
    client.request("textDocument/documentSymbol", outline(LONG));
    assert_eq!(client.vanish().code(), Some(1));
}
