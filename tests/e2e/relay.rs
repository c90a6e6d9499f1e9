//! Tests of Relay files, on the command line and in an editor.

use std::process::{Command, Output};

use serde_json::{Value, json};
use tests::client::Client;

const MLP: &str = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 4), float32], %w: Tensor[(2, 4), float32]) {\n  \
    %0 = nn.dense(%x, %w, units=2);\n  let %y = nn.relu(%0);\n  (%y, %0)\n}\n";

fn relax_lsp(command: &str, path: &std::path::Path) -> Output {
    let mut process = Command::new(tests::relax_lsp());
    process.arg(command).arg(path);
    process.output().expect("relax-lsp starts")
}

#[test]
fn facts_of_a_relay_file_are_in_tvms_notation() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mlp.relay");
    std::fs::write(&path, MLP).unwrap();
    let output = relax_lsp("facts", &path);
    let facts: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tensor = "Tensor[(1, 2), float32]";
    assert_eq!(facts["dialect"], "relay");
    let main = &facts["functions"][0];
    assert_eq!(
        main["ret"],
        "(Tensor[(1, 2), float32], Tensor[(1, 2), float32])"
    );
    assert_eq!(
        main["bindings"],
        json!([
            {"line": 3, "name": "0", "kind": "graph", "type": tensor},
            {"line": 4, "name": "y", "kind": "let", "type": tensor},
        ])
    );
    assert_eq!(facts["diagnostics"], json!([]));
}

#[test]
fn check_finds_the_relay_files_of_a_directory() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("good.relay"), MLP).unwrap();
    let wrong = MLP.replace("nn.relu(%0)", "nn.relu(%0");
    std::fs::write(directory.path().join("wrong.rly"), wrong).unwrap();
    let output = relax_lsp("check", directory.path());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("error[syntax-error]: expected `)`"), "{text}");
    assert!(text.contains("wrong.rly:4:"), "{text}");
    assert!(!text.contains("good.relay"), "{text}");
}

#[test]
fn tree_prints_the_tree_of_relay() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mlp.relay");
    std::fs::write(&path, MLP).unwrap();
    let text = String::from_utf8(relax_lsp("tree", &path).stdout).unwrap();
    assert!(text.starts_with("SOURCE_FILE@0.."), "{text}");
    assert!(text.contains("GRAPH_STMT"), "{text}");
}

#[test]
fn a_relay_document_is_checked_while_typing() {
    let mut client = Client::plain();
    let uri = "file:///models/mlp.relay";
    client.open(uri, 1, MLP);
    assert_eq!(client.diagnostics(uri, 1), Vec::<Value>::new());
    let end = json!({"line": 3, "character": 22});
    let range = json!({"start": {"line": 3, "character": 21}, "end": end});
    client.change(uri, 2, json!([{"range": range, "text": ""}]));
    let found = client.diagnostics(uri, 2);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "syntax-error");
    let at = json!({"line": 3, "character": 21});
    let range = json!({"start": at, "end": at});
    client.change(uri, 3, json!([{"range": range, "text": ")"}]));
    assert_eq!(client.diagnostics(uri, 3), Vec::<Value>::new());
}

#[test]
fn fmt_prints_a_relay_file_as_tvm_does() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mlp.relay");
    std::fs::write(&path, MLP.replace("\n  ", " ")).unwrap();
    let output = relax_lsp("fmt", &path);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), MLP);
}

#[test]
fn an_editor_is_answered_about_relay() {
    let mut client = Client::plain();
    let uri = "file:///models/mlp.relay";
    client.open(uri, 1, MLP);
    client.diagnostics(uri, 1);
    let at = json!({"line": 4, "character": 4});
    let document = json!({"uri": uri});
    let place = json!({"textDocument": document, "position": at});
    let hover = client.call("textDocument/hover", place.clone());
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("%y: Tensor[(1, 2), float32]"), "{text}");
    let definition = client.call("textDocument/definition", place);
    assert_eq!(
        definition[0]["range"]["start"]["line"],
        json!(3),
        "{definition}"
    );
    let symbols = client.call(
        "textDocument/documentSymbol",
        json!({"textDocument": document}),
    );
    assert_eq!(symbols[0]["name"], "main");
}

