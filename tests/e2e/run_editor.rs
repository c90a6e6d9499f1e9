//! Tests of `relax.run`: outcomes, progress, limits, and three ways to cancel.

use serde_json::{Value, json};

use super::programs::{DOUBLE, double_of_sums, position, replace};
use tests::client::Client;

const URI: &str = "file:///double.py";

/// Runs until it is stopped.
const ENDLESS: &str = r#"from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((300, 300), "float32")) -> R.Tensor((300, 300), "float32"):
        cls = Module
        y: R.Tensor((300, 300), "float32") = R.matmul(x, x)
        z: R.Tensor((300, 300), "float32") = cls.again(y)
        w: R.Tensor((300, 300), "float32") = cls.again(z)
        return w

    @R.function
    def again(x: R.Tensor((300, 300), "float32")) -> R.Tensor((300, 300), "float32"):
        cls = Module
        y: R.Tensor((300, 300), "float32") = R.matmul(x, x)
        z: R.Tensor((300, 300), "float32") = cls.twice(y)
        return z

    @R.function
    def twice(x: R.Tensor((300, 300), "float32")) -> R.Tensor((300, 300), "float32"):
        cls = Module
        one: R.Tensor((), "bool") = R.const(True, "bool")
        if one:
            y: R.Tensor((300, 300), "float32") = cls.again(x)
        else:
            y: R.Tensor((300, 300), "float32") = R.nn.relu(x)
        return y
"#;

fn run(function: &str, more: &Value) -> Value {
    let mut argument = json!({"uri": URI, "function": function});
    for (key, value) in more.as_object().unwrap() {
        argument[key] = value.clone();
    }
    json!({"command": "relax.run", "arguments": [argument]})
}

fn opened(capabilities: Value, text: &str) -> Client {
    let mut client = Client::initialized(capabilities);
    client.open(URI, 1, text);
    client.diagnostics(URI, 1);
    client
}

fn lenses(client: &mut Client) -> Vec<String> {
    let lenses = client.call(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": URI}}),
    );
    let titles = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["command"]["title"].as_str().unwrap());
    titles.map(str::to_owned).collect()
}

#[test]
fn a_run_returns_outputs_and_adds_a_lens() {
    let mut client = opened(
        json!({"workspace": {"codeLens": {"refreshSupport": true}}}),
        DOUBLE,
    );
    let arguments = json!({"line": 7, "dims": {"n": 2}, "inputs": {"x": "arange"}});
    let answer = client.call("workspace/executeCommand", run("Module.main", &arguments));
    client.serve("workspace/codeLens/refresh", Value::Null);
    assert_eq!(answer["ok"], true, "{answer}");
    assert_eq!(answer["dims"], json!({"n": 2}));
    let out = &answer["outputs"][0];
    assert_eq!(
        (&out["shape"], &out["dtype"]),
        (&json!([2, 4]), &json!("float32"))
    );
    assert_eq!(out["max"], 14.0);

    let titles = lenses(&mut client);
    assert_eq!(titles.len(), 3);
    assert!(titles[2].starts_with("✓ f32[2, 4] · "), "{titles:?}");

    // The text has changed since the run.
    client.change(URI, 2, json!([{"text": format!("{DOUBLE}\n")}]));
    client.diagnostics(URI, 2);
    let titles = lenses(&mut client);
    assert!(titles[2].ends_with("(before the last edit)"), "{titles:?}");
}

