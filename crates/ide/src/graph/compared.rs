//! Merges the graphs of a function before and after a pass into one that shows added, changed and removed nodes.

use hir::difference::{Change, FunctionDifference};
use hir::form::PlacedForm;
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextSize;

use super::{Edge, Graph, GraphLimit, GroupKind, Node, NodeKind, alike, nearby, weights};

/// How a node differs from the graph before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeChange {
    Added,
    /// The node exists only in the graph before.
    Removed,
    /// The parts of the node that differ: parameters of the operator, `StructInfo`.
    Changed(Vec<&'static str>),
}

impl NodeChange {
    pub fn name(&self) -> &'static str {
        match self {
            NodeChange::Added => "added",
            NodeChange::Removed => "removed",
            NodeChange::Changed(_) => "changed",
        }
    }

    pub fn parts(&self) -> &[&'static str] {
        match self {
            NodeChange::Changed(parts) => parts,
            NodeChange::Added | NodeChange::Removed => &[],
        }
    }
}

/// The graph of a function with a node for each binding, and its canonical form.
pub struct Side<'a> {
    pub graph: &'a Graph,
    pub form: &'a PlacedForm,
}

/// Returns the graph after a pass, with the changes since the graph before. Weights that did not change are drawn inside
/// of their operators. If it exceeds the limit, returns the part around the first change.
pub fn compared(
    before: &Side<'_>,
    after: &Side<'_>,
    difference: &FunctionDifference,
    limit: GraphLimit,
) -> Graph {
    let rows_before = rows(before);
    let rows_after = rows(after);
    let nodes_after: FxHashMap<u32, usize> = (0..)
        .zip(&rows_after)
        .filter_map(|(node, row)| Some(((*row)?, node)))
        .collect();
    let merged = TwoGraphs {
        before: before.graph,
        after: after.graph,
        successors: rows_before
            .iter()
            .map(|row| nodes_after.get(&difference.after_row((*row)?)?).copied())
            .collect(),
    };
    let is_removed = |change: &&Change| change.after.is_none();
    let removed = difference.changes.iter().filter(is_removed);
    let removed: FxHashSet<u32> = removed.filter_map(|it| it.before).collect();
    let order = merged.order(|at| rows_before[at].is_some_and(|row| removed.contains(&row)));
    let mut changes = changes_by_row(difference);
    let nodes = merged.nodes(&order, |at| changes.remove(&rows_after[at]?));
    let graph = Graph {
        total: nodes.len(),
        focus: nodes.iter().position(|it| it.change.is_some()),
        nodes,
        edges: merged.edges(&order),
        ..after.graph.clone()
    };
    let mut graph = weights::fold(graph);
    alike::mark(&mut graph);
    if limit.allows(&graph) {
        graph
    } else {
        nearby::nearby(graph, limit.nodes)
    }
}

/// Returns the changes of rows that exist after the pass.
fn changes_by_row(difference: &FunctionDifference) -> FxHashMap<u32, NodeChange> {
    let changes = difference.changes.iter().filter_map(|change| {
        let node_change = match change.before {
            None => NodeChange::Added,
            Some(_) if change.parts.is_empty() => return None,
            Some(_) => NodeChange::Changed(change.parts.clone()),
        };
        Some((change.after?, node_change))
    });
    changes.collect()
}

/// The graphs before and after a pass, while they are merged.
struct TwoGraphs<'a> {
    before: &'a Graph,
    after: &'a Graph,
    /// The counterpart of each old node in the new graph; `None` for removed nodes.
    successors: Vec<Option<usize>>,
}

impl TwoGraphs<'_> {
    /// Returns the nodes of the merged graph. A removed node comes after the node that preceded it.
    fn order(&self, is_removed: impl Fn(usize) -> bool) -> Vec<Place> {
        let mut removed: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        let mut last = None;
        for (at, successor) in self.successors.iter().enumerate() {
            last = last.max(*successor);
            if is_removed(at) {
                let before = last.map_or(0, |it| it + 1);
                removed.entry(before).or_default().push(at);
            }
        }
        let mut order: Vec<Place> = Vec::new();
        for at in 0..=self.after.nodes.len() {
            let nodes = removed.remove(&at).unwrap_or_default();
            order.extend(nodes.into_iter().map(Place::Before));
            if at < self.after.nodes.len() {
                order.push(Place::After(at));
            }
        }
        order
    }

    /// Returns the nodes with their changes. A removed node gets the group of the binding that precedes it.
    fn nodes(
        &self,
        order: &[Place],
        mut change_of: impl FnMut(usize) -> Option<NodeChange>,
    ) -> Vec<Node> {
        let mut group = None;
        let nodes = order.iter().map(|place| match *place {
            Place::Before(at) => Node {
                change: Some(NodeChange::Removed),
                group,
                ..self.before.nodes[at].clone()
            },
            Place::After(at) => {
                let node = &self.after.nodes[at];
                // Weights stand before all bindings.
                if node.kind != NodeKind::Parameter {
                    group = outside_of_calls(self.after, node.group);
                }
                Node {
                    change: change_of(at),
                    ..node.clone()
                }
            }
        });
        nodes.collect()
    }

    /// Returns the edges of the new graph, and the edges of the old one from or to removed nodes.
    fn edges(&self, order: &[Place]) -> Vec<Edge> {
        let places: FxHashMap<Place, usize> = order.iter().copied().zip(0..).collect();
        let kept = self.after.edges.iter().map(|edge| Edge {
            from: places[&Place::After(edge.from)],
            to: places[&Place::After(edge.to)],
            ..edge.clone()
        });
        let place = |at: usize| {
            let successor = self.successors[at].map(Place::After);
            places.get(&successor.unwrap_or(Place::Before(at))).copied()
        };
        let is_of_removed = |edge: &&Edge| {
            self.successors[edge.from].is_none() || self.successors[edge.to].is_none()
        };
        let removed = self.before.edges.iter().filter(is_of_removed);
        let removed = removed.filter_map(|edge| {
            let (from, to) = (place(edge.from)?, place(edge.to)?);
            // An operand must come before its user.
            (from < to).then(|| Edge {
                from,
                to,
                ..edge.clone()
            })
        });
        kept.chain(removed).collect()
    }
}

/// Returns a group, or the group around the call that contains it: the nodes in a call belong to another function.
fn outside_of_calls(graph: &Graph, group: Option<usize>) -> Option<usize> {
    let around = std::iter::successors(group, |it| graph.groups[*it].parent);
    let calls = around.filter(|it| graph.groups[*it].kind == GroupKind::Call);
    match calls.last() {
        Some(call) => graph.groups[call].parent,
        None => group,
    }
}

/// The index of a node in one of the two graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Before(usize),
    After(usize),
}

/// Returns the row of each node; `None` for a value inside an expression, and for nodes of a called function.
fn rows(side: &Side<'_>) -> Vec<Option<u32>> {
    let rows = (0..).zip(&side.form.rows);
    let rows: FxHashMap<(TextSize, &str), u32> = rows
        .map(|(at, row)| ((side.form.row_range(at).start(), row.name.as_str()), at))
        .collect();
    let nodes = side.graph.nodes.iter();
    let row = |node: &Node| rows.get(&(node.range.start(), node.name.as_str())).copied();
    nodes.map(row).collect()
}
