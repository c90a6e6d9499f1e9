//! Draws weights inside of the operator that reads them, as a model's picture has them, and not as nodes of their own.
//!
//! A weight is a constant, or a parameter beyond the function's `num_input`. A function without that attribute does not
//! say what its inputs are: there, a parameter is a weight if its name says so, or if an operator reads it where only
//! weights are read.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::modules::{is_named_weight, within};
use super::{Edge, Graph, GroupKind, Node, NodeKind};

/// A value that is drawn inside of the operator that reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    /// The operator's parameter that receives it.
    pub argument: String,
    /// The name inside of its module with the shape: `qkv_weight(768, 256)ᵀ`.
    pub label: String,
    /// The parameter or constant, then the operators between it and its reader.
    pub steps: Vec<Node>,
}

impl Weight {
    /// Returns the whole name and type, and the operators that arrange it.
    pub fn described(&self) -> String {
        let Some((weight, arranged)) = self.steps.split_first() else {
            return String::new();
        };
        let name = match weight.name.as_str() {
            "" => &weight.operation,
            name => name,
        };
        let arranged = arranged.iter().map(|it| format!(" → {}", operator(it)));
        let arranged: String = arranged.collect();
        format!("{name}: {}{arranged}", weight.struct_info)
    }
}

/// Operators that only arrange the elements of a weight.
const ARRANGING: &[&str] = &[
    "astype",
    "broadcast_to",
    "cast",
    "expand_dims",
    "flatten",
    "layout_transform",
    "permute_dims",
    "reshape",
    "squeeze",
    TRANSPOSE,
];

const TRANSPOSE: &str = "transpose";

/// The operation of a constant whose value is not in the text.
const CONSTANT: &str = "constant";

/// Operands that are weights in any operator.
const OPERANDS: &[&str] = &[
    "beta",
    "bias",
    "gamma",
    "moving_mean",
    "moving_var",
    "weight",
];

/// Moves weights into their readers.
pub(super) fn fold(mut graph: Graph) -> Graph {
    let readers = Readers::of(&graph);
    let made = readers.weights();
    // The edge to the reader of each node that is moved.
    let mut moved: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    // A reader comes after its operands.
    for at in (0..graph.nodes.len()).rev() {
        let (Some(evidence), Some(edge)) = (made[at], readers.only(at)) else {
            continue;
        };
        let to = graph.edges[edge].to;
        let into_weight = moved[to].is_some();
        if into_weight || readers.takes_weight(edge, evidence) {
            moved[at] = Some(edge);
        }
    }
    if moved.iter().all(Option::is_none) {
        return graph;
    }
    attach(&mut graph, &moved);
    without(graph, &moved)
}

/// How sure it is that a value is a weight.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Evidence {
    /// The program says so.
    Said,
    /// It depends on the operand that it becomes.
    Operand,
}

struct Readers<'a> {
    graph: &'a Graph,
    /// The edges from each node.
    outputs: Vec<Vec<usize>>,
    /// The edges to each node.
    inputs: Vec<Vec<usize>>,
}