#[test]
fn a_prim_func_runs_from_its_lens() {
    let mut client = opened(json!({}), super::run_cli::SCALED);
    let found = client.call(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": URI}}),
    );
    let argument = &found[0]["command"]["arguments"][0];
    assert_eq!(argument["function"], "Module.scale");
    assert_eq!(argument["kind"], "primFunc");
    assert_eq!(argument["dims"], json!(["n"]));
    assert_eq!(
        argument["params"][0],
        json!({"name": "x", "type": "R.Tensor((n,), dtype=\"float32\")"})
    );
    let mut command = found[0]["command"].clone();
    command["arguments"][0]["dims"] = json!({"n": 2});
    command["arguments"][0]["inputs"] = json!({"x": "ones"});
    let answer = client.call("workspace/executeCommand", command);
    assert_eq!(answer["ok"], true, "{answer}");
    let names: Vec<&Value> = answer["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["y", "count"]);
    assert_eq!(answer["outputs"][0]["first"], json!([0.5, 0.5]));
    let titles = lenses(&mut client);
    assert!(titles[2].starts_with("✓ f32[2], i64[1]"), "{titles:?}");
}

#[test]
fn a_trace_has_each_binding_at_its_range() {
    let mut client = opened(json!({}), DOUBLE);
    let mut call = run(
        "Module.main",
        &json!({"dims": {"n": 2}, "inputs": {"x": "ones"}}),
    );
    call["command"] = json!("relax.trace");
    let answer = client.call("workspace/executeCommand", call);
    let binding = &answer["trace"]["bindings"][0];
    assert_eq!(binding["value"]["mean"], 2.0, "{answer}");
    assert_eq!(binding["uri"], URI);
    assert_eq!(binding["range"]["start"], position(DOUBLE, "R.add(x, x)"));
}

#[test]
fn trace_values_are_shown_until_the_text_changes() {
    let refreshed = json!({"workspace": {"inlayHint": {"refreshSupport": true}}});
    let mut client = opened(refreshed, DOUBLE);
    let mut call = run(
        "Module.main",
        &json!({"dims": {"n": 2}, "inputs": {"x": "ones"}}),
    );
    call["command"] = json!("relax.trace");
    client.call("workspace/executeCommand", call.clone());
    client.serve("workspace/inlayHint/refresh", Value::Null);
    let noted = |client: &mut Client| {
        let hints = client.call(
            "textDocument/inlayHint",
            json!({"textDocument": {"uri": URI}, "range": {
                "start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0},
            }}),
        );
        let mut hints = hints.as_array().unwrap().clone();
        hints.retain(|it| {
            it["label"]
                .as_str()
                .is_some_and(|it| it.contains("f32[2, 4] ·"))
        });
        hints
    };
    let notes = noted(&mut client);
    assert_eq!(notes.len(), 1, "{notes:?}");
    let label = notes[0]["label"].as_str().unwrap();
    assert!(label.starts_with("f32[2, 4] · ") && label.ends_with(" · all 2"));
    assert_eq!(notes[0]["tooltip"], "y = relax.add");
    let mut behind = position(DOUBLE, "R.add(x, x)");
    behind["character"] = json!(behind["character"].as_u64().unwrap() + 11);
    assert_eq!(notes[0]["position"], behind);

    client.change(URI, 2, json!([{"text": format!("{DOUBLE}\n")}]));
    client.diagnostics(URI, 2);
    assert!(noted(&mut client).is_empty());

    let mut own = opened(json!({"experimental": {"traces": true}}), DOUBLE);
    own.call("workspace/executeCommand", call);
    assert!(noted(&mut own).is_empty());
}

#[test]
fn code_actions_run_functions_without_lenses() {
    let literals = json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}});
    let actions = |lenses: Value| {
        let mut document = json!({"codeAction": literals});
        if !lenses.is_null() {
            document["codeLens"] = lenses;
        }
        let mut client = opened(json!({"textDocument": document}), DOUBLE);
        let at = position(DOUBLE, "main");
        let found = client.call(
            "textDocument/codeAction",
            json!({"textDocument": {"uri": URI}, "range": {"start": at, "end": at},
                "context": {"diagnostics": [], "only": ["relax.run"]}}),
        );
        (client, found)
    };
    let (mut client, found) = actions(Value::Null);
    assert_eq!(found[0]["title"], "Run `Module.main`");
    assert_eq!(found[1]["title"], "Trace `Module.main`");
    client.call("workspace/executeCommand", found[0]["command"].clone());
    let told = client.notification("window/showMessage");
    let message = told["message"].as_str().unwrap();
    assert!(message.starts_with("Module.main: ✓ f32[4, 4]"), "{message}");
    assert_eq!(actions(json!({})).1, json!([]));
}

