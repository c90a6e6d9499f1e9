//! A comparison as HTML: one section for each changed function, with the lines of both sides.

use std::fmt::Write;

use ide::difference::{Difference, Outcome, Place, RowChange};

use super::escape;
use crate::compilation::text::{headline, summary};
use crate::line_index::LineColumns;

/// The maximum number of changes of one function that are listed; the rest are counted.
const MOST_CHANGES: usize = 200;

/// Renders the changed functions. Those with few changes are expanded.
pub fn render(difference: &Difference, before: &LineColumns, after: &LineColumns) -> String {
    let mut text = format!("<p>{}</p>\n", escape(&summary(difference)));
    for function in &difference.functions {
        if function.outcome == Outcome::Unchanged {
            continue;
        }
        let title = escape(&headline(function));
        if function.changes.is_empty() {
            let _ = writeln!(text, "<p>{title}</p>");
            continue;
        }
        let open = if function.changes.len() <= 10 {
            " open"
        } else {
            ""
        };
        let count = function.changes.len();
        let _ = writeln!(
            text,
            "<details{open}><summary>{title} <span class=\"quiet\">{count} changes</span></summary>"
        );
        for change in function.changes.iter().take(MOST_CHANGES) {
            text.push_str(&render_change(change, before, after));
        }
        if count > MOST_CHANGES {
            let _ = writeln!(
                text,
                "<p class=\"quiet\">and {} more</p>",
                count - MOST_CHANGES
            );
        }
        text.push_str("</details>\n");
    }
    text
}

fn render_change(change: &RowChange, before: &LineColumns, after: &LineColumns) -> String {
    let mut text = String::from("<div class=\"change\">");
    let mut words = change.parts.clone();
    if change.moved {
        words.insert(0, "moved");
    }
    let _ = writeln!(
        text,
        "<span class=\"quiet\">{} {}</span>",
        change.what,
        escape(&words.join(", "))
    );
    let mut line = |class: &str, place: &Place, lines: &LineColumns| {
        let (number, _) = lines.line_col(place.range.start());
        let _ = writeln!(
            text,
            "<pre class=\"{class}\"><span class=\"quiet\">{number:>6}</span>  {}</pre>",
            escape(&place.line)
        );
    };
    if let Some(place) = &change.before {
        line("removed", place, before);
    }
    if let Some(place) = &change.after {
        line("added", place, after);
    }
    text.push_str("</div>\n");
    text
}
