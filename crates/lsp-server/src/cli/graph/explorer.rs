//! Writes graphs for Model Explorer: a node has the path of its enclosing boxes, and lists the sources of its inputs.

use ide::graph::{Edge, Graph, Node, NodeKind};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

pub fn collection(name: &str, graphs: &[Graph]) -> Value {
    json!({
        "label": name,
        "graphs": graphs.iter().map(graph).collect::<Vec<_>>(),
    })
}

fn graph(graph: &Graph) -> Value {
    let mut inputs: Vec<Vec<&Edge>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        inputs[edge.to].push(edge);
    }
    let paths = paths(graph);
    let nodes = graph.nodes.iter().zip(inputs).enumerate();
    let nodes = nodes.map(|(at, (it, inputs))| {
        let path = it.group.map_or("", |group| paths[group].as_str());
        node(at, it, path, &inputs)
    });
    json!({"id": graph.function, "nodes": nodes.collect::<Vec<_>>()})
}

/// Returns the path of each group: `layers/layers.0/attn`.
fn paths(graph: &Graph) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    for group in &graph.groups {
        let title = match group.label.as_str() {
            "" => group.kind.name().to_owned(),
            // Two boxes must not have the same path.
            label => step(label).replace('/', "|"),
        };
        let around = group.parent.map(|it| paths[it].as_str());
        let around = around.filter(|it| !it.is_empty());
        let path = around.map_or(title.clone(), |it| format!("{it}/{title}"));
        let count = counts.entry(path.clone()).or_default();
        *count += 1;
        paths.push(match count {
            1 => path,
            count => format!("{path} ({count})"),
        });
    }
    paths
}

/// Returns the last step of a path: `attn` for `layers.0.attn`, `layers.0` for `model.layers.0`.
fn step(label: &str) -> &str {
    let Some((around, last)) = label.rsplit_once('.') else {
        return label;
    };
    if last.bytes().any(|it| !it.is_ascii_digit()) {
        return last;
    }
    let start = around.rfind('.').map_or(0, |it| it + 1);
    &label[start..]
}

fn node(at: usize, node: &Node, path: &str, inputs: &[&Edge]) -> Value {
    let edges = inputs.iter().enumerate();
    let edges = edges.map(|(to, edge)| {
        json!({
            "sourceNodeId": edge.from.to_string(),
            "sourceNodeOutputId": "0",
            "targetNodeInputId": to.to_string(),
        })
    });
    let given = inputs.iter().enumerate().map(|(to, edge)| {
        json!({
            "id": to.to_string(),
            "attrs": [attribute("__tensor_tag", &edge.argument)],
        })
    });
    let mut attributes = vec![attribute("kind", node.kind.name())];
    attributes.extend(node.change.iter().map(|it| attribute("change", it.name())));
    attributes.extend((!node.name.is_empty()).then(|| attribute("name", &node.name)));
    attributes.extend((!node.family.is_empty()).then(|| attribute("family", node.family)));
    attributes.extend(
        node.arguments
            .iter()
            .map(|(key, value)| attribute(key, value)),
    );
    let weights = node.weights.iter();
    attributes.extend(weights.map(|it| attribute(&it.argument, &it.described())));
    let made = [
        attribute("__tensor_tag", &node.name),
        attribute("type", &node.struct_info),
    ];
    json!({
        "id": at.to_string(),
        "label": label(node),
        "namespace": path,
        "attrs": attributes,
        "incomingEdges": edges.collect::<Vec<_>>(),
        "inputsMetadata": given.collect::<Vec<_>>(),
        "outputsMetadata": [{"id": "0", "attrs": made}],
    })
}

fn attribute(key: &str, value: &str) -> Value {
    json!({"key": key, "value": value})
}

fn label(node: &Node) -> &str {
    match (&node.callee, node.kind) {
        (_, NodeKind::Parameter) => &node.name,
        (Some(callee), _) => callee,
        (None, _) if node.operation.is_empty() => &node.name,
        (None, _) => &node.operation,
    }
}
