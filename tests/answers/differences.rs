//! Tests of module differences on the models that TVM printed: other spellings are equal, and an edit is found at its
//! position.

use std::collections::HashSet;
use std::ops::Range;

use ide::difference::{Difference, Snapshot};
use ide::{Analysis, Config, migrate};
use relax::release::{Release, Releases};
use tests::random::Random;

use crate::conformance::models::{Printed, printed};

fn snapshot(text: &str) -> Snapshot {
    let (analysis, file) = Analysis::from_whole_file(text, Config::default());
    analysis.snapshot(file).expect("nothing changes the file")
}

fn models() -> Vec<Printed> {
    printed(|name| !name.starts_with("lm32") && !name.starts_with("llama"))
}

/// Asserts that `change` does not make a model different.
fn assert_equal(change: impl Fn(&str, &mut Random) -> String) {
    let mut random = Random::new(20);
    for Printed { name, text } in models() {
        let changed = change(&text, &mut random);
        let found = Difference::of(&snapshot(&text), &snapshot(&changed));
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

/// Returns the word that begins at `at`, if any.
fn word_at(text: &str, at: usize) -> Option<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let begins = !text[..at].chars().next_back().is_some_and(is_word);
    let end = text[at..].find(|c| !is_word(c)).unwrap_or(text.len() - at);
    (begins && end > 0).then(|| &text[at..at + end])
}

/// Replaces some words of the text, except after a dot and in strings.
fn with_words(text: &str, spell: impl Fn(&str) -> Option<String>) -> String {
    let (mut out, mut quoted, mut at) = (String::new(), false, 0);
    while at < text.len() {
        let word = word_at(text, at).filter(|_| !quoted && !text[..at].ends_with('.'));
        let letter = text[at..].chars().next().map_or(1, char::len_utf8);
        let piece = word.unwrap_or(&text[at..at + letter]);
        quoted ^= piece == "\"" && !text[..at].ends_with('\\');
        match word.and_then(&spell) {
            Some(other) => out.push_str(&other),
            None => out.push_str(piece),
        }
        at += piece.len();
    }
    out
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the bindings of each dataflow block, as line numbers.
fn dataflow_blocks(lines: &[&str]) -> Vec<Range<usize>> {
    let headers = (0..lines.len()).filter(|at| lines[*at].trim() == "with R.dataflow():");
    let block = |at: usize| {
        let inside = |line: &&&str| indent(line) > indent(lines[at]);
        let count = lines[at + 1..].iter().take_while(inside).count();
        // The last line is `R.output`.
        at + 1..at + count
    };
    headers.map(block).collect()
}

/// Returns the variable of a printed binding.
fn bound(line: &str) -> &str {
    let line = line.trim();
    &line[..line.find([':', ' ']).unwrap_or(line.len())]
}

/// Returns `true` if the value of a printed binding uses one of `names`.
fn uses(line: &str, names: &HashSet<&str>) -> bool {
    let value = line.split_once(" = ").map_or("", |it| it.1);
    let mut places = (0..value.len()).filter(|at| !value[..*at].ends_with('.'));
    places.any(|at| word_at(value, at).is_some_and(|word| names.contains(word)))
}

#[test]
fn a_model_is_equal_to_itself() {
    assert_equal(|text, _| text.to_owned());
}

#[test]
fn a_model_whose_expressions_are_inferred_on_request_is_equal() {
    for Printed { name, text } in models() {
        let (analysis, file) = Analysis::from_single_file(&*text, Config::default());
        let on_request = analysis.snapshot(file).expect("nothing changes the file");
        let found = Difference::of(&snapshot(&text), &on_request);
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

#[test]
fn a_model_with_other_names_is_equal() {
    assert_equal(|text, _| {
        let bindings = text.lines().filter(|line| line.contains(" = R."));
        let is_function = |name: &str| text.contains(&format!("def {name}("));
        let names = bindings.map(bound).filter(|name| !is_function(name));
        let names: HashSet<&str> = names.collect();
        with_words(text, |word| {
            names.contains(word).then(|| format!("{word}_renamed"))
        })
    });
}

#[test]
fn a_model_whose_dataflow_is_in_another_order_is_equal() {
    assert_equal(|text, random| {
        let mut lines: Vec<&str> = text.lines().collect();
        for block in dataflow_blocks(&lines) {
            let mut waiting: Vec<&str> = lines[block.clone()].to_vec();
            let mut placed: Vec<&str> = Vec::new();
            while !waiting.is_empty() {
                let names: HashSet<&str> = waiting.iter().map(|line| bound(line)).collect();
                let all = 0..waiting.len();
                let ready: Vec<usize> = all.filter(|at| !uses(waiting[*at], &names)).collect();
                placed.push(waiting.remove(*random.pick(&ready)));
            }
            lines.splice(block, placed);
        }
        lines.join("\n")
    });
}

#[test]
fn a_model_in_the_spelling_of_another_release_is_equal() {
    let old = Releases::only(Release::V0_19);
    for Printed { name, text } in models() {
        if name.contains("0.19") {
            let new = migrate(&text, old, Release::V0_27).text;
            let found = Difference::of(&snapshot(&text), &snapshot(&new));
            assert!(found.is_empty(), "{name}: {found:#?}");
        }
    }
}

#[test]
fn comments_and_empty_lines_make_no_difference() {
    assert_equal(|text, _| text.replace('\n', "\n\n# a comment\n"));
}

/// The edits: the text that each one replaces in a line, and its replacement.
const EDITS: &[(&str, &str)] = &[
    (" + ", " - "),
    (" * ", " + "),
    ("T.exp(", "T.sqrt("),
    ("T.max(", "T.min("),
    ("R.add(", "R.multiply("),
    ("R.nn.relu(", "R.nn.gelu("),
    ("T.float32(0.0)", "T.float32(1.5)"),
    ("T.int64(0)", "T.int64(1)"),
    ("\"float32\"", "\"float16\""),
    ("R.shape([", "R.shape([7, "),
    ("padding=[1", "padding=[2"),
    ("axes=[", "axes=[0, "),
    ("axis=-1", "axis=0"),
];

/// Lines that these edits do not change.
const SILENT: &[&str] = &["def ", "#", "from "];

/// Returns the edits that change the meaning of a line.
fn edits(line: &str) -> Vec<(&'static str, &'static str)> {
    let is_silent = SILENT.iter().any(|it| line.trim_start().starts_with(it));
    let fits = |edit: &&(&str, &str)| !is_silent && line.contains(edit.0);
    EDITS.iter().filter(fits).copied().collect()
}

#[test]
fn one_edit_is_found_at_its_line() {
    const EDITS_OF_A_MODEL: usize = 10;
    let mut random = Random::new(7);
    let (mut made, mut missed) = (0, Vec::new());
    for Printed { name, text } in models() {
        let before = snapshot(&text);
        let lines: Vec<&str> = text.lines().collect();
        let all = 0..lines.len();
        let places: Vec<usize> = all.filter(|at| !edits(lines[*at]).is_empty()).collect();
        for _ in 0..EDITS_OF_A_MODEL {
            let at = *random.pick(&places);
            let (from, to) = *random.pick(&edits(lines[at]));
            let line = lines[at].replacen(from, to, 1);
            let mut changed = lines.clone();
            changed[at] = &line;
            let after = snapshot(&changed.join("\n"));
            let start: usize = lines[..at].iter().map(|it| it.len() + 1).sum();
            let line_range = start..start + line.len();
            let found = Difference::of(&before, &after);
            let mut changes = found.functions.iter().flat_map(|it| &it.changes);
            made += 1;
            let is_there = changes.any(|it| {
                let place = it.after.as_ref().map(|it| usize::from(it.range.start()));
                place.is_some_and(|it| line_range.contains(&it))
            });
            if !is_there {
                missed.push(format!("{name}:{}: {}", at + 1, line.trim()));
            }
        }
    }
    let found = made - missed.len();
    assert!(
        found * 100 >= made * 99,
        "{found} of {made} edits are found; missed:\n{}",
        missed.join("\n")
    );
}
