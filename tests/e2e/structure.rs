//! Tests of requests about the structure of a file: tokens, folding ranges, selection ranges, links, calls, lenses.

use serde_json::{Value, json};

use super::programs::position;
use tests::client::Client;

const URI: &str = "file:///calls.py";

const CALLS: &str = r#"# Printed by
# https://tvm.apache.org
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.kernel, (x,), out_sinfo=R.Tensor((4,), "float32"))
        z = R.call_tir(cls.kernel, (y,), out_sinfo=R.Tensor((4,), "float32"))
        return z
"#;

fn opened() -> Client {
    let mut client = Client::plain();
    client.open(URI, 1, CALLS);
    client.diagnostics(URI, 1);
    client
}

fn document() -> Value {
    json!({"textDocument": {"uri": URI}})
}

fn at(needle: &str) -> Value {
    json!({"textDocument": {"uri": URI}, "position": position(CALLS, needle)})
}

fn span(from: &str, to: &str) -> Value {
    json!({"start": position(CALLS, from), "end": position(CALLS, to)})
}

/// Returns the words of the tokens, with their kinds.
fn read(legend: &Value, data: &Value, text: &str) -> Vec<(String, String)> {
    let numbers: Vec<usize> = data
        .as_array()
        .expect("tokens are an array")
        .iter()
        .map(|it| it.as_u64().expect("a number") as usize)
        .collect();
    let (mut line, mut start) = (0, 0);
    let lines: Vec<&str> = text.lines().collect();
    let mut tokens = Vec::new();
    for token in numbers.chunks(5) {
        line += token[0];
        start = if token[0] == 0 { start } else { 0 } + token[1];
        let word = &lines[line][start..start + token[2]];
        let kind = legend["tokenTypes"][token[3]].as_str().expect("a kind");
        tokens.push((word.to_owned(), kind.to_owned()));
    }
    tokens
}

#[test]
fn semantic_tokens_are_sent_whole_by_range_and_as_delta() {
    let mut client = Client::start();
    let offered = client.call("initialize", json!({"capabilities": {}}));
    let legend = &offered["capabilities"]["semanticTokensProvider"]["legend"];
    client.notify("initialized", json!({}));
    client.open(URI, 1, CALLS);
    client.diagnostics(URI, 1);

    let whole = client.call("textDocument/semanticTokens/full", document());
    let tokens = read(legend, &whole["data"], CALLS);
    for (word, kind) in [
        ("kernel", "primFunction"),
        ("A", "buffer"),
        ("i", "loopVariable"),
        ("call_tir", "tensorOperator"),
        ("x", "parameter"),
    ] {
        let token = (word.to_owned(), kind.to_owned());
        assert!(tokens.contains(&token), "{token:?}: {tokens:?}");
    }

    let mut params = document();
    params["range"] = span("        y = R.call", "        z = R.call");
    let part = client.call("textDocument/semanticTokens/range", params);
    let line: Vec<String> = read(legend, &part["data"], CALLS)
        .into_iter()
        .map(|(word, _)| word)
        .collect();
    assert_eq!(line[..4], ["y", "R", "call_tir", "cls"]);

    let line = json!({"line": 0, "character": 0});
    let edit = json!([{"range": {"start": line, "end": line}, "text": "\n"}]);
    client.change(URI, 2, edit);
    client.diagnostics(URI, 2);
    let mut params = document();
    params["previousResultId"] = whole["resultId"].clone();
    let delta = client.call("textDocument/semanticTokens/full/delta", params.clone());
    assert_eq!(delta["edits"].as_array().map(Vec::len), Some(1), "{delta}");
    assert_eq!(delta["edits"][0]["deleteCount"], 5);

    params["previousResultId"] = json!("of another server");
    let again = client.call("textDocument/semanticTokens/full/delta", params);
    let moved = format!("\n{CALLS}");
    assert_eq!(read(legend, &again["data"], &moved), tokens);
}

#[test]
fn suites_imports_and_comments_fold() {
    let mut client = opened();
    let folds = client.call("textDocument/foldingRange", document());
    let folds: Vec<(i64, i64, &str)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let line = |name: &str| it[name].as_i64().unwrap();
            (
                line("startLine"),
                line("endLine"),
                it["kind"].as_str().unwrap_or(""),
            )
        })
        .collect();
    assert_eq!(
        folds,
        [
            (0, 1, "comment"),
            (2, 4, "imports"),
            (8, 19, ""),
            (10, 12, ""),
            (11, 12, ""),
            (15, 19, ""),
        ]
    );
}

#[test]
fn every_position_has_growing_selections() {
    let mut client = opened();
    let mut params = document();
    params["positions"] = json!([position(CALLS, "x,)"), {"line": 6, "character": 0}]);
    let answers = client.call("textDocument/selectionRange", params);
    assert_eq!(answers.as_array().unwrap().len(), 2);
    let x = &answers[0];
    assert_eq!(x["range"], span("x,)", ",), out_sinfo"));
    assert_eq!(
        x["parent"]["parent"]["range"]["start"],
        position(CALLS, "(x,)")
    );
}

#[test]
fn addresses_are_links() {
    let mut client = opened();
    let links = client.call("textDocument/documentLink", document());
    assert_eq!(links[0]["target"], "https://tvm.apache.org");
    assert_eq!(links[0]["range"]["start"], position(CALLS, "https"));
}

#[test]
fn calls_are_followed_both_ways_through_prim_funcs() {
    let mut client = opened();
    let items = client.call("textDocument/prepareCallHierarchy", at("kernel, (x"));
    assert_eq!(items[0]["name"], "kernel");
    assert_eq!(items[0]["detail"], "Module");
    let callers = client.call("callHierarchy/incomingCalls", json!({"item": items[0]}));
    assert_eq!(callers.as_array().unwrap().len(), 1);
    assert_eq!(callers[0]["from"]["name"], "main");
    assert_eq!(callers[0]["fromRanges"].as_array().unwrap().len(), 2);
    let caller = &callers[0]["from"];
    let called = client.call("callHierarchy/outgoingCalls", json!({"item": caller}));
    assert_eq!(called[0]["to"]["name"], "kernel");
    assert_eq!(called[0]["fromRanges"], callers[0]["fromRanges"]);
}

#[test]
fn inline_values_name_the_variables_to_evaluate() {
    let mut client = opened();
    let mut params = document();
    params["range"] = span("    @R.function", "        return z");
    let stop = position(CALLS, "        z = R");
    params["context"] = json!({"frameId": 0, "stoppedLocation": {"start": stop, "end": stop}});
    let values = client.call("textDocument/inlineValue", params);
    let names: Vec<&Value> = values
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["variableName"])
        .collect();
    assert_eq!(names, ["x", "y"]);
}

#[test]
fn a_lens_counts_and_shows_references() {
    let lens = |capabilities: Value| {
        let mut client = Client::initialized(capabilities);
        client.open(URI, 1, CALLS);
        client.diagnostics(URI, 1);
        let lenses = client.call("textDocument/codeLens", document());
        let lenses = lenses.as_array().unwrap().clone();
        let counts = |it: &&Value| it["command"]["title"] == "2 references";
        let lens = lenses.iter().find(counts).expect("a count").clone();
        assert_eq!(lens["range"], span("kernel(A", "(A: T"));
        lens["command"].clone()
    };
    assert_eq!(lens(json!({}))["command"], "");
    let command = lens(json!({"experimental": {"commands": ["relax.showReferences"]}}));
    assert_eq!(command["command"], "relax.showReferences");
    assert_eq!(
        command["arguments"],
        json!([URI, position(CALLS, "kernel(A")])
    );
}
