//! Tests of `relax.showGraph`: the nodes, edges and groups of a function, and DOT.

use serde_json::{Value, json};

use super::programs::{DOUBLE, position, replace};
use tests::client::Client;

const URI: &str = "file:///double.py";

fn opened(text: &str) -> Client {
    let mut client = Client::plain();
    client.open(URI, 1, text);
    client.diagnostics(URI, 1);
    client
}

fn show(more: &Value) -> Value {
    let mut argument = json!({"uri": URI});
    for (key, value) in more.as_object().expect("an object") {
        argument[key] = value.clone();
    }
    json!({"command": "relax.showGraph", "arguments": [argument]})
}

fn names(graph: &Value) -> Vec<&str> {
    let nodes = graph["nodes"].as_array().expect("a list");
    nodes.iter().filter_map(|it| it["name"].as_str()).collect()
}

#[test]
fn a_function_is_answered_as_a_graph_and_as_dot() {
    let mut client = opened(DOUBLE);
    let graph = client.call(
        "workspace/executeCommand",
        show(&json!({"function": "Module.main"})),
    );
    assert_eq!(graph["function"], "Module.main");
    assert_eq!(graph["selection"]["start"], position(DOUBLE, "main"));
    assert_eq!(graph["range"]["start"], position(DOUBLE, "@R.function"));
    assert_eq!(names(&graph), ["x", "y", ""]);
    let sum = &graph["nodes"][1];
    assert_eq!(
        (&sum["kind"], &sum["operation"]),
        (&json!("operator"), &json!("add"))
    );
    assert_eq!(sum["structInfo"], r#"R.Tensor((n, 4), dtype="float32")"#);
    assert_eq!(sum["selection"]["start"], position(DOUBLE, "y = R.add"));
    assert_eq!(
        graph["edges"],
        json!([
            {"from": 0, "to": 1, "argument": "x1", "shape": "(n, 4)"},
            {"from": 0, "to": 1, "argument": "x2", "shape": "(n, 4)"},
            {"from": 1, "to": 2, "argument": "", "shape": "(n, 4)"},
        ])
    );
    let group = &graph["groups"][sum["group"].as_u64().expect("a group") as usize];
    assert_eq!(group["kind"], "dataflow");
    let dot = graph["dot"].as_str().expect("a text");
    assert!(dot.starts_with("digraph \"Module.main\" {"), "{dot}");
    assert!(dot.contains("n0 -> n1 [label=\"x1 (n, 4)\"];"), "{dot}");
}

#[test]
fn a_graph_is_of_the_text_in_the_editor() {
    let mut client = opened(DOUBLE);
    let mut text = DOUBLE.to_owned();
    let change = replace(&mut text, "R.add(x, x)", "R.nn.relu(x)");
    client.change(URI, 2, json!([change]));
    client.diagnostics(URI, 2);
    let graph = client.call("workspace/executeCommand", show(&json!({})));
    assert_eq!(graph["version"], 2);
    assert_eq!(graph["nodes"][1]["operation"], "nn.relu");
}

#[test]
fn a_large_graph_is_limited_to_what_surrounds_the_position() {
    use std::fmt::Write;
    let mut text = DOUBLE.replace("R.output(y)\n", "");
    let body = text.find("        return y").expect("the end of the block");
    let mut more = String::new();
    for at in 0..100 {
        let before = if at == 0 {
            "y".to_owned()
        } else {
            format!("v{}", at - 1)
        };
        let _ = writeln!(more, "            v{at} = R.nn.relu({before})");
    }
    more.push_str("            R.output(v99)\n");
    text.insert_str(body, &more);
    let text = text
        .replace("return y", "return v99")
        .replace("            \n", "");
    let mut client = opened(&text);
    let at = position(&text, "v50 =");
    let argument = json!({"function": "main", "position": at, "limit": 5});
    let graph = client.call("workspace/executeCommand", show(&argument));
    assert_eq!(names(&graph), ["v48", "v49", "v50", "v51", "v52"]);
    assert_eq!((&graph["focus"], &graph["total"]), (&json!(2), &json!(103)));
    let omitted = &graph["nodes"][4]["omitted"];
    assert_eq!(omitted, &json!({"inputs": 0, "outputs": 1}));
}

#[test]
fn a_missing_graph_is_explained() {
    let text = DOUBLE.replace("@I.ir_module\nclass Module:", "@I.ir_module\nclass Module:\n    @R.function\n    def other(x: R.Tensor((4,), \"float32\")):\n        return x\n");
    let mut client = opened(&text);
    for (argument, reason) in [
        (
            json!({}),
            "`Module.other` in line 8, `Module.main` in line 12",
        ),
        (json!({"function": "nothing"}), "`Module.other` in line 8"),
        (
            json!({"position": {"line": 0, "character": 0}}),
            "no Relax function at that position",
        ),
        (json!({"uri": "file:///closed.py"}), "is not open"),
    ] {
        let error = client.refused("workspace/executeCommand", show(&argument));
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains(reason), "{message}");
    }
}