impl<'a> Readers<'a> {
    fn of(graph: &'a Graph) -> Readers<'a> {
        let mut outputs = vec![Vec::new(); graph.nodes.len()];
        let mut inputs = vec![Vec::new(); graph.nodes.len()];
        for (at, edge) in graph.edges.iter().enumerate() {
            outputs[edge.from].push(at);
            inputs[edge.to].push(at);
        }
        Readers {
            graph,
            outputs,
            inputs,
        }
    }

    /// Returns the only edge from a node.
    fn only(&self, node: usize) -> Option<usize> {
        match self.outputs[node][..] {
            [edge] => Some(edge),
            _ => None,
        }
    }

    /// Returns the nodes that may be drawn inside of their reader.
    fn weights(&self) -> Vec<Option<Evidence>> {
        let nodes = &self.graph.nodes;
        let is_parameter = |it: &&Node| it.kind == NodeKind::Parameter;
        let parameters = nodes.iter().take_while(is_parameter).count();
        let mut found: Vec<Option<Evidence>> = vec![None; nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            if node.change.is_some() {
                continue;
            }
            found[at] = match (node.kind, &self.inputs[at][..]) {
                (NodeKind::Constant, _) => Some(Evidence::Said),
                (NodeKind::Parameter, _) if at < parameters => self.parameter(at),
                (NodeKind::Tuple, &[edge]) => {
                    let from = self.graph.edges[edge].from;
                    let is_field = node.operation.starts_with('[') && from < parameters;
                    match self.graph.inputs {
                        _ if !is_field => None,
                        Some(inputs) => (from >= inputs).then_some(Evidence::Said),
                        None => is_named_weight(&node.name).then_some(Evidence::Said),
                    }
                }
                (NodeKind::Operator | NodeKind::Call, &[edge]) if is_arranging(node) => {
                    let from = self.graph.edges[edge].from;
                    found[from].filter(|_| self.only(from).is_some())
                }
                _ => None,
            };
        }
        found
    }

    fn parameter(&self, at: usize) -> Option<Evidence> {
        match self.graph.inputs {
            Some(inputs) => (at >= inputs).then_some(Evidence::Said),
            None if is_named_weight(&self.graph.nodes[at].name) => Some(Evidence::Said),
            None => Some(Evidence::Operand),
        }
    }

    /// Returns `true` if the weight of an edge is drawn in its reader.
    fn takes_weight(&self, edge: usize, evidence: Evidence) -> bool {
        let edge = &self.graph.edges[edge];
        let reader = &self.graph.nodes[edge.to];
        let computes = matches!(reader.kind, NodeKind::Operator | NodeKind::Call);
        computes && (evidence == Evidence::Said || self.is_weight_operand(edge, reader))
    }

    /// Returns `true` if an operand is usually a weight: the kernel of a convolution, the right side of a product, a
    /// bias, the statistics of a normalization.
    fn is_weight_operand(&self, edge: &Edge, reader: &Node) -> bool {
        let Some(rank) = static_rank(&edge.shape) else {
            return false;
        };
        match (reader.operation.as_str(), edge.argument.as_str()) {
            ("matmul", "x2") => rank <= 2,
            ("add", "x2") => {
                let first = self.inputs[edge.to].first();
                let first = first.map(|it| dims(&self.graph.edges[*it].shape).count());
                self.source_rank(edge) == Some(1) && first.is_some_and(|it| it > 1)
            }
            // The bias of attention is a mask.
            (_, operand) => reader.family != "nn_attention" && OPERANDS.contains(&operand),
        }
    }

    /// Returns the number of dimensions of the parameter behind an edge.
    fn source_rank(&self, edge: &Edge) -> Option<usize> {
        let before = |edge: &&Edge| {
            let first = self.inputs[edge.from].first();
            first.map(|it| &self.graph.edges[*it])
        };
        let source = std::iter::successors(Some(edge), before).last();
        source.and_then(|it| static_rank(&it.shape))
    }
}

/// Moves nodes into their readers, in the order of the operands.
fn attach(graph: &mut Graph, moved: &[Option<usize>]) {
    let mut edges: Vec<usize> = (0..moved.len()).filter_map(|at| moved[at]).collect();
    edges.sort_unstable();
    let into: FxHashMap<usize, usize> = edges.iter().map(|it| (graph.edges[*it].to, *it)).collect();
    for edge in edges {
        let (from, to) = (graph.edges[edge].from, graph.edges[edge].to);
        if moved[to].is_some() {
            continue;
        }
        let source = |at: &usize| into.get(at).map(|it| graph.edges[*it].from);
        let mut chain: Vec<usize> = std::iter::successors(Some(from), source).collect();
        chain.reverse();
        let shape = moved[chain[0]].map_or("", |it| graph.edges[it].shape.as_str());
        let steps: Vec<Node> = chain.iter().map(|it| graph.nodes[*it].clone()).collect();
        let read = &graph.edges[edge];
        let weight = Weight {
            argument: read.argument.clone(),
            label: label(graph, read, &steps, shape),
            steps,
        };
        graph.nodes[to].weights.push(weight);
    }
}

/// Returns the graph without nodes that were moved.
fn without(graph: Graph, moved: &[Option<usize>]) -> Graph {
    let mut places = Vec::with_capacity(moved.len());
    let mut count = 0;
    for edge in moved {
        places.push(count);
        count += usize::from(edge.is_none());
    }
    let focus = graph.focus.map(|it| {
        let readers = std::iter::successors(Some(it), |at| Some(graph.edges[moved[*at]?].to));
        places[readers.last().unwrap_or(it)]
    });
    let edges = graph.edges.into_iter().filter_map(|edge| {
        let is_kept = moved[edge.from].is_none() && moved[edge.to].is_none();
        is_kept.then(|| Edge {
            from: places[edge.from],
            to: places[edge.to],
            ..edge
        })
    });
    let nodes = graph.nodes.into_iter().zip(moved);
    let nodes: Vec<Node> = nodes
        .filter_map(|(node, edge)| edge.is_none().then_some(node))
        .collect();
    Graph {
        total: graph.total.saturating_sub(moved.len() - nodes.len()),
        nodes,
        edges: edges.collect(),
        focus,
        ..graph
    }
}

/// Returns the text for a weight in its reader.
fn label(graph: &Graph, edge: &Edge, steps: &[Node], shape: &str) -> String {
    let argument = edge.argument.as_str();
    let Some((weight, arranged)) = steps.split_first() else {
        return String::new();
    };
    let around = std::iter::successors(graph.nodes[edge.to].group, |it| graph.groups[*it].parent);
    let mut around = around.filter(|it| graph.groups[*it].kind == GroupKind::Module);
    let module = around
        .next()
        .map_or("", |it| graph.groups[it].label.as_str());
    let name = match (weight.name.as_str(), weight.operation.as_str()) {
        ("", CONSTANT) if OPERANDS.contains(&argument) => argument,
        ("", value) => value,
        (name, _) => within(module, name),
    };
    let known: Vec<&str> = dims(shape).collect();
    let mut label = match known[..] {
        [] => name.to_owned(),
        _ => format!("{name}({})", known.join(", ")),
    };
    let mut is_matrix = known.len() == 2;
    for step in arranged {
        match operator(step) {
            "permute_dims" | TRANSPOSE if is_matrix || step.arguments.is_empty() => label.push('ᵀ'),
            other => {
                label.push('.');
                label.push_str(other);
                is_matrix = false;
            }
        }
    }
    // Another shape than that of the weight, and not one that the reader can see from it.
    let last: Vec<&str> = dims(&edge.shape).collect();
    if !label.ends_with('ᵀ') && !last.is_empty() && last != known {
        let _ = write!(label, "({})", last.join(", "));
    }
    label
}

fn is_arranging(node: &Node) -> bool {
    ARRANGING.contains(&operator(node))
}

/// Returns the operator that a node applies: for a call of the kernel `transpose3`, `transpose`.
fn operator(node: &Node) -> &str {
    match &node.callee {
        Some(kernel) => kernel.trim_end_matches(|c: char| c.is_ascii_digit()),
        None => &node.operation,
    }
}

/// Returns the dimensions of a shape such as `(4, 8)`.
fn dims(shape: &str) -> impl Iterator<Item = &str> {
    let inside = shape.trim_start_matches('(').trim_end_matches([')', ',']);
    inside.split(", ").filter(|it| !it.is_empty())
}

/// Returns the number of dimensions if all of them are known numbers: a weight has no shape variables.
fn static_rank(shape: &str) -> Option<usize> {
    let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let is_static = shape.starts_with('(') && dims(shape).all(is_number);
    is_static.then(|| dims(shape).count())
}
