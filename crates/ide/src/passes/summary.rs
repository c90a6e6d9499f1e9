//! The changes of a pass in one line.

use std::collections::BTreeSet;

use hir::difference::{Change, FunctionDifference, Kind};
use hir::form::{Row, RowKind};

use super::Sequence;

/// Up to this many functions or attributes are listed by name; more are counted.
const FEW: usize = 2;

/// The words for functions, in the order of the line.
const WORDS: [&str; 6] = [
    CHANGED,
    "renamed",
    "merged",
    "split off",
    "added",
    "removed",
];
const CHANGED: &str = "changed";

fn word(kind: &Kind) -> Option<usize> {
    match kind {
        Kind::Unchanged => None,
        Kind::Changed => Some(0),
        Kind::Renamed => Some(1),
        Kind::Added { from } if from.len() > 1 => Some(2),
        Kind::Added { from } if from.len() == 1 => Some(3),
        Kind::Added { .. } => Some(4),
        Kind::Removed { .. } => Some(5),
    }
}

impl Sequence {
    /// Returns the changes of a pass in one line, such as `forward changed (~2 +8), 2 merged, 7 removed`.
    pub fn summary(&self, at: usize) -> String {
        let mut named: [Vec<&str>; 6] = Default::default();
        let mut detail = Detail::default();
        for function in &self.steps[at].difference.functions {
            let Some(word) = word(&function.kind) else {
                continue;
            };
            let before = self.before(at).zip(function.before);
            let place = match function.after {
                Some(after) => Some((&self.stages[at], after)),
                None => before,
            };
            if let Some((stage, function)) = place {
                named[word].push(&stage.snapshot.form.functions[function].name);
            }
            self.add_changes(at, function, &mut detail);
        }
        let parts = named
            .iter()
            .zip(WORDS)
            .filter(|(names, _)| !names.is_empty());
        let parts = parts.map(|(names, word)| {
            let names = join_few(names.iter().copied()).unwrap_or_else(|| names.len().to_string());
            match detail.to_string() {
                detail if word == CHANGED && !detail.is_empty() => {
                    format!("{names} {word} ({detail})")
                }
                _ => format!("{names} {word}"),
            }
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    fn add_changes(&self, at: usize, function: &FunctionDifference, detail: &mut Detail) {
        let (Some(stage), Some(before), Some(after)) =
            (self.before(at), function.before, function.after)
        else {
            return;
        };
        let before = &stage.snapshot.form.functions[before];
        let after = &self.stages[at].snapshot.form.functions[after];
        for change in &function.changes {
            let row = match (change.after, change.before) {
                (Some(row), _) => &after.rows[row as usize],
                (None, Some(row)) => &before.rows[row as usize],
                (None, None) => continue,
            };
            detail.add(change, row);
        }
    }
}

/// What changed inside of functions.
#[derive(Default)]
struct Detail {
    changed: usize,
    added: usize,
    removed: usize,
    /// Changed attributes, and changed parts of signatures.
    attributes: BTreeSet<String>,
}

impl Detail {
    fn add(&mut self, change: &Change, row: &Row) {
        match (row.kind, change.before, change.after) {
            (RowKind::Attribute, ..) => {
                self.attributes.insert(row.name.to_string());
            }
            (RowKind::Decorator | RowKind::Signature, ..) => {
                let parts = change.parts.iter().map(|it| (*it).to_owned());
                self.attributes.extend(parts);
            }
            (_, Some(_), Some(_)) => self.changed += 1,
            (_, None, _) => self.added += 1,
            (_, Some(_), None) => self.removed += 1,
        }
    }
}

impl std::fmt::Display for Detail {
    /// Writes `~2 +8 -1` for rows, and the attributes if nothing else changed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = [('~', self.changed), ('+', self.added), ('-', self.removed)];
        let counts = counts.iter().filter(|it| it.1 > 0);
        let counts: Vec<String> = counts.map(|(sign, n)| format!("{sign}{n}")).collect();
        if !counts.is_empty() {
            return f.write_str(&counts.join(" "));
        }
        let attributes = self.attributes.iter().map(String::as_str);
        match join_few(attributes) {
            Some(names) => f.write_str(&names),
            None => write!(f, "{} attributes", self.attributes.len()),
        }
    }
}

/// Joins names if there are few.
fn join_few<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Option<String> {
    (names.len() <= FEW).then(|| names.collect::<Vec<_>>().join(" and "))
}
