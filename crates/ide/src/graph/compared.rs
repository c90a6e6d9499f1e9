//! Merges the graphs of a function before and after a pass into one that shows added, changed and removed nodes.

use hir::difference::FunctionDifference;
use hir::form::PlacedForm;
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextSize;

use super::{Edge, Graph, GraphLimit, GroupKind, Node, nearby};

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

/// The graph of a function, with its canonical form.
pub struct Side<'a> {
    pub graph: &'a Graph,
    pub form: &'a PlacedForm,
}

/// Returns the graph after a pass, with the changes since the graph before. If it exceeds the limit, returns the part
/// around the first change.
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
    let mut changes: FxHashMap<u32, NodeChange> = FxHashMap::default();
    let mut removed: FxHashSet<u32> = FxHashSet::default();
    for change in &difference.changes {
        match (change.before, change.after) {
            (None, Some(row)) => {
                changes.insert(row, NodeChange::Added);
            }
            (Some(_), Some(row)) if !change.parts.is_empty() => {
                changes.insert(row, NodeChange::Changed(change.parts.clone()));
            }
            (Some(row), None) => {
                removed.insert(row);
            }
            _ => {}
        }
    }
    // The counterpart of each old node in the new graph; `None` for removed nodes.
    let heirs: Vec<Option<usize>> = rows_before
        .iter()
        .map(|row| nodes_after.get(&difference.after_row((*row)?)?).copied())
        .collect();
    // Insert a removed node after the node that preceded it.
    let mut order: Vec<Place> = Vec::new();
    let mut gone: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut last = None;
    for (at, heir) in heirs.iter().enumerate() {
        last = last.max(*heir);
        if rows_before[at].is_some_and(|row| removed.contains(&row)) {
            gone.entry(last.map_or(0, |it| it + 1))
                .or_default()
                .push(at);
        }
    }
    for at in 0..=after.graph.nodes.len() {
        let here = gone.remove(&at).unwrap_or_default();
        order.extend(here.into_iter().map(Place::Before));
        if at < after.graph.nodes.len() {
            order.push(Place::After(at));
        }
    }
    let places: FxHashMap<Place, usize> = order.iter().copied().zip(0..).collect();
    // A removed node gets the group of the node that precedes it.
    let mut group = None;
    let nodes = order.iter().map(|place| match *place {
        Place::Before(at) => Node {
            change: Some(NodeChange::Removed),
            group,
            ..before.graph.nodes[at].clone()
        },
        Place::After(at) => {
            let node = &after.graph.nodes[at];
            group = outside_of_calls(after.graph, node.group);
            Node {
                change: rows_after[at].and_then(|row| changes.remove(&row)),
                ..node.clone()
            }
        }
    });
    let nodes: Vec<Node> = nodes.collect();
    let mut edges: Vec<Edge> = Vec::new();
    for edge in &after.graph.edges {
        let (from, to) = (
            places[&Place::After(edge.from)],
            places[&Place::After(edge.to)],
        );
        edges.push(Edge {
            from,
            to,
            ..edge.clone()
        });
    }
    let place = |at: usize| {
        let heir = heirs[at].map(Place::After);
        places.get(&heir.unwrap_or(Place::Before(at))).copied()
    };
    for edge in &before.graph.edges {
        if heirs[edge.from].is_some() && heirs[edge.to].is_some() {
            continue;
        }
        // Keep only edges whose operand comes before its user.
        if let (Some(from), Some(to)) = (place(edge.from), place(edge.to))
            && from < to
        {
            edges.push(Edge {
                from,
                to,
                ..edge.clone()
            });
        }
    }
    let graph = Graph {
        total: nodes.len(),
        focus: nodes.iter().position(|it| it.change.is_some()),
        nodes,
        edges,
        ..after.graph.clone()
    };
    if limit.allows(&graph) {
        graph
    } else {
        nearby::nearby(graph, limit.nodes)
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
