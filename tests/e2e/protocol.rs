//! Clients in a hurry, slow ones, confused ones and those that die: each request gets one answer, the right one
//! or none, and nothing is kept that nobody needs.

use serde_json::{Value, json};

use super::programs::{DOUBLE, position, replace};
use tests::client::Client;

const URI: &str = "file:///double.py";

/// The answers that a request may have which an edit overtakes.
const OVERTAKEN: &[i64] = &[-32801, -32802];

fn document() -> Value {
    json!({"textDocument": {"uri": URI}})
}

/// Every request about a document, as an editor sends it after a keystroke.
fn questions(text: &str) -> Vec<(&'static str, Value)> {
    let mut at = document();
    at["position"] = position(text, "y = R");
    let mut range = document();
    let end = json!({"line": 20, "character": 0});
    range["range"] = json!({"start": {"line": 0, "character": 0}, "end": end});
    let with = |key: &str, value: Value| {
        let mut params = at.clone();
        params[key] = value;
        params
    };
    vec![
        ("textDocument/hover", at.clone()),
        ("textDocument/definition", at.clone()),
        ("textDocument/declaration", at.clone()),
        ("textDocument/typeDefinition", at.clone()),
        ("textDocument/documentHighlight", at.clone()),
        ("textDocument/prepareCallHierarchy", at.clone()),
        (
            "textDocument/references",
            with("context", json!({"includeDeclaration": true})),
        ),
        ("textDocument/rename", with("newName", json!("renamed"))),
        ("textDocument/selectionRange", {
            let mut params = document();
            params["positions"] = json!([at["position"]]);
            params
        }),
        ("textDocument/documentSymbol", document()),
        ("textDocument/foldingRange", document()),
        ("textDocument/documentLink", document()),
        ("textDocument/codeLens", document()),
        ("textDocument/inlayHint", range.clone()),
        ("textDocument/semanticTokens/range", range),
    ]
}

fn is_overtaken(response: &Value) -> bool {
    let code = response["error"]["code"].as_i64();
    code.is_some_and(|code| OVERTAKEN.contains(&code))
}

#[test]
fn after_a_burst_the_answers_are_those_of_a_server_that_has_seen_only_the_end() {
    let mut client = Client::plain();
    let mut text = DOUBLE.to_owned();
    client.open(URI, 1, &text);
    let mut asked = Vec::new();
    for version in 2..60 {
        let change = match (version - 2) % 3 {
            0 => replace(&mut text, "        with", "\n        with"),
            1 => replace(&mut text, "R.add(x, x)", "R.add(x, R.exp(x))"),
            _ => replace(&mut text, "R.add(x, R.exp(x))", "R.add(x, x)"),
        };
        client.change(URI, version, json!([change]));
        for (method, params) in questions(&text) {
            asked.push((method, client.request(method, params)));
        }
    }
    for (method, id) in asked {
        let response = client.response(id);
        assert!(
            response.get("result").is_some() || is_overtaken(&response),
            "{method}: {response}"
        );
    }
    client.diagnostics(URI, 59);
    client.published_versions(URI);

    let mut fresh = Client::plain();
    fresh.open(URI, 1, &text);
    fresh.diagnostics(URI, 1);
    for (method, params) in questions(&text) {
        let (old, new) = (
            client.call(method, params.clone()),
            fresh.call(method, params),
        );
        assert_eq!(old, new, "{method}");
    }
}

#[test]
fn each_request_that_is_taken_back_still_gets_one_answer() {
    let mut client = Client::plain();
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    let mut asked = Vec::new();
    for _ in 0..20 {
        for (method, params) in questions(DOUBLE) {
            let id = client.request(method, params);
            client.notify("$/cancelRequest", json!({"id": id}));
            asked.push(id);
        }
    }
    client.notify("$/cancelRequest", json!({"id": "never asked"}));
    for &id in &asked {
        let response = client.response(id);
        let code = response["error"]["code"].as_i64();
        assert!(
            response.get("result").is_some() || code == Some(-32800),
            "{response}"
        );
    }
    let of_asked = |message: &Value| asked.iter().any(|id| message["id"] == *id);
    client.call("textDocument/hover", questions(DOUBLE)[0].1.clone());
    assert!(!client.has(of_asked), "one answer each");
}

#[test]
fn versions_out_of_order_are_taken_in_the_order_of_arrival() {
    let mut client = Client::plain();
    client.open(URI, 10, DOUBLE);
    client.diagnostics(URI, 10);
    client.change(
        URI,
        3,
        json!([{"text": DOUBLE.replace("R.add(x, x)", "R.add(x, z)")}]),
    );
    let found = client.diagnostics(URI, 3);
    assert_eq!(found[0]["code"], "undefined-name");
    client.change(URI, 3, json!([{"text": DOUBLE}]));
    assert_eq!(client.diagnostics(URI, 3), Vec::<Value>::new());
}

