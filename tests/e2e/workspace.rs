//! Tests of workspace folders: names and diagnostics of files that are not open, and pulled diagnostics.

use std::path::Path;

use serde_json::{Value, json};

use super::programs::DOUBLE;
use tests::client::Client;

const WRONG: &str = r#"from tvm.script import relax as R


@R.function
def wrong(x: R.Tensor((4,), "float32")):
    return R.add(x, z)
"#;

pub fn uri(path: &Path) -> String {
    let path = path.to_str().expect("a path of text").replace('\\', "/");
    let path = path.replace(':', "%3A");
    format!(
        "file://{}{path}",
        if path.starts_with('/') { "" } else { "/" }
    )
}

pub fn started(folder: &Path, capabilities: Value) -> Client {
    let mut client = Client::start();
    let folders = json!([{"uri": uri(folder), "name": "models"}]);
    client.call(
        "initialize",
        json!({"capabilities": capabilities, "workspaceFolders": folders}),
    );
    client.notify("initialized", json!({}));
    client
}

fn names(client: &mut Client, query: &str) -> Vec<String> {
    let symbols = client.call("workspace/symbol", json!({"query": query}));
    let symbols = symbols.as_array().expect("symbols are an array");
    let name = |it: &Value| it["name"].as_str().expect("a name").to_owned();
    symbols.iter().map(name).collect()
}

#[test]
fn symbols_of_unopened_files_are_found() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("double.py"), DOUBLE).unwrap();
    std::fs::write(folder.path().join("plain.py"), "def main(): ...\n").unwrap();
    let mut client = started(folder.path(), json!({}));
    let symbols = client.call("workspace/symbol", json!({"query": "mai"}));
    assert_eq!(symbols.as_array().unwrap().len(), 1);
    assert_eq!(symbols[0]["name"], "main");
    assert_eq!(symbols[0]["containerName"], "Module");
    let place = &symbols[0]["location"];
    assert_eq!(place["uri"], uri(&folder.path().join("double.py")));
    assert_eq!(place["range"]["start"], json!({"line": 7, "character": 8}));
}

#[test]
fn an_open_document_replaces_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("double.py");
    std::fs::write(&path, DOUBLE).unwrap();
    let mut client = started(folder.path(), json!({}));
    client.open(&uri(&path), 1, &DOUBLE.replace("def main", "def unsaved"));
    client.diagnostics(&uri(&path), 1);
    assert_eq!(names(&mut client, ""), ["Module", "unsaved"]);
}

#[test]
fn symbols_of_each_workspace_folder_are_found() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(one.path().join("a.py"), DOUBLE).unwrap();
    std::fs::write(two.path().join("b.py"), WRONG).unwrap();
    let mut client = Client::start();
    let folders = [&one, &two].map(|it| json!({"uri": uri(it.path()), "name": "models"}));
    client.call(
        "initialize",
        json!({"capabilities": {}, "workspaceFolders": folders}),
    );
    client.notify("initialized", json!({}));
    let mut found = names(&mut client, "");
    found.sort();
    assert_eq!(found, ["Module", "main", "wrong"]);
}

#[test]
fn workspace_folders_can_be_added_and_removed() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(one.path().join("a.py"), DOUBLE).unwrap();
    std::fs::write(two.path().join("b.py"), WRONG).unwrap();
    let mut client = started(one.path(), json!({}));
    assert_eq!(names(&mut client, "r"), Vec::<String>::new());
    let event = json!({
        "added": [{"uri": uri(two.path()), "name": "two"}],
        "removed": [{"uri": uri(one.path()), "name": "one"}],
    });
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({"event": event}),
    );
    assert_eq!(names(&mut client, ""), ["wrong"]);
}

#[test]
fn file_events_of_the_client_update_symbols() {
    let folder = tempfile::tempdir().unwrap();
    let watching = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let mut client = started(folder.path(), watching);
    let asked = client.serve("client/registerCapability", Value::Null);
    assert_eq!(
        asked["registrations"][0]["method"],
        "workspace/didChangeWatchedFiles"
    );
    assert_eq!(names(&mut client, ""), Vec::<String>::new());
    let path = folder.path().join("late.py");
    std::fs::write(&path, WRONG).unwrap();
    let changes = json!([{"uri": uri(&path), "type": 1}]);
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({"changes": changes}),
    );
    assert_eq!(names(&mut client, ""), ["wrong"]);
}

