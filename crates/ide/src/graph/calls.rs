//! Expands calls of functions of the module into boxes: fused functions, and functions for an external compiler.

use hir::body::{Body, Expr};
use hir::{Database, FunctionItem, SourceFile};
use relax::FunctionKind;
use rustc_hash::FxHashMap;

use super::draw::{attributes, draw};
use super::{Edge, Graph, Group, GroupKind, Node, NodeKind};
use crate::mentions::function_named;

/// The maximum number of nodes of a graph with expanded calls.
const MOST: usize = 10_000;

/// The maximum nesting depth of expanded calls.
const DEEPEST: usize = 3;

/// Attributes that name the external compiler or pattern that a function is made for.
const PARTS: &[&str] = &["Codegen", "Composite"];

/// Returns the graph of a function with the calls of other functions expanded.
pub(super) fn opened(
    db: &Database,
    file: SourceFile,
    function: FunctionItem<'_>,
    graph: Graph,
) -> Graph {
    let mut calls = OpenedCalls {
        db,
        file,
        function,
        known: FxHashMap::default(),
        room: MOST.saturating_sub(graph.nodes.len()),
    };
    calls.opened(graph, DEEPEST)
}

struct OpenedCalls<'db> {
    db: &'db Database,
    file: SourceFile,
    function: FunctionItem<'db>,
    /// The graphs of called functions, with the labels of their boxes; `None` for functions that are not expanded.
    known: FxHashMap<String, Option<(Graph, String)>>,
    /// The number of nodes that may still be added.
    room: usize,
}

impl OpenedCalls<'_> {
    fn opened(&mut self, graph: Graph, depth: usize) -> Graph {
        let mut merged = Merged::new(graph.groups, graph.nodes.len());
        let mut inputs: Vec<Vec<Edge>> = vec![Vec::new(); graph.nodes.len()];
        for edge in graph.edges {
            inputs[edge.to].push(edge);
        }
        for (node, inputs) in graph.nodes.into_iter().zip(inputs) {
            match self.callee(&node, depth) {
                Some((inner, label)) => merged.call(node, inputs, inner, label),
                None => merged.plain(node, inputs),
            }
        }
        Graph {
            nodes: merged.nodes,
            edges: merged.edges,
            groups: merged.groups,
            focus: graph.focus.map(|it| merged.places[it]),
            ..graph
        }
    }

    fn callee(&mut self, node: &Node, depth: usize) -> Option<(Graph, String)> {
        let name = node.callee.as_ref().filter(|_| depth > 0)?;
        if node.kind != NodeKind::Call {
            return None;
        }
        if !self.known.contains_key(name) {
            let found = self.read(name);
            self.known.insert(name.clone(), found);
        }
        let (inner, label) = self.known[name].clone()?;
        self.room = self.room.checked_sub(inner.nodes.len())?;
        Some((self.opened(inner, depth - 1), label))
    }

    fn read(&self, name: &str) -> Option<(Graph, String)> {
        let (db, function) = (self.db, self.function);
        let module = function.module(db);
        let callee = function_named(db, self.file, module, name, function.offset(db))?;
        if callee.kind(db) != FunctionKind::Relax || callee == function {
            return None;
        }
        let graph = draw(db, self.file, callee)?;
        let part = part(hir::function_body(db, callee));
        let label = match part {
            Some(part) => format!("{name}: {part}"),
            None => name.to_owned(),
        };
        Some((graph, label))
    }
}

/// Returns the external compiler or pattern that a function is made for: `dnnl.conv2d`.
fn part(body: &Body) -> Option<String> {
    attributes(body).find_map(|(key, value)| match &body.exprs[value] {
        Expr::Str(text) if PARTS.contains(&key) => Some(text.to_string()),
        _ => None,
    })
}

/// The graph under construction.
struct Merged {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    groups: Vec<Group>,
    /// The new index of each node of the original graph.
    places: Vec<usize>,
}

impl Merged {
    fn new(groups: Vec<Group>, count: usize) -> Merged {
        Merged {
            nodes: Vec::with_capacity(count),
            edges: Vec::new(),
            groups,
            places: Vec::with_capacity(count),
        }
    }

    fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn plain(&mut self, node: Node, inputs: Vec<Edge>) {
        let to = self.push(node);
        let edges = inputs.into_iter().map(|edge| Edge {
            from: self.places[edge.from],
            to,
            ..edge
        });
        self.edges.extend(edges);
        self.places.push(to);
    }

    /// Adds a box for a call. The call node stays inside the box, as its output.
    fn call(&mut self, node: Node, inputs: Vec<Edge>, inner: Graph, label: String) {
        let group = self.groups.len();
        self.groups.push(Group {
            kind: GroupKind::Call,
            label,
            range: node.range,
            parent: node.group,
            alike: None,
        });
        let base = self.groups.len();
        self.groups.extend(inner.groups.into_iter().map(|it| Group {
            parent: Some(it.parent.map_or(group, |parent| base + parent)),
            ..it
        }));
        let mut places: Vec<Option<usize>> = Vec::new();
        let mut params: Vec<Option<String>> = Vec::new();
        for it in inner.nodes {
            params.push((it.kind == NodeKind::Parameter).then(|| it.name.clone()));
            let is_inside = !matches!(it.kind, NodeKind::Parameter | NodeKind::Result);
            places.push(is_inside.then(|| {
                self.push(Node {
                    group: Some(it.group.map_or(group, |own| base + own)),
                    ..it
                })
            }));
        }
        let end = self.push(Node {
            group: Some(group),
            ..node
        });
        for edge in &inner.edges {
            let to = places[edge.to].unwrap_or(end);
            match (&params[edge.from], places[edge.from]) {
                (Some(param), _) => {
                    let given = inputs.iter().filter(|it| it.argument == *param);
                    self.edges.extend(given.map(|outer| Edge {
                        from: self.places[outer.from],
                        to,
                        argument: edge.argument.clone(),
                        shape: outer.shape.clone(),
                    }));
                }
                (None, Some(from)) => self.edges.push(Edge {
                    from,
                    to,
                    ..edge.clone()
                }),
                (None, None) => {}
            }
        }
        let is_param = |name: &str| params.iter().flatten().any(|it| it == name);
        for outer in inputs.iter().filter(|it| !is_param(&it.argument)) {
            self.edges.push(Edge {
                from: self.places[outer.from],
                to: end,
                ..outer.clone()
            });
        }
        self.places.push(end);
    }
}
