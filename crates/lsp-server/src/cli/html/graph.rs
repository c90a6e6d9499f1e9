//! Draws a graph without scripts: one picture of the model with its modules collapsed, and one of each module.

mod layout;

use std::collections::BTreeMap;

use ide::graph::{Graph, GroupKind, Node, NodeKind};
use rustc_hash::FxHashMap;

use super::{Html, html};
use layout::{Item, Picture, place};

/// The maximum number of nodes in a picture. A larger picture would be megabytes of text, and too tall to read.
const MOST: usize = 1000;
/// The maximum length of a name. Longer names are truncated, with the full name in the tooltip.
const LONGEST: usize = 30;

/// Renders several graphs, each with the name of its function.
pub fn render_all(graphs: &[Graph]) -> Html {
    let parts = graphs
        .iter()
        .map(|graph| html!("<h3>{}</h3>\n{}", graph.function, render(graph)));
    parts.collect()
}

fn render(graph: &Graph) -> Html {
    let boxes = Boxes::of(graph);
    let mut text = Html::default();
    boxes.level(None, &mut text);
    text
}

/// The modules and calls of a graph, with their contents.
struct Boxes<'a> {
    graph: &'a Graph,
    /// The innermost box around each node.
    around: Vec<Option<usize>>,
    /// The innermost box around each box.
    parents: Vec<Option<usize>>,
    /// For each box in a row of identical boxes, the first of them; for other boxes, the box itself.
    first: Vec<usize>,
    /// The number of identical boxes that a box stands for.
    rows: Vec<usize>,
    /// All nodes in each box.
    members: Vec<Vec<usize>>,
}

/// What a picture shows in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Node(usize),
    Box(usize),
    /// A value from outside of the box.
    Given(usize),
}