#[test]
fn a_relay_file_is_translated_to_relax_that_checks_clean_and_runs() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mlp.relay");
    std::fs::write(&path, MLP).unwrap();
    let output = relax_lsp("translate", &path);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("v0 = R.matmul(x, R.permute_dims(w))  # %0, line 3"),
        "{text}"
    );
    let translated = directory.path().join("mlp.py");
    std::fs::write(&translated, text).unwrap();
    assert_eq!(relax_lsp("check", &translated).status.code(), Some(0));
    let run = relax_lsp("run", &path);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
}

#[test]
fn untranslatable_code_is_named_with_its_position() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cell.relay");
    let text = "#[version = \"0.0.5\"]\ndef @main(%x: float32) {\n  ref(%x)\n}\n";
    std::fs::write(&path, text).unwrap();
    let output = relax_lsp("translate", &path);
    assert_eq!(output.status.code(), Some(1));
    let left = String::from_utf8(output.stderr).unwrap();
    assert!(left.contains("cell.relay:2:"), "{left}");
}

#[test]
fn a_relay_file_with_relay_only_constructs_runs() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("list.relay");
    let text = "#[version = \"0.0.5\"]\ntype List[A] { Cons(A, List[A]), Nil }\n\
        def @map[A, B](%f: fn (A) -> B, %l: List[A]) -> List[B] {\n  match (%l) {\n    \
        Cons(%x, %r) => Cons(%f(%x), @map(%f, %r)),\n    Nil => Nil,\n  }\n}\n\
        def @main(%x: int32) { (@map(fn (%v: int32) { %v + 1 }, Cons(1, Cons(2, Nil))), ref(True)) }\n";
    std::fs::write(&path, text).unwrap();
    let output = relax_lsp("run", &path);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.contains("  out.0: Cons(2, Cons(3, Nil))\n  out.1: ref(True)\n"),
        "{shown}"
    );
    let mut process = Command::new(tests::relax_lsp());
    process.args(["run", "--format", "json"]).arg(&path);
    let answer: Value = serde_json::from_slice(&process.output().unwrap().stdout).unwrap();
    let list = &answer["outputs"][0];
    assert_eq!(list["constructor"], "Cons");
    assert_eq!(list["fields"][0]["first"], json!([2]));
    assert_eq!(list["fields"][1]["constructor"], "Cons");
    let lowered = relax_lsp("lower", &path);
    let text = String::from_utf8(lowered.stdout).unwrap();
    assert!(text.contains("relay.matches"), "{text}");
}

const LISTS: &str = "#[version = \"0.0.5\"]\ntype List[A] { Cons(A, List[A]), Nil }\n\
    def @prepend(%x: int32, %l: List[int32]) -> List[int32] {\n  Cons(%x, %l)\n}\n\
    def @sum(%l: List[int32]) -> int32 {\n  match (%l) {\n    Cons(%x, %r) => %x + @sum(%r),\n    Nil => 0,\n  }\n}\n";

/// Runs a script with these calls. Returns its output as JSON, and its error messages.
fn script(calls: &Value) -> (Value, String) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("lists.relay"), LISTS).unwrap();
    std::fs::write(directory.path().join("calls.json"), calls.to_string()).unwrap();
    let mut process = Command::new(tests::relax_lsp());
    process.current_dir(directory.path());
    process.args(["run", "lists.relay", "--script", "calls.json"]);
    let output = process.args(["--format", "json"]).output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (answer, complaint)
}

