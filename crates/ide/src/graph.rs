//! The dataflow graph of a function: what is computed from what, for an editor to draw.
//!
//! Plain data with ranges into the file; [`dot`] is its text for Graphviz. `modules` puts nodes into the
//! modules of the model, `calls` functions into their calls, `alike` finds layers that do the same. Of a function with more
//! nodes than are wanted [`nearby`] leaves what surrounds one of them.

mod alike;
mod calls;
pub(crate) mod canvas;
mod compared;
mod dot;
mod draw;
mod modules;
mod nearby;
#[cfg(test)]
mod tests;

pub use compared::{NodeChange, Side, compared};
use hir::{Database, SourceFile};
use relax::FunctionKind;
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::relay;
use crate::semantics::function_at;
use crate::types::FilePosition;

impl Analysis {
    /// What the Relax function at a position computes from what; of one with more nodes than the limit, the part around
    /// the cursor.
    pub fn graph(
        &self,
        position: FilePosition,
        cursor: TextSize,
        limit: GraphLimit,
    ) -> Cancellable<Option<Graph>> {
        self.with_file(position.file, |db, file| {
            graph(db, file, position.offset, cursor, limit)
        })
    }
}

/// The most nodes that are wanted of a graph.
#[derive(Clone, Copy, Debug)]
pub struct GraphLimit {
    /// Of those that are drawn while all boxes are closed.
    pub nodes: usize,
    /// Of those in boxes.
    pub in_boxes: usize,
}

impl GraphLimit {
    pub const NONE: GraphLimit = GraphLimit {
        nodes: usize::MAX,
        in_boxes: usize::MAX,
    };

    /// Whether a graph is wanted as a whole.
    fn allows(self, graph: &Graph) -> bool {
        let all = graph.nodes.len();
        all <= self.nodes || (all <= self.in_boxes && graph.beside_boxes() <= self.nodes)
    }
}

/// The Relax function at `offset`, or of a larger one than is wanted the part around `cursor`.
fn graph(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    cursor: TextSize,
    limit: GraphLimit,
) -> Option<Graph> {
    let text = &file.source(db).text;
    if let Some(relay) = hir::relay_file(db, file) {
        let mut graph = relay::graph::graph(relay, text, offset)?;
        graph.focus = graph.node_at(cursor, text);
        if !limit.allows(&graph) {
            return Some(nearby::nearby(graph, limit.nodes));
        }
        alike::mark(&mut graph);
        return Some(graph);
    }
    let function = function_at(db, file, offset)?;
    if function.kind(db) != FunctionKind::Relax {
        return None;
    }
    let mut graph = draw::draw(db, file, function)?;
    graph.focus = graph.node_at(cursor, text);
    if graph.nodes.len() > limit.nodes.max(limit.in_boxes) {
        return Some(nearby::nearby(graph, limit.nodes));
    }
    modules::add(&mut graph);
    if !limit.allows(&graph) {
        return Some(nearby::nearby(graph, limit.nodes));
    }
    let mut graph = calls::opened(db, file, function, graph);
    alike::mark(&mut graph);
    Some(graph)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// `Module.forward`, or the bare name of a function outside a module.
    pub function: String,
    /// The whole function.
    pub range: TextRange,
    /// The name in the `def`.
    pub name_range: TextRange,
    /// In the order of the text, operands before what is made of them.
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Outer ones before inner ones.
    pub groups: Vec<Group>,
    /// The node at the cursor, if the cursor is in the function.
    pub focus: Option<usize>,
    /// How many nodes the function has; some may have been left out.
    pub total: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub kind: NodeKind,
    /// The variable; empty for a value inside an expression.
    pub name: String,
    /// What makes the value: `matmul`, `call_tir`, `[0]`, `if`; empty for what is only named.
    pub operation: String,
    /// The function that is called.
    pub callee: Option<String>,
    /// Of an operator's row: `linalg`, `nn_conv`.
    pub family: &'static str,
    /// In the file's dialect.
    pub struct_info: String,
    /// What is given besides values, by parameter.
    pub arguments: Vec<(String, String)>,
    /// The statement, or the expression of a value that has no name.
    pub range: TextRange,
    /// What to select: the name, if there is one.
    pub selection: TextRange,
    /// Into [`Graph::groups`].
    pub group: Option<usize>,
    pub omitted: Omitted,
    /// In a graph that is compared with another.
    pub change: Option<NodeChange>,
}