#[test]
fn a_stage_of_lowering_is_shown_with_links_to_its_source() {
    let mut client = opened(json!({}), DOUBLE);
    let argument = json!({"uri": URI, "function": "Module.main", "stage": "bytecode"});
    let show = json!({"command": "relax.showLowered", "arguments": [argument]});
    let answer = client.call("workspace/executeCommand", show);
    let text = answer["text"].as_str().unwrap();
    let line = text
        .lines()
        .position(|it| it.contains("relax.add"))
        .unwrap();
    let links = answer["links"].as_array().unwrap();
    let link = links.iter().find(|it| it["line"] == line).unwrap();
    assert_eq!(link["range"]["start"], position(DOUBLE, "R.add(x, x)"));
}

#[test]
fn the_unsaved_text_of_the_editor_runs() {
    let mut client = opened(json!({}), DOUBLE);
    let mut text = DOUBLE.to_owned();
    let change = replace(&mut text, "R.add", "R.subtract");
    client.change(URI, 2, json!([change]));
    client.diagnostics(URI, 2);
    let answer = client.call(
        "workspace/executeCommand",
        run("Module.main", &json!({"dims": ["n"]})),
    );
    assert_eq!(answer["dims"], json!({"n": 4}), "the default");
    assert_eq!(answer["outputs"][0]["max"], 0.0);
}

#[test]
fn an_error_of_the_program_has_a_position() {
    let program = DOUBLE
        .replace("R.add(x, x)", "R.reshape(x, (2, 4))")
        .replace(" -> R.Tensor((\"n\", 4), \"float32\")", "");
    let mut client = opened(json!({}), &program);
    let arguments = json!({"dims": {"n": 3}});
    let answer = client.call("workspace/executeCommand", run("Module.main", &arguments));
    assert_eq!(
        (&answer["ok"], &answer["cancelled"]),
        (&json!(false), &json!(false)),
        "{answer}"
    );
    assert_eq!(answer["error"]["uri"], URI);
    let line = position(&program, "R.reshape")["line"].clone();
    assert_eq!(answer["error"]["range"]["start"]["line"], line, "{answer}");
}

#[test]
fn a_missing_function_is_named() {
    let mut client = opened(json!({}), DOUBLE);
    let answer = client.call("workspace/executeCommand", run("Module.mine", &json!({})));
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("`Module.mine`") && message.contains("`Module.main`"),
        "{message}"
    );
}

#[test]
fn a_document_that_is_not_open_is_read_from_its_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("closed.py");
    std::fs::write(&path, DOUBLE).unwrap();
    let mut client = Client::plain();
    let mut call = run("Module.main", &json!({}));
    call["arguments"][0]["uri"] = json!(format!("file://{}", path.display()));
    let answer = client.call("workspace/executeCommand", call.clone());
    assert_eq!(answer["ok"], true, "{answer}");
    call["arguments"][0]["uri"] = json!("untitled:Untitled-1");
    let answer = client.call("workspace/executeCommand", call);
    assert_eq!(answer["ok"], false);
}

/// Waits until the run reports progress, and returns the token.
fn begun(client: &mut Client) -> Value {
    let token = client.serve("window/workDoneProgress/create", Value::Null)["token"].take();
    let begin = client.notification("$/progress");
    assert_eq!(begin["token"], token);
    assert_eq!(begin["value"]["kind"], "begin");
    assert_eq!(begin["value"]["title"], "Run Module.main");
    assert_eq!(begin["value"]["cancellable"], true);
    token
}

