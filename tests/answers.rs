//! Tests that the answers of `ide` are consistent with each other, and with the text after their edits, at all names of
//! whole programs. Does not use the protocol.

mod differences;
mod random_edits;
mod releases;
mod stages;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ide::{Analysis, AnalysisHost, Change, DocumentSymbol, FileId, FilePosition, Severity};
use syntax::{NodeOrToken, SyntaxKind, TextRange, TextSize};

const FILE: FileId = FileId(0);

/// One in this many names of a program is renamed and renamed back.
const RENAMED: usize = 7;

fn opened(text: &str) -> Analysis {
    let mut host = AnalysisHost::default();
    host.apply_change(Change::new(FILE, text));
    host.analysis()
}

fn at(offset: TextSize) -> FilePosition {
    FilePosition { file: FILE, offset }
}

/// Programs whose mistakes are about names, so a rename changes the diagnostics. In `type_vars.py` a variable and its
/// `TypeVar` have different names; in `names_given_twice.py` a name has two definitions; in `names_of_functions.py` a
/// function names itself.
const ABOUT_NAMES: [&str; 3] = [
    "names_given_twice.py",
    "names_of_functions.py",
    "type_vars.py",
];

/// The programs of `conformance` and printed models, in all dialects.
fn programs() -> Vec<(PathBuf, String)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let small = |path: &PathBuf| {
        let length = path.metadata().map_or(0, |it| it.len());
        let is_about_names = ABOUT_NAMES.iter().any(|it| path.ends_with(it));
        path.extension().is_some_and(|it| it == "py") && length < 8 * 1024 && !is_about_names
    };
    let folders = [
        "../examples",
        "../fuzz/seeds",
        "conformance/programs",
        "fixtures/models",
    ];
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(here.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(small)
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path)
            .unwrap()
            .replace("\r\n", "\n");
        (path, text)
    };
    let programs: Vec<_> = paths.into_iter().map(read).collect();
    assert!(programs.len() > 8, "the folders are where they were");
    programs
}

/// Returns the offsets of the names in a text.
fn names(text: &str) -> Vec<TextRange> {
    let tokens = syntax::parse(text).syntax().descendants_with_tokens();
    let tokens = tokens.filter_map(NodeOrToken::into_token);
    let names = tokens.filter(|it| it.kind() == SyntaxKind::IDENT);
    names.map(|it| it.text_range()).collect()
}

/// Counts the diagnostics by code.
fn codes(analysis: &Analysis) -> Vec<&'static str> {
    let found = analysis.diagnostics(FILE).unwrap().into_iter();
    let wrong = found.filter(|it| it.severity != Severity::Hint);
    let mut codes: Vec<_> = wrong.map(|it| it.code).collect();
    codes.sort_unstable();
    codes
}

fn line(text: &str, at: TextSize) -> usize {
    1 + text[..at.into()].matches('\n').count()
}

#[test]
fn each_name_is_among_its_own_references() {
    for (path, text) in programs() {
        let analysis = opened(&text);
        for name in names(&text) {
            let place = format!(
                "{}:{}: {}",
                path.display(),
                line(&text, name.start()),
                &text[name]
            );
            let references = |offset| analysis.references(at(offset), true).unwrap();
            let here = references(name.start());
            let marked = analysis.document_highlight(at(name.start())).unwrap();
            let marked = marked.into_iter().map(|it| it.range);
            assert_eq!(here, marked.collect::<Vec<_>>(), "{place}");
            let holds =
                |all: &[TextRange]| all.iter().any(|it| it.contains_inclusive(name.start()));
            assert!(here.is_empty() || holds(&here), "{place}");
            let targets = analysis.goto_definition(at(name.start())).unwrap();
            for target in targets {
                let there = references(target.name_range.start());
                assert!(
                    holds(&there),
                    "{place} is not among those of its definition"
                );
            }
        }
    }
}

#[test]
fn a_rename_and_another_back_change_nothing() {
    let mut renamed = 0;
    for (path, text) in programs() {
        let analysis = opened(&text);
        let before = codes(&analysis);
        for name in names(&text).into_iter().step_by(RENAMED) {
            let place = format!(
                "{}:{}: {}",
                path.display(),
                line(&text, name.start()),
                &text[name]
            );
            if analysis.prepare_rename(at(name.start())).unwrap().is_err() {
                continue;
            }
            let edit = analysis.rename(at(name.start()), "fresh_name").unwrap();
            let there = edit
                .unwrap_or_else(|why| panic!("{place}: {why}"))
                .apply(&text);
            let edited = opened(&there);
            assert_eq!(codes(&edited), before, "{place}\n{there}");
            let shift = there.find("fresh_name").unwrap();
            let back = edited
                .rename(at(TextSize::new(shift as u32)), &text[name])
                .unwrap();
            let Ok(back) = back else {
                // The second definition of a name does not get the uses of the first.
                let twice =
                    |start: &str| text.matches(&format!("{start}{}", &text[name])).count() > 1;
                assert!(twice("class ") || twice("def "), "{place}: {back:?}");
                continue;
            };
            assert_eq!(back.apply(&there), text, "{place}");
            renamed += 1;
        }
    }
    assert!(renamed > 100, "{renamed} names were renamed");
}

