//! What an editor asks for: each request over the wire.

use serde_json::{Value, json};

use super::programs::{DOUBLE, position};
use tests::client::Client;

const URI: &str = "file:///double.py";

fn opened() -> Client {
    let mut client = Client::plain();
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    client
}

fn at(needle: &str) -> Value {
    json!({"textDocument": {"uri": URI}, "position": position(DOUBLE, needle)})
}

#[test]
fn hover_shows_struct_info_and_where_dimensions_come_from() {
    let mut client = opened();
    let hover = client.call("textDocument/hover", at("y = R.add"));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("y: R.Tensor((n, 4), dtype=\"float32\")"),
        "{text}"
    );
    assert!(text.contains("dimension 0 of `x`"), "{text}");
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert_eq!(hover["range"]["start"], position(DOUBLE, "y = R.add"));
}

#[test]
fn hover_over_an_operator_shows_its_documentation() {
    let mut client = opened();
    let hover = client.call("textDocument/hover", at("add(x"));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("R.add(x1, x2)"), "{text}");
}

#[test]
fn definition_leads_to_the_binding() {
    let mut client = opened();
    let found = client.call("textDocument/definition", at("y)"));
    assert_eq!(found[0]["uri"], URI);
    assert_eq!(found[0]["range"]["start"], position(DOUBLE, "y = R.add"));
}

#[test]
fn the_outline_nests_functions_in_modules() {
    let mut client = opened();
    let symbols = client.call(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": URI}}),
    );
    assert_eq!(symbols[0]["name"], "Module");
    assert_eq!(symbols[0]["children"][0]["name"], "main");
}

#[test]
fn inlay_hints_stand_after_unannotated_names_and_can_be_switched_off() {
    let mut client = opened();
    let whole = json!({"textDocument": {"uri": URI}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0},
    }});
    let hints = client.call("textDocument/inlayHint", whole.clone());
    assert_eq!(hints.as_array().unwrap().len(), 1);
    assert_eq!(hints[0]["label"], ": R.Tensor((n, 4), dtype=\"float32\")");
    assert_eq!(hints[0]["position"], position(DOUBLE, " = R.add"));
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"relax": {"inlayHints": {"enable": false}}}}),
    );
    assert_eq!(client.call("textDocument/inlayHint", whole), Value::Null);
}

#[test]
fn a_code_lens_offers_to_run_each_function() {
    let mut client = opened();
    let lenses = client.call(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": URI}}),
    );
    assert_eq!(lenses.as_array().unwrap().len(), 1);
    assert_eq!(
        lenses[0]["command"],
        json!({"title": "▶ Run", "command": "relax.run", "arguments": [
            {"uri": URI, "function": "Module.main", "line": 7, "dims": ["n"]},
        ]})
    );
}
