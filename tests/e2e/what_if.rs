//! Tests of assumed values of shape variables: the errors at these values, and the cost of functions.

use expect_test::expect;
use serde_json::{Value, json};

use super::programs::DOUBLE;
use tests::client::Client;

const URI: &str = "file:///what_if.py";

/// `y` has 16 rows, `x` has `n`.
const TWO: &str = r#"from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((16, 4), "float32")):
        z = R.add(x, y)
        w = R.matmul(z, R.permute_dims(z))
        return w
"#;

fn opened(text: &str) -> Client {
    let mut client = Client::plain();
    client.open(URI, 1, text);
    client.diagnostics(URI, 1);
    client
}

fn assume(client: &mut Client, dims: &Value) -> Vec<Value> {
    let settings = json!({"settings": {"relax": {"dims": dims}}});
    client.notify("workspace/didChangeConfiguration", settings);
    client.diagnostics(URI, 1)
}

#[test]
fn errors_at_assumed_dimensions_are_reported() {
    let mut client = opened(TWO);
    let found = assume(&mut client, &json!({"n": 8}));
    let messages: Vec<&str> = found
        .iter()
        .map(|it| it["message"].as_str().expect("a text"))
        .collect();
    expect![[r#"
        `R.add`: dimension 0 of `x1` is `n`, dimension 0 of `x2` is `16`: they must be equal (assuming n = 8)
        line 8: `x` is `R.Tensor((n, 4), dtype="float32")`
        line 9: `16` here
        line 8: `y` is `R.Tensor((16, 4), dtype="float32")`"#]].assert_eq(&messages.join("\n"));
    assert_eq!(assume(&mut client, &json!({"n": 16})), Vec::<Value>::new());
    assert_eq!(assume(&mut client, &json!({"n": 7})).len(), 1);
    assert_eq!(assume(&mut client, &json!({})), Vec::<Value>::new());
}

#[test]
fn assumed_dimensions_survive_an_edit() {
    let mut client = opened(TWO);
    assume(&mut client, &json!({"n": 16}));
    let range = json!({"start": {"line": 7, "character": 58}, "end": {"line": 7, "character": 60}});
    client.change(URI, 2, json!([{"range": range, "text": "17"}]));
    assert_eq!(client.diagnostics(URI, 2).len(), 1);
}

#[test]
fn a_lens_and_hints_tell_the_cost_at_given_dimensions() {
    let mut client = opened(TWO);
    assume(&mut client, &json!({"n": 16}));
    let document = json!({"uri": URI});
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 11, "character": 0}});
    let params = json!({"textDocument": document, "range": range});
    let hints = client.call("textDocument/inlayHint", params);
    let hints = hints.as_array().expect("a list");
    let labels = hints.iter().filter_map(|it| it["label"].as_str());
    let costs: Vec<&str> = labels.filter(|it| it.contains("FLOP")).collect();
    expect![[r#"
        64 FLOP, 768 B
        2.05 kFLOP, 2 KiB"#]]
    .assert_eq(&costs.join("\n"));
    let lenses = client.call("textDocument/codeLens", json!({"textDocument": document}));
    let lenses = lenses.as_array().expect("a list");
    let titles = lenses
        .iter()
        .filter_map(|it| it["command"]["title"].as_str());
    let costs: Vec<&str> = titles.filter(|it| it.contains("FLOP")).collect();
    expect!["2.11 kFLOP, 2.75 KiB read and written at n = 16"].assert_eq(&costs.join("\n"));
}

#[test]
fn costs_are_formulas_until_dimensions_are_given() {
    let mut client = opened(DOUBLE);
    let mut cost = |argument: Value| {
        let params = json!({"command": "relax.cost", "arguments": [argument]});
        let mut answer = client.call("workspace/executeCommand", params);
        answer["functions"][0].take()
    };
    let formulas = cost(json!({"uri": URI}));
    assert_eq!(formulas["name"], "main");
    assert_eq!(formulas["flops"], "n * 4");
    assert_eq!(formulas["planned"], Value::Null);
    let binding = &formulas["bindings"][0];
    assert_eq!(
        (&binding["name"], &binding["calls"]),
        (&json!("y"), &json!("add"))
    );

    let numbers = cost(json!({"uri": URI, "dims": {"n": 8}}));
    assert_eq!(numbers["flops"], 32);
}

#[test]
fn a_function_without_a_memory_plan_uses_ours() {
    let fused = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/passes/mlp/014_sequential.py"
    );
    let mut client = opened(&std::fs::read_to_string(fused).unwrap());
    let mut planned = |argument: Value| {
        let params = json!({"command": "relax.cost", "arguments": [argument]});
        let mut answer = client.call("workspace/executeCommand", params);
        answer["functions"][0]["planned"].take()
    };
    assert_eq!(planned(json!({"uri": URI})), Value::Null);
    let plan = planned(json!({"uri": URI, "function": "forward", "dims": {"batch": 2}}));
    expect![[r#"{"formula":"batch * 592 + 406528","bytes":407712,"peakFormula":"max(batch * 512 + 401408, batch * 552 + 5120)","peak":402432,"storages":[401408,1024,5120,80,80],"unknown":0}"#]].assert_eq(&plan.to_string());
}
