//! A graph as JSON, for editors and for the page that draws it.

use ide::graph::{Edge, Graph, Group, Node, NodeChange, Weight};
use serde_json::{Value, json};

use crate::compilation::json::with;
use crate::line_index::Lines;

/// Returns a graph for an editor. In a comparison, removed nodes have positions in the text before.
pub fn graph(graph: &Graph, lines: &Lines, before: &Lines) -> Value {
    let text = json!({
        "range": lines.to_range(graph.range),
        "selection": lines.to_range(graph.name_range),
        "dot": graph.to_dot().as_str(),
    });
    with(to_json(graph, Some((lines, before))), text)
}

/// Returns what a page needs to draw a graph: nothing about the text.
pub fn drawing(graph: &Graph) -> Value {
    to_json(graph, None)
}

/// Returns a graph, with positions in the texts after and before a change if these are given.
fn to_json(graph: &Graph, texts: Option<(&Lines, &Lines)>) -> Value {
    let lines = texts.map(|it| it.0);
    let lines_of = |it: &Node| match it.change {
        Some(NodeChange::Removed) => texts.map(|it| it.1),
        _ => lines,
    };
    let nodes = graph.nodes.iter().enumerate();
    let edges = graph.edges.iter().map(edge);
    let groups = graph.groups.iter().enumerate();
    json!({
        "function": graph.function,
        "nodes": nodes.map(|(at, it)| node(at, it, lines_of(it))).collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
        "groups": groups.map(|(at, it)| group(at, it, lines)).collect::<Vec<_>>(),
        "focus": graph.focus,
        "total": graph.total,
    })
}

fn node(at: usize, node: &Node, lines: Option<&Lines>) -> Value {
    let arguments = node.arguments.iter();
    let weights = node.weights.iter();
    let range = |it| lines.map(|lines| lines.to_range(it));
    let change = node.change.as_ref();
    json!({
        "id": at,
        "kind": node.kind.name(),
        "name": node.name,
        "operation": node.operation,
        "callee": node.callee,
        "family": node.family,
        "structInfo": node.struct_info,
        "type": node.ty,
        "weights": weights.map(|it| weight(it, lines)).collect::<Vec<_>>(),
        "arguments": arguments.map(|(name, value)| json!({"name": name, "value": value})).collect::<Vec<_>>(),
        "range": range(node.range),
        "selection": range(node.selection),
        "group": node.group,
        "omitted": {"inputs": node.omitted.inputs, "outputs": node.omitted.outputs},
        "change": change.map(|it| json!({"kind": it.name(), "parts": it.parts()})),
    })
}

fn weight(weight: &Weight, lines: Option<&Lines>) -> Value {
    let steps = weight.steps.iter().filter_map(|it| {
        let range = lines?.to_range(it.range);
        Some(json!({"kind": it.kind.name(), "name": it.name, "range": range}))
    });
    json!({
        "argument": weight.argument,
        "label": weight.label,
        "description": weight.described(),
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn edge(edge: &Edge) -> Value {
    json!({
        "from": edge.from,
        "to": edge.to,
        "argument": edge.argument,
        "shape": edge.shape,
    })
}

fn group(at: usize, group: &Group, lines: Option<&Lines>) -> Value {
    json!({
        "range": lines.map(|it| it.to_range(group.range)),
        "id": at,
        "kind": group.kind.name(),
        "label": group.label,
        "parent": group.parent,
        "alike": group.alike,
    })
}
