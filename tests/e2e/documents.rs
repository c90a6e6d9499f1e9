//! Tests of opening, changing and closing documents, and of the published diagnostics.

use serde_json::{Value, json};

use super::programs::{DOUBLE, position, replace};
use tests::client::Client;

const URI: &str = "file:///double.py";

#[test]
fn each_settled_version_is_published_once_in_order() {
    let mut client = Client::plain();
    let mut text = DOUBLE.to_owned();
    client.open(URI, 1, &text);
    assert_eq!(client.diagnostics(URI, 1), Vec::<Value>::new());
    for version in 2..6 {
        let change = replace(&mut text, "y", "yy");
        client.change(URI, version, json!([change]));
        client.diagnostics(URI, version);
    }
}

#[test]
fn the_last_version_of_a_burst_is_published() {
    let mut client = Client::plain();
    let mut text = DOUBLE.to_owned();
    client.open(URI, 1, &text);
    for version in 2..200 {
        let change = replace(&mut text, "R.add", "R.add ");
        client.change(URI, version, json!([change]));
    }
    client.diagnostics(URI, 199);
    let earlier: Vec<i64> = client
        .published_versions(URI)
        .iter()
        .map(|version| version.as_i64().unwrap())
        .collect();
    assert!(
        earlier.is_sorted() && earlier.iter().all(|&version| version < 199),
        "{earlier:?}"
    );
    // The next response comes after everything published before it: nothing follows version 199.
    client.call(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": URI}}),
    );
    assert_eq!(client.published_versions(URI), Vec::<Value>::new());
}

#[test]
fn closing_a_document_clears_its_diagnostics() {
    let mut client = Client::plain();
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    client.close(URI);
    let cleared = client.notification("textDocument/publishDiagnostics");
    assert_eq!(cleared, json!({"uri": URI, "diagnostics": []}));
}

#[test]
fn requests_about_a_closed_document_are_refused() {
    let mut client = Client::plain();
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    client.close(URI);
    client.notification("textDocument/publishDiagnostics");
    let symbols = client.call(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": URI}}),
    );
    assert_eq!(symbols, Value::Null);
}

#[test]
fn plain_python_is_ignored_until_it_contains_tvmscript() {
    let mut client = Client::plain();
    client.open(URI, 1, "print('no model here')\n");
    let symbols = client.call(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": URI}}),
    );
    assert_eq!(symbols, Value::Null);
    client.change(URI, 2, json!([{"text": DOUBLE}]));
    client.diagnostics(URI, 2);
    client.change(URI, 3, json!([{"text": "print('gone')\n"}]));
    assert_eq!(client.diagnostics(URI, 3), Vec::<Value>::new());
}

#[test]
fn two_documents_are_independent() {
    let other = "file:///other.py";
    let mut client = Client::plain();
    client.open(URI, 1, DOUBLE);
    client.open(other, 7, DOUBLE);
    client.diagnostics(URI, 1);
    client.diagnostics(other, 7);
    client.change(other, 8, json!([{"text": format!("{DOUBLE}\n")}]));
    client.diagnostics(other, 8);
    client.close(URI);
    let cleared = client.notification("textDocument/publishDiagnostics");
    assert_eq!(cleared["uri"], URI);
}

#[test]
fn requests_between_edits_get_answers_about_their_text() {
    let mut client = Client::plain();
    let mut text = DOUBLE.to_owned();
    client.open(URI, 1, &text);
    let mut asked = Vec::new();
    for version in 2..120 {
        // Each edit moves `y` down by one line, and the request is about its new position.
        let change = replace(&mut text, "        with", "\n        with");
        client.change(URI, version, json!([change]));
        let at = position(&text, "y = R");
        let params = json!({"textDocument": {"uri": URI}, "position": at});
        asked.push((client.request("textDocument/hover", params), at));
    }
    client.diagnostics(URI, 119);
    for (id, at) in asked {
        let response = client.response(id);
        if response.get("error").is_some() {
            assert_eq!(
                response["error"]["code"], -32801,
                "overtaken by an edit: {response}"
            );
        } else {
            assert_eq!(response["result"]["range"]["start"], at, "{response}");
        }
    }
    client.published_versions(URI);
}

#[test]
fn deeply_nested_code_is_handled() {
    let deep = 20_000;
    let function = |body: &str| {
        format!("{DOUBLE}\n@R.function\ndef g(x: R.Tensor((4,), \"float32\")):\n{body}")
    };
    let lines: Vec<String> = (4..404)
        .map(|indent| " ".repeat(indent) + "if x:\n")
        .collect();
    let blocks = lines.concat();
    let mut client = Client::plain();
    for (version, text) in [
        function(&format!(
            "    return {}x{}",
            "(".repeat(deep),
            ")".repeat(deep)
        )),
        function(&format!("    return {}", "(".repeat(deep))),
        function(&format!("    return x{}", " + x".repeat(deep))),
        function(&format!(
            "    return {}x{}",
            "R.exp(".repeat(deep),
            ")".repeat(deep)
        )),
        function(&format!("    return x{}", ".a".repeat(deep))),
        function(&format!("    return x{}", "[0]".repeat(deep))),
        function(&format!("    return {}x", "not ".repeat(deep))),
        function(&format!("    return {}x", "-".repeat(deep))),
        function(&format!("    return {}x", "lambda: ".repeat(deep))),
        function(&blocks),
    ]
    .into_iter()
    .enumerate()
    {
        let version = version as i32 + 1;
        if version == 1 {
            client.open(URI, version, &text);
        } else {
            client.change(URI, version, json!([{"text": text}]));
        }
        client.diagnostics(URI, version);
        let end = json!({"line": 15, "character": 12});
        client.call(
            "textDocument/hover",
            json!({"textDocument": {"uri": URI}, "position": end}),
        );
        client.call(
            "textDocument/documentSymbol",
            json!({"textDocument": {"uri": URI}}),
        );
    }
}

#[test]
fn a_cell_of_a_notebook_uses_what_other_cells_bind() {
    let cell = "vscode-notebook-cell:/model.ipynb#W0sZmlsZQ%3D%3D";
    let mut text =
        "%time\n@R.function\ndef f(x: R.Tensor((n, 4), \"float32\")):\n    return R.nn.relu(x)\n"
            .to_owned();
    let mut client = Client::plain();
    client.open(cell, 1, &text);
    assert_eq!(client.diagnostics(cell, 1), Vec::<Value>::new());
    let change = replace(&mut text, "relu", "rellu");
    client.change(cell, 2, json!([change]));
    let found = client.diagnostics(cell, 2);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "unknown-operator");
}
