//! Tests of `relax.tensor`: slices, statistics and differences of the tensors that runs have kept.

use std::path::Path;

use serde_json::{Value, json};

use super::programs::DOUBLE;
use tests::client::Client;

const URI: &str = "file:///double.py";

fn opened() -> Client {
    let mut client = Client::initialized(json!({}));
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    client
}

fn command(name: &str, argument: Value) -> Value {
    json!({"command": name, "arguments": [argument]})
}

/// Runs with this input `x`, and returns the answer.
fn run(client: &mut Client, x: &str) -> Value {
    let argument = json!({
        "uri": URI, "function": "Module.main", "dims": {"n": 2}, "inputs": {"x": x},
    });
    let answer = client.call("workspace/executeCommand", command("relax.run", argument));
    assert_eq!(answer["ok"], true, "{answer}");
    answer
}

fn look(client: &mut Client, argument: Value) -> Value {
    client.call(
        "workspace/executeCommand",
        command("relax.tensor", argument),
    )
}

#[test]
fn a_slice_of_an_output_comes_with_statistics_and_a_histogram() {
    let mut client = opened();
    let ran = run(&mut client, "arange");
    let argument = json!({"run": ran["run"], "name": "out", "slice": {"part": [0, 1, 2, 2]}});
    let seen = look(&mut client, argument);
    assert_eq!(seen["shape"], json!([2, 4]));
    assert_eq!(seen["dtype"], "float32");
    assert_eq!((&seen["min"], &seen["max"]), (&json!(0.0), &json!(14.0)));
    assert_eq!(seen["slice"]["values"], json!([[2.0, 4.0], [10.0, 12.0]]));
    assert_eq!(seen["slice"]["pool"], json!([1, 1]));
    let counts = seen["histogram"]["counts"].as_array().unwrap();
    assert_eq!(counts.iter().filter_map(Value::as_u64).sum::<u64>(), 8);
}

#[test]
fn axes_can_be_exchanged_and_all_elements_listed() {
    let mut client = opened();
    let ran = run(&mut client, "arange");
    let slice = json!({"rows": 1, "columns": 0});
    let argument = json!({"run": ran["run"], "name": "out", "slice": slice, "list": true});
    let seen = look(&mut client, argument);
    let columns = json!([[0.0, 8.0], [2.0, 10.0], [4.0, 12.0], [6.0, 14.0]]);
    assert_eq!(seen["slice"]["values"], columns);
    assert_eq!(seen["list"].as_array().unwrap().len(), 8);
}

#[test]
fn a_run_can_be_subtracted_from_another() {
    let mut client = opened();
    let first = run(&mut client, "ones");
    let second = run(&mut client, "1.5");
    let argument = json!({"run": second["run"], "name": "out", "minus": first["run"]});
    let seen = look(&mut client, argument);
    assert_eq!((&seen["min"], &seen["max"]), (&json!(1.0), &json!(1.0)));
}

#[test]
fn a_trace_keeps_the_tensor_of_each_binding() {
    let mut client = opened();
    let argument = json!({
        "uri": URI, "function": "Module.main", "dims": {"n": 1}, "inputs": {"x": "ones"},
    });
    let answer = client.call("workspace/executeCommand", command("relax.trace", argument));
    let binding = &answer["trace"]["bindings"][0];
    let argument = json!({"run": answer["run"], "name": binding["kept"], "list": true});
    let seen = look(&mut client, argument);
    assert_eq!(seen["list"], json!([2.0, 2.0, 2.0, 2.0]));
}

#[test]
fn missing_values_are_reported() {
    let mut client = opened();
    let ran = run(&mut client, "ones");
    let mut refusal = |argument: Value| {
        let refused = client.refused(
            "workspace/executeCommand",
            command("relax.tensor", argument),
        );
        refused["message"].as_str().unwrap().to_owned()
    };
    let message = refusal(json!({"run": 99, "name": "out"}));
    assert_eq!(message, "the values of run 99 were deleted");
    let message = refusal(json!({"run": ran["run"], "name": "out.7"}));
    assert!(message.ends_with("kept no tensor `out.7`"), "{message}");
    let message = refusal(json!({"run": ran["run"], "name": "out", "slice": {"rows": 5}}));
    assert_eq!(message, "the tensor has 2 axes");
}

#[test]
fn result_files_exist_until_the_server_ends() {
    let mut client = opened();
    let ran = run(&mut client, "ones");
    let folder = ran["folder"].as_str().unwrap();
    let file = Path::new(folder).join("out.npy");
    let start = std::fs::read(&file).unwrap();
    assert!(start.starts_with(b"\x93NUMPY"));
    client.call("shutdown", Value::Null);
    assert!(client.exit().success());
    assert!(!Path::new(folder).exists());
}