fn assert_ended(client: &mut Client, token: &Value) {
    let end = client.notification("$/progress");
    assert_eq!(
        (&end["token"], &end["value"]["kind"]),
        (token, &json!("end"))
    );
}

const PROGRESS: &str = r#"{"window": {"workDoneProgress": true}}"#;

fn with_progress() -> Value {
    serde_json::from_str(PROGRESS).unwrap()
}

#[test]
fn a_run_is_cancelled_through_its_progress() {
    let mut client = opened(with_progress(), ENDLESS);
    let id = client.request("workspace/executeCommand", run("Module.main", &json!({})));
    let token = begun(&mut client);
    client.notify("window/workDoneProgress/cancel", json!({"token": token}));
    let response = client.response(id);
    assert_eq!(
        (&response["result"]["ok"], &response["result"]["cancelled"]),
        (&json!(false), &json!(true))
    );
    assert_ended(&mut client, &token);
    assert_eq!(lenses(&mut client)[0], "▶ Run");
}

#[test]
fn a_run_is_cancelled_with_its_request() {
    let mut client = opened(with_progress(), ENDLESS);
    let id = client.request("workspace/executeCommand", run("Module.main", &json!({})));
    let token = begun(&mut client);
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.response(id)["error"]["code"], -32800);
    assert_ended(&mut client, &token);
}

#[test]
fn other_requests_are_answered_while_programs_run() {
    let mut client = opened(json!({}), ENDLESS);
    let runs: Vec<i64> = (0..6)
        .map(|_| client.request("workspace/executeCommand", run("Module.main", &json!({}))))
        .collect();
    let offers = lenses(&mut client);
    assert_eq!(offers.iter().filter(|it| *it == "▶ Run").count(), 3);
    for id in runs {
        client.notify("$/cancelRequest", json!({"id": id}));
        assert_eq!(client.response(id)["error"]["code"], -32800);
    }
}

#[test]
fn runs_end_with_their_client() {
    let mut client = opened(with_progress(), ENDLESS);
    client.request("workspace/executeCommand", run("Module.main", &json!({})));
    begun(&mut client);
    assert_eq!(client.vanish().code(), Some(1));
}