#[test]
fn a_selection_grows_from_its_position_to_the_whole_text() {
    for (path, text) in programs() {
        let analysis = opened(&text);
        for offset in (0..text.len())
            .step_by(13)
            .filter(|&it| text.is_char_boundary(it))
        {
            let offset = TextSize::new(offset as u32);
            let ranges = analysis.selection_ranges(at(offset)).unwrap();
            let place = format!("{}:{}", path.display(), line(&text, offset));
            assert!(
                ranges.iter().all(|it| it.contains_inclusive(offset)),
                "{place}"
            );
            for pair in ranges.windows(2) {
                assert!(
                    pair[1].contains_range(pair[0]) && pair[0] != pair[1],
                    "{place}"
                );
            }
            assert_eq!(
                ranges.last(),
                Some(&TextRange::up_to(TextSize::of(&*text))),
                "{place}"
            );
        }
    }
}

#[test]
fn the_tokens_of_windows_are_those_of_the_whole() {
    for (path, text) in programs() {
        let analysis = opened(&text);
        let end = TextSize::of(&*text);
        let tokens = |range| analysis.semantic_tokens(FILE, range).unwrap();
        let whole = tokens(TextRange::up_to(end));
        let mut from = TextSize::new(0);
        let mut joined = Vec::new();
        while from < end {
            let to = text[from.into()..].match_indices('\n').nth(20);
            let to = to.map_or(end, |(at, _)| from + TextSize::new(at as u32 + 1));
            let inside = tokens(TextRange::new(from, to)).into_iter();
            joined.extend(inside.filter(|it| from <= it.range.start() && it.range.start() < to));
            from = to;
        }
        assert_eq!(joined, whole, "{}", path.display());
    }
}

/// Returns the outline with the StructInfo of each binding.
fn outline(symbols: &[DocumentSymbol], shown: &mut Vec<String>) {
    for it in symbols {
        shown.push(format!(
            "{}: {}",
            it.name,
            it.detail.as_deref().unwrap_or("?")
        ));
        outline(&it.children, shown);
    }
}

fn kinds(codes: Vec<&'static str>) -> BTreeSet<&'static str> {
    codes.into_iter().collect()
}

#[test]
fn inserted_hints_change_no_struct_info() {
    for (path, text) in programs() {
        let analysis = opened(&text);
        let shown = |analysis: &Analysis| {
            let mut shown = Vec::new();
            let symbols = analysis.document_symbols(FILE).unwrap();
            outline(&symbols, &mut shown);
            shown
        };
        let (before, known) = (shown(&analysis), codes(&analysis));
        let whole = TextRange::up_to(TextSize::of(&*text));
        let hints = analysis.inlay_hints(FILE, whole).unwrap();
        for hint in hints.iter().filter(|it| it.insert.is_some()).step_by(5) {
            let inserted = hint.insert.as_ref().unwrap().apply(&text);
            let after = opened(&inserted);
            let place = format!("{}:{}", path.display(), line(&text, hint.offset));
            // A wrong type of a value also changes its annotation.
            assert_eq!(kinds(codes(&after)), kinds(known.clone()), "{place}");
            assert_eq!(shown(&after), before, "{place}");
        }
    }
}

#[test]
fn fixing_a_wrong_number_causes_no_new_mistake() {
    let mut applied = 0;
    for (path, text) in programs() {
        let right = codes(&opened(&text));
        if !right.is_empty() {
            continue;
        }
        let tokens = syntax::parse(&text).syntax().descendants_with_tokens();
        let tokens = tokens.filter_map(NodeOrToken::into_token);
        let numbers = tokens.filter(|it| it.kind() == SyntaxKind::INT);
        for number in numbers.step_by(9) {
            let Ok(value) = number.text().parse::<u32>() else {
                continue;
            };
            let mut wrong = text.clone();
            wrong.replace_range(
                std::ops::Range::<usize>::from(number.text_range()),
                &(value + 1).to_string(),
            );
            let analysis = opened(&wrong);
            let before = codes(&analysis);
            if before.is_empty() {
                continue;
            }
            let whole = TextRange::up_to(TextSize::of(&*wrong));
            for fix in analysis.fixes(FILE, whole, &[]).unwrap() {
                let fixed = fix.edit.as_ref().unwrap().apply(&wrong);
                let after = codes(&opened(&fixed));
                let place = line(&wrong, number.text_range().start());
                assert!(
                    after.len() < before.len(),
                    "{}:{place}: {value} + 1, {}: {before:?} became {after:?}",
                    path.display(),
                    fix.title,
                );
                applied += 1;
            }
        }
    }
    assert!(applied > 20, "{applied} fixes were offered");
}

#[test]
fn lowered_stages_use_the_release_of_the_program() {
    let program = r#"
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        with R.dataflow():
            y = R.add(x, x)
            z = R.reshape(y, R.shape([4, -1]))
            R.output(z)
        return z
"#;
    let mut complaints = Vec::new();
    for release in relax::Release::ALL {
        let config = ide::Config {
            target: Some(release),
        };
        if release == relax::Release::Rfc {
            continue;
        }
        let (analysis, file) = Analysis::from_single_file(program, config);
        let (db, source) = analysis.hir(file).expect("the file is there");
        let entries = &hir::file_items(db, source).functions;
        for (name, stage) in vm::listing::STAGES {
            if *name == "bytecode" {
                continue;
            }
            let lowered = vm::lower::listing(db, entries, *stage, vm::Constants::default());
            let lowered = lowered.expect("it can be lowered");
            let (analysis, file) = Analysis::from_single_file(lowered.text, config);
            let found = analysis.diagnostics(file).expect("nothing changes it");
            let found = found
                .iter()
                .filter(|it| it.severity == Severity::Error || it.code == "other-dialect");
            let release = release.name();
            complaints.extend(found.map(|it| format!("{release} {name}: {}", it.message)));
        }
    }
    complaints.dedup();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
