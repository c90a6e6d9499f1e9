//! Tests of the handshake and the shutdown, with correct and faulty clients.

use serde_json::{Value, json};

use super::programs::DOUBLE;
use tests::client::{Client, frame};

#[test]
fn the_handshake_names_the_server_and_what_it_offers() {
    let mut client = Client::start();
    let result = client.call("initialize", json!({"capabilities": {}}));
    assert_eq!(result["serverInfo"]["name"], "relax-lsp");
    assert_eq!(result["capabilities"]["textDocumentSync"]["change"], 2);
    assert_eq!(
        result["capabilities"]["executeCommandProvider"]["commands"],
        json!([
            "relax.run",
            "relax.trace",
            "relax.record",
            "relax.showLowered",
            "relax.showGraph",
            "relax.passes",
            "relax.diff",
            "relax.follow",
            "relax.migrate",
            "relax.cost",
            "relax.release",
            "relax.tensor"
        ])
    );
    let stages = &result["capabilities"]["experimental"]["stages"];
    assert!(stages.as_array().unwrap().contains(&json!("bytecode")));
}

#[test]
fn the_encoding_is_the_first_that_the_client_offers() {
    for (offered, taken) in [
        (json!(["utf-8", "utf-16"]), "utf-8"),
        (json!(["utf-32"]), "utf-32"),
        (json!(["cesu-8"]), "utf-16"),
        (Value::Null, "utf-16"),
    ] {
        let mut client = Client::start();
        let capabilities = json!({"general": {"positionEncodings": offered}});
        let result = client.call("initialize", json!({"capabilities": capabilities}));
        assert_eq!(
            result["capabilities"]["positionEncoding"], taken,
            "{offered}"
        );
    }
}

#[test]
fn a_request_before_the_handshake_is_refused() {
    let mut client = Client::start();
    let error = client.refused(
        "textDocument/hover",
        json!({"textDocument": {"uri": "file:///f.py"}, "position": {"line": 0, "character": 0}}),
    );
    assert_eq!(error["code"], -32002);
    assert!(!client.exit().success(), "there was no shutdown");
}

#[test]
fn requests_before_the_handshake_are_refused() {
    let mut client = Client::start();
    client.notify("$/setTrace", json!({"value": "messages"}));
    client.open("file:///f.py", 1, DOUBLE);
    let error = client.refused("relax/noSuchThing", json!({}));
    assert_eq!(error["code"], -32002);
    client.call("initialize", json!({"capabilities": {}}));
    client.notify("initialized", json!({}));
    let document = json!({"textDocument": {"uri": "file:///f.py"}});
    let symbols = client.call("textDocument/documentSymbol", document);
    assert_eq!(symbols, Value::Null, "it was never opened");
}

#[test]
fn a_second_handshake_is_refused() {
    let mut client = Client::plain();
    let error = client.refused("initialize", json!({"capabilities": {}}));
    assert_eq!(error["code"], -32600);
}

#[test]
fn exit_after_shutdown_is_success() {
    let mut client = Client::plain();
    client.call("shutdown", Value::Null);
    let error = client.refused(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": "file:///f.py"}}),
    );
    assert_eq!(error["code"], -32600, "after shutdown nothing is answered");
    assert!(client.exit().success());
}

#[test]
fn a_shutdown_notification_counts_without_an_answer() {
    let mut client = Client::plain();
    client.notify("shutdown", Value::Null);
    let document = json!({"textDocument": {"uri": "file:///f.py"}});
    let error = client.refused("textDocument/codeLens", document);
    assert_eq!(error["code"], -32600);
    assert!(client.exit().success());
}

#[test]
fn exit_without_shutdown_is_failure() {
    assert_eq!(Client::plain().exit().code(), Some(1));
}

#[test]
fn the_server_ends_when_its_client_vanishes() {
    assert_eq!(Client::plain().vanish().code(), Some(1));
    assert_eq!(Client::start().vanish().code(), Some(1));
}

/// Starts a process that exits when its input is closed.
fn other_process() -> std::process::Child {
    std::process::Command::new(tests::relax_lsp())
        .arg("worker")
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("it starts")
}

#[test]
fn the_server_ends_with_its_client_process() {
    let mut editor = other_process();
    let mut client = Client::start();
    let params = json!({"capabilities": {}, "processId": editor.id()});
    client.call("initialize", params);
    drop(editor.stdin.take());
    editor.wait().unwrap();
    assert_eq!(client.left().code(), Some(1));
}

/// A client may close its end of the server's output, and leave the other one open.
#[cfg(unix)]
#[test]
fn the_server_ends_when_its_output_is_closed() {
    use std::io::{Read, Write};

    let handshake =
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}});
    for first in [None, Some(frame(&handshake.to_string()))] {
        let mut server = std::process::Command::new(tests::relax_lsp())
            .arg("lsp")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut output = server.stdout.take().unwrap();
        if let Some(first) = first {
            server.stdin.as_mut().unwrap().write_all(&first).unwrap();
            output.read_exact(&mut [0]).unwrap();
        }
        drop(output);
        let mut log = server.stderr.take().unwrap();
        let (ended, end) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let _ = log.read_to_end(&mut Vec::new());
            let _ = ended.send(());
        });
        let end = end.recv_timeout(std::time::Duration::from_mins(1));
        if end.is_err() {
            server.kill().unwrap();
        }
        assert_eq!(server.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn the_server_ends_if_its_client_process_has_already_exited() {
    let mut editor = other_process();
    drop(editor.stdin.take());
    editor.wait().unwrap();
    let mut client = Client::start();
    let params = json!({"capabilities": {}, "processId": editor.id()});
    client.request("initialize", params);
    assert_eq!(client.left().code(), Some(1));
}

#[test]
fn settings_are_requested_and_invalid_ones_named() {
    let mut client = Client::initialized(json!({
        "workspace": {"configuration": true},
    }));
    let asked = client.serve("workspace/configuration", json!([{"tvm": "relay"}]));
    assert_eq!(asked, json!({"items": [{"section": "relax"}]}));
    let message = client.notification("window/showMessage")["message"].take();
    assert!(
        message.as_str().unwrap().contains("`relax.tvm`"),
        "{message}"
    );

    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": null}),
    );
    client.serve("workspace/configuration", json!([null]));
}

#[test]
fn settings_may_come_with_the_handshake() {
    let mut client = Client::start();
    client.call(
        "initialize",
        json!({"capabilities": {}, "initializationOptions": {"run": {"defaultDim": "four"}}}),
    );
    client.notify("initialized", json!({}));
    let message = client.notification("window/showMessage")["message"].take();
    assert!(
        message.as_str().unwrap().contains("`relax.run.defaultDim`"),
        "{message}"
    );
}