#[test]
fn symbols_are_streamed_as_partial_results() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("wrong.py"), WRONG).unwrap();
    let mut client = started(folder.path(), json!({}));
    let params = json!({"query": "", "partialResultToken": "part"});
    let rest = client.call("workspace/symbol", params);
    assert_eq!(rest, json!([]));
    let part = client.notification("$/progress");
    assert_eq!(part["token"], "part");
    assert_eq!(part["value"][0]["name"], "wrong");
}

fn pulling() -> Value {
    json!({"textDocument": {"diagnostic": {}}})
}

#[test]
fn diagnostics_are_not_pushed_to_clients_that_pull() {
    let folder = tempfile::tempdir().unwrap();
    let path = uri(&folder.path().join("wrong.py"));
    let mut client = started(folder.path(), pulling());
    client.open(&path, 1, WRONG);
    let mut ask = |before: Option<&Value>| {
        let mut params = json!({"textDocument": {"uri": path}});
        if let Some(id) = before {
            params["previousResultId"] = id.clone();
        }
        client.call("textDocument/diagnostic", params)
    };
    let first = ask(None);
    assert_eq!(first["kind"], "full");
    assert_eq!(first["items"][0]["code"], "undefined-name");
    let again = ask(Some(&first["resultId"]));
    assert_eq!(
        again,
        json!({"kind": "unchanged", "resultId": first["resultId"]})
    );
    client.change(&path, 2, json!([{"text": DOUBLE}]));
    let mut params = json!({"textDocument": {"uri": path}});
    params["previousResultId"] = first["resultId"].clone();
    let fixed = client.call("textDocument/diagnostic", params);
    assert_eq!(fixed["items"], json!([]));
}

#[test]
fn the_workspace_is_checked_incrementally() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.py");
    std::fs::write(&path, WRONG).unwrap();
    let mut client = started(folder.path(), pulling());
    let open = "file:///open.py";
    client.open(open, 3, DOUBLE);
    let ask = |client: &mut Client, previous: Value| {
        let report = client.call(
            "workspace/diagnostic",
            json!({"previousResultIds": previous}),
        );
        report["items"].as_array().expect("reports").clone()
    };
    let reports = ask(&mut client, json!([]));
    assert_eq!(reports[0]["uri"], open);
    assert_eq!(reports[0]["version"], 3);
    assert_eq!(reports[1]["uri"], uri(&path));
    assert_eq!(reports[1]["items"][0]["code"], "undefined-name");

    let ids: Vec<Value> = reports
        .iter()
        .map(|it| json!({"uri": it["uri"], "value": it["resultId"]}))
        .collect();
    let again = ask(&mut client, json!(ids));
    assert!(
        again.iter().all(|it| it["kind"] == "unchanged"),
        "{again:?}"
    );

    std::fs::write(&path, WRONG.replace("x, z", "x, x")).unwrap();
    let changed = ask(&mut client, json!(ids));
    assert_eq!(changed[1]["kind"], "full");
    assert_eq!(changed[1]["items"], json!([]));
}

#[test]
fn workspace_reports_are_streamed_as_partial_results() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.py", "b.py"] {
        std::fs::write(folder.path().join(name), WRONG).unwrap();
    }
    let mut client = started(folder.path(), pulling());
    let params = json!({"previousResultIds": [], "partialResultToken": 7});
    let rest = client.call("workspace/diagnostic", params);
    assert_eq!(rest, json!({"items": []}));
    for name in ["a.py", "b.py"] {
        let part = client.notification("$/progress");
        assert_eq!(part["token"], 7);
        assert_eq!(
            part["value"]["items"][0]["uri"],
            uri(&folder.path().join(name))
        );
    }
}

#[test]
fn a_changed_release_requests_a_refresh() {
    let mut client = Client::initialized(json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {
            "diagnostics": {"refreshSupport": true},
            "semanticTokens": {"refreshSupport": true},
        },
    }));
    let settings = json!({"settings": {"relax": {"tvm": "rfc"}}});
    client.notify("workspace/didChangeConfiguration", settings);
    client.serve("workspace/diagnostic/refresh", Value::Null);
    client.serve("workspace/semanticTokens/refresh", Value::Null);
}
