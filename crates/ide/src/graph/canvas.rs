//! Builds the graph of a Relax or Relay function: adds nodes and their incoming edges to the open group.

use relax::ops;
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

use super::{Edge, Graph, Group, GroupKind, Node};

pub(crate) struct Canvas {
    graph: Graph,
    /// Ranges of nodes and groups are relative to this offset.
    start: TextSize,
    group: Option<usize>,
    /// The family of each Relax operator.
    families: FxHashMap<&'static str, &'static str>,
}

/// An input of a node.
pub(crate) struct Input {
    pub from: usize,
    pub argument: String,
    pub shape: String,
}

/// The group that was open before; [`Canvas::close`] restores it.
pub(crate) struct Around(Option<usize>);

impl Canvas {
    /// Returns an empty graph. The ranges given here are absolute; later ones are relative to `start`.
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
                inputs: None,
            },
            start,
            group: None,
            families: families.collect(),
        }
    }

    /// Opens a group inside the current one. [`Canvas::close`] ends it.
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

    /// Adds a node, and an edge from each of its inputs.
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

    /// Returns the family of a Relax operator, or an empty string for any other name.
    pub fn family(&self, operator: &str) -> &'static str {
        self.families.get(operator).copied().unwrap_or_default()
    }

    pub fn finish(mut self) -> Graph {
        self.graph.total = self.graph.nodes.len();
        self.graph
    }
}
