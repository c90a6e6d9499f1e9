//! A comparison as HTML: one section for each changed function, with the lines of both sides.

use std::collections::BTreeMap;

use ide::difference::{Difference, FunctionChanges, Outcome, Place, RowChange};
use text_size::TextSize;

use super::{Html, html};
use crate::compilation::text::{headline, summary};
use crate::line_index::LineColumns;

/// The maximum number of changes of one function that are listed; the rest are counted.
pub const MOST_CHANGES: usize = 200;
/// Functions with at most this many changes are expanded.
const FEW_CHANGES: usize = 10;

/// The lines of a side.
pub struct LineNumbers<'a> {
    pub lines: &'a LineColumns,
    /// What the fragments of links to lines begin with, if lines are links.
    pub link: Option<String>,
}

impl LineNumbers<'_> {
    /// Returns the number of the line at an offset.
    pub fn link(&self, offset: TextSize) -> Html {
        let (number, _) = self.lines.line_col(offset);
        match &self.link {
            Some(link) => html!("<a href=\"#{}-{}\">{}</a>", link, number, number),
            None => html!("{}", number),
        }
    }
}

/// Renders the changed functions, with at most `most` changes of each. Added and removed functions share a line.
pub fn render(
    difference: &Difference,
    before: &LineNumbers<'_>,
    after: &LineNumbers<'_>,
    most: usize,
) -> Html {
    let mut text = html!("<p>{}</p>\n", summary(difference));
    let mut without: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for function in &difference.functions {
        if function.outcome == Outcome::Unchanged {
            continue;
        }
        let title = headline(function);
        if function.changes.is_empty() {
            let (name, outcome) = title.split_once(": ").unwrap_or((&title, ""));
            let name = if outcome == function.outcome.name() {
                name
            } else {
                &title
            };
            without
                .entry(function.outcome.name())
                .or_default()
                .push(name.to_owned());
            continue;
        }
        let count = function.changes.len();
        let open = if count <= FEW_CHANGES { " open" } else { "" };
        let noun = if count == 1 { "change" } else { "changes" };
        text.push(html!(
            "<details{} data-functions=\"{}\"><summary>{} <span class=\"quiet\">{} {}</span></summary>\n",
            open,
            names(function),
            title,
            count,
            noun
        ));
        for change in function.changes.iter().take(most) {
            text.push(render_change(change, before, after));
        }
        if count > most {
            let more = count - most;
            text.push(html!("<p class=\"quiet\">and {} more</p>\n", more));
        }
        text.push(html!("</details>\n"));
    }
    for (outcome, names) in without {
        let count = names.len();
        text.push(html!(
            "<p data-functions=\"{}\">{} {}: <code>{}</code></p>\n",
            names.join(" "),
            count,
            outcome,
            names.join(", ")
        ));
    }
    text
}

/// Returns the names of a function on both sides.
fn names(function: &FunctionChanges) -> String {
    let sides = function.before.iter().chain(&function.after);
    let names: Vec<&str> = sides.map(|it| it.name.as_str()).collect();
    names.join(" ")
}

fn render_change(change: &RowChange, before: &LineNumbers<'_>, after: &LineNumbers<'_>) -> Html {
    let mut text = html!("<div class=\"change\">");
    let mut words = change.parts.clone();
    if change.moved {
        words.insert(0, "moved");
    }
    text.push(html!(
        "<span class=\"quiet\">{} {}</span>\n",
        change.what,
        words.join(", ")
    ));
    let mut line = |class: &str, place: &Place, lines: &LineNumbers<'_>| {
        text.push(html!(
            "<pre class=\"{}\"><span class=\"line\">{}</span>  {}</pre>\n",
            class,
            lines.link(place.range.start()),
            place.line
        ));
    };
    if let Some(place) = &change.before {
        line("removed", place, before);
    }
    if let Some(place) = &change.after {
        line("added", place, after);
    }
    text.push(html!("</div>\n"));
    text
}
