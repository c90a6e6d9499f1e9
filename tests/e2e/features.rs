//! Tests of each editor request over the protocol.

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
fn the_outline_nests_functions_in_modules() {
    let symbols = |capabilities: Value| {
        let mut client = Client::initialized(capabilities);
        client.open(URI, 1, DOUBLE);
        client.diagnostics(URI, 1);
        let document = json!({"textDocument": {"uri": URI}});
        client.call("textDocument/documentSymbol", document)
    };
    let hierarchical = json!({"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}});
    let nested = symbols(json!({"textDocument": hierarchical}));
    assert_eq!(nested[0]["name"], "Module");
    assert_eq!(nested[0]["children"][0]["name"], "main");

    let flat = symbols(json!({}));
    assert_eq!(flat[1]["name"], "main");
    assert_eq!(flat[1]["containerName"], "Module");
}

#[test]
fn a_client_without_markdown_gets_plain_text() {
    let hover = json!({"hover": {"contentFormat": ["plaintext"]}});
    let mut client = Client::initialized(json!({"textDocument": hover}));
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    let hover = client.call("textDocument/hover", at("y = R.add"));
    assert_eq!(hover["contents"]["kind"], "plaintext");
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.starts_with("y: R.Tensor((n, 4), dtype=\"float32\")\nvariable, `n * 16` bytes\n"),
        "{text}"
    );
}

#[test]
fn inlay_hints_can_be_disabled() {
    let mut client = opened();
    let whole = json!({"textDocument": {"uri": URI}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0},
    }});
    let hints = client.call("textDocument/inlayHint", whole.clone());
    assert_eq!(hints.as_array().unwrap().len(), 1);
    let parts = hints[0]["label"].as_array().unwrap();
    let label: String = parts
        .iter()
        .map(|part| part["value"].as_str().unwrap())
        .collect();
    assert_eq!(label, ": f32[n, 4]");
    // Without an import of `T`, `n` cannot be declared.
    assert_eq!(hints[0]["textEdits"], Value::Null);
    // The shape variable leads to the string that binds it.
    assert_eq!(parts[1]["value"], "n");
    assert_eq!(parts[1]["location"]["uri"], URI);
    let bound = position(DOUBLE, "\"n\"");
    assert_eq!(
        parts[1]["location"]["range"]["start"]["line"],
        bound["line"]
    );
    assert_eq!(hints[0]["position"], position(DOUBLE, " = R.add"));
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"relax": {"inlayHints": {"enable": false}}}}),
    );
    assert_eq!(client.call("textDocument/inlayHint", whole), Value::Null);
}

#[test]
fn code_lenses_offer_to_run_and_to_trace_each_function() {
    let mut client = opened();
    let lenses = client.call(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": URI}}),
    );
    assert_eq!(lenses.as_array().unwrap().len(), 2);
    assert_eq!(
        lenses[1]["command"],
        json!({"title": "Trace", "command": "relax.trace", "arguments": [
            {"uri": URI, "function": "Module.main", "line": 7, "dims": ["n"]},
        ]})
    );
    assert_eq!(
        lenses[0]["command"],
        json!({"title": "▶ Run", "command": "relax.run", "arguments": [
            {"uri": URI, "function": "Module.main", "line": 7, "dims": ["n"], "params": [
                {"name": "x", "type": "R.Tensor((n, 4), dtype=\"float32\")"},
            ]},
        ]})
    );
}

#[test]
fn a_hint_is_inserted_with_the_declarations_that_it_needs() {
    let text = DOUBLE.replace("relax as R", "relax as R, tir as T");
    let mut client = Client::plain();
    client.open(URI, 1, &text);
    client.diagnostics(URI, 1);
    let whole = json!({"textDocument": {"uri": URI}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0},
    }});
    let hints = client.call("textDocument/inlayHint", whole);
    let edits = hints[0]["textEdits"].as_array().unwrap();
    let texts: Vec<&str> = edits
        .iter()
        .map(|it| it["newText"].as_str().unwrap())
        .collect();
    assert_eq!(
        texts,
        [
            "n = T.int64()\n        ",
            ": R.Tensor((n, 4), dtype=\"float32\")"
        ]
    );
}

#[test]
fn the_tooltip_of_a_hint_is_resolved_later() {
    let mut client = opened();
    let whole = json!({"textDocument": {"uri": URI}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0},
    }});
    let hints = client.call("textDocument/inlayHint", whole);
    assert_eq!(hints[0]["tooltip"], Value::Null);
    let resolved = client.call("inlayHint/resolve", hints[0].clone());
    let text = resolved["tooltip"]["value"].as_str().unwrap();
    assert!(text.contains("bytes"), "{text}");
}

