//! Fast, slow, faulty and dying clients: each request gets at most one answer, never a wrong one, and no memory is kept
//! without need.

use serde_json::{Value, json};

use super::programs::{DOUBLE, position, replace};
use tests::client::Client;

const URI: &str = "file:///double.py";

/// The possible answers to a request if an edit follows it.
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
fn answers_after_a_burst_equal_those_of_a_fresh_server() {
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
fn each_cancelled_request_gets_exactly_one_answer() {
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
fn versions_out_of_order_are_applied_in_order_of_arrival() {
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
fn a_client_that_stops_reading_does_not_block_the_server() {
    let mut client = Client::deaf();
    let begin = client.request("initialize", json!({"capabilities": {}}));
    client.notify("initialized", json!({}));
    client.open(URI, 1, DOUBLE);
    // Far more than a pipe can hold, in both directions.
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
fn the_server_ends_if_its_client_crashes() {
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
fn a_truncated_last_message_is_ignored() {
    let mut client = Client::plain();
    client.send_raw(b"Content-Length: 1000\r\n\r\n{\"jsonrpc\"");
    assert_eq!(client.vanish().code(), Some(1));
}

#[test]
fn documents_that_are_opened_edited_and_closed_leak_nothing() {
    let mut client = Client::plain();
    let text = long(400);
    let round = |client: &mut Client, at: i32| {
        let uri = format!("file:///{at}.py");
        client.open(&uri, 1, &text);
        client.diagnostics(&uri, 1);
        let document = json!({"textDocument": {"uri": uri}});
        client.call("textDocument/semanticTokens/full", document.clone());
        client.call("textDocument/documentSymbol", document);
        let line = json!({"line": 9, "character": 0});
        let comment = json!({"range": {"start": line, "end": line}, "text": "# why\n"});
        client.change(&uri, 2, json!([comment]));
        client.diagnostics(&uri, 2);
        client.close(&uri);
        client.wait(|it| it["params"]["uri"] == uri && it["params"]["diagnostics"] == json!([]));
    };
    (0..20).for_each(|at| round(&mut client, at));
    let Some(before) = client.peak_memory_kb() else {
        return;
    };
    (20..140).for_each(|at| round(&mut client, at));
    let after = client.peak_memory_kb().expect("it told before");
    // An analysed document needs more than a tenth of this.
    assert!(after < before + 16 * 1024, "{before} KB, then {after} KB");
}

/// A client that announces capabilities, but refuses the requests for them.
fn unhelpful() -> Client {
    Client::initialized(json!({
        "workspace": {
            "configuration": true,
            "codeLens": {"refreshSupport": true},
            "semanticTokens": {"refreshSupport": true},
        },
    }))
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn closing_a_long_document_releases_its_memory() {
    let mut client = Client::plain();
    let small = "file:///small.py";
    client.open(small, 1, DOUBLE);
    client.diagnostics(small, 1);
    let before = client.memory_kb().expect("the system tells");
    client.open(URI, 1, &long(10_000));
    client.diagnostics(URI, 1);
    client.call("textDocument/semanticTokens/full", document());
    let held = client.memory_kb().expect("it told before");
    client.close(URI);
    client.notification("textDocument/publishDiagnostics");
    // The server frees memory after it has answered.
    let mut params = questions(DOUBLE)[0].1.clone();
    params["textDocument"]["uri"] = json!(small);
    let back = (0..5000).any(|_| {
        client.call("textDocument/hover", params.clone());
        client.memory_kb().expect("it told before") < before + (held - before) / 2
    });
    assert!(
        back,
        "{before} KB, then {held} KB, at last {:?}",
        client.memory_kb()
    );
}

#[test]
fn unanswered_server_requests_do_not_block() {
    let mut client = unhelpful();
    let asked = |message: &Value| message["method"] == "workspace/configuration";
    client.wait(asked);
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    let settings = json!({"settings": {"relax": {"tvm": "rfc"}}});
    client.notify("workspace/didChangeConfiguration", settings);
    for method in ["semanticTokens", "codeLens"] {
        client.wait(|message| message["method"] == format!("workspace/{method}/refresh"));
    }
    for (method, params) in questions(DOUBLE) {
        client.call(method, params);
    }
    client.wait(|message| message["params"]["version"] == 1);
}

#[test]
fn refused_server_requests_do_not_block() {
    let mut client = unhelpful();
    let asked = client.wait(|message| message["method"] == "workspace/configuration");
    let error = json!({"code": -32601, "message": "no"});
    client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "error": error}));
    // This response has no request.
    client.send(&json!({"jsonrpc": "2.0", "id": 4711, "result": null}));
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    for (method, params) in questions(DOUBLE) {
        client.call(method, params);
    }
}

/// Returns `DOUBLE` with `n` more bindings.
fn long(bindings: usize) -> String {
    let line = "            y = R.add(x, x)\n";
    let more: Vec<String> = (0..bindings)
        .map(|at| format!("            y{at} = R.add(x, x)\n"))
        .collect();
    DOUBLE.replace(line, &(more.concat() + line))
}

#[test]
fn long_requests_report_progress() {
    let mut client = Client::plain();
    client.open(URI, 1, &long(4000));
    let mut params = document();
    params["workDoneToken"] = json!("mine");
    let id = client.request("textDocument/semanticTokens/full", params);
    let mut kinds = Vec::new();
    loop {
        let ours = |it: &Value| it["id"] == id || it["method"] == "$/progress";
        let mut message = client.wait(ours);
        if message["id"] == id {
            assert!(message["result"]["data"].is_array(), "{message}");
            break;
        }
        assert_eq!(message["params"]["token"], "mine");
        kinds.push(message["params"]["value"]["kind"].take());
    }
    // A machine that needs less than half a second does not report progress.
    assert!(kinds.is_empty() || kinds == ["begin", "end"], "{kinds:?}");
    client.diagnostics(URI, 1);
}

#[test]
fn cancelled_and_outdated_long_requests_do_not_block() {
    let mut client = Client::plain();
    let text = long(4000);
    client.open(URI, 1, &text);
    let whole =
        json!({"start": {"line": 0, "character": 0}, "end": {"line": 5000, "character": 0}});
    let mut hints = document();
    hints["range"] = whole;
    let longest = [
        ("textDocument/semanticTokens/full", document()),
        ("textDocument/inlayHint", hints),
    ];
    let asked = |client: &mut Client| {
        let ids = longest
            .iter()
            .map(|(method, params)| client.request(method, params.clone()));
        ids.collect::<Vec<_>>()
    };
    let back = asked(&mut client);
    for id in &back {
        client.notify("$/cancelRequest", json!({"id": id}));
    }
    let overtaken = asked(&mut client);
    let comment = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    client.change(URI, 2, json!([{"range": comment, "text": "# why\n"}]));
    for id in back {
        let response = client.response(id);
        let code = response["error"]["code"].as_i64();
        assert!(
            response.get("result").is_some() || code == Some(-32800),
            "{response}"
        );
    }
    for id in overtaken {
        let response = client.response(id);
        assert!(
            response.get("result").is_some() || is_overtaken(&response),
            "{response}"
        );
    }
    client.diagnostics(URI, 2);
    client.published_versions(URI);
    let tokens = client.call("textDocument/semanticTokens/full", document());
    let mut fresh = Client::plain();
    fresh.open(URI, 1, &format!("# why\n{text}"));
    fresh.diagnostics(URI, 1);
    let expected = fresh.call("textDocument/semanticTokens/full", document());
    assert_eq!(tokens["data"], expected["data"]);
}

#[test]
fn a_long_inference_survives_edits_elsewhere() {
    let text = long(4000).replace(
        "            R.output(y)",
        "            z = nothing\n            R.output(y)",
    );
    let mut client = Client::plain();
    client.open(URI, 1, &text);
    let other = "file:///other.py";
    client.open(other, 1, DOUBLE);
    let mut typed = DOUBLE.to_owned();
    for version in (2..22).step_by(2) {
        let change = replace(&mut typed, "y = R", "yy = R");
        client.change(other, version, json!([change]));
        let back = replace(&mut typed, "yy = R", "y = R");
        client.change(other, version + 1, json!([back]));
        let mut at = json!({"textDocument": {"uri": other}});
        at["position"] = position(&typed, "y = R");
        let hover = client.call("textDocument/hover", at);
        assert!(hover["contents"].to_string().contains("Tensor"), "{hover}");
    }
    let found = client.diagnostics(URI, 1);
    let mut fresh = Client::plain();
    fresh.open(URI, 1, &text);
    assert_eq!(found, fresh.diagnostics(URI, 1));
    client.diagnostics(other, 21);
    client.published_versions(other);
}

#[test]
fn request_durations_are_traced_on_request() {
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
fn columns_of_long_documents_use_the_negotiated_encoding() {
    // A crab is one character: four bytes, two units of UTF-16.
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
