//! Tests of `relax-lsp mcp` with the client of the official Rust library.
#![expect(deprecated, reason = "roots are what clients know")]

use std::path::Path;
use std::process::Stdio;

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation,
    ListRootsResult, Root,
};
use rmcp::service::{RequestContext, RunningService};
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::process::Command;

use super::programs::DOUBLE;

type Client<H = ()> = RunningService<RoleClient, H>;

async fn client() -> Client {
    client_in(Path::new("."), &[], ()).await
}

async fn client_in<H: ClientHandler>(folder: &Path, roots: &[&Path], handler: H) -> Client<H> {
    let mut server = Command::new(tests::relax_lsp())
        .arg("mcp")
        .args(roots)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("relax-lsp starts");
    let transport = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
    handler.serve(transport).await.expect("it shakes hands")
}

async fn call<H: ClientHandler>(
    client: &Client<H>,
    tool: &'static str,
    arguments: Value,
) -> (CallToolResult, String) {
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
    let client = client_in(folder.path(), &[], ()).await;
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
    let client = client_in(folder.path(), &[], ()).await;
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

/// A client that shares a folder.
struct Sharing(String);

impl ClientHandler for Sharing {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_roots().build();
        ClientConfig::new(capabilities, Implementation::new("test", "1"))
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new(self.0.clone())]))
    }
}

fn folder_with_programs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.py"), DOUBLE).unwrap();
    std::fs::write(folder.path().join("secret.txt"), "key = 'k-123'\n").unwrap();
    std::fs::write(folder.path().join("secret.npy"), "key = 'k-123'\n").unwrap();
    folder
}

/// Calls each tool that reads a file, and returns what it says, or `None` if it succeeds.
async fn refusals<H: ClientHandler>(client: &Client<H>, path: &Path) -> Vec<Option<String>> {
    let input = json!({"x": path.with_extension("npy")});
    let mut said = Vec::new();
    for (tool, arguments) in [
        ("check", json!({"path": path})),
        ("facts", json!({"path": path})),
        ("migrate", json!({"path": path, "to": "0.27"})),
        ("run", json!({"path": path, "dims": {"n": 1}})),
        ("diff", json!({"before": path, "after": path})),
        ("passes", json!({"folder": path})),
        (
            "run",
            json!({"text": DOUBLE, "dims": {"n": 1}, "inputs": input}),
        ),
    ] {
        let (result, text) = call(client, tool, arguments).await;
        said.push((result.is_error == Some(true)).then_some(text));
    }
    said
}

#[tokio::test]
async fn only_files_in_the_working_folder_are_read() {
    let (folder, other) = (folder_with_programs(), folder_with_programs());
    let client = client_in(folder.path(), &[], ()).await;
    for said in refusals(&client, &other.path().join("secret.txt")).await {
        assert!(said.unwrap().contains("outside of what may be read"));
    }
    let (result, text) = call(&client, "check", json!({"path": "m.py"})).await;
    assert_ne!(result.is_error, Some(true), "{text}");
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn a_file_without_tvmscript_is_not_shown() {
    let folder = folder_with_programs();
    let client = client_in(folder.path(), &[], ()).await;
    for said in refusals(&client, &folder.path().join("secret.txt")).await {
        let said = said.expect("it is refused");
        assert!(!said.contains("k-123"), "{said}");
    }
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn the_roots_of_the_client_and_of_the_command_line_are_read() {
    let (folder, other) = (folder_with_programs(), folder_with_programs());
    let (inside, outside) = (folder.path().join("m.py"), other.path().join("m.py"));
    let uri = format!("file://{}", folder.path().display());
    let sharing = client_in(other.path(), &[], Sharing(uri)).await;
    let named = client_in(other.path(), &[folder.path()], ()).await;
    let is_read = |result: CallToolResult| result.is_error != Some(true);
    for (path, expected) in [(inside, true), (outside, false)] {
        let arguments = json!({"path": path});
        let (result, text) = call(&sharing, "check", arguments.clone()).await;
        assert_eq!(is_read(result), expected, "{text}");
        let (result, text) = call(&named, "check", arguments).await;
        assert_eq!(is_read(result), expected, "{text}");
    }
    sharing.cancel().await.unwrap();
    named.cancel().await.unwrap();
}
