//! Tests on models that TVM printed: runs on the command line give TVM's values, and edits over the protocol work.

use std::process::Command;

use serde_json::{Value, json};

use super::programs::{position, replace};
use crate::conformance::models::{directory, printed};
use tests::client::Client;

/// The relative difference that another order of a sum may cause.
const TOLERANCE: f64 = 1e-4;

/// Returns the elements that differ from the recorded ones by more than the tolerance of the largest element.
fn differences(out: &Value, wanted: &Value) -> Vec<String> {
    let number = |value: &Value| value.as_f64().expect("a number");
    let scale = number(&wanted["min"])
        .abs()
        .max(number(&wanted["max"]).abs());
    let mut found = Vec::new();
    let mut compare = |what: String, ours: f64, theirs: f64, scale: f64| {
        if (ours - theirs).abs() > TOLERANCE * scale {
            found.push(format!("{what}: {ours} for {theirs}"));
        }
    };
    for (ours, theirs) in [("min", "min"), ("max", "max")] {
        compare(
            ours.to_owned(),
            number(&out[ours]),
            number(&wanted[theirs]),
            scale,
        );
    }
    let sum = number(&wanted["abs_sum"]);
    compare(
        "sum".to_owned(),
        number(&out["sum"]),
        number(&wanted["sum"]),
        sum,
    );
    compare("absSum".to_owned(), number(&out["absSum"]), sum, sum);
    let first = |value: &Value| value["first"].as_array().expect("numbers").clone();
    for (i, (ours, theirs)) in first(out).iter().zip(first(wanted)).enumerate() {
        compare(format!("element {i}"), number(ours), number(&theirs), scale);
    }
    if out["shape"] != wanted["shape"] || out["dtype"] != wanted["dtype"] {
        found.push(format!(
            "{} {} for {} {}",
            out["shape"], out["dtype"], wanted["shape"], wanted["dtype"]
        ));
    }
    found
}

#[test]
fn printed_models_run_to_what_tvm_computed() {
    let directory = directory();
    let recorded = std::fs::read(directory.join("expected.json")).unwrap();
    let recorded: Vec<Value> = serde_json::from_slice(&recorded).unwrap();
    let (mut wrong, mut runs) = (Vec::new(), 0);
    for case in &recorded {
        for version in ["0.19", "0.27"] {
            let model = case["model"].as_str().unwrap();
            let path = directory.join(format!("{model}-nn.tvm-{version}.py"));
            runs += 1;
            let target = format!("{}::{}", path.display(), case["function"].as_str().unwrap());
            let mut run = Command::new(tests::relax_lsp());
            run.args(["run", &target, "--input", "*=formula", "--format", "json"]);
            for (name, value) in case["dims"].as_object().unwrap() {
                run.args(["--dim", &format!("{name}={value}")]);
            }
            let output = run.output().expect("relax-lsp starts");
            let name = format!("{model} {version} {}", case["dims"]);
            if output.status.code() != Some(0) {
                wrong.push(format!(
                    "{name}: {}",
                    String::from_utf8_lossy(&output.stderr)
                ));
                continue;
            }
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            let differences = differences(&answer["outputs"][0], &case["output"]);
            wrong.extend(differences.iter().map(|it| format!("{name}: {it}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(runs, 2 * recorded.len());
}

#[test]
fn a_large_model_is_edited_hovered_run_and_its_run_cancelled() {
    let uri = "file:///lm32.py";
    let mut text = printed(|name| name == "lm32-nn.tvm-0.27.py").remove(0).text;
    let mut client = Client::plain();
    client.open(uri, 1, &text);
    assert_eq!(client.diagnostics(uri, 1), Vec::<Value>::new());

    // Makes a mistake in the middle of `forward`, and corrects it.
    let (right, wrong) = ("R.nn.silu(", "R.nn.siluu(");
    assert!(text.contains(right), "the model uses it");
    let mistake = replace(&mut text, right, wrong);
    client.change(uri, 2, json!([mistake]));
    let found = client.diagnostics(uri, 2);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0]["message"]
            .as_str()
            .unwrap()
            .contains("`R.nn.silu`"),
        "{found:?}"
    );
    let correction = replace(&mut text, wrong, right);
    client.change(uri, 3, json!([correction]));
    assert_eq!(client.diagnostics(uri, 3), Vec::<Value>::new());

    let at = json!({"textDocument": {"uri": uri}, "position": position(&text, "silu(")});
    let hover = client.call("textDocument/hover", at);
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(
        shown.contains("R.nn.silu(data)") && shown.contains("`n`"),
        "{shown}"
    );

    // The client sends a token, so the hover may report progress too.
    let run = |inputs: Value, dims: Value, token: &str| {
        let argument =
            json!({"uri": uri, "function": "Module.forward", "dims": dims, "inputs": inputs});
        json!({"command": "relax.run", "arguments": [argument], "workDoneToken": token})
    };
    let progress = |client: &mut Client, token: &str| {
        let is_of = |it: &Value| it["method"] == "$/progress" && it["params"]["token"] == token;
        client.wait(is_of)["params"]["value"]["kind"].take()
    };
    let id = client.request(
        "workspace/executeCommand",
        run(json!({"*": "formula"}), json!({"n": 4}), "short"),
    );
    let answer = client.response(id)["result"].take();
    let wanted = std::fs::read(directory().join("expected.json")).unwrap();
    let wanted: Vec<Value> = serde_json::from_slice(&wanted).unwrap();
    let wanted = wanted
        .iter()
        .find(|it| it["model"] == "lm32")
        .expect("it is recorded");
    assert_eq!(wanted["dims"], json!({"n": 4}));
    assert_eq!(
        differences(&answer["outputs"][0], &wanted["output"]),
        Vec::<String>::new()
    );
    for kind in ["begin", "end"] {
        assert_eq!(progress(&mut client, "short"), kind);
    }

    // There are so many tokens that the request is still running when it is cancelled.
    let id = client.request(
        "workspace/executeCommand",
        run(json!({}), json!({"n": 512}), "long"),
    );
    assert_eq!(progress(&mut client, "long"), "begin");
    client.notify("window/workDoneProgress/cancel", json!({"token": "long"}));
    assert_eq!(client.response(id)["result"]["cancelled"], true);
    assert_eq!(progress(&mut client, "long"), "end");
}
