//! Groups the nodes of a graph by the modules of the model, `layers.0.attn`: by those that a recording knows, or else by
//! the names of its weights.
//!
//! A printed function has no modules, but its parameters keep the names of the framework: `layers_0_attn_qkv_weight`.
//! The names form a tree. A binding belongs to the module whose weights it reads. A binding between two such bindings
//! belongs to the innermost module that contains both.

mod tree;

use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::{Graph, Group, GroupKind, Node, NodeKind};
use tree::{ModuleId, ModuleTree, ROOT};
pub(super) use tree::{is_named_weight, within};

/// The paths of modules in the model, by function and binding.
pub type ModulePaths = FxHashMap<(String, String), String>;

/// Adds the modules of the model to a graph.
pub(super) fn add(graph: &mut Graph, paths: &ModulePaths) {
    let weights: Vec<Option<&str>> = weights(graph);
    let function = graph.function.rsplit('.').next().unwrap_or_default();
    let path = |node: &Node| paths.get(&(function.to_owned(), node.name.clone()));
    let known: Vec<Option<&String>> = graph.nodes.iter().map(path).collect();
    let is_known = known.iter().any(Option::is_some);
    let tree = if is_known {
        ModuleTree::of_paths(known.iter().flatten().map(|it| it.as_str()))
    } else {
        ModuleTree::of(weights.iter().flatten().copied())
    };
    if tree.is_empty() {
        return;
    }
    let homes = if is_known {
        Homes::of_known_paths(graph, &tree, &known)
    } else {
        Homes::of(graph, &tree, &weights)
    };
    let mut groups: FxHashMap<(Option<usize>, ModuleId), usize> = FxHashMap::default();
    for at in 0..graph.nodes.len() {
        let (home, around) = (homes.home[at], homes.around[at]);
        let group = group_of(graph, &tree, &mut groups, around, home);
        graph.nodes[at].group = group;
        let mut group = group.filter(|_| graph.nodes[at].kind != NodeKind::Parameter);
        while let Some(module) = group.filter(|it| graph.groups[*it].kind == GroupKind::Module) {
            let covered = graph.groups[module].range;
            let range = graph.nodes[at].range;
            graph.groups[module].range = if covered.is_empty() {
                range
            } else {
                covered.cover(range)
            };
            group = graph.groups[module].parent;
        }
    }
}

/// Returns the group of a module inside a textual group. Creates it and its ancestors on first use.
fn group_of(
    graph: &mut Graph,
    tree: &ModuleTree,
    known: &mut FxHashMap<(Option<usize>, ModuleId), usize>,
    around: Option<usize>,
    module: ModuleId,
) -> Option<usize> {
    if module == ROOT {
        return around;
    }
    if let Some(group) = known.get(&(around, module)) {
        return Some(*group);
    }
    let parent = group_of(graph, tree, known, around, tree.parent(module));
    let group = graph.groups.len();
    graph.groups.push(Group {
        kind: GroupKind::Module,
        label: tree.label(module).to_owned(),
        range: TextRange::default(),
        parent,
        alike: None,
    });
    known.insert((around, module), group);
    Some(group)
}

/// Returns the name of each node that is a weight: a parameter, or a field of a parameter that holds all weights.
fn weights(graph: &Graph) -> Vec<Option<&str>> {
    let mut is_field = vec![false; graph.nodes.len()];
    for edge in &graph.edges {
        let of_parameter = graph.nodes[edge.from].kind == NodeKind::Parameter;
        is_field[edge.to] = of_parameter && graph.nodes[edge.to].kind == NodeKind::Tuple;
    }
    let inputs = graph.inputs.unwrap_or(0);
    let nodes = graph.nodes.iter().zip(is_field).enumerate();
    nodes
        .map(|(at, (node, is_field))| {
            let may_be = (node.kind == NodeKind::Parameter && at >= inputs) || is_field;
            (may_be && tree::is_weight(&node.name)).then_some(node.name.as_str())
        })
        .collect()
}

/// The module and the textual group of each node.
struct Homes {
    home: Vec<ModuleId>,
    /// The textual group of each node.
    around: Vec<Option<usize>>,
}

