//! Properties that must hold for any bytes: the bodies of the fuzz targets in `fuzz/`, which the tests also run.

mod actions;
mod mutate;
pub mod prims;
mod program;
mod relay;

use std::path::{Path, PathBuf};

use hir::prim_facts::Target;
use hir::{Database, FunctionItem, Source, SourceFile, file_items};
use relax::FunctionKind;
use syntax::{Parse, TextRange, TextSize};

pub use actions::actions;
pub use mutate::Mutator;
pub use prims::prims;
pub use program::run;
pub use relay::relay;

/// A target: takes any bytes, and panics if a property does not hold.
pub type Body = fn(&[u8]);

/// The targets by name.
pub const TARGETS: &[(&str, Body)] = &[
    ("parse", parse),
    ("edits", edits),
    ("analyse", analyse),
    ("actions", actions),
    ("tir", tir),
    ("run", run),
    ("prims", prims),
    ("relay", relay),
];

/// Long lines: the start, the repeated part and the end.
pub const LONG_LINES: &[(&str, &str, &str)] = &[
    ("x = [", "1, ", "]\n"),
    ("x = \"", "y", "\"\n"),
    ("x = (", "a + ", "a)\n"),
    ("x = ", "a.", "a\n"),
    ("x = \"\"\"", "\"\" ", ""),
    ("f(", "x=R.const(1), ", ")\n"),
    ("# ", "comment ", "\n"),
];

/// Returns a file with one of [`LONG_LINES`], of about `size` bytes.
pub fn long_line((start, piece, end): (&str, &str, &str), size: usize) -> String {
    let head = "from tvm.script import relax as R, tirx as T\n\n";
    format!("{head}{start}{}{end}", piece.repeat(size / piece.len()))
}

fn text_of(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// Any text parses into a tree with the same text.
pub fn parse(data: &[u8]) {
    let text = text_of(data);
    let parsed = syntax::parse(&text);
    assert_eq!(parsed.syntax().text(), text.as_str());
    for error in parsed.errors.iter() {
        assert_within(error.range, &text);
    }
}

/// After any edits, reparsing gives the same result as a full parse. The bytes after the first 0xFF are the edits:
/// position, length and number of characters, each a byte or two, then the characters.
pub fn edits(data: &[u8]) {
    let (text, script) = split(data);
    let mut parsed = syntax::parse(&text);
    edited(text, script, |replaced, inserted, text| {
        let next = parsed.reparse(replaced, inserted, text);
        assert_same(&next, &syntax::parse(text), text);
        parsed = next;
    });
}

fn split(data: &[u8]) -> (String, &[u8]) {
    let split = data.iter().position(|&byte| byte == 0xFF);
    let (text, script) = data.split_at(split.unwrap_or(data.len()));
    (text_of(text), script)
}

/// Applies the edits of a script, and visits each with the text after it.
fn edited(
    mut text: String,
    mut script: &[u8],
    mut show: impl FnMut(TextRange, TextSize, &str),
) -> String {
    while let [high, low, delete, insert, rest @ ..] = script {
        let wanted = usize::from(*high) << 8 | usize::from(*low);
        let start = boundary(&text, wanted % (text.len() + 1));
        let end = boundary(&text, (start + usize::from(delete % 64)).min(text.len())).max(start);
        let (inserted, rest) = rest.split_at(rest.len().min(usize::from(insert % 32)));
        let inserted = text_of(inserted);
        text.replace_range(start..end, &inserted);
        let replaced = TextRange::new((start as u32).into(), (end as u32).into());
        show(replaced, TextSize::of(inserted.as_str()), &text);
        script = rest;
    }
    text
}

fn assert_same(reparsed: &Parse, fresh: &Parse, text: &str) {
    assert_eq!(reparsed.green, fresh.green, "{text:?}");
    assert_eq!(reparsed.errors, fresh.errors, "{text:?}");
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Any text has facts and diagnostics, and their ranges are within the text.
pub fn analyse(data: &[u8]) {
    let text = text_of(data);
    let (db, file) = database(&text);
    for diagnostic in hir::file_diagnostics(&db, file) {
        assert_within(diagnostic.range, &text);
        assert!(!diagnostic.message.is_empty());
    }
    for &function in &file_items(&db, file).functions {
        let offset = function.offset(&db);
        let facts = hir::lazy_facts(&db, function);
        for var in facts.vars() {
            assert_within(var.name_range + offset, &text);
        }
        let prim = hir::function_prim_facts(&db, function);
        for mention in &prim.mentions {
            assert_within(mention.range + offset, &text);
            if let Target::Def(id) = mention.target {
                assert_within(prim.def(id).name_range + offset, &text);
            }
        }
    }
}

/// Every PrimFunc compiles to a program of the vm, or gives the reasons why not.
pub fn tir(data: &[u8]) {
    let text = text_of(data);
    let (db, file) = database(&text);
    let is_prim = |it: &&FunctionItem<'_>| it.kind(&db) == FunctionKind::PrimFunc;
    for &function in file_items(&db, file).functions.iter().filter(is_prim) {
        if let Err(errors) = hir::function_program(&db, function) {
            assert!(!errors.is_empty());
            for error in errors {
                assert_within(error.range + function.offset(&db), &text);
            }
        }
    }
}

fn database(text: &str) -> (Database, SourceFile) {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    (db, file)
}

fn assert_within(range: TextRange, text: &str) {
    let range = std::ops::Range::<usize>::from(range);
    assert!(text.get(range.clone()).is_some(), "{range:?} of {text:?}");
}

/// Directories whose Python files are the seeds.
pub const SEEDS: &[&str] = &[
    "crates/syntax/test_data/ok",
    "crates/syntax/test_data/err",
    "examples",
    "fuzz/seeds",
];

/// Directories with Relay seeds.
const RELAY_SEEDS: &[&str] = &[
    "crates/syntax/test_data/relay/ok",
    "crates/syntax/test_data/relay/err",
];

/// Returns the seeds in a fixed order.
pub fn seeds() -> Vec<Vec<u8>> {
    files_of(SEEDS, "py")
}

/// Returns the Relay seeds.
pub fn relay_seeds() -> Vec<Vec<u8>> {
    files_of(RELAY_SEEDS, "relay")
}

fn files_of(folders: &[&str], extension: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder of seeds is readable");
        paths.extend(entries.map(|entry| entry.expect("an entry is readable").path()));
    }
    paths.retain(|path| path.extension().is_some_and(|it| it == extension));
    paths.sort();
    let read = |path: &PathBuf| std::fs::read(path).expect("a seed is readable");
    paths.iter().map(read).collect()
}
