//! Tests of completion and signature help over the protocol.

use serde_json::{Value, json};

use super::programs::position;
use tests::client::Client;

const URI: &str = "file:///typed.py";

/// Returns a function whose body is one incomplete line.
fn program(line: &str) -> String {
    format!(
        "from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Tensor((\"n\", 4), \"float32\")):\n    {line}\n    return x\n"
    )
}

fn ask(client: &mut Client, method: &str, line: &str, context: Value) -> Value {
    let text = program(line);
    client.open(URI, 1, &text);
    client.diagnostics(URI, 1);
    let mut at = position(&text, line);
    let column = at["character"].as_u64().unwrap() + line.len() as u64;
    at["character"] = column.into();
    let answer = client.call(
        method,
        json!({"textDocument": {"uri": URI}, "position": at, "context": context}),
    );
    client.close(URI);
    client.notification("textDocument/publishDiagnostics");
    answer
}

fn complete(client: &mut Client, line: &str) -> Value {
    ask(
        client,
        "textDocument/completion",
        line,
        json!({"triggerKind": 1}),
    )
}

fn item<'a>(list: &'a Value, label: &str) -> &'a Value {
    let items = list["items"].as_array().unwrap();
    let found = items.iter().find(|item| item["label"] == label);
    found.unwrap_or_else(|| panic!("no {label} in {list:#}"))
}

fn rich() -> Client {
    Client::initialized(json!({"textDocument": {
        "completion": {"completionItem": {"snippetSupport": true, "insertReplaceSupport": true}},
        "signatureHelp": {"signatureInformation": {
            "parameterInformation": {"labelOffsetSupport": true},
        }},
    }}))
}

#[test]
fn operators_are_snippets_for_clients_that_support_them() {
    let mut client = rich();
    let list = complete(&mut client, "y = R.nn.so");
    let softmax = item(&list, "softmax");
    assert_eq!(softmax["textEdit"]["newText"], "softmax($0)");
    assert_eq!(softmax["insertTextFormat"], 2);
    assert_eq!(
        softmax["textEdit"]["range"]["start"],
        json!({"line": 4, "character": 13})
    );
    assert_eq!(
        softmax["textEdit"]["range"]["end"],
        json!({"line": 4, "character": 15})
    );
}

#[test]
fn shared_item_data_is_sent_once() {
    let completion = json!({
        "completionItem": {"snippetSupport": true, "insertReplaceSupport": true},
        "completionList": {"itemDefaults": ["editRange", "insertTextFormat"]},
    });
    let mut client = Client::initialized(json!({"textDocument": {"completion": completion}}));
    let place = |line: u32, start: u32, end: u32| {
        let at = |character: u32| json!({"line": line, "character": character});
        json!({"start": at(start), "end": at(end)})
    };
    let list = complete(&mut client, "y = R.nn.so");
    assert_eq!(
        list["itemDefaults"],
        json!({"editRange": place(4, 13, 15), "insertTextFormat": 2})
    );
    let softmax = item(&list, "softmax");
    assert_eq!(softmax["textEditText"], "softmax($0)");
    for said_once in ["textEdit", "insertTextFormat"] {
        assert_eq!(softmax[said_once], Value::Null, "{softmax}");
    }

    // Most variables are plain text; the others have another format.
    let list = complete(&mut client, "y = R.exp(x, x");
    assert_eq!(list["itemDefaults"]["insertTextFormat"], Value::Null);
    assert_eq!(item(&list, "x")["textEditText"], "x");

    let text = program("y = R.exp(xy");
    client.open(URI, 2, &text);
    client.diagnostics(URI, 2);
    let at = position(&text, "y\n");
    let params = json!({"textDocument": {"uri": URI}, "position": at});
    let list = client.call("textDocument/completion", params);
    assert_eq!(
        list["itemDefaults"]["editRange"],
        json!({"insert": place(4, 14, 15), "replace": place(4, 14, 16)})
    );
}

