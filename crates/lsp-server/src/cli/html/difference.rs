//! A comparison as HTML: one section for each changed function, with the lines of both sides.

use ide::difference::{Difference, Outcome, Place, RowChange};

use super::{Html, html};
use crate::compilation::text::{headline, summary};
use crate::line_index::LineColumns;

/// The maximum number of changes of one function that are listed; the rest are counted.
const MOST_CHANGES: usize = 200;

/// Renders the changed functions. Those with few changes are expanded.
pub fn render(difference: &Difference, before: &LineColumns, after: &LineColumns) -> Html {
    let mut text = html!("<p>{}</p>\n", summary(difference));
    for function in &difference.functions {
        if function.outcome == Outcome::Unchanged {
            continue;
        }
        let title = headline(function);
        if function.changes.is_empty() {
            text.push(html!("<p>{}</p>\n", title));
            continue;
        }
        let open = if function.changes.len() <= 10 {
            " open"
        } else {
            ""
        };
        let count = function.changes.len();
        text.push(html!(
            "<details{}><summary>{} <span class=\"quiet\">{} changes</span></summary>\n",
            open,
            title,
            count
        ));
        for change in function.changes.iter().take(MOST_CHANGES) {
            text.push(render_change(change, before, after));
        }
        if count > MOST_CHANGES {
            text.push(html!(
                "<p class=\"quiet\">and {} more</p>\n",
                count - MOST_CHANGES
            ));
        }
        text.push(html!("</details>\n"));
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
