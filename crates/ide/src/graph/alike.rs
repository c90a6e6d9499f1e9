//! Finds modules that compute the same, like the layers of a model, so that an editor can draw only one of them.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::{Graph, GroupKind, NodeChange};

/// Sets `alike` of each module to its first sibling that computes the same.
pub(super) fn mark(graph: &mut Graph) {
    let members = members(graph);
    let inputs = inputs(graph);
    let mut first: FxHashMap<(Option<usize>, u64), usize> = FxHashMap::default();
    for (at, members) in members.iter().enumerate() {
        if graph.groups[at].kind != GroupKind::Module {
            continue;
        }
        let hash = content(graph, at, members, &inputs);
        let known = *first.entry((graph.groups[at].parent, hash)).or_insert(at);
        graph.groups[at].alike = (known != at).then_some(known);
    }
}

/// Returns the nodes of each group, including those of inner groups, in order.
fn members(graph: &Graph) -> Vec<Vec<usize>> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); graph.groups.len()];
    for (at, node) in graph.nodes.iter().enumerate() {
        let mut group = node.group;
        while let Some(it) = group {
            members[it].push(at);
            group = graph.groups[it].parent;
        }
    }
    members
}

/// Returns the incoming edges of each node.
fn inputs(graph: &Graph) -> Vec<Vec<usize>> {
    let mut inputs: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (at, edge) in graph.edges.iter().enumerate() {
        inputs[edge.to].push(at);
    }
    inputs
}

/// Hashes the computation of a group, ignoring the names of values.
fn content(graph: &Graph, group: usize, members: &[usize], inputs: &[Vec<usize>]) -> u64 {
    let mut hash = FxHasher::default();
    for &at in members {
        let node = &graph.nodes[at];
        node.kind.name().hash(&mut hash);
        node.change.as_ref().map(NodeChange::name).hash(&mut hash);
        (
            &node.operation,
            &node.callee,
            &node.struct_info,
            &node.arguments,
        )
            .hash(&mut hash);
        for weight in &node.weights {
            let (Some(first), arranged) = (weight.steps.first(), weight.steps.len()) else {
                continue;
            };
            (&weight.argument, &first.struct_info, arranged).hash(&mut hash);
            // A constant without a name is its value.
            first.operation.hash(&mut hash);
        }
        let own = node.group.map(|it| graph.groups[it].label.as_str());
        let around = graph.groups[group].label.as_str();
        own.and_then(|it| it.strip_prefix(around)).hash(&mut hash);
        for &edge in &inputs[at] {
            let edge = &graph.edges[edge];
            let from = members.binary_search(&edge.from).ok();
            (&edge.argument, from).hash(&mut hash);
        }
    }
    hash.finish()
}
