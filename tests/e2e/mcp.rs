//! Tests of `relax-lsp mcp` with the client of the official Rust library.

use std::process::Stdio;

use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::process::Command;

use super::programs::DOUBLE;

type Client = RunningService<RoleClient, ()>;

async fn client() -> Client {
    let mut server = Command::new(tests::relax_lsp())
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("relax-lsp starts");
    let transport = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
    ().serve(transport).await.expect("it shakes hands")
}

async fn call(client: &Client, tool: &'static str, arguments: Value) -> (CallToolResult, String) {
    let arguments = arguments.as_object().unwrap().clone();
    let call = CallToolRequestParams::new(tool).with_arguments(arguments);
    let result = client.call_tool(call).await.expect("it answers");
    let text = result.content[0].as_text().unwrap().text.clone();
    (result, text)
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[tokio::test]
async fn the_tools_are_listed_with_their_schemas() {
    let client = client().await;
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(
        names,
        [
            "check", "facts", "explain", "run", "diff", "passes", "migrate"
        ]
    );
    for tool in &tools {
        assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
        assert!(tool.description.is_some());
    }
    let run = &tools[3].input_schema["properties"];
    assert_eq!(run["dims"]["type"], "object");
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn a_program_is_checked_and_its_mistake_explained() {
    let client = client().await;
    let wrong = DOUBLE.replace("R.add", "R.ad");
    let (result, text) = call(&client, "check", json!({"text": wrong})).await;
    assert_ne!(result.is_error, Some(true), "a mistake is an answer");
    let code = &json_of(&text)[0]["diagnostics"][0]["code"];
    assert_eq!(code, "unknown-operator");
    let (_, page) = call(&client, "explain", json!({"code": code})).await;
    assert!(page.starts_with("# unknown-operator"), "{page}");
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn a_program_is_run_with_its_dimensions_and_inputs() {
    let client = client().await;
    let arguments = json!({"text": DOUBLE, "dims": {"n": 3}, "inputs": {"x": "ones"}});
    let (result, text) = call(&client, "run", arguments).await;
    assert_ne!(result.is_error, Some(true), "{text}");
    assert!(json_of(&text).is_object(), "{text}");
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn a_file_is_read_and_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.py");
    let old = DOUBLE.replace(
        "R.add(x, x)",
        "R.call_dps_packed(\"f\", (x,), out_sinfo=x.struct_info)",
    );
    std::fs::write(&path, old).unwrap();
    let client = client().await;
    let (_, text) = call(&client, "migrate", json!({"path": path, "to": "0.27"})).await;
    assert!(text.contains("out_ty="), "{text}");
    let (_, facts) = call(&client, "facts", json!({"path": path})).await;
    assert!(json_of(&facts)["functions"].is_array());
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn two_files_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.py"), DOUBLE).unwrap();
    std::fs::write(path("b.py"), DOUBLE.replace("R.add", "R.multiply")).unwrap();
    let client = client().await;
    let arguments = json!({"before": path("a.py"), "after": path("b.py")});
    let (result, text) = call(&client, "diff", arguments).await;
    assert_ne!(result.is_error, Some(true), "{text}");
    assert!(text.contains("multiply"), "{text}");
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn the_passes_of_a_compilation_are_listed_and_run() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/passes/mlp");
    let client = client().await;
    let (_, text) = call(&client, "passes", json!({"folder": folder})).await;
    let listed = json_of(&text);
    assert!(listed["stages"].as_array().unwrap().len() > 20, "{text}");
    assert!(listed.get("run").is_none_or(Value::is_null));
    let arguments = json!({"folder": folder, "run": true, "dims": {"batch": 2}});
    let (result, text) = call(&client, "passes", arguments).await;
    assert_ne!(result.is_error, Some(true), "{text}");
    assert!(json_of(&text)["run"].is_object(), "{text}");
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn wrong_calls_are_answered_with_what_is_wrong() {
    let client = client().await;
    for (tool, arguments, said) in [
        ("check", json!({}), "either `path` or `text`"),
        ("check", json!({"path": "nowhere.py"}), "nowhere.py"),
        (
            "check",
            json!({"path": "x.py", "pth": "x"}),
            "no argument `pth`",
        ),
        ("explain", json!({}), "`code` is missing"),
        ("explain", json!({"code": "--help"}), "no code `--help`"),
        (
            "passes",
            json!({"folder": ".", "run": "yes"}),
            "`run` is neither true nor false",
        ),
        (
            "migrate",
            json!({"text": DOUBLE, "to": "9.9"}),
            "the releases are",
        ),
    ] {
        let (result, text) = call(&client, tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{text}");
        assert!(text.contains(said), "{text}");
    }
    let unknown = client
        .call_tool(CallToolRequestParams::new("nothing"))
        .await;
    assert!(unknown.is_err());
    client.cancel().await.unwrap();
}
