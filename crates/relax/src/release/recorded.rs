//! Tests that compare the rows of operators and names with the exports of each TVM release (`test_data/releases.txt`).

use std::collections::BTreeMap;

use super::{Release, Releases};
use crate::ops;
use crate::script::{self, Namespace};

/// The states of each name: the release from which it holds, and its parameters, or `-` if it was removed.
type Record = BTreeMap<&'static str, Vec<(Release, &'static str)>>;

/// Operators whose row accepts parameters of a later release, or names that only the parser has.
const WIDER: &[&str] = &[
    "R.call_py_func",
    "R.ccl.allgather",
    "R.ccl.allreduce",
    "R.image.affine_grid",
    "R.layout_transform",
    "R.vision.multibox_transform_loc",
];

/// An operator that older releases exported to Python under another name.
const HIDDEN: &str = "R.nn.attention_bias";

/// An older name that newer releases still accept.
const ALIAS: &str = "R.Object";

const FIRST: Release = Release::V0_16;

fn record() -> Record {
    let text = include_str!("../../test_data/releases.txt");
    let mut record = Record::new();
    for line in text.lines().filter(|it| !it.starts_with('#')) {
        let (name, rest) = line.split_once(' ').expect("a name");
        let (release, state) = rest.split_once(' ').unwrap_or((rest, ""));
        let release = Release::from_name(release).expect("a release");
        record.entry(name).or_default().push((release, state));
    }
    assert!(record.len() > 700);
    record
}

/// Returns the state of a name in a release, or `None` if it does not exist there.
fn state(record: &Record, name: &str, release: Release) -> Option<&'static str> {
    let states = record.get(name)?.iter();
    let last = states.rev().find(|(since, _)| *since <= release)?.1;
    (last != "-").then_some(last)
}

fn released() -> impl Iterator<Item = Release> {
    Release::ALL.into_iter().filter(|it| *it >= FIRST)
}

#[test]
fn an_operator_has_the_parameters_that_each_release_gives_it() {
    let record = record();
    let mut complaints = Vec::new();
    for op in ops::all() {
        let name = format!("R.{}", op.script());
        if WIDER.contains(&name.as_str()) {
            continue;
        }
        for release in released().filter(|it| op.releases.contains(*it)) {
            let Some(theirs) = state(&record, &name, release).filter(|it| !it.is_empty()) else {
                continue;
            };
            let theirs = theirs.trim_matches(['(', ')']).split(", ");
            let theirs = theirs.map(|it| it.trim_matches(['*', '=']));
            let theirs: Vec<&str> = theirs.filter(|it| !it.is_empty()).collect();
            let ours: Vec<&str> = op.params.iter().map(|it| it.name).collect();
            if theirs != ours {
                complaints.push(format!(
                    "{} {name}: {theirs:?}, not {ours:?}",
                    release.name()
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Compares the releases of rows with the record. A name may have several rows.
fn exist_as_recorded(rows: impl Iterator<Item = (String, Releases)>) {
    let record = record();
    let mut all: BTreeMap<String, Vec<Releases>> = BTreeMap::new();
    for (name, releases) in rows {
        if ![HIDDEN, ALIAS].contains(&name.as_str()) && record.contains_key(name.as_str()) {
            all.entry(name).or_default().push(releases);
        }
    }
    let mut complaints = Vec::new();
    for (name, rows) in &all {
        for release in released() {
            let theirs = state(&record, name, release).is_some();
            let ours = rows.iter().any(|it| it.contains(release));
            if theirs != ours {
                complaints.push(format!("{} has {name}: {theirs}", release.name()));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn an_operator_exists_in_the_releases_that_export_it() {
    exist_as_recorded(ops::all().map(|op| (format!("R.{}", op.script()), op.releases)));
}

#[test]
fn a_name_exists_in_the_releases_that_export_it() {
    for (letter, namespace) in [
        ("R", Namespace::Relax),
        ("T", Namespace::Tir),
        ("I", Namespace::Ir),
    ] {
        let entries = script::entries(namespace);
        exist_as_recorded(entries.map(|it| (format!("{letter}.{}", it.name), it.releases)));
    }
}