#[test]
fn each_kind_of_hint_has_its_own_setting() {
    let program = "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((2, 4), \"float32\")):\n    with R.dataflow():\n        y = R.sum(x, 0)\n        R.output(y)\n    return y\n";
    let mut client = Client::plain();
    client.open(URI, 1, program);
    client.diagnostics(URI, 1);
    let mut kinds = |settings: Value| -> Vec<Value> {
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"relax": {"inlayHints": settings}}}),
        );
        let whole = json!({"textDocument": {"uri": URI}, "range": {
            "start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0},
        }});
        let hints = client.call("textDocument/inlayHint", whole);
        hints
            .as_array()
            .unwrap()
            .iter()
            .map(|hint| hint["kind"].clone())
            .collect()
    };
    assert_eq!(kinds(json!({})), [json!(1), json!(2)]);
    assert_eq!(kinds(json!({"structInfo": false})), [json!(2)]);
    assert_eq!(kinds(json!({"parameterNames": false})), [json!(1)]);
    assert_eq!(
        kinds(json!({"purity": true, "structInfo": false, "parameterNames": false})),
        [Value::Null]
    );
}

/// A program in a dialect, and the parts that depend on the dialect.
fn program_with_hints(tir: &str, signature: &str, output: &str, block: &str) -> String {
    format!(
        r#"from tvm.script import relax as R, {tir} as T

@R.function
def f{signature}:
    with R.dataflow():
        y = R.reshape(x, (-1, 2))
        {output}(y)
    return y

@T.prim_func
def g(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.{block}("b"):
            vi = T.axis.remap("S", [i])
            z = A[vi] + T.float32(1)
            A[vi] = z
"#
    )
}

#[test]
fn every_dialect_has_inlay_hints() {
    let programs = [
        (
            program_with_hints(
                "tir",
                "(x: R.Tensor[(n, 4), \"float32\"])",
                "R.outputs",
                "block",
            ),
            ": R.Tensor[(n * 2, 2), \"float32\"]",
        ),
        (
            program_with_hints(
                "tir",
                "(x: R.Tensor((\"n\", 4), \"float32\"))",
                "R.output",
                "block",
            ),
            ": R.Tensor((n * 2, 2), dtype=\"float32\")",
        ),
        (
            program_with_hints(
                "tirx",
                "[n](x: R.Tensor((n, 4), \"float32\"))",
                "R.output",
                "sblock",
            ),
            ": R.Tensor((n * 2, 2), dtype=\"float32\")",
        ),
    ];
    for (program, struct_info) in programs {
        let mut client = Client::plain();
        client.open(URI, 1, &program);
        client.diagnostics(URI, 1);
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"relax": {"inlayHints": {"purity": true}}}}),
        );
        let whole = json!({"textDocument": {"uri": URI}, "range": {
            "start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0},
        }});
        let hints = client.call("textDocument/inlayHint", whole);
        let labels = hints.as_array().unwrap().iter().map(label);
        let labels: Vec<String> = labels.collect();
        let expected = [
            " → y",
            ": f32[[n] * 2, 2]",
            " = n * 2",
            " in [0, 4)",
            ": T.float32",
        ];
        assert_eq!(labels, expected, "{program}");
        // What is inserted is an annotation of the dialect.
        let edits = hints[1]["textEdits"].as_array().unwrap();
        let annotation = edits.iter().find(|it| it["newText"] == struct_info);
        assert!(annotation.is_some(), "{program}{edits:?}");
    }
}

/// Returns the text of a hint, with links in brackets.
fn label(hint: &Value) -> String {
    if let Some(text) = hint["label"].as_str() {
        return text.to_owned();
    }
    let parts = hint["label"].as_array().unwrap().iter();
    let shown = parts.map(|part| {
        let text = part["value"].as_str().unwrap();
        if part["location"].is_null() {
            text.to_owned()
        } else {
            format!("[{text}]")
        }
    });
    shown.collect()
}

#[test]
fn hover_reaches_prim_funcs_decorators_and_strings() {
    let program = "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((4,), \"float16\")):\n    for i in T.serial(4):\n        A[i] = T.exp(A[i])\n";
    let mut client = Client::plain();
    client.open(URI, 1, program);
    client.diagnostics(URI, 1);
    for (needle, shown) in [
        ("prim_func", "@T.prim_func("),
        ("float16", "65504"),
        ("serial", "A loop in order."),
        ("exp(", "The exponential."),
        ("A[i] =", "in 8 B"),
    ] {
        let at = json!({"textDocument": {"uri": URI}, "position": position(program, needle)});
        let hover = client.call("textDocument/hover", at);
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains(shown), "{needle}: {hover}");
    }
}
