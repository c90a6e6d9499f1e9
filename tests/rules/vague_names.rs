//! Rule: some words are too vague to be the name of a function or a type.

use super::{assert_none, rust_files};

const VAGUE: &[&str] = &[
    "again",
    "alone",
    "ask",
    "asked",
    "back",
    "called",
    "elsewhere",
    "fresh",
    "given",
    "gives",
    "guilty",
    "heir",
    "heirs",
    "here",
    "inside",
    "kept",
    "known",
    "made",
    "meant",
    "near",
    "once",
    "own",
    "said",
    "say",
    "seen",
    "serves",
    "settle",
    "settled",
    "shown",
    "spare",
    "stands",
    "tell",
    "telling",
    "told",
    "wanted",
    "way",
    "whole",
];

const DECLARATIONS: &[&str] = &["fn ", "mod ", "struct ", "enum ", "trait ", "type "];

/// Returns the name that a line declares.
pub(super) fn declared(line: &str) -> Option<&str> {
    let (_, rest) = DECLARATIONS.iter().find_map(|it| {
        let (before, rest) = line.split_once(it)?;
        let words = before.split_whitespace();
        let is_start = |word: &str| word.starts_with("pub") || word.ends_with(')');
        let mut words = words.filter(|it| !matches!(*it, "const" | "async" | "unsafe" | "extern"));
        words.all(is_start).then_some((before, rest))
    })?;
    let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_');
    Some(&rest[..end.unwrap_or(rest.len())])
}

fn vague(files: &[(String, String)]) -> Vec<String> {
    let in_crates = files.iter().filter(|(path, _)| path.starts_with("crates/"));
    let found = in_crates.flat_map(|(path, text)| {
        let lines = text.lines().enumerate();
        let named = lines.filter_map(|(at, line)| Some((at + 1, declared(line)?)));
        let vague = named.filter(|(_, name)| VAGUE.contains(&name.to_lowercase().as_str()));
        vague.map(move |(line, name)| format!("{path}:{line}: `{name}`"))
    });
    found.collect()
}

#[test]
fn a_name_says_what_it_holds_or_does() {
    assert_none("name what it returns or does", &vague(&rust_files()));
}

#[test]
fn a_vague_name_is_seen_behind_its_visibility() {
    for line in [
        "pub(crate) fn told(",
        "    fn made<T>(",
        "pub struct Asked {",
        "mod once;",
    ] {
        let file = ("crates/vm/src/a.rs".to_owned(), line.to_owned());
        assert_eq!(vague(&[file]).len(), 1, "{line}");
    }
    let file = (
        "crates/vm/src/a.rs".to_owned(),
        "fn made_of(told: u32) {".to_owned(),
    );
    assert_eq!(vague(&[file]), [""; 0]);
}
