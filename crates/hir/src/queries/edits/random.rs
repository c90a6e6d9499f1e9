//! Tests with edits at random positions.

use std::ops::Range;

use super::{Edited, PRINTED, long};
use crate::chance::Chance;

const WORDS: &[&str] = &[
    "x",
    "y3",
    "y299",
    "q",
    "7",
    "R.abs(x)",
    "return x",
    "R.output(x)",
    "\n",
    "\n        ",
    " ",
    ",",
    "(",
    ")",
    "=",
    "\"m\"",
    "n",
    "T.int64()",
    "2 * n",
    "n * 2",
    "R.Tensor((n, 4), \"float32\")",
    "\n        with R.dataflow():\n            k = x\n",
    "cls.other",
    "R.func_attr({\"relax.force_pure\": True})",
    ": R.Object",
];

/// A range and its replacement.
pub(super) type Replacement = (Range<usize>, String);

/// Inserts or removes a line, removes characters, or inserts words in odd places.
fn anything(text: &str, chance: &mut Chance) -> Replacement {
    let len = text.len();
    let at = chance.below(len);
    let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let end = text[at..].find('\n').map_or(len, |it| at + it);
    match chance.below(5) {
        0 => (line..(end + 1).min(len), String::new()),
        1 => (line..line, text[line..(end + 1).min(len)].to_owned()),
        2 => (
            at..(at + 1 + chance.below(4)).min(end.max(at)),
            String::new(),
        ),
        _ => (at..at, WORDS[chance.below(WORDS.len())].to_owned()),
    }
}

/// Adds a letter to a name, removes one, or replaces the name.
fn a_name(text: &str, chance: &mut Chance) -> Replacement {
    let names: Vec<Range<usize>> = names(text).collect();
    let name = names[chance.below(names.len())].clone();
    let at = name.start + 1 + chance.below(name.len());
    match chance.below(5) {
        0 => (at - 1..at, String::new()),
        1 => {
            let other = names[chance.below(names.len())].clone();
            (name, text[other].to_owned())
        }
        2 => (name, String::new()),
        _ => (at..at, LETTERS[chance.below(LETTERS.len())].to_owned()),
    }
}

const LETTERS: &[&str] = &["0", "1", "a", "x", "_"];

/// Returns the ranges of the words in a text that are not numbers.
fn names(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    let words = text.split_inclusive(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    words.filter_map(move |word| {
        let start = at;
        at += word.len();
        let name = word.trim_end_matches(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
        is_name.then(|| start..start + name.len())
    })
}

fn edit_at_random(
    text: &str,
    change: impl Fn(&str, &mut Chance) -> Replacement,
    edits: usize,
    seed: u64,
) {
    let mut edited = Edited::new(text);
    let mut chance = Chance::new(seed);
    for round in 0..edits {
        let (range, new) = change(&edited.text, &mut chance);
        let before = edited.text[range.clone()].to_owned();
        let start = range.start;
        edited.replace(range, &new);
        edited.check(&format!("round {round}, {new:?} for {before:?} at {start}"));
        // Usually undo an error, as a person does.
        if chance.below(4) > 0 {
            edited.replace(start..start + new.len(), &before);
            edited.check(&format!("round {round} taken back"));
        }
    }
}

#[test]
fn edits_of_a_long_function_keep_facts_correct() {
    edit_at_random(&long(), anything, 25, 1);
}

#[test]
fn renames_in_a_long_function_keep_facts_correct() {
    edit_at_random(&long(), a_name, 40, 3);
}

#[test]
fn edits_of_a_printed_model_keep_facts_correct() {
    edit_at_random(PRINTED, anything, 2, 2);
}

#[test]
fn renames_in_a_printed_model_keep_facts_correct() {
    edit_at_random(PRINTED, a_name, 2, 4);
}
