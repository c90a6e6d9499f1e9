//! Every page is held against what analysis says of its programs.

use std::fmt::Write;

use expect_test::expect_file;
use relax::Code;
use text_size::TextRange;

use super::{IMPORTS, PAGES, Page};
use crate::fixes::UNFIXED;
use crate::fixture::Fixture;
use crate::{Diagnostic, Severity};

fn found(page: &Page, program: &str) -> Vec<Diagnostic> {
    let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
    let mut found = fixture.analysis.diagnostics(fixture.file).unwrap();
    // Hints come with many programs; only the page about one is about it.
    let of_page = |it: &Diagnostic| it.code == page.code.name();
    // It gathers what is reported of each call.
    let gathers = page.code == Code::NoFittingCall;
    found.retain(|it| of_page(it) || (!gathers && it.severity != Severity::Hint));
    found
}

#[test]
fn every_code_has_one_page_in_the_order_of_the_table() {
    let pages: Vec<Code> = PAGES.iter().map(|page| page.code).collect();
    assert_eq!(pages, Code::ALL);
}

#[test]
fn a_wrong_example_breaks_its_rule_and_no_other() {
    let mut others = Vec::new();
    for page in PAGES {
        let found = found(page, page.wrong);
        let codes: Vec<&str> = found.iter().map(|it| it.code).collect();
        if codes != [page.code.name()] {
            others.push(format!("{}: {found:#?}", page.code.name()));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn a_right_example_is_right() {
    let mut wrong = Vec::new();
    for page in PAGES {
        let found = found(page, page.right);
        if !found.is_empty() {
            wrong.push(format!("{}: {found:#?}", page.code.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_criterion_is_reported_or_says_why_not() {
    let numbers: Vec<&str> = super::CRITERIA.iter().map(|row| row.number).collect();
    let expected: Vec<String> = (1..=24).map(|n| n.to_string()).collect();
    assert_eq!(numbers[..24], expected);
    for row in super::CRITERIA {
        let said = !row.codes.is_empty() || !row.note.is_empty();
        assert!(said, "criterion {}", row.number);
    }
}

/// What an editor offers for the wrong example.
fn quick_fixes(page: &Page) -> String {
    if let Some((_, reason)) = UNFIXED.iter().find(|row| row.0 == page.code) {
        return format!("\nNo quick fix: {reason}.\n");
    }
    let fixture = Fixture::new(&format!("{IMPORTS}{}", page.wrong));
    let found = fixture.analysis.diagnostics(fixture.file).unwrap();
    let found = found.iter().find(|it| it.code == page.code.name());
    let named = found.map(|it| (it.code.to_owned(), it.range));
    let nowhere = TextRange::default();
    let fixes = fixture
        .analysis
        .fixes(fixture.file, nowhere, named.as_slice());
    let titles = fixes
        .unwrap()
        .into_iter()
        .map(|it| format!("- {}\n", it.title));
    format!("\nQuick fixes:\n{}", titles.collect::<String>())
}

#[test]
fn diagnostics_md_is_what_the_pages_say() {
    let mut text = String::from(
        "# Diagnostics\n\nWhat `relax-lsp` reports, each with the message that its wrong example gets. \
         `relax-lsp explain CODE` prints a page. Generated from `crates/ide/src/diagnostics`.\n\n\
         ## Criteria of well-formedness\n\nThose of the StructInfo specification, and those that only the \
         specification before it has.\n\n",
    );
    text.push_str(&super::criteria::markdown());
    text.push('\n');
    for page in PAGES {
        text.push_str(&page.markdown());
        for diagnostic in found(page, page.wrong) {
            let _ = writeln!(text, "\n> {}", diagnostic.message);
        }
        text.push_str(&quick_fixes(page));
        text.push('\n');
    }
    expect_file!["../../DIAGNOSTICS.md"].assert_eq(&text);
}

#[test]
fn a_line_that_is_being_typed_is_wrong_in_one_way() {
    for line in [
        "y = R.add(x, ",
        "y = R.",
        "y = ",
        "y = R.call_tir(cls.",
        "y = R.add(x, \"",
        "with R.",
        "if x",
        "wiht R.dataflow():",
    ] {
        let fixture = Fixture::new(&format!(
            "{IMPORTS}@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    {line}\n    z = R.exp(undefined)\n    return z\n"
        ));
        let found = fixture.analysis.diagnostics(fixture.file).unwrap();
        let codes: Vec<_> = found.iter().map(|it| it.code).collect();
        assert_eq!(codes, ["syntax-error", "undefined-name"], "{line}");
    }
}

#[test]
fn a_function_that_one_call_fits_or_that_is_called_once_is_not_suspected() {
    let page = PAGES.iter().find(|it| it.code == Code::NoFittingCall);
    let page = page.expect("the code has a page");
    let once = page.wrong.replace("        z = cls.double(x)\n", "");
    let once = once.replace("R.multiply(y, z)", "y");
    let fits = page.wrong.replace(
        "z = cls.double(x)",
        "z = cls.double(R.zeros((4,), \"float32\"))",
    );
    let unknown = page
        .wrong
        .replace("z = cls.double(x)", "z = cls.double(elsewhere())");
    for program in [once, fits, unknown] {
        let suspected = found(page, &program);
        assert!(suspected.is_empty(), "{program}\n{suspected:#?}");
    }
}