#[test]
fn a_client_that_does_not_read_keeps_nobody_from_working() {
    let mut client = Client::deaf();
    let begin = client.request("initialize", json!({"capabilities": {}}));
    client.notify("initialized", json!({}));
    client.open(URI, 1, DOUBLE);
    // Far more than a pipe holds, in both directions.
    let mut asked = Vec::new();
    for _ in 0..200 {
        for (method, params) in questions(DOUBLE) {
            asked.push((method, client.request(method, params)));
        }
    }
    client.listen();
    client.response(begin);
    for (method, id) in asked {
        let response = client.response(id);
        assert!(response.get("result").is_some(), "{method}: {response}");
    }
    client.diagnostics(URI, 1);
}

#[test]
fn a_client_that_vanishes_in_the_middle_of_a_burst_leaves_no_server() {
    let mut client = Client::plain();
    let mut text = DOUBLE.to_owned();
    client.open(URI, 1, &text);
    for version in 2..40 {
        let change = replace(&mut text, "        with", "\n        with");
        client.change(URI, version, json!([change]));
        for (method, params) in questions(&text) {
            client.request(method, params);
        }
    }
    assert_eq!(client.vanish().code(), Some(1));
}

#[test]
fn a_message_cut_off_by_the_end_is_no_message() {
    let mut client = Client::plain();
    client.send_raw(b"Content-Length: 1000\r\n\r\n{\"jsonrpc\"");
    assert_eq!(client.vanish().code(), Some(1));
}

#[test]
fn documents_that_come_and_go_leave_nothing_behind() {
    let mut client = Client::plain();
    let bindings: Vec<String> = (0..400)
        .map(|at| format!("            y{at} = R.add(x, x)\n"))
        .collect();
    let body = bindings.concat();
    let text = DOUBLE.replace(
        "            y = R.add(x, x)\n",
        &(body + "            y = R.add(x, x)\n"),
    );
    let round = |client: &mut Client, at: i32| {
        let uri = format!("file:///{at}.py");
        client.open(&uri, 1, &text);
        client.diagnostics(&uri, 1);
        let document = json!({"textDocument": {"uri": uri}});
        client.call("textDocument/semanticTokens/full", document.clone());
        client.call("textDocument/documentSymbol", document);
        client.close(&uri);
        client.wait(|it| it["params"]["uri"] == uri && it["params"]["diagnostics"] == json!([]));
    };
    (0..20).for_each(|at| round(&mut client, at));
    let Some(before) = client.peak_memory_kb() else {
        return;
    };
    (20..140).for_each(|at| round(&mut client, at));
    let after = client.peak_memory_kb().expect("it told before");
    // One document with all that is known of it takes more than a tenth of this.
    assert!(after < before + 16 * 1024, "{before} KB, then {after} KB");
}

#[test]
fn who_wants_to_know_is_told_how_long_requests_take() {
    let mut client = Client::start();
    client.call(
        "initialize",
        json!({"capabilities": {}, "trace": "messages"}),
    );
    client.notify("initialized", json!({}));
    let said = |client: &mut Client| {
        let params = client.notification("$/logTrace");
        params["message"].as_str().expect("a message").to_owned()
    };
    assert!(said(&mut client).starts_with("initialize: answered in "));
    client.call("textDocument/foldingRange", document());
    assert!(said(&mut client).starts_with("textDocument/foldingRange: answered in "));
    client.notify("$/setTrace", json!({"value": "off"}));
    client.call("textDocument/foldingRange", document());
    client.notify("$/setTrace", json!({"value": "verbose"}));
    client.call("textDocument/documentLink", document());
    let message = client.notification("$/logTrace");
    assert!(
        message["message"]
            .as_str()
            .unwrap()
            .starts_with("textDocument/documentLink")
    );
    assert!(message["verbose"].as_str().unwrap().ends_with(" bytes"));
    client.notify("$/setTrace", json!({"value": "off"}));
}

#[test]
fn columns_count_what_was_agreed_on() {
    // A crab is four bytes, two units of UTF-16, one character.
    let text = DOUBLE.replace("R.add(x, x)", "R.const(\"\u{1f980}\") + x");
    for (encoding, crab) in [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)] {
        let mut client = Client::start();
        let general = json!({"general": {"positionEncodings": [encoding]}});
        client.call("initialize", json!({"capabilities": general}));
        client.notify("initialized", json!({}));
        client.open(URI, 1, &text);
        client.diagnostics(URI, 1);
        let mut at = document();
        at["position"] = position(&text, "y = R");
        let column = at["position"]["character"].as_i64().unwrap() + 13 + crab + 5;
        at["position"]["character"] = json!(column);
        let found = client.call("textDocument/documentHighlight", at.clone());
        let here = |it: &Value| it["range"]["start"] == at["position"];
        assert!(
            found.as_array().unwrap().iter().any(here),
            "{encoding}: {found}"
        );
    }
}
