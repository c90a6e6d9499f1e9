//! The dataflow graph of a function, for an editor to draw.
//!
//! The graph is plain data with ranges into the file. [`dot`] prints it for Graphviz, `modules` groups nodes by the
//! modules of the model, `calls` expands calls of other functions, `weights` moves weights into the operators that read
//! them, and `alike` finds identical layers. If a function has too many nodes to draw, [`nearby`] keeps the part around
//! one of them.

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
mod weights;

pub use compared::{NodeChange, Side, compared};
pub use dot::Dot;
use hir::{Database, FunctionItem, SourceFile};
pub use modules::ModulePaths;
use relax::FunctionKind;
use text_size::{TextRange, TextSize};
pub use weights::Weight;

use crate::analysis::{Analysis, Cancellable};
use crate::relay;
use crate::semantics::function_at;
use crate::types::FilePosition;

impl Analysis {
    /// Returns the dataflow graph of the Relax function at a position. If it exceeds the limit, returns the part
    /// around the cursor.
    pub fn graph(
        &self,
        position: FilePosition,
        cursor: TextSize,
        limit: GraphLimit,
    ) -> Cancellable<Option<Graph>> {
        self.graph_of_model(position, cursor, limit, &ModulePaths::default())
    }

    /// Like `graph`, grouped by modules that are known.
    pub fn graph_of_model(
        &self,
        position: FilePosition,
        cursor: TextSize,
        limit: GraphLimit,
        paths: &ModulePaths,
    ) -> Cancellable<Option<Graph>> {
        self.with_file(position.file, |db, file| {
            graph(db, file, position.offset, cursor, (limit, paths))
        })
    }

    /// Returns the graph of the Relax function at a position with a node for each binding, also of weights, to compare
    /// it with another by [`compared`].
    pub fn graph_to_compare(&self, position: FilePosition) -> Cancellable<Option<Graph>> {
        self.with_file(position.file, |db, file| {
            let function = relax_function(db, file, position.offset)?;
            let mut graph = draw::draw(db, file, function)?;
            modules::add(&mut graph, &ModulePaths::default());
            Some(calls::opened(db, file, function, graph))
        })
    }
}

/// The maximum size of a graph.
#[derive(Clone, Copy, Debug)]
pub struct GraphLimit {
    /// The maximum number of nodes outside of boxes, that is, nodes that are drawn while all boxes are closed.
    pub nodes: usize,
    /// The maximum number of nodes inside boxes.
    pub in_boxes: usize,
}

impl GraphLimit {
    pub const NONE: GraphLimit = GraphLimit {
        nodes: usize::MAX,
        in_boxes: usize::MAX,
    };

    /// Returns `true` if a graph is within the limit.
    fn allows(self, graph: &Graph) -> bool {
        let all = graph.nodes.len();
        all <= self.nodes || (all <= self.in_boxes && graph.beside_boxes() <= self.nodes)
    }
}

/// Returns the graph of the Relax function at `offset`. If it exceeds the limit, returns the part around `cursor`.
fn graph(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    cursor: TextSize,
    (limit, paths): (GraphLimit, &ModulePaths),
) -> Option<Graph> {
    let text = &file.source(db).text;
    if let Some(relay) = hir::relay_file(db, file) {
        let mut graph = relay::graph::graph(relay, text, offset)?;
        graph.focus = graph.node_at(cursor, text);
        let mut graph = weights::fold(graph);
        if !limit.allows(&graph) {
            return Some(nearby::nearby(graph, limit.nodes));
        }
        alike::mark(&mut graph);
        return Some(graph);
    }
    let function = relax_function(db, file, offset)?;
    let mut graph = draw::draw(db, file, function)?;
    graph.focus = graph.node_at(cursor, text);
    if graph.nodes.len() > limit.nodes.max(limit.in_boxes) {
        return Some(nearby::nearby(weights::fold(graph), limit.nodes));
    }
    modules::add(&mut graph, paths);
    if !limit.allows(&graph) {
        let graph = weights::fold(graph.clone());
        if !limit.allows(&graph) {
            return Some(nearby::nearby(graph, limit.nodes));
        }
    }
    // A called function may read a weight several times.
    let mut graph = weights::fold(calls::opened(db, file, function, graph));
    alike::mark(&mut graph);
    Some(graph)
}