fn cli(arguments: &[&str]) -> String {
    let output = std::process::Command::new(tests::relax_lsp())
        .arg("graph")
        .args(arguments)
        .output()
        .expect("relax-lsp starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

fn fixture(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("fixtures").join(name);
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn model_explorer_has_the_layers_of_a_model() {
    let text = cli(&[
        "--format",
        "model-explorer",
        &fixture("models/lm2-nn.tvm-0.27.py"),
    ]);
    let collection: Value = serde_json::from_str(&text).expect("JSON");
    let nodes = collection["graphs"][0]["nodes"].as_array().expect("a list");
    let known: std::collections::HashSet<_> = nodes.iter().map(|it| &it["id"]).collect();
    let mut paths = std::collections::BTreeSet::new();
    for node in nodes {
        let path = node["namespace"].as_str().expect("a path");
        paths.extend(path.split("dataflow/").last());
        for edge in node["incomingEdges"].as_array().expect("a list") {
            assert!(known.contains(&edge["sourceNodeId"]), "{edge}");
        }
    }
    for path in ["layers/layers.0/attn", "layers/layers.1/mlp"] {
        assert!(paths.contains(path), "{paths:?}");
    }
    let weight =
        "layers_0_attn_qkv_weight: R.Tensor((768, 256), dtype=\\\"float32\\\") → permute_dims";
    assert!(text.contains(weight), "{text}");
}

#[test]
fn graphviz_has_fused_functions_as_boxes() {
    let text = cli(&[&fixture("passes/mlp/003_FuseOps.py")]);
    assert!(text.starts_with("digraph \"Module.forward\" {"), "{text}");
    assert_eq!(text.matches("digraph").count(), 1);
    assert!(text.contains("label=\"fused_matmul_add_relu\";"), "{text}");
}

#[test]
fn a_page_is_one_file_that_can_be_read_without_scripts() {
    let page = cli(&["--format", "html", &fixture("models/lm32-nn.tvm-0.27.py")]);
    let start = "<script type=\"application/json\">";
    let data = page.split(start).nth(1).expect("the graph");
    let data = data.split("</script>").next().expect("its end");
    let graph: Value = serde_json::from_str(data).expect("JSON");
    let nodes = graph["nodes"].as_array().expect("a list");
    let weights = nodes
        .iter()
        .flat_map(|it| it["weights"].as_array().expect("a list"));
    assert!(weights.count() > 32 * 6, "weights are inside of operators");
    assert_eq!(page.matches("<li>").count(), nodes.len());
    let line = "<code>matmul = matmul(rms_norm, qkv_weight(768, 256)ᵀ): f32[1, n, 768]</code>";
    assert!(page.contains(line), "{page}");
    assert!(!page.contains(" src=") && !page.contains(" href="));
    assert!(page.len() < 700_000, "{}", page.len());
}

#[test]
fn a_graph_marks_changes_since_another_module() {
    let folder = tempfile::tempdir().unwrap();
    let module = |body: &str| DOUBLE.replace("            y = R.add(x, x)\n", body);
    let (before, after) = (folder.path().join("a.py"), folder.path().join("b.py"));
    let old = module(
        "            a = R.exp(x)\n            b = R.sum(a, axis=[0], keepdims=True)\n            y = R.add(x, b)\n",
    );
    let new =
        module("            b = R.sum(x, axis=[1], keepdims=True)\n            y = R.add(x, b)\n");
    std::fs::write(&before, &old).unwrap();
    std::fs::write(&after, &new).unwrap();
    let marked = |since: &std::path::Path, of: &std::path::Path, value: &str, mark: &str| {
        let dot = cli(&["--since", since.to_str().unwrap(), of.to_str().unwrap()]);
        let line = dot.lines().find(|it| it.contains(value));
        assert!(line.is_some_and(|it| it.contains(mark)), "{value}: {dot}");
    };
    marked(&before, &after, "a = exp", "removed");
    marked(&before, &after, "b = sum", "changed: ");
    marked(&after, &before, "a = exp", "added");
    let mut client = Client::plain();
    let uri = |path: &std::path::Path| format!("file://{}", path.display());
    let argument =
        json!({"before": uri(&before), "after": uri(&after), "function": "main", "graph": true});
    let params = json!({"command": "relax.diff", "arguments": [argument]});
    let graph = client.call("workspace/executeCommand", params);
    let nodes = graph["nodes"].as_array().expect("a list");
    let node = |name: &str| nodes.iter().find(|it| it["name"] == name).expect("a node");
    assert_eq!(node("a")["change"]["kind"], "removed");
    assert_eq!(node("a")["selection"]["start"], position(&old, "a = R.exp"));
    assert_eq!(node("b")["change"]["kind"], "changed");
    assert_eq!(node("b")["selection"]["start"], position(&new, "b = R.sum"));
    let from_a = graph["edges"].as_array().expect("a list").iter();
    let from_a = from_a
        .filter(|it| it["from"] == node("a")["id"])
        .collect::<Vec<_>>();
    assert_eq!(
        from_a[0]["to"],
        node("b")["id"],
        "what used it shows where it was"
    );
}
