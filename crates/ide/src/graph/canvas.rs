//! A graph while it is drawn, for functions of Relax and of Relay: nodes with their inputs, in the group that is open.

use relax::ops;
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

use super::{Edge, Graph, Group, GroupKind, Node};

pub(crate) struct Canvas {
    graph: Graph,
    /// The ranges of nodes and groups are relative to it.
    start: TextSize,
    group: Option<usize>,
    /// By operator of Relax.
    families: FxHashMap<&'static str, &'static str>,
}

/// What a node computes with.
pub(crate) struct Input {
    pub from: usize,
    pub argument: String,
    pub shape: String,
}

/// The group around one that is open.
pub(crate) struct Around(Option<usize>);

impl Canvas {
    /// An empty graph of a function. Its ranges are of the file, those to come begin at `start`.
    pub fn new(
        function: String,
        range: TextRange,
        name_range: TextRange,
        start: TextSize,
    ) -> Canvas {
        let families = ops::families().iter();
        let families = families.flat_map(|(family, ops)| ops.iter().map(|op| (op.name, *family)));
        Canvas {
            graph: Graph {
                function,
                range,
                name_range,
                nodes: Vec::new(),
                edges: Vec::new(),
                groups: Vec::new(),
                focus: None,
                total: 0,
            },
            start,
            group: None,
            families: families.collect(),
        }
    }

    /// Opens a group within the one that is open; [`Canvas::close`] ends it.
    pub fn open(&mut self, kind: GroupKind, label: &str, range: TextRange) -> Around {
        let around = self.group;
        self.group = Some(self.graph.groups.len());
        self.graph.groups.push(Group {
            kind,
            label: label.to_owned(),
            range: range + self.start,
            parent: around,
            alike: None,
        });
        Around(around)
    }

    pub fn close(&mut self, around: Around) {
        self.group = around.0;
    }

    /// Draws a node, and an edge from each of its inputs.
    pub fn push(&mut self, node: Node, inputs: Vec<Input>) -> usize {
        let to = self.graph.nodes.len();
        let edges = inputs.into_iter().map(|input| Edge {
            from: input.from,
            to,
            argument: input.argument,
            shape: input.shape,
        });
        self.graph.edges.extend(edges);
        self.graph.nodes.push(Node {
            range: node.range + self.start,
            selection: node.selection + self.start,
            group: self.group,
            ..node
        });
        to
    }

    /// The family of an operator of Relax; empty for any other name.
    pub fn family(&self, operator: &str) -> &'static str {
        self.families.get(operator).copied().unwrap_or_default()
    }

    pub fn finish(mut self) -> Graph {
        self.graph.total = self.graph.nodes.len();
        self.graph
    }
}
