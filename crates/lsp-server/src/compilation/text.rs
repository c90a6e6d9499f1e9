//! Formats a comparison as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use ide::difference::{Difference, FunctionChanges, Outcome, Place, RowChange};

use super::sides::Side;

pub fn render(difference: &Difference, before: &Side, after: &Side) -> String {
    let mut text = String::new();
    for function in &difference.functions {
        render_function(function, before, after, &mut text);
    }
    text.push_str(&summary(difference));
    text.push('\n');
    text
}

/// Returns the summary: `2 changed, 1 added, 7 unchanged`.
pub fn summary(difference: &Difference) -> String {
    if difference.functions.is_empty() {
        return "no functions".to_owned();
    }
    let mut counts: BTreeMap<usize, (&str, usize)> = BTreeMap::new();
    for function in &difference.functions {
        let name = function.outcome.name();
        let order = ORDER
            .iter()
            .position(|it| *it == name)
            .unwrap_or(ORDER.len());
        counts.entry(order).or_insert((name, 0)).1 += 1;
    }
    let counts = counts
        .values()
        .map(|(name, count)| format!("{count} {name}"));
    counts.collect::<Vec<_>>().join(", ")
}

const ORDER: &[&str] = &[
    "changed",
    "renamed",
    "merged",
    "split",
    "added",
    "moved",
    "removed",
    "unchanged",
];

fn render_function(function: &FunctionChanges, before: &Side, after: &Side, text: &mut String) {
    if function.outcome == Outcome::Unchanged {
        return;
    }
    let place = |place: &Place, side: &Side| {
        let (line, _) = side.lines.line_col(place.range.start());
        format!("{}:{line}", side.path)
    };
    let places: Vec<String> = function
        .before
        .iter()
        .map(|it| place(it, before))
        .chain(function.after.iter().map(|it| place(it, after)))
        .collect();
    let _ = writeln!(text, "{}  {}", headline(function), places.join(" → "));
    for change in &function.changes {
        render_change(change, before, after, text);
    }
    text.push('\n');
}

/// Returns the headline of a function: `fused_matmul_add: merged from matmul, add`.
pub fn headline(function: &FunctionChanges) -> String {
    let name = |place: &Option<Place>| place.as_ref().map_or("", |it| it.name.as_str()).to_owned();
    let (old, new) = (name(&function.before), name(&function.after));
    let names = function.outcome.functions().join(", ");
    match &function.outcome {
        Outcome::Renamed => format!("{old} → {new}: renamed"),
        Outcome::Changed if old != new => format!("{old} → {new}: renamed and changed"),
        Outcome::Merged(_) => format!("{new}: merged from {names}"),
        Outcome::Split(_) => format!("{new}: split from {names}"),
        Outcome::MovedInto(_) => format!("{old}: removed, now in {names}"),
        Outcome::Removed => format!("{old}: removed"),
        other => format!("{new}: {}", other.name()),
    }
}

fn render_change(change: &RowChange, before: &Side, after: &Side, text: &mut String) {
    let number = |place: &Place, side: &Side| side.lines.line_col(place.range.start()).0;
    if let (Some(old), Some(new)) = (&change.before, &change.after) {
        let parts = change.parts.join(", ");
        let what = match (change.moved, parts.as_str()) {
            (true, "") => "moved".to_owned(),
            (true, parts) => format!("moved, {parts}"),
            (false, parts) => parts.to_owned(),
        };
        let name = match (old.name.as_str(), new.name.as_str()) {
            ("", "") => String::new(),
            (old, new) if old == new => format!(" {new}"),
            (old, new) => format!(" {old} → {new}"),
        };
        let _ = writeln!(text, "  {}{name}: {what}", change.what);
    }
    if let Some(old) = &change.before {
        let _ = writeln!(text, "  -{:>6}  {}", number(old, before), old.line);
    }
    if let Some(new) = &change.after {
        let _ = writeln!(text, "  +{:>6}  {}", number(new, after), new.line);
    }
}