/// Edges to and from nodes that have been left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    pub inputs: u32,
    pub outputs: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Parameter,
    Constant,
    /// A call of an operator.
    Operator,
    /// A call of a function: of the module, of the host, or inside the function.
    Call,
    /// A tuple is made, or a field is taken out of one.
    Tuple,
    MatchCast,
    /// The value of an `if`.
    Branch,
    /// A function inside the function.
    Function,
    /// Another name for a value, or what only Python could tell.
    Value,
    Result,
}

impl NodeKind {
    pub fn name(self) -> &'static str {
        match self {
            NodeKind::Parameter => "parameter",
            NodeKind::Constant => "constant",
            NodeKind::Operator => "operator",
            NodeKind::Call => "call",
            NodeKind::Tuple => "tuple",
            NodeKind::MatchCast => "match_cast",
            NodeKind::Branch => "branch",
            NodeKind::Function => "function",
            NodeKind::Value => "value",
            NodeKind::Result => "result",
        }
    }
}

/// A value that a node is made of. `from` and `to` are positions in [`Graph::nodes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The parameter that takes it: `x1`, `args[0]`; empty where there is one alone.
    pub argument: String,
    /// Its dimensions, as far as they are known.
    pub shape: String,
}

/// Nodes that stand together in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub kind: GroupKind,
    /// The name of a function, the path of a module: `layers.0.attn`.
    pub label: String,
    pub range: TextRange,
    pub parent: Option<usize>,
    /// The first of the modules beside it that do the same, of the others.
    pub alike: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    Dataflow,
    Then,
    Else,
    /// A function inside the function.
    Function,
    /// A module of the model.
    Module,
    /// A call of a function of the module, with what that computes.
    Call,
}

impl GroupKind {
    /// Whether it is drawn as one node until it is opened.
    fn is_box(self) -> bool {
        matches!(self, GroupKind::Module | GroupKind::Call)
    }

    pub fn name(self) -> &'static str {
        match self {
            GroupKind::Dataflow => "dataflow",
            GroupKind::Then => "then",
            GroupKind::Else => "else",
            GroupKind::Function => "function",
            GroupKind::Module => "module",
            GroupKind::Call => "call",
        }
    }
}

impl Graph {
    /// The innermost node on the lines of `offset`; a value inside an expression only if `offset` is in it.
    fn node_at(&self, offset: TextSize, text: &str) -> Option<usize> {
        let at = usize::from(offset).min(text.len());
        let line = TextRange::new(
            TextSize::new(text[..at].rfind('\n').map_or(0, |it| it + 1) as u32),
            TextSize::new(text[at..].find('\n').map_or(text.len(), |it| at + it) as u32),
        );
        let holds = |node: &Node| {
            let whole_lines = !node.name.is_empty() || node.kind == NodeKind::Result;
            node.range.contains_inclusive(offset)
                || (whole_lines && line.contains_inclusive(node.range.start()))
        };
        let nodes = self.nodes.iter().enumerate();
        nodes
            .filter(|(_, node)| holds(node))
            .min_by_key(|(_, node)| (node.kind == NodeKind::Branch, node.range.len()))
            .map(|(at, _)| at)
    }

    /// How many nodes and boxes are drawn while all boxes are closed.
    fn beside_boxes(&self) -> usize {
        let is_beside = |group: Option<usize>| {
            let mut around = std::iter::successors(group, |it| self.groups[*it].parent);
            around.all(|it| !self.groups[it].kind.is_box())
        };
        let nodes = self.nodes.iter().filter(|it| is_beside(it.group));
        let groups = self.groups.iter();
        let boxes = groups.filter(|it| it.kind.is_box() && is_beside(it.parent));
        nodes.count() + boxes.count()
    }

    /// The graph as text for Graphviz.
    pub fn to_dot(&self) -> String {
        dot::dot(self)
    }
}