fn relax_function(db: &Database, file: SourceFile, offset: TextSize) -> Option<FunctionItem<'_>> {
    let function = function_at(db, file, offset)?;
    (function.kind(db) == FunctionKind::Relax).then_some(function)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// `Module.forward`, or the bare name of a function outside a module.
    pub function: String,
    /// The range of the whole function.
    pub range: TextRange,
    /// The range of the name in the `def`.
    pub name_range: TextRange,
    /// The nodes in the order of the text: operands come before their users.
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// The groups. Outer groups come before the groups inside them.
    pub groups: Vec<Group>,
    /// The node at the cursor if the cursor is in the function.
    pub focus: Option<usize>,
    /// The number of nodes in the function, including those that were left out.
    pub total: usize,
    /// The number of parameters that are not weights, if the function has the attribute `num_input`.
    pub(crate) inputs: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub kind: NodeKind,
    /// The name of the variable; empty for a value inside an expression.
    pub name: String,
    /// The operation that computes the value: `matmul`, `call_tir`, `[0]`, `if`. Empty for a plain name.
    pub operation: String,
    /// The name of the called function.
    pub callee: Option<String>,
    /// The operator's family: `linalg`, `nn_conv`.
    pub family: &'static str,
    /// The StructInfo in the file's dialect.
    pub struct_info: String,
    /// The same in short notation.
    pub ty: String,
    /// The arguments that are not edges, by parameter.
    pub arguments: Vec<(String, String)>,
    /// The operands that are drawn inside of the node.
    pub weights: Vec<Weight>,
    /// The range of the statement, or of the expression if the value has no name.
    pub range: TextRange,
    /// The range that an editor selects: the name if there is one.
    pub selection: TextRange,
    /// The node's group, as an index into [`Graph::groups`].
    pub group: Option<usize>,
    pub omitted: Omitted,
    /// The change of this node, in a graph that is compared with another.
    pub change: Option<NodeChange>,
}

/// The number of edges to and from nodes that were left out.
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
    /// A call of a function: of the module, of the host, or of a local function.
    Call,
    /// Makes a tuple, or takes a field out of one.
    Tuple,
    MatchCast,
    /// The result of an `if`.
    Branch,
    /// A local function.
    Function,
    /// An alias of another value, or a value that only Python knows.
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

/// A data dependency. `from` and `to` are indices into [`Graph::nodes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The parameter that receives the value: `x1`, `args[0]`. Empty if there is only one.
    pub argument: String,
    /// The known dimensions of the value.
    pub shape: String,
}

/// A group of nodes, such as a local function or a module of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub kind: GroupKind,
    /// The name of the function, or the path of the module: `layers.0.attn`.
    pub label: String,
    pub range: TextRange,
    pub parent: Option<usize>,
    /// If an earlier sibling module computes the same, the index of the first one.
    pub alike: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    Dataflow,
    Then,
    Else,
    /// A local function.
    Function,
    /// A module of the model.
    Module,
    /// A call of a function of the module, with the callee's nodes inside.
    Call,
}

impl GroupKind {
    /// Returns `true` if the group is drawn as one node until it is opened.
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
    /// Returns the innermost node on the line of `offset`. A parameter, or a value inside an expression, only counts if
    /// `offset` is in it.
    fn node_at(&self, offset: TextSize, text: &str) -> Option<usize> {
        let at = usize::from(offset).min(text.len());
        let line = TextRange::new(
            TextSize::new(text[..at].rfind('\n').map_or(0, |it| it + 1) as u32),
            TextSize::new(text[at..].find('\n').map_or(text.len(), |it| at + it) as u32),
        );
        let holds = |node: &Node| {
            let whole_lines = match node.kind {
                NodeKind::Parameter => false,
                NodeKind::Result => true,
                _ => !node.name.is_empty(),
            };
            node.range.contains_inclusive(offset)
                || (whole_lines && line.contains_inclusive(node.range.start()))
        };
        let nodes = self.nodes.iter().enumerate();
        nodes
            .filter(|(_, node)| holds(node))
            .min_by_key(|(_, node)| (node.kind == NodeKind::Branch, node.range.len()))
            .map(|(at, _)| at)
    }

    /// Returns the number of nodes and boxes that are drawn while all boxes are closed.
    pub fn beside_boxes(&self) -> usize {
        let is_beside = |group: Option<usize>| {
            let mut around = std::iter::successors(group, |it| self.groups[*it].parent);
            around.all(|it| !self.groups[it].kind.is_box())
        };
        let nodes = self.nodes.iter().filter(|it| is_beside(it.group));
        let groups = self.groups.iter();
        let boxes = groups.filter(|it| it.kind.is_box() && is_beside(it.parent));
        nodes.count() + boxes.count()
    }

    /// Prints the graph for Graphviz.
    pub fn to_dot(&self) -> Dot {
        dot::dot(self)
    }
}