/// Returns the process in which the server runs a program, as soon as it exists.
#[cfg(target_os = "linux")]
fn worker_of(server: u32) -> String {
    let parent_of = |process: &std::path::Path| -> Option<u32> {
        let stat = std::fs::read_to_string(process.join("stat")).ok()?;
        // The fields are: process id, name in parentheses, state, parent.
        let (_, after) = stat.rsplit_once(')')?;
        after.split_whitespace().nth(1)?.parse().ok()
    };
    loop {
        let processes = std::fs::read_dir("/proc").unwrap();
        let mut processes = processes.filter_map(|it| Some(it.ok()?.path()));
        if let Some(worker) = processes.find(|it| parent_of(it) == Some(server)) {
            return worker.file_name().unwrap().to_string_lossy().into_owned();
        }
        std::thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_crashed_worker_is_reported_and_the_server_continues() {
    let mut client = opened(with_progress(), ENDLESS);
    let id = client.request("workspace/executeCommand", run("Module.main", &json!({})));
    let token = begun(&mut client);
    let worker = worker_of(client.process());
    let killed = std::process::Command::new("kill")
        .args(["-KILL", &worker])
        .status();
    assert!(killed.unwrap().success());
    let response = client.response(id);
    let result = &response["result"];
    assert_eq!(
        (&result["ok"], &result["cancelled"]),
        (&json!(false), &json!(false)),
        "{response}"
    );
    let message = result["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("ended without a result (signal: 9"),
        "{message}"
    );
    assert_ended(&mut client, &token);
    let told = client.notification("window/showMessage");
    assert_eq!(told["message"], message);

    client.change(URI, 2, json!([{"text": DOUBLE}]));
    client.diagnostics(URI, 2);
    let id = client.request("workspace/executeCommand", run("Module.main", &json!({})));
    let token = begun(&mut client);
    assert_eq!(client.response(id)["result"]["ok"], true);
    assert_ended(&mut client, &token);
}

#[test]
fn runs_with_one_token_are_cancelled_together() {
    let mut client = opened(json!({}), ENDLESS);
    let mut call = run("Module.main", &json!({}));
    call["workDoneToken"] = json!("mine");
    let runs = [(); 2].map(|()| client.request("workspace/executeCommand", call.clone()));
    let begin = client.notification("$/progress");
    assert_eq!(begin["value"]["kind"], "begin");
    // The answer comes after the server has received both.
    lenses(&mut client);
    client.notify("window/workDoneProgress/cancel", json!({"token": "mine"}));
    for id in runs {
        assert_eq!(client.response(id)["result"]["cancelled"], true);
    }
    assert_ended(&mut client, &json!("mine"));
}

/// Opens a program that takes long to compile and needs more memory than the smallest limit. The client pulls
/// diagnostics, so that none are published.
fn opened_long(window: Value) -> Client {
    let line = "            y = R.add(x, x)\n";
    let more: Vec<String> = (0..30_000)
        .map(|at| format!("            y{at} = R.add(x, x)\n"))
        .collect();
    let more = more.concat();
    let document = json!({"diagnostic": {}});
    let capabilities = json!({"textDocument": document, "window": window});
    let mut client = Client::initialized(capabilities);
    client.open(URI, 1, &DOUBLE.replace(line, &(more + line)));
    client
}

fn lower() -> Value {
    json!({"command": "relax.showLowered", "arguments": [{"uri": URI}]})
}

#[test]
fn lowering_can_be_cancelled() {
    let mut client = opened_long(json!({"workDoneProgress": true}));
    let id = client.request("workspace/executeCommand", lower());
    let token = client.serve("window/workDoneProgress/create", Value::Null)["token"].take();
    let begin = client.notification("$/progress");
    assert_eq!(begin["value"]["title"], "Lowering");
    assert_eq!(begin["value"]["cancellable"], true);
    let other = "file:///other.py";
    client.open(other, 1, DOUBLE);
    let document = json!({"textDocument": {"uri": other}});
    client.call("textDocument/documentSymbol", document);
    assert!(!client.has(|message| message["id"] == id));
    client.notify("window/workDoneProgress/cancel", json!({"token": token}));
    assert_eq!(client.response(id)["error"]["code"], -32800);
    assert_ended(&mut client, &token);
}

#[test]
fn compiling_has_the_limits_of_running() {
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client = Client::initialized(capabilities);
    client.open(URI, 1, &double_of_sums());
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"relax": {"run": {"memoryLimitMb": 64}}}}),
    );
    let error = client.refused("workspace/executeCommand", lower());
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("out of memory"), "{message}");
    let answer = client.call("workspace/executeCommand", run("Module.main", &json!({})));
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("out of memory"), "{message}");
}

#[test]
fn a_run_stops_at_its_time_limit() {
    let mut client = opened(json!({}), ENDLESS);
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"relax": {"run": {"timeLimitSeconds": 1}}}}),
    );
    let answer = client.call("workspace/executeCommand", run("Module.main", &json!({})));
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("time"), "{message}");
    assert_eq!(answer["cancelled"], false);
}

#[test]
fn a_run_stops_at_its_memory_limit() {
    let mut client = opened(json!({}), DOUBLE);
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"relax": {"run": {"memoryLimitMb": 256}}}}),
    );
    let answer = client.call(
        "workspace/executeCommand",
        run("Module.main", &json!({"dims": {"n": 100_000_000}})),
    );
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("out of memory"), "{message}");
    // The server still works.
    let answer = client.call("workspace/executeCommand", run("Module.main", &json!({})));
    assert_eq!(answer["ok"], true, "{answer}");
}
