//! Tests that run the programs of every page.

use std::fmt::Write;

use expect_test::expect_file;
use relax::Code;
use text_size::TextRange;

use super::criteria::CRITERIA;
use super::{IMPORTS, Page, page};
use crate::fixes::UNFIXED;
use crate::fixture::Fixture;
use crate::{Diagnostic, Language, Severity};

fn diagnostics_of_page(page: Page, program: &str) -> Vec<Diagnostic> {
    let fixture = Fixture::of(page.language(), &page.whole_file(program));
    let mut found = fixture.analysis.diagnostics(fixture.file).unwrap();
    if page.code == Code::UnloweredOperator {
        found.extend(fixture.analysis.unlowered(fixture.file).unwrap());
    }
    // Hints are reported in many programs; ignore them on pages of other codes.
    let of_page = |it: &Diagnostic| it.code == page.code.name();
    // This code summarizes the other errors of a call.
    let gathers = page.code == Code::NoFittingCall;
    found.retain(|it| of_page(it) || (!gathers && it.severity != Severity::Hint));
    found
}

#[test]
fn a_wrong_example_reports_only_its_own_code() {
    let mut others = Vec::new();
    for page in Page::all() {
        let found = diagnostics_of_page(page, page.wrong());
        let codes: Vec<&str> = found.iter().map(|it| it.code).collect();
        if codes != [page.code.name()] {
            others.push(format!("{}: {found:#?}", page.code.name()));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn a_right_example_reports_nothing() {
    let mut wrong = Vec::new();
    for page in Page::all() {
        let found = diagnostics_of_page(page, page.right());
        if !found.is_empty() {
            wrong.push(format!("{}: {found:#?}", page.code.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_criterion_is_reported_or_says_why_not() {
    let numbers: Vec<&str> = CRITERIA.iter().map(|row| row.number).collect();
    let expected: Vec<String> = (1..=24).map(|n| n.to_string()).collect();
    assert_eq!(numbers[..24], expected);
    for row in CRITERIA {
        let is_explained = row.codes().next().is_some() || !row.note.is_empty();
        assert!(is_explained, "criterion {}", row.number);
    }
}

#[test]
fn a_code_names_criteria_that_exist() {
    for code in Code::ALL {
        for number in code.criteria() {
            let known = CRITERIA.iter().any(|row| row.number == *number);
            assert!(known, "{}: {number}", code.name());
        }
    }
}

/// Returns the quick fixes that an editor offers for the wrong example.
fn quick_fixes(page: Page) -> String {
    if let Some((_, reason)) = UNFIXED.iter().find(|row| row.0 == page.code) {
        return format!("No quick fix: {reason}.\n");
    }
    let fixture = Fixture::of(page.language(), &page.whole_file(page.wrong()));
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
    format!("Quick fixes:\n{}", titles.collect::<String>())
}

fn severity(code: Code) -> String {
    let mut severity = code.severity().name().to_owned();
    if code.is_of_form() {
        severity.push_str(", warning under `check_well_formed=False`");
    }
    match code.criteria() {
        [] => {}
        [only] => _ = write!(severity, "; criterion {only} of well-formedness"),
        several => {
            _ = write!(
                severity,
                "; criteria {} of well-formedness",
                several.join(", ")
            );
        }
    }
    severity
}

/// `UPDATE_EXPECT=1` rewrites the severity, messages and quick fixes of a page from the code.
#[test]
fn pages_show_severity_message_and_fixes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/diagnostics");
    for page in Page::all() {
        let name = page.code.name();
        let fence = match page.language() {
            Language::Relay => "tvm-relay",
            Language::Python | Language::Cell => "python",
        };
        let (severity, rule, source) = (severity(page.code), page.rule(), page.source());
        let mut messages = String::new();
        for diagnostic in diagnostics_of_page(page, page.wrong()) {
            let _ = write!(messages, "> {}\n\n", diagnostic.message);
        }
        let text = format!(
            "# {name}\n\n*{severity}*\n\n{rule}\n\nSource: {source}\n\n\
             ## Wrong\n\n```{fence}\n{}```\n\n{messages}\
             ## Right\n\n```{fence}\n{}```\n\n{}\n\n{}",
            page.wrong(),
            page.right(),
            page.fix(),
            quick_fixes(page)
        );
        expect_file![format!("{folder}/{name}.md")].assert_eq(&text);
    }
}

#[test]
fn the_index_lists_every_page_and_criterion() {
    let mut text = String::from(
        "# Diagnostics\n\n`relax-lsp explain CODE` prints a page. Severities and criteria come from \
         `crates/relax/src/diagnostics.rs`.\n\n| code | severity | rule |\n|---|---|---|\n",
    );
    for page in Page::all() {
        let name = page.code.name();
        let severity = page.code.severity().name();
        let rule = page.rule();
        let first = rule.split_inclusive(". ").next().unwrap_or_default().trim();
        let _ = writeln!(text, "| [{name}]({name}.md) | {severity} | {first} |");
    }
    text.push_str(
        "\n## Criteria of well-formedness\n\nThe criteria of the StructInfo specification, and those that only the \
         specification before it has.\n\n| criterion | rule | reported as |\n|---|---|---|\n",
    );
    for row in CRITERIA {
        let links = row
            .codes()
            .map(|code| format!("[{0}]({0}.md)", code.name()));
        let note = Some(row.note.to_owned()).filter(|note| !note.is_empty());
        let reported: Vec<String> = links.chain(note).collect();
        let reported = reported.join(", ");
        let _ = writeln!(text, "| {} | {} | {reported} |", row.number, row.holds);
    }
    expect_file!["../../../../docs/diagnostics/README.md"].assert_eq(&text);
}

#[test]
fn an_unfinished_line_is_reported_once() {
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
fn a_function_with_a_correct_call_is_not_reported_as_the_cause() {
    let page = page("no-fitting-call").expect("the code has a page");
    let once = page.wrong().replace("        z = cls.double(x)\n", "");
    let once = once.replace("R.multiply(y, z)", "y");
    let fits = page.wrong().replace(
        "z = cls.double(x)",
        "z = cls.double(R.zeros((4,), \"float32\"))",
    );
    let unknown = page
        .wrong()
        .replace("z = cls.double(x)", "z = cls.double(elsewhere())");
    for program in [once, fits, unknown] {
        let suspected = diagnostics_of_page(page, &program);
        assert!(suspected.is_empty(), "{program}\n{suspected:#?}");
    }
}
