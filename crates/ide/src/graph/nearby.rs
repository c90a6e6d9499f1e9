//! Returns the part of a graph around one node, for functions that are too large to draw.

use std::collections::VecDeque;

use super::{Edge, Graph, NodeKind, Omitted};

/// Returns the nodes nearest to the focus, at most `limit`, following edges in both directions. Nodes that many others
/// read (parameters, constants) are shown beside their readers but not followed, since they would connect everything.
pub fn nearby(graph: Graph, limit: usize) -> Graph {
    if graph.nodes.len() <= limit {
        return graph;
    }
    let kept = around(&graph, limit);
    let mut new_place: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    for (to, from) in kept.iter().enumerate() {
        new_place[*from] = Some(to);
    }
    let mut omitted = vec![Omitted::default(); kept.len()];
    let mut edges = Vec::new();
    for edge in graph.edges {
        match (new_place[edge.from], new_place[edge.to]) {
            (Some(from), Some(to)) => edges.push(Edge { from, to, ..edge }),
            (Some(from), None) => omitted[from].outputs += 1,
            (None, Some(to)) => omitted[to].inputs += 1,
            (None, None) => {}
        }
    }

    let mut wanted = vec![false; graph.groups.len()];
    for &node in &kept {
        let mut group = graph.nodes[node].group;
        while let Some(at) = group.filter(|&at| !wanted[at]) {
            wanted[at] = true;
            group = graph.groups[at].parent;
        }
    }
    let mut new_group: Vec<Option<usize>> = vec![None; graph.groups.len()];
    let mut groups = Vec::new();
    for (at, mut group) in graph.groups.into_iter().enumerate() {
        if wanted[at] {
            group.parent = group.parent.and_then(|parent| new_group[parent]);
            new_group[at] = Some(groups.len());
            groups.push(group);
        }
    }

    let mut all: Vec<Option<super::Node>> = graph.nodes.into_iter().map(Some).collect();
    let nodes = kept.iter().zip(omitted).filter_map(|(&at, omitted)| {
        let mut node = all[at].take()?;
        node.group = node.group.and_then(|group| new_group[group]);
        node.omitted = omitted;
        Some(node)
    });
    Graph {
        nodes: nodes.collect(),
        edges,
        groups,
        focus: graph.focus.and_then(|focus| new_place[focus]),
        ..graph
    }
}

/// Returns the indices of the nodes to keep, in order.
fn around(graph: &Graph, limit: usize) -> Vec<usize> {
    let mut next_to: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        next_to[edge.from].push(edge.to);
        next_to[edge.to].push(edge.from);
    }
    let shared = |at: usize| {
        matches!(
            graph.nodes[at].kind,
            NodeKind::Parameter | NodeKind::Constant
        )
    };
    // Without a focus, start at the beginning of the function.
    let first = (0..graph.nodes.len()).find(|&at| !shared(at));
    let start = graph.focus.or(first).unwrap_or(0);
    let mut seen = vec![false; graph.nodes.len()];
    let mut kept = Vec::new();
    let mut open = VecDeque::from([start]);
    seen[start] = true;
    while let Some(at) = open.pop_front() {
        kept.push(at);
        if kept.len() == limit {
            break;
        }
        if shared(at) && at != start {
            continue;
        }
        for &neighbour in &next_to[at] {
            if !std::mem::replace(&mut seen[neighbour], true) {
                open.push_back(neighbour);
            }
        }
    }
    kept.sort_unstable();
    kept
}
