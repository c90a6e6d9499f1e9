//! Tests of malformed messages: each is answered or ignored, and the next valid one works.

use serde_json::{Value, json};

use super::programs::{DOUBLE, position};
use tests::client::{Client, frame};

const URI: &str = "file:///malformed.py";

/// Asserts that the server still answers.
fn assert_alive(client: &mut Client) {
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    client.close(URI);
    client.wait(|message| {
        message["params"]["uri"] == URI && message["params"]["diagnostics"] == json!([])
    });
}

fn error_without_id(client: &mut Client) -> Value {
    client.wait(|message| message["id"].is_null() && message.get("error").is_some())["error"].take()
}

#[test]
fn invalid_json_is_a_parse_error() {
    let mut client = Client::plain();
    client.send_raw(&frame("{\"jsonrpc\": \"2.0\", "));
    assert_eq!(error_without_id(&mut client)["code"], -32700);
    assert_alive(&mut client);
}

#[test]
fn json_that_is_not_a_message_is_an_invalid_request() {
    let mut client = Client::plain();
    client.send_raw(&frame("[]"));
    assert_eq!(error_without_id(&mut client)["code"], -32600);
    assert_alive(&mut client);
}

#[test]
fn unknown_requests_are_refused() {
    let mut client = Client::plain();
    assert_eq!(
        client.refused("relax/noSuchThing", json!({}))["code"],
        -32601
    );
    assert_eq!(client.refused("$/noSuchThing", json!({}))["code"], -32601);
    client.notify("relax/noSuchThing", json!({}));
    client.notify("$/noSuchThing", json!({}));
    assert_alive(&mut client);
}

#[test]
fn parameters_of_the_wrong_shape_are_named() {
    let mut client = Client::plain();
    let error = client.refused("textDocument/hover", json!({"position": "here"}));
    assert_eq!(error["code"], -32602);
    client.notify("textDocument/didChange", json!({"contentChanges": 3}));
    assert_alive(&mut client);
}

#[test]
fn a_change_of_an_unopened_document_is_ignored() {
    let mut client = Client::plain();
    client.change(URI, 2, json!([{"text": "x"}]));
    client.close(URI);
    assert_alive(&mut client);
}

#[test]
fn positions_outside_the_text_are_clamped() {
    let mut client = Client::plain();
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    let far = json!({"line": u32::MAX, "character": u32::MAX});
    client.change(
        URI,
        2,
        json!([{"range": {"start": far, "end": {"line": 0, "character": 0}}, "text": "\n"}]),
    );
    client.diagnostics(URI, 2);
    client.call(
        "textDocument/hover",
        json!({"textDocument": {"uri": URI}, "position": far}),
    );
}

#[test]
fn an_unknown_command_is_refused_by_name() {
    let mut client = Client::plain();
    let error = client.refused("workspace/executeCommand", json!({"command": "relax.fly"}));
    assert!(
        error["message"].as_str().unwrap().contains("`relax.fly`"),
        "{error}"
    );
    let error = client.refused(
        "workspace/executeCommand",
        json!({"command": "relax.run", "arguments": [{}]}),
    );
    assert!(
        error["message"].as_str().unwrap().contains("uri"),
        "{error}"
    );
}

#[test]
fn a_body_longer_than_its_length_costs_one_message() {
    let mut client = Client::plain();
    let body = json!({"jsonrpc": "2.0", "method": "relax/noSuchThing"});
    client.send_raw(format!("Content-Length: 3\r\n\r\n{body}").as_bytes());
    assert_alive(&mut client);
    for _ in ["what was cut off", "the rest"] {
        assert_eq!(error_without_id(&mut client)["code"], -32700);
    }
}

#[test]
fn an_edit_inside_a_surrogate_pair_is_applied() {
    let mut client = Client::plain();
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    let sum = position(DOUBLE, "R.add(x, x)");
    let behind = |columns: u64| {
        let column = sum["character"].as_u64().unwrap() + 11 + columns;
        let at = json!({"line": sum["line"], "character": column});
        json!({"start": at, "end": at})
    };
    let change = json!([{"range": behind(0), "text": "  # HALF"}]);
    let params = json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": change});
    let message = json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params});
    client.send_raw(&frame(&message.to_string().replace("HALF", "\\ud83e")));
    assert_eq!(client.diagnostics(URI, 2), Vec::<Value>::new());
    let change = json!([{"range": behind(5), "text": "\n            z = nothing"}]);
    client.change(URI, 3, change);
    let mut found = client.diagnostics(URI, 3);
    found.retain(|it| it["code"] == "undefined-name");
    let start = json!({"line": sum["line"].as_u64().unwrap() + 1, "character": 16});
    assert_eq!(found[0]["range"]["start"], start);
}
