//! The graph of the function at the cursor, as lines and as text of Graphviz.

use std::fmt::Write;

use ide::graph::{Graph, GraphLimit, Node};

use super::Answer;
use super::navigation::place;
use crate::cases::program::{Opened, Program};

/// Shows a line for each node with its operands, groups indented. With a number, the graph has at most so many nodes.
pub fn graph(program: &Program, limit: &[String]) -> Result<Answer, String> {
    let limit = match limit.first().map(|it| it.parse()) {
        None => GraphLimit::NONE,
        Some(Ok(nodes)) => GraphLimit { nodes, in_boxes: 0 },
        Some(Err(_)) => return Err("the limit is no number".to_owned()),
    };
    let opened = program.open();
    let graph = found(&opened, limit)?;
    Ok(Answer::Text(graph.map_or_else(String::new, |it| {
        shown(program, &opened, &it)
    })))
}

pub fn dot(program: &Program, _: &[String]) -> Result<Answer, String> {
    let graph = found(&program.open(), GraphLimit::NONE)?;
    let text = graph.map(|it| it.to_dot().as_str().to_owned());
    Ok(Answer::Text(text.unwrap_or_default()))
}

fn found(opened: &Opened, limit: GraphLimit) -> Result<Option<Graph>, String> {
    let position = opened.position()?;
    Ok(opened
        .analysis
        .graph(position, position.offset, limit)
        .unwrap())
}

fn name(graph: &Graph, at: usize) -> String {
    match &graph.nodes[at] {
        node if node.name.is_empty() => format!("#{at}"),
        node => node.name.clone(),
    }
}

fn shown(program: &Program, opened: &Opened, graph: &Graph) -> String {
    let mut text = String::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let groups = std::iter::successors(node.group, |&it| graph.groups[it].parent);
        let mut path: Vec<usize> = groups.collect();
        path.reverse();
        for (depth, &group) in path.iter().enumerate() {
            if open.get(depth) != Some(&group) {
                let it = &graph.groups[group];
                let alike = it
                    .alike
                    .map(|it| format!("like {}", graph.groups[it].label));
                let label = [it.kind.name(), &it.label, &alike.unwrap_or_default()].join(" ");
                let place = place(program, opened, it.range);
                let _ = writeln!(text, "{}[{}] {place}", "  ".repeat(depth), label.trim());
            }
        }
        open = path;
        let place = place(program, opened, node.selection);
        let _ = write!(text, "{}{place} ", "  ".repeat(open.len()));
        show_node(graph, at, node, &mut text);
    }
    if graph.nodes.len() < graph.total {
        let _ = writeln!(text, "{} of {} nodes", graph.nodes.len(), graph.total);
    }
    text
}

fn show_node(graph: &Graph, at: usize, node: &Node, text: &mut String) {
    let _ = write!(text, "{} {}", name(graph, at), node.kind.name());
    if let Some(callee) = &node.callee {
        let _ = write!(text, " {callee}");
    }
    if !node.operation.is_empty() {
        let _ = write!(text, " `{}`", node.operation);
    }
    if !node.family.is_empty() {
        let _ = write!(text, " ({})", node.family);
    }
    for (param, argument) in &node.arguments {
        let _ = write!(text, " {param}={argument}");
    }
    for edge in graph.edges.iter().filter(|edge| edge.to == at) {
        let _ = write!(text, " ← {}", name(graph, edge.from));
        for word in [&edge.argument, &edge.shape] {
            if !word.is_empty() {
                let _ = write!(text, " {word}");
            }
        }
    }
    for weight in &node.weights {
        let _ = write!(text, " · {} {}", weight.argument, weight.label);
    }
    if node.omitted.inputs + node.omitted.outputs > 0 {
        let (inputs, outputs) = (node.omitted.inputs, node.omitted.outputs);
        let _ = write!(text, " … {inputs} in, {outputs} out");
    }
    let _ = writeln!(text, ": {}", node.struct_info);
}
