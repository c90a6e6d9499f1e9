//! Quick fixes and assists over the wire.

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

/// The actions at the mistake, with what the client says of it.
fn actions(client: &mut Client, context: Value) -> Value {
    let at = position(MISTAKE, "exq");
    client.call(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": URI}, "range": {"start": at, "end": at}, "context": context}),
    )
}

#[test]
fn a_quick_fix_names_its_diagnostic_and_edits_the_version_it_was_asked_for() {
    let mut client = Client::initialized(capabilities());
    client.open(URI, 3, MISTAKE);
    let wrong = client.diagnostics(URI, 3);
    let found = actions(&mut client, json!({"diagnostics": wrong}));
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(found[0]["title"], "Change `exq` to `exp`");
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