#[test]
fn a_script_calls_relay_functions_and_passes_lists_between_them() {
    let (answer, complaint) = script(&json!([
        {"call": "prepend", "args": [3, {"constructor": "Cons", "fields": [4, {"constructor": "Nil"}]}], "as": "list"},
        {"call": "@prepend", "args": {"x": 5, "l": "$list"}, "as": "list"},
        {"call": "sum", "args": ["$list"]},
    ]));
    let calls = &answer["calls"];
    assert_eq!(
        calls[1]["outputs"][0]["constructor"], "Cons",
        "{answer} {complaint}"
    );
    assert_eq!(calls[2]["outputs"][0]["dtype"], "int32");
    assert_eq!(calls[2]["outputs"][0]["first"], json!([12]));
}

#[test]
fn constructors_in_scripts_are_checked() {
    let nil = json!({"constructor": "Nil", "fields": [1]});
    let (answer, _) = script(&json!([{"call": "sum", "args": [nil]}]));
    let message = "call 1 of `sum`: `Nil` takes 0 fields, but 1 are given";
    assert_eq!(answer["error"]["message"], message);
    let (answer, _) = script(&json!([{"call": "sum", "args": [{"constructor": "Leaf"}]}]));
    let message = "call 1 of `sum`: the file has no constructor `Leaf`";
    assert_eq!(answer["error"]["message"], message);
}

#[test]
fn a_failing_run_names_its_position_in_the_relay_text() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("some.relay");
    let text = "#[version = \"0.0.5\"]\ntype Option[A] { Some(A), None }\n\
        def @main(%x: int32) {\n  let %o: Option[int32] = None;\n  match? (%o) { Some(%v) => %v }\n}\n";
    std::fs::write(&path, text).unwrap();
    let output = relax_lsp("run", &path);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let why = String::from_utf8(output.stderr).unwrap();
    assert!(why.contains("no arm of the match matches None"), "{why}");
    assert!(why.contains("some.relay:5:3"), "{why}");
}

#[test]
fn a_relay_document_is_translated_into_a_file_beside_it() {
    let edits = json!({"documentChanges": true, "resourceOperations": ["create"]});
    let mut client = Client::initialized(json!({
        "workspace": {"workspaceEdit": edits},
        "textDocument": {"codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "dataSupport": true, "resolveSupport": {"properties": ["edit"]},
        }},
    }));
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mlp.relay");
    std::fs::write(directory.path().join("mlp.py"), "").unwrap();
    let uri = format!("file://{}", path.display());
    client.open(&uri, 1, MLP);
    client.diagnostics(&uri, 1);
    let here = json!({"line": 1, "character": 0});
    let actions = client.call(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": uri}, "range": {"start": here, "end": here},
            "context": {"diagnostics": []}}),
    );
    let action = actions[0].clone();
    assert_eq!(action["title"], "Translate to Relax, into `mlp_2.py`");
    let resolved = client.call("codeAction/resolve", action);
    let changes = &resolved["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    let created = changes[0]["uri"].as_str().unwrap();
    assert!(created.ends_with("/mlp_2.py"), "{created}");
    let text = changes[1]["edits"][0]["newText"].as_str().unwrap();
    assert!(text.contains("R.matmul(x, R.permute_dims(w))"), "{text}");
}

#[test]
fn lenses_run_the_functions_of_a_relay_document() {
    let mut client = Client::plain();
    let uri = "file:///models/mlp.relay";
    client.open(uri, 1, MLP);
    client.diagnostics(uri, 1);
    let lenses = client.call(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": uri}}),
    );
    let run = &lenses[0]["command"];
    assert_eq!(run["title"], "▶ Run", "{lenses}");
    let params = json!({"command": run["command"], "arguments": run["arguments"]});
    let outcome = client.call("workspace/executeCommand", params);
    assert_eq!(outcome["ok"], true, "{outcome}");
    let arguments = json!([{"uri": uri, "function": "main"}]);
    let params = json!({"command": "relax.showGraph", "arguments": arguments});
    let graph = client.call("workspace/executeCommand", params);
    assert_eq!(graph["nodes"][1]["operation"], "nn.dense", "{graph}");
}
