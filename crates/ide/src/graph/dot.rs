//! Prints a graph for Graphviz, so that any editor can draw it.

use std::fmt::Write;

use super::{Graph, Group, GroupKind, Node, NodeChange, NodeKind};
use crate::visible;

/// Graphs in Graphviz's language.
pub struct Dot(String);

impl Dot {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromIterator<Dot> for Dot {
    fn from_iter<T: IntoIterator<Item = Dot>>(graphs: T) -> Dot {
        Dot(graphs.into_iter().map(|it| it.0).collect())
    }
}

pub fn dot(graph: &Graph) -> Dot {
    let mut text = format!("digraph {} {{\n", quoted(&graph.function));
    text.push_str("  node [shape=box, style=rounded];\n");
    print_group(graph, None, 1, &mut text);
    for edge in &graph.edges {
        let words: Vec<&str> = [edge.argument.as_str(), edge.shape.as_str()]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect();
        let label = if words.is_empty() {
            String::new()
        } else {
            format!(" [label={}]", quoted(&words.join(" ")))
        };
        let _ = writeln!(text, "  n{} -> n{}{label};", edge.from, edge.to);
    }
    text.push_str("}\n");
    Dot(text)
}

/// Prints the nodes and inner groups of a group, or of the top level.
fn print_group(graph: &Graph, group: Option<usize>, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for (at, node) in graph.nodes.iter().enumerate() {
        if node.group == group {
            let _ = writeln!(
                text,
                "{indent}n{at} [label={}{}{}];",
                quoted(&label(node)),
                style(node.kind),
                colour(node.change.as_ref())
            );
        }
    }
    for (at, inner) in graph.groups.iter().enumerate() {
        if inner.parent == group {
            let title = quoted(&title(inner));
            let _ = writeln!(text, "{indent}subgraph cluster{at} {{");
            let _ = writeln!(text, "{indent}  label={title};");
            self::print_group(graph, Some(at), depth + 1, text);
            let _ = writeln!(text, "{indent}}}");
        }
    }
}

fn title(group: &Group) -> String {
    match group.kind {
        GroupKind::Function => format!("def {}", group.label),
        GroupKind::Module | GroupKind::Call => group.label.clone(),
        kind => kind.name().to_owned(),
    }
}

fn label(node: &Node) -> String {
    let called = match &node.callee {
        Some(callee) if node.operation.is_empty() => callee.clone(),
        Some(callee) => format!("{} {callee}", node.operation),
        None => node.operation.clone(),
    };
    let first = [node.name.as_str(), called.as_str()]
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" = ");
    let change = change(node);
    let mut lines = vec![first.as_str()];
    lines.extend(node.weights.iter().map(|it| it.label.as_str()));
    lines.extend([node.ty.as_str(), change.as_str()]);
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// Returns the text for a node's change, such as `changed: operator`.
fn change(node: &Node) -> String {
    let Some(change) = &node.change else {
        return String::new();
    };
    match change.parts() {
        [] => change.name().to_owned(),
        parts => format!("{}: {}", change.name(), parts.join(", ")),
    }
}

fn colour(change: Option<&NodeChange>) -> &'static str {
    match change {
        None => "",
        Some(NodeChange::Added) => ", color=green4, penwidth=2",
        Some(NodeChange::Removed) => ", color=red3, fontcolor=red3",
        Some(NodeChange::Changed(_)) => ", color=orange3, penwidth=2",
    }
}

fn style(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Parameter | NodeKind::Result => ", shape=ellipse, style=solid",
        NodeKind::Constant => ", style=dashed",
        NodeKind::Branch => ", shape=diamond, style=solid",
        _ => "",
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in visible::lines(text).chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
