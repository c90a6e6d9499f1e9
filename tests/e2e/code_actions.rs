//! Tests of quick fixes and assists over the protocol.

use serde_json::{Value, json};

use super::programs::position;
use tests::client::Client;

const URI: &str = "file:///mistake.py";

const MISTAKE: &str = r#"from tvm.script import relax as R


@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exq(x)
    return y
"#;

fn capabilities() -> Value {
    json!({
        "workspace": {"workspaceEdit": {"documentChanges": true}},
        "textDocument": {"codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
            "isPreferredSupport": true,
        }},
    })
}

/// Requests the actions at the mistake, with the diagnostics in `context`.
fn actions(client: &mut Client, context: Value) -> Value {
    let at = position(MISTAKE, "exq");
    client.call(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": URI}, "range": {"start": at, "end": at}, "context": context}),
    )
}

#[test]
fn a_quick_fix_names_its_diagnostic_and_version() {
    let mut client = Client::initialized(capabilities());
    client.open(URI, 3, MISTAKE);
    let wrong = client.diagnostics(URI, 3);
    let found = actions(&mut client, json!({"diagnostics": wrong}));
    let titles = found.as_array().unwrap().iter().map(|it| &it["title"]);
    let titles: Vec<&Value> = titles.collect();
    assert_eq!(
        titles,
        [
            "Change `exq` to `exp`",
            "Ignore `unknown-operator` on this line"
        ]
    );
    assert_eq!(found[0]["kind"], "quickfix");
    assert_eq!(found[0]["isPreferred"], true);
    assert_eq!(found[0]["diagnostics"], json!(wrong));
    let edit = &found[0]["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"], json!({"uri": URI, "version": 3}));
    assert_eq!(
        edit["edits"],
        json!([{"range": {"start": {"line": 5, "character": 10}, "end": {"line": 5, "character": 13}}, "newText": "exp"}])
    );
}

#[test]
fn only_the_kinds_asked_for_are_answered() {
    let mut client = Client::initialized(capabilities());
    client.open(URI, 1, MISTAKE);
    client.diagnostics(URI, 1);
    let refactors = json!({"diagnostics": [], "only": ["refactor.inline"]});
    assert_eq!(actions(&mut client, refactors), json!([]));
    let fixes = json!({"diagnostics": [], "only": ["quickfix"]});
    assert_eq!(actions(&mut client, fixes)[0]["kind"], "quickfix");
}

#[test]
fn a_client_of_plain_edits_gets_them() {
    let literals = json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}});
    let mut client = Client::initialized(json!({"textDocument": {"codeAction": literals}}));
    client.open(URI, 1, MISTAKE);
    client.diagnostics(URI, 1);
    let found = actions(&mut client, json!({"diagnostics": []}));
    assert_eq!(found[0]["edit"]["changes"][URI][0]["newText"], "exp");
}

#[test]
fn a_client_that_knows_commands_only_gets_no_actions() {
    let mut client = Client::plain();
    client.open(URI, 1, MISTAKE);
    client.diagnostics(URI, 1);
    assert_eq!(
        actions(&mut client, json!({"diagnostics": []})),
        Value::Null
    );
}

const PLAIN: &str = r#"from tvm.script import relax as R


@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    y += x
    return y
"#;

fn at_y(client: &mut Client, context: Value) -> Value {
    let at = position(PLAIN, "y = R.exp");
    client.call(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": URI}, "range": {"start": at, "end": at}, "context": context}),
    )
}

#[test]
fn an_assist_has_its_edit_at_once_or_when_resolved() {
    let context = json!({"diagnostics": [], "only": ["refactor"]});
    let mut plain = Client::initialized(capabilities());
    plain.open(URI, 1, PLAIN);
    plain.diagnostics(URI, 1);
    let found = at_y(&mut plain, context.clone());
    assert_eq!(found[0]["kind"], "refactor.rewrite");
    let edit = found[0]["edit"].clone();
    assert_eq!(
        edit["documentChanges"][0]["edits"][0]["newText"],
        ": R.Tensor((4,), dtype=\"float32\")"
    );

    let mut lazy = capabilities();
    lazy["textDocument"]["codeAction"]["dataSupport"] = json!(true);
    lazy["textDocument"]["codeAction"]["resolveSupport"] = json!({"properties": ["edit"]});
    let mut client = Client::initialized(lazy);
    client.open(URI, 1, PLAIN);
    client.diagnostics(URI, 1);
    let found = at_y(&mut client, context);
    assert!(found[0].get("edit").is_none());
    let resolved = client.call("codeAction/resolve", found[0].clone());
    assert_eq!(resolved["edit"], edit);

    let changes = json!([{"text": format!("\n{PLAIN}")}]);
    client.change(URI, 2, changes);
    client.diagnostics(URI, 2);
    let error = client.refused("codeAction/resolve", found[0].clone());
    assert_eq!(error["code"], -32801);
}

#[test]
fn fix_all_is_returned_only_on_request() {
    let mut client = Client::initialized(capabilities());
    client.open(URI, 1, PLAIN);
    client.diagnostics(URI, 1);
    let found = at_y(
        &mut client,
        json!({"diagnostics": [], "only": ["source.fixAll"]}),
    );
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(found[0]["kind"], "source.fixAll.relax");
    let edits = &found[0]["edit"]["documentChanges"][0]["edits"];
    assert_eq!(edits[0]["newText"], "y = y + x");
    let unasked = at_y(&mut client, json!({"diagnostics": []}));
    let kinds = unasked.as_array().unwrap().iter().map(|it| &it["kind"]);
    assert!(kinds.into_iter().all(|kind| kind != "source.fixAll.relax"));
}

#[test]
fn a_repeated_mistake_is_fixed_everywhere() {
    let text = "from tvm.script import relax as R\n\n\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    a = R.exp(x)\n    b = R.exp(x)\n    return x\n";
    let everywhere = |capabilities: Value| {
        let mut client = Client::initialized(capabilities);
        client.open(URI, 1, text);
        client.diagnostics(URI, 1);
        let at = position(text, "a = R");
        let found = client.call(
            "textDocument/codeAction",
            json!({"textDocument": {"uri": URI}, "range": {"start": at, "end": at}, "context": {"diagnostics": [], "only": ["quickfix"]}}),
        );
        let found = found.as_array().unwrap().clone();
        let wanted = "Fix every `unused-binding` in the file";
        let action = found.iter().find(|it| it["title"] == wanted).unwrap();
        if action["edit"].is_null() {
            client.call("codeAction/resolve", action.clone())
        } else {
            action.clone()
        }
    };
    let lines = |action: &Value| {
        let edits = action["edit"]["documentChanges"][0]["edits"].clone();
        let edits = edits.as_array().unwrap().clone();
        let line = |it: &Value| it["range"]["start"]["line"].clone();
        edits.iter().map(line).collect::<Vec<_>>()
    };
    assert_eq!(lines(&everywhere(capabilities())), [5, 6]);
    let mut resolves = capabilities();
    resolves["textDocument"]["codeAction"]["dataSupport"] = json!(true);
    resolves["textDocument"]["codeAction"]["resolveSupport"] = json!({"properties": ["edit"]});
    assert_eq!(lines(&everywhere(resolves)), [5, 6]);
}
