//! Rule: every fix and every assist is applied in a case.

use std::collections::BTreeSet;

use super::{assert_none, ends_in, rust_files, texts};

const FOLDERS: &[&str] = &["crates/ide/src/fixes/", "crates/ide/src/assists/"];

/// The text before the name of an action in the code that offers it.
const OFFERS: &[&str] = &[".preferred(", ".possible(", ".add(", ".possible_outside("];

/// Returns the names of the actions that code offers.
fn offered(code: &str) -> impl Iterator<Item = &str> {
    let places = OFFERS.iter().flat_map(|offer| code.match_indices(offer));
    places.filter_map(|(at, offer)| {
        let rest = code[at + offer.len()..].trim_start();
        rest.strip_prefix('"')?.split('"').next()
    })
}

/// Returns the name of the action that a line of a case applies: the last word of a block that says what it does.
fn applied(line: &str) -> Option<&str> {
    let info = line.strip_prefix("```")?;
    let words: Vec<&str> = info.split_whitespace().collect();
    match words[..] {
        [_, "fix", _, id] | [_, "assist", id] => Some(id),
        _ => None,
    }
}

#[test]
fn every_fix_and_every_assist_is_applied_in_a_case() {
    let cases = texts(|name| ends_in(name, &["md"]));
    let cases = cases.iter().filter(|it| it.0.starts_with("tests/cases/"));
    let applied: BTreeSet<&str> = cases
        .flat_map(|it| it.1.lines().filter_map(applied))
        .collect();
    let sources = rust_files();
    let ours = |path: &str| FOLDERS.iter().any(|folder| path.starts_with(folder));
    let sources = sources.iter().filter(|(path, _)| ours(path));
    let offers = sources.flat_map(|(path, text)| offered(text).map(move |id| (path, id)));
    let offers: Vec<_> = offers.collect();
    assert!(offers.len() > 80, "the scan sees them: {offers:?}");
    let untested = offers.iter().filter(|(_, id)| !applied.contains(id));
    let untested: Vec<String> = untested.map(|(path, id)| format!("{path}: {id}")).collect();
    assert_none("a case applies each fix and each assist", &untested);
}