impl<'a> Boxes<'a> {
    fn of(graph: &'a Graph) -> Boxes<'a> {
        let is_box = |group: usize| {
            matches!(
                graph.groups[group].kind,
                GroupKind::Module | GroupKind::Call
            )
        };
        let nearest = |group: Option<usize>| {
            let mut around = std::iter::successors(group, |it| graph.groups[*it].parent);
            around.find(|it| is_box(*it))
        };
        let parents: Vec<Option<usize>> =
            graph.groups.iter().map(|it| nearest(it.parent)).collect();
        let around: Vec<Option<usize>> = graph.nodes.iter().map(|it| nearest(it.group)).collect();
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); graph.groups.len()];
        for (at, group) in around.iter().enumerate() {
            for group in std::iter::successors(*group, |it| parents[*it]) {
                members[group].push(at);
            }
        }
        let mut first: Vec<usize> = (0..graph.groups.len()).collect();
        let mut rows = vec![1; graph.groups.len()];
        let mut last: FxHashMap<Option<usize>, usize> = FxHashMap::default();
        for group in (0..graph.groups.len()).filter(|it| is_box(*it)) {
            let leader = |group: usize| graph.groups[group].alike.unwrap_or(group);
            let before = last.insert(parents[group], group);
            if let Some(before) = before.filter(|it| leader(*it) == leader(group)) {
                first[group] = first[before];
                rows[first[group]] += 1;
            }
        }
        Boxes {
            graph,
            around,
            parents,
            first,
            rows,
            members,
        }
    }

    /// Returns what the picture of a box shows for a node.
    fn visible_at(&self, node: usize, inside: Option<usize>) -> Mark {
        let mut group = self.around[node];
        if group == inside {
            return Mark::Node(node);
        }
        while let Some(it) = group {
            if self.parents[it] == inside {
                return Mark::Box(self.first[it]);
            }
            group = self.parents[it];
        }
        Mark::Given(node)
    }

    /// Renders a box or the whole graph, followed by its inner boxes.
    fn level(&self, inside: Option<usize>, text: &mut Html) {
        let is_drawn = |node: usize| self.graph.nodes[node].kind != NodeKind::Constant;
        let all: Vec<usize> = match inside {
            Some(group) => self.members[group].clone(),
            None => (0..self.graph.nodes.len()).collect(),
        };
        let mut places: BTreeMap<Mark, usize> = BTreeMap::new();
        let mut order: Vec<Mark> = Vec::new();
        // Place a box where its first binding is. Weights come before everything, so ignore them.
        let is_weight = |node: &usize| self.graph.nodes[*node].kind == NodeKind::Parameter;
        let (weights, bindings): (Vec<usize>, Vec<usize>) = all
            .iter()
            .filter(|it| is_drawn(**it))
            .partition(|it| is_weight(it));
        for node in bindings.into_iter().chain(weights) {
            let shown = self.visible_at(node, inside);
            places.entry(shown).or_insert_with(|| {
                order.push(shown);
                order.len() - 1
            });
        }
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for edge in self.graph.edges.iter().filter(|it| is_drawn(it.from)) {
            let (from, to) = (
                self.visible_at(edge.from, inside),
                self.visible_at(edge.to, inside),
            );
            let Some(&to) = places.get(&to).filter(|_| from != to) else {
                continue;
            };
            let from = *places.entry(from).or_insert_with(|| {
                order.push(from);
                order.len() - 1
            });
            edges.push((from, to));
        }
        edges.sort_unstable();
        edges.dedup();
        if order.len() > MOST {
            text.push(html!(
                "<p class=\"quiet\">{} values, too many for a page. An editor's graph view draws them, and Model Explorer \
                 (<code>relax-lsp graph --format model-explorer</code>).</p>\n",
                order.len()
            ));
        } else {
            let items: Vec<Item> = order.iter().map(|it| self.item(*it)).collect();
            text.push(picture(&place(items, &edges)));
        }
        for group in order.iter().filter_map(|it| match it {
            Mark::Box(group) => Some(*group),
            _ => None,
        }) {
            let summary = self.title(group);
            text.push(html!("<details><summary>{}</summary>\n", summary));
            self.level(Some(group), text);
            text.push(html!("</details>\n"));
        }
    }

    /// Returns a title such as `layers.0 (32 times the same)`.
    fn title(&self, group: usize) -> String {
        let label = &self.graph.groups[group].label;
        match self.rows[group] {
            1 => label.clone(),
            count => format!("{label} ({count} times the same)"),
        }
    }

    fn item(&self, shown: Mark) -> Item {
        match shown {
            Mark::Box(group) => Item {
                title: cut(&self.title(group)),
                detail: format!("{} values", self.members[group].len()),
                tip: self.title(group),
                class: "box",
            },
            Mark::Node(at) => {
                let node = &self.graph.nodes[at];
                Item {
                    title: cut(title(node)),
                    detail: cut(&node.ty),
                    tip: format!("{} = {}: {}", node.name, title(node), node.struct_info),
                    class: match (&node.change, node.kind) {
                        (Some(change), _) => change.name(),
                        (None, NodeKind::Parameter | NodeKind::Result) => "edge",
                        (None, _) => "node",
                    },
                }
            }
            Mark::Given(at) => {
                let node = &self.graph.nodes[at];
                let name = if node.name.is_empty() {
                    title(node)
                } else {
                    &node.name
                };
                Item {
                    title: cut(name),
                    detail: cut(&node.ty),
                    tip: format!("{name}: {}", node.struct_info),
                    class: "edge",
                }
            }
        }
    }
}

fn title(node: &Node) -> &str {
    match &node.callee {
        _ if node.kind == NodeKind::Parameter => &node.name,
        Some(callee) => callee,
        None if node.operation.is_empty() => &node.name,
        None => &node.operation,
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn picture(picture: &Picture) -> Html {
    let (width, height) = (picture.width, picture.height);
    let mut text = html!(
        "<div class=\"graph\"><svg role=\"img\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n",
        width,
        height
    );
    for ((x, y), (to_x, to_y)) in &picture.lines {
        let middle = (y + to_y) / 2;
        text.push(html!(
            "<path d=\"M{0},{1}C{0},{2} {3},{2} {3},{4}\"/>\n",
            x,
            y,
            middle,
            to_x,
            to_y
        ));
    }
    for (item, it) in &picture.boxes {
        let (x, y, width, height) = (it.x, it.y, it.width, it.height);
        let middle = x + width / 2;
        text.push(html!(
            "<g class=\"{}\"><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>\
             <text class=\"title\" x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\">{}</text></g>\n",
            item.class,
            item.tip,
            x,
            y,
            width,
            height,
            middle,
            y + 16,
            item.title,
            middle,
            y + 31,
            item.detail,
        ));
    }
    text.push(html!("</svg></div>\n"));
    text
}