impl Homes {
    /// A node without a path of its own, such as a weight, is where the first node is that reads it.
    fn of_known_paths(graph: &Graph, tree: &ModuleTree, known: &[Option<&String>]) -> Homes {
        let count = graph.nodes.len();
        let mut first_reader: Vec<Option<usize>> = vec![None; count];
        for edge in &graph.edges {
            first_reader[edge.from].get_or_insert(edge.to);
        }
        let mut home: Vec<ModuleId> = vec![ROOT; count];
        let mut around: Vec<Option<usize>> = graph.nodes.iter().map(|it| it.group).collect();
        for at in (0..count).rev() {
            let node = &graph.nodes[at];
            home[at] = match (known[at], first_reader[at], node.kind) {
                (Some(path), _, _) => tree.module_at(path),
                (None, _, NodeKind::Result) | (None, None, _) => ROOT,
                (None, Some(_), NodeKind::Parameter) if !tree::is_weight(&node.name) => ROOT,
                (None, Some(reader), NodeKind::Parameter) => {
                    around[at] = around[reader];
                    home[reader]
                }
                (None, Some(reader), _) => home[reader],
            };
        }
        Homes { home, around }
    }

    fn of(graph: &Graph, tree: &ModuleTree, weights: &[Option<&str>]) -> Homes {
        let count = graph.nodes.len();
        let mut inputs: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut first_reader: Vec<Option<usize>> = vec![None; count];
        for edge in &graph.edges {
            inputs[edge.to].push(edge.from);
            first_reader[edge.from].get_or_insert(edge.to);
        }
        let is_constant = |at: usize| graph.nodes[at].kind == NodeKind::Constant;
        // Nodes that are weights, or are computed from weights only.
        let mut of_weights: Vec<Option<ModuleId>> = vec![None; count];
        let mut anchors: Vec<Option<ModuleId>> = vec![None; count];
        for at in 0..count {
            if let Some(name) = weights[at] {
                of_weights[at] = Some(tree.module_of(name));
                continue;
            }
            let read = inputs[at].iter().filter_map(|it| of_weights[*it]);
            let Some(common) = read.reduce(|a, b| tree.common(a, b)) else {
                continue;
            };
            let is_made_of_weights = |it: &usize| of_weights[*it].is_some() || is_constant(*it);
            if inputs[at].iter().all(is_made_of_weights) {
                of_weights[at] = Some(common);
            } else {
                anchors[at] = Some(common);
            }
        }
        let between = modules_between_anchors(&anchors, tree);
        let mut home: Vec<ModuleId> = vec![ROOT; count];
        for at in 0..count {
            let is_edge = matches!(graph.nodes[at].kind, NodeKind::Parameter | NodeKind::Result);
            home[at] = match (of_weights[at], anchors[at]) {
                (Some(known), _) | (_, Some(known)) => known,
                _ if is_edge => ROOT,
                _ => {
                    let read = inputs[at].iter().filter(|it| !is_constant(**it));
                    let read: Vec<usize> = read.copied().collect();
                    let homes = read.iter().map(|it| home[*it]);
                    let common = homes.reduce(|a, b| tree.common(a, b)).unwrap_or(ROOT);
                    let known = tree.deeper(common, between[at]);
                    match read.as_slice() {
                        // A residual connection: the sum of a layer's input and its output belongs to the layer.
                        [a, b] => tree.deeper(known, tree.layer(home[*a.max(b)])),
                        _ => known,
                    }
                }
            };
        }
        let mut around: Vec<Option<usize>> = graph.nodes.iter().map(|it| it.group).collect();
        // Move a constant or a weight to its first reader.
        for at in (0..count).rev() {
            let Some(reader) = first_reader[at] else {
                continue;
            };
            if is_constant(at) {
                home[at] = home[reader];
            } else if weights[at].is_some() && graph.nodes[at].kind == NodeKind::Parameter {
                around[at] = around[reader];
            }
        }
        Homes { home, around }
    }
}

/// Returns, for each node, the innermost module that contains the nearest anchors before and after it.
fn modules_between_anchors(anchors: &[Option<ModuleId>], tree: &ModuleTree) -> Vec<ModuleId> {
    let mut next = ROOT;
    let mut behind: Vec<ModuleId> = vec![ROOT; anchors.len()];
    for (at, anchor) in anchors.iter().enumerate().rev() {
        next = anchor.unwrap_or(next);
        behind[at] = next;
    }
    let mut last = ROOT;
    let nodes = anchors.iter().zip(behind);
    nodes
        .map(|(anchor, behind)| {
            last = anchor.unwrap_or(last);
            tree.common(last, behind)
        })
        .collect()
}
