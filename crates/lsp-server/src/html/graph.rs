//! Graphs in a page: a list of values, which a script replaces with the drawing of editors. The page holds the script.

use ide::graph::{Graph, Node, NodeKind};

use super::{Html, html};
use crate::compilation::graphs::json;

/// The maximum number of values in a drawing, and in a list.
const MOST: usize = 10_000;
/// The maximum number of values that are drawn while all boxes are closed. The layout of more would take minutes.
const MOST_BESIDE_BOXES: usize = 1000;

const STYLE: &str = concat!(
    include_str!("../../assets/playground/theme.css"),
    include_str!("../../assets/playground/graph.css")
);
const SCRIPT: &str = include_str!("../../assets/playground/graph.js");
const STANDALONE: &str = include_str!("../../assets/playground/standalone.js");

/// Renders several graphs, each with the name of its function.
pub fn render_all(graphs: &[Graph]) -> Html {
    let parts = graphs
        .iter()
        .map(|graph| html!("<h2>{}</h2>\n{}", graph.function, render(graph)));
    let mut text: Html = parts.collect();
    text.push(html!(
        "<script type=\"text/plain\" id=\"graph-style\">{}</script>\n\
         <script type=\"text/plain\" id=\"graph-script\">{}</script>\n\
         <script>{}</script>\n",
        Html::literal(STYLE),
        Html::literal(SCRIPT),
        Html::literal(STANDALONE)
    ));
    text
}

fn render(graph: &Graph) -> Html {
    let count = graph.nodes.len();
    let is_drawn = count <= MOST && graph.beside_boxes() <= MOST_BESIDE_BOXES;
    let data = if is_drawn {
        html!(
            "<script type=\"application/json\">{}</script>\n",
            script_json(graph)
        )
    } else {
        html!(
            "<p class=\"quiet\">{} values, too many for a page. An editor's graph view draws the part around one of \
             them, and Model Explorer all (<code>relax-lsp graph --format model-explorer</code>).</p>\n",
            count
        )
    };
    html!(
        "<div class=\"graph\">\n{}<details><summary>{} values</summary>\n<ul>\n{}</ul></details>\n</div>\n",
        data,
        count,
        list(graph)
    )
}

/// Returns the graph as JSON that cannot end the script around it.
fn script_json(graph: &Graph) -> Html {
    Html(json::drawing(graph).to_string().replace('<', "\\u003c"))
}

/// Returns a line for each value, with its operands and its type.
fn list(graph: &Graph) -> Html {
    let mut operands: Vec<Vec<&str>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        operands[edge.to].push(name(&graph.nodes[edge.from]));
    }
    for (node, operands) in graph.nodes.iter().zip(&mut operands) {
        operands.extend(node.weights.iter().map(|it| it.label.as_str()));
    }
    let lines = graph.nodes.iter().zip(operands).take(MOST);
    let mut text: Html = lines.map(|(node, read)| line(node, &read)).collect();
    if graph.nodes.len() > MOST {
        text.push(html!("<li>and {} more</li>\n", graph.nodes.len() - MOST));
    }
    text
}

fn line(node: &Node, operands: &[&str]) -> Html {
    let (made, read) = (operation(node), operands.join(", "));
    let made = match (made, read.as_str()) {
        _ if matches!(node.kind, NodeKind::Parameter | NodeKind::Function) => String::new(),
        (_, "") | ("", _) => format!("{made}{read}"),
        // A field of a tuple: `parts[0]`.
        (field, tuple) if field.starts_with('[') => format!("{tuple}{field}"),
        (made, read) => format!("{made}({read})"),
    };
    let parts = [node.name.as_str(), made.as_str()];
    let parts: Vec<&str> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    let (whole, ty) = (parts.join(" = "), node.ty.as_str());
    let separator = if ty.is_empty() { "" } else { ": " };
    html!("<li><code>{}{}{}</code></li>\n", whole, separator, ty)
}

fn name(node: &Node) -> &str {
    if node.name.is_empty() {
        operation(node)
    } else {
        &node.name
    }
}

fn operation(node: &Node) -> &str {
    node.callee.as_deref().unwrap_or(&node.operation)
}
