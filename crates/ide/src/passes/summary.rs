//! The changes of a pass in one line.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Returns the changes of a pass in one line, such as `forward: 2 changed, 8 added; 7 functions removed`.
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
            let names = join_few(names.iter().copied())
                .unwrap_or_else(|| format!("{} functions", names.len()));
            match detail.to_string() {
                detail if word == CHANGED && !detail.is_empty() => format!("{names}: {detail}"),
                _ => format!("{names} {word}"),
            }
        });
        parts.collect::<Vec<_>>().join("; ")
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
            let old = change.before.map(|row| &before.rows[row as usize]);
            let new = change.after.map(|row| &after.rows[row as usize]);
            detail.add(change, old, new);
        }
    }
}

/// What changed inside of functions: rows of Relax by what they compute, all others by their number.
#[derive(Default)]
struct Detail {
    /// Operators that became calls of functions of the module.
    called: Counts,
    /// Operators that became others: `("reshape", "call_tir")`.
    replaced: BTreeMap<(&'static str, &'static str), usize>,
    changed: usize,
    added: Counts,
    removed: Counts,
    /// Changed attributes, and changed parts of signatures.
    attributes: BTreeSet<String>,
}

impl Detail {
    fn add(&mut self, change: &Change, before: Option<&Row>, after: Option<&Row>) {
        match (before, after) {
            (Some(row), _) | (None, Some(row)) if row.kind == RowKind::Attribute => {
                self.attributes.insert(row.name.to_string());
            }
            (Some(row), _) | (None, Some(row))
                if matches!(row.kind, RowKind::Decorator | RowKind::Signature) =>
            {
                let parts = change.parts.iter().map(|it| (*it).to_owned());
                self.attributes.extend(parts);
            }
            (Some(before), Some(after)) => match (computed(before), computed(after)) {
                (old, new) if old == new => self.changed += 1,
                (OTHER, _) | (_, OTHER) => self.changed += 1,
                (old, CALL | "call_tir") if !matches!(old, CALL | "call_tir") => {
                    self.called.add(old);
                }
                (old, new) => *self.replaced.entry((old, new)).or_default() += 1,
            },
            (None, Some(row)) => self.added.add(computed(row)),
            (Some(row), None) => self.removed.add(computed(row)),
            (None, None) => {}
        }
    }
}

/// A call of a function of the module.
const CALL: &str = "call";
/// What is no call of Relax, and is not named.
const OTHER: &str = "";

fn computed(row: &Row) -> &'static str {
    match (row.op, &row.callee) {
        (Some(op), _) => op.script(),
        (None, Some(_)) => CALL,
        (None, None) => OTHER,
    }
}

/// Rows by what they compute.
#[derive(Default)]
struct Counts(BTreeMap<&'static str, usize>);

impl Counts {
    fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    fn total(&self) -> usize {
        self.0.values().sum()
    }

    /// Lists the most frequent: ` (20 nn.conv2d, 17 nn.relu, 9 add, …)`. Empty if nothing has a name.
    fn list(&self) -> String {
        let mut named: Vec<(&str, usize)> =
            self.0.iter().map(|(what, count)| (*what, *count)).collect();
        named.retain(|(what, _)| *what != OTHER);
        named.sort_by_key(|(_, count)| Reverse(*count));
        let all = named.len();
        named.truncate(MOST_LISTED);
        let mut words: Vec<String> = named
            .iter()
            .map(|(what, count)| format!("{count} {what}"))
            .collect();
        if all > MOST_LISTED {
            words.push("…".to_owned());
        }
        if words.is_empty() {
            String::new()
        } else {
            format!(" ({})", words.join(", "))
        }
    }
}

/// The number of operators that are listed of each change.
const MOST_LISTED: usize = 3;

impl std::fmt::Display for Detail {
    /// Writes `72 operators became calls (20 nn.conv2d, 17 nn.relu, …), 2 changed, 8 added, 1 removed`, and the
    /// attributes if nothing else changed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        match self.called.total() {
            0 => {}
            1 => parts.extend(self.called.0.keys().map(|it| format!("{it} became a call"))),
            n => parts.push(format!("{n} operators became calls{}", self.called.list())),
        }
        let mut replaced: Vec<_> = self.replaced.iter().collect();
        replaced.sort_by_key(|(_, count)| Reverse(**count));
        let listed = replaced.iter().take(MOST_LISTED);
        parts.extend(listed.map(|((old, new), count)| format!("{count} {old} → {new}")));
        let unlisted = replaced.iter().skip(MOST_LISTED).map(|(_, count)| **count);
        let counts = [
            (
                self.changed + unlisted.sum::<usize>(),
                "changed",
                String::new(),
            ),
            (self.added.total(), "added", self.added.list()),
            (self.removed.total(), "removed", self.removed.list()),
        ];
        let counts = counts.into_iter().filter(|it| it.0 > 0);
        parts.extend(counts.map(|(n, word, list)| format!("{n} {word}{list}")));
        if !parts.is_empty() {
            return f.write_str(&parts.join(", "));
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
