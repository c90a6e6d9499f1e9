//! Tests that a module difference finds a random edit at its position, in modules that TVM printed.
//!
//! An edit counts if `check` reports no error in the text, and if it changes the computation, not only names.

use std::path::Path;

use ide::difference::{Difference, Outcome, Place, Snapshot};
use ide::{Analysis, Config, Severity};
use tests::fuzz::Mutator;

/// Relax functions with operators, PrimFuncs, memory and the instructions of the virtual machine.
const MODULES: &[&str] = &[
    "models/convnet-nn.tvm-0.19.py",
    "models/convnet-nn.tvm-0.27.py",
    "models/lm2-nn.tvm-0.27.py",
    "passes/mlp/000_LegalizeOps.py",
    "passes/mlp/013_FuseTIR.py",
    "passes/mlp/021_KillAfterLastUse.py",
    "passes/mlp/027_sequential.py",
];

/// The number of edits of each module.
const TRIES: usize = 250;

/// Starts of text that can change without changing the computation.
const SILENT: &[&str] = &[
    "from ",
    "#",
    "@I.",
    "@T.",
    "class ",
    "T.sblock_attr(",
    "T.block_attr(",
    "T.reads(",
    "T.writes(",
    "with T.block(",
    "with T.sblock(",
];

/// Returns `None` if there is a diagnostic.
fn sound(text: &str) -> Option<Snapshot> {
    let (analysis, file) = Analysis::from_whole_file(text, Config::default());
    let reports = analysis
        .diagnostics(file)
        .expect("nothing changes the file");
    let is_sound = reports.iter().all(|it| it.severity == Severity::Hint);
    is_sound.then(|| analysis.snapshot(file).expect("nothing changes the file"))
}

/// The position of an edit. The texts before and after differ in one word of one line.
struct Edit<'t> {
    /// The line, from 0.
    line: usize,
    /// The line before and after.
    lines: [&'t str; 2],
    /// The words.
    words: [&'t str; 2],
    /// The words as floating-point numbers, if they are numbers.
    numbers: [Option<f64>; 2],
}

impl<'t> Edit<'t> {
    fn between(before: &'t str, after: &'t str) -> Option<Edit<'t>> {
        let lines = before.lines().zip(after.lines());
        let (line, (old, new)) = lines.enumerate().find(|(_, (a, b))| a != b)?;
        let same = old.bytes().zip(new.bytes());
        let at = same.take_while(|(a, b)| a == b).count();
        let around = |line: &'t str, is_inside: fn(char) -> bool| {
            let is_end = |it: char| !is_inside(it);
            let start = line[..at].rfind(is_end).map_or(0, |it| it + 1);
            let end = line[start..].find(is_end);
            &line[start..end.map_or(line.len(), |it| start + it)]
        };
        let word = |line| around(line, is_of_word);
        let number = |line| {
            around(line, |it| it.is_ascii_digit() || it == '.')
                .parse()
                .ok()
        };
        Some(Edit {
            line,
            lines: [old.trim(), new.trim()],
            words: [word(old), word(new)],
            numbers: [number(old), number(new)],
        })
    }

    fn is_silent(&self) -> bool {
        let line = self.lines[0];
        let is_name_alone = line.ends_with(" = T.int64()") || line.contains("TypeVar(");
        let is_same_number = self.numbers[0].is_some() && self.numbers[0] == self.numbers[1];
        is_name_alone || is_same_number || SILENT.iter().any(|it| line.starts_with(it))
    }

    /// Whether the word is the variable that the line binds. Then the edit affects its uses.
    fn is_of_a_name(&self) -> bool {
        let line = self.lines[0];
        let bound = ["for ", "def "].iter().any(|it| line.starts_with(it));
        bound
            || line
                .split_once(" = ")
                .is_some_and(|(names, _)| has_word(names, self.words[0]))
    }

    /// Whether a position is on the line of the edit, or on a line that uses the changed name.
    fn is_at(&self, place: &Place, text: &str) -> bool {
        let line = |offset: usize| text[..offset].bytes().filter(|it| *it == b'\n').count();
        let first = line(place.range.start().into());
        let lines = first..=line(place.range.end().into());
        let mut words = self.words.iter().filter(|_| self.is_of_a_name());
        // A decorator is above the name of its function.
        lines.contains(&self.line)
            || first == self.line + 1
            || words.any(|it| has_word(&place.line, it))
    }
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn has_word(line: &str, word: &str) -> bool {
    let mut words = line.split(|it| !is_of_word(it));
    words.any(|it| it == word)
}

fn is_located(edit: &Edit<'_>, found: &Difference, texts: [&str; 2]) -> bool {
    let functions = found.functions.iter();
    let mut differ = functions.filter(|it| it.outcome != Outcome::Unchanged);
    let is_there = |before: &Option<Place>, after: &Option<Place>| {
        let mut places = [before, after].into_iter().zip(texts);
        places.any(|(place, text)| place.as_ref().is_some_and(|it| edit.is_at(it, text)))
    };
    differ.any(|it| {
        let mut changes = it.changes.iter();
        is_there(&it.before, &it.after) || changes.any(|it| is_there(&it.before, &it.after))
    })
}

#[test]
fn an_edit_of_the_fuzzer_is_found_at_its_line() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut mutator = Mutator::new(20, Vec::new());
    let (mut made, mut missed) = (0, Vec::new());
    for module in MODULES {
        let text = std::fs::read_to_string(fixtures.join(module)).expect("the fixture is there");
        let before = sound(&text).expect("TVM printed it");
        for _ in 0..TRIES {
            let edited = mutator.reworded(&text);
            let Some(edit) = Edit::between(&text, &edited).filter(|it| !it.is_silent()) else {
                continue;
            };
            let Some(after) = sound(&edited) else {
                continue;
            };
            made += 1;
            let found = Difference::of(&before, &after);
            if !is_located(&edit, &found, [&text, &edited]) {
                missed.push(format!("{module}: {} -> {}", edit.lines[0], edit.lines[1]));
            }
        }
    }
    let located = made - missed.len();
    assert!(
        made >= 150 && located * 100 >= made * 99,
        "{located} of {made} edits are found; missed:\n{}",
        missed.join("\n")
    );
}
