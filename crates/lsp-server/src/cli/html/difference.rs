//! A comparison as HTML: one section for each changed function, with the lines of both sides.

use std::collections::BTreeMap;

use ide::difference::{Difference, Outcome, Place, RowChange};

use super::{Html, html};
use crate::compilation::text::{headline, summary};
use crate::line_index::LineColumns;

/// The maximum number of changes of one function that are listed; the rest are counted.
pub const MOST_CHANGES: usize = 200;
/// Functions with at most this many changes are expanded.
const FEW_CHANGES: usize = 10;

/// Renders the changed functions, with at most `most` changes of each. Added and removed functions share a line.
pub fn render(
    difference: &Difference,
    before: &LineColumns,
    after: &LineColumns,
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
            "<details{}><summary>{} <span class=\"quiet\">{} {}</span></summary>\n",
            open,
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
        let (count, names) = (names.len(), names.join(", "));
        text.push(html!(
            "<p>{} {}: <code>{}</code></p>\n",
            count,
            outcome,
            names
        ));
    }
    text
}

fn render_change(change: &RowChange, before: &LineColumns, after: &LineColumns) -> Html {
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
    let mut line = |class: &str, place: &Place, lines: &LineColumns| {
        let (number, _) = lines.line_col(place.range.start());
        text.push(html!(
            "<pre class=\"{}\"><span class=\"quiet\">{:>6}</span>  {}</pre>\n",
            class,
            number,
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