#[test]
fn operators_are_plain_text_for_clients_without_snippets() {
    let mut client = Client::plain();
    let list = complete(&mut client, "y = R.nn.so");
    let softmax = item(&list, "softmax");
    assert_eq!(softmax["textEdit"]["newText"], "softmax()");
    assert_eq!(softmax["insertTextFormat"], Value::Null);
}

#[test]
fn the_documentation_of_an_operator_is_resolved_later() {
    let mut client = rich();
    let list = complete(&mut client, "y = R.mat");
    let matmul = item(&list, "matmul").clone();
    assert_eq!(matmul["documentation"], Value::Null);
    let resolved = client.call("completionItem/resolve", matmul);
    let text = resolved["documentation"]["value"].as_str().unwrap();
    assert!(text.contains("matrix product"), "{text}");
}

#[test]
fn an_unclosed_string_is_completed_in_place() {
    let mut client = rich();
    let list = complete(&mut client, "y = R.astype(x, \"flo");
    let edit = &item(&list, "float16")["textEdit"];
    assert_eq!(edit["range"]["start"], json!({"line": 4, "character": 21}));
    assert_eq!(edit["newText"], "float16");
}

#[test]
fn compatible_variables_sort_first() {
    let mut client = rich();
    let list = complete(&mut client, "y = R.reshape(x, (");
    let sort = |label| item(&list, label)["sortText"].as_str().unwrap().to_owned();
    assert!(sort("n") < sort("x"));
}

#[test]
fn plain_python_is_left_to_other_servers() {
    let mut client = rich();
    let text = "from tvm.script import relax as R\n\ndef build(target):\n    mod = tar\n";
    client.open(URI, 1, text);
    client.diagnostics(URI, 1);
    let list = client.call(
        "textDocument/completion",
        json!({"textDocument": {"uri": URI}, "position": {"line": 3, "character": 13}}),
    );
    assert_eq!(list, Value::Null);
}

#[test]
fn an_equals_sign_triggers_completion_only_inside_a_call() {
    let mut client = rich();
    let typed = json!({"triggerKind": 2, "triggerCharacter": "="});
    let method = "textDocument/completion";
    assert_eq!(ask(&mut client, method, "y =", typed.clone()), Value::Null);
    let list = ask(&mut client, method, "y = R.astype(x, dtype=", typed);
    item(&list, "\"float16\"");
}

#[test]
fn signature_help_marks_the_parameter_at_the_cursor() {
    let mut client = rich();
    let help = ask(
        &mut client,
        "textDocument/signatureHelp",
        "y = R.matmul(x, ",
        json!({"triggerKind": 1, "isRetrigger": false}),
    );
    let signature = &help["signatures"][0];
    assert_eq!(signature["label"], "R.matmul(x1, x2, out_dtype=None)");
    assert_eq!(help["activeParameter"], 1);
    assert_eq!(signature["parameters"][1]["label"], json!([13, 15]));

    let mut client = Client::plain();
    let help = ask(
        &mut client,
        "textDocument/signatureHelp",
        "y = R.matmul(x, ",
        json!({"triggerKind": 1, "isRetrigger": false}),
    );
    assert_eq!(help["signatures"][0]["parameters"][1]["label"], "x2");
}

#[test]
fn a_missing_import_is_inserted_with_a_completion() {
    let mut client = rich();
    let text = "import tvm\n\n@R.function\ndef main(x: R.Object):\n    y = R.ex\n    return y\n";
    client.open(URI, 1, text);
    client.diagnostics(URI, 1);
    let mut at = position(text, "R.ex");
    at["character"] = (at["character"].as_u64().unwrap() + 4).into();
    let list = client.call(
        "textDocument/completion",
        json!({"textDocument": {"uri": URI}, "position": at}),
    );
    let edits = &item(&list, "exp")["additionalTextEdits"];
    assert_eq!(edits[0]["newText"], "\nfrom tvm.script import relax as R");
    assert_eq!(
        edits[0]["range"]["start"],
        json!({"line": 0, "character": 10})
    );
    assert_eq!(edits[0]["range"]["start"], edits[0]["range"]["end"]);
}
