//! Applies each fix and analyses the text again: the diagnostic must be gone, and no new one may appear.

use std::collections::BTreeSet;

use expect_test::Expect;
use relax::Code;
use text_size::{TextRange, TextSize};

use super::{Budget, FILE_FIXES, FIXES, RELAY_FIXES, UNFIXED};
use crate::diagnostics::Page;
pub(crate) use crate::fixture::IMPORTS;
use crate::fixture::dialects::{self, Spelling};
use crate::fixture::{Fixture, by_other_names, changed_lines, with_crlf};
use crate::{CodeAction, Diagnostic, Language, Severity};

fn fixes_of(fixture: &Fixture, code: &str) -> (Vec<Diagnostic>, Vec<CodeAction>) {
    let before = fixture.analysis.diagnostics(fixture.file).unwrap();
    let wrong = before.iter().find(|it| it.code == code);
    let wrong = wrong.unwrap_or_else(|| panic!("no {code} among {before:#?}: {}", &*fixture.text));
    let named = [(code.to_owned(), wrong.range)];
    let nowhere = TextRange::empty(TextSize::new(0));
    let fixes = fixture.analysis.fixes(fixture.file, nowhere, &named);
    (before, fixes.unwrap())
}

/// Compares the lines that the fix `id` changes in a program with one mistake. Repeats the fix with other names for `R`,
/// `T` and `I`, with the line ends of Windows, and in every dialect.
pub(crate) fn check(code: &str, id: &str, program: &str, expect: Expect) {
    let program = format!("{IMPORTS}{program}");
    let fixed = fixed(code, id, &program);
    assert_eq!(
        self::fixed(code, id, &by_other_names(&program)),
        by_other_names(&fixed)
    );
    assert_eq!(
        self::fixed(code, id, &with_crlf(&program)),
        with_crlf(&fixed)
    );
    expect.assert_eq(&changed_lines(&program, &fixed));
    check_elsewhere(code, id, &program, &fixed);
}

#[test]
fn a_request_about_many_mistakes_checks_fixes_of_the_first() {
    let mistakes = 20;
    let bindings = (0..mistakes).map(|at| format!("    y{at} = R.exp(elsewhere{at})\n"));
    let bindings: Vec<String> = bindings.collect();
    let fixture = Fixture::new(&format!(
        "{IMPORTS}@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    w = x\n{}    return x\n$0",
        bindings.concat()
    ));
    let whole = TextRange::up_to(TextSize::of(&*fixture.text));
    let fixes = |checks: &Budget| {
        let analysis = &fixture.analysis;
        let found = analysis.with_file(fixture.file, |db, file| {
            super::fixes(db, file, whole, &[], checks).len()
        });
        found.unwrap()
    };
    let all = 80_000;
    let checks = Budget::of(all);
    assert!(fixes(&checks) >= mistakes);
    assert!(checks.left() < all / 2, "{checks:?}");
    let nothing = Budget::of(0);
    assert!(fixes(&nothing) >= mistakes);
}

/// Mistakes that do not exist in the RFC: it has no purity, allows unused values, and requires no annotations.
const UNKNOWN_TO_RFC: &[&str] = &[
    "dataflow-var-in-type",
    "impure-call-in-pure-function",
    "missing-annotation",
    "unbound-value",
];

/// Fixes that do not exist in the RFC. It has no decorators on local functions, no `ndim`, no access to functions
/// through their module, no import of `relax`; and missing inputs follow from the shape of the result.
const NOT_IN_RFC: &[&str] = &[
    "decorate",
    "remove-ndim",
    "through-module",
    "add-inputs",
    "add-import",
];

/// Returns `true` if the mistake is the dialect.
fn is_of_dialect(code: &str) -> bool {
    matches!(code, "other-dialect" | "ignored-argument")
}

/// Checks the same fix in a file of another dialect.
fn check_elsewhere(code: &str, id: &str, program: &str, fixed: &str) {
    if is_of_dialect(code) {
        return;
    }
    let unknown = UNKNOWN_TO_RFC.contains(&code) || NOT_IN_RFC.contains(&id);
    for (written, program) in dialects::others(program) {
        if written == Spelling::Rfc && unknown {
            continue;
        }
        let there = self::fixed(code, id, &program);
        if written == Spelling::Type {
            assert_eq!(there, dialects::in_type(fixed));
        }
    }
}

pub(crate) fn fixed(code: &str, id: &str, program: &str) -> String {
    let fixture = Fixture::new(program);
    let (before, fixes) = fixes_of(&fixture, code);
    let ids: Vec<_> = fixes.iter().map(|fix| fix.id).collect();
    let fix = fixes.iter().find(|fix| fix.id == id);
    let fix = fix.unwrap_or_else(|| panic!("no {id} among {ids:?}: {program}"));
    applied(&fixture, code, &before, fix)
}

/// Returns the text after a fix, and checks that the fix removes a diagnostic and adds none.
fn applied(fixture: &Fixture, code: &str, before: &[Diagnostic], fix: &CodeAction) -> String {
    let fixed = fix.edit.as_ref().unwrap().apply(&fixture.text);
    let after = Fixture::of(fixture.language, &fixed);
    let after = after.analysis.diagnostics(after.file).unwrap();
    let count = |all: &[Diagnostic], code: &str| all.iter().filter(|it| it.code == code).count();
    assert!(
        count(&after, code) < count(before, code),
        "{code} is still there:\n{fixed}\n{after:#?}"
    );
    // A repaired line may now have hints.
    for it in after.iter().filter(|it| it.severity != Severity::Hint) {
        assert!(
            count(&after, it.code) <= count(before, it.code),
            "{} brings {it:#?}\n{fixed}",
            fix.id
        );
    }
    fixed
}

/// Returns the ids of the fixes for the first diagnostic of a code.
pub(crate) fn offered(code: &str, program: &str) -> Vec<&'static str> {
    let fixture = Fixture::new(&format!("{IMPORTS}{program}"));
    let (_, fixes) = fixes_of(&fixture, code);
    fixes.iter().map(|fix| fix.id).collect()
}

#[test]
fn every_code_has_a_fix_or_a_reason_why_not() {
    let fixed = FIXES.iter().map(|row| row.code);
    let of_file = FILE_FIXES.iter().map(|row| row.code);
    let of_relay = RELAY_FIXES.iter().map(|row| row.code);
    let fixed: BTreeSet<Code> = fixed.chain(of_file).chain(of_relay).collect();
    let unfixed: BTreeSet<Code> = UNFIXED.iter().map(|row| row.0).collect();
    let both: Vec<_> = fixed.intersection(&unfixed).collect();
    assert!(
        both.is_empty(),
        "fixed, and with a reason why not: {both:?}"
    );
    let all = Code::ALL.iter();
    let neither: Vec<_> = all
        .filter(|it| !fixed.contains(it) && !unfixed.contains(it))
        .collect();
    assert!(
        neither.is_empty(),
        "no fix, and no reason in UNFIXED: {neither:?}"
    );
}

#[test]
fn fixes_of_page_examples_work_in_every_dialect() {
    let fixed = Page::all().filter(|page| UNFIXED.iter().all(|row| row.0 != page.code));
    for page in fixed {
        let program = page.whole_file(page.wrong());
        let others = match page.language() {
            Language::Relay => Vec::new(),
            Language::Python | Language::Cell => dialects::others(&program),
        };
        let code = page.code.name();
        let others = others.into_iter().filter(|(written, _)| {
            !(is_of_dialect(code) || *written == Spelling::Rfc && UNKNOWN_TO_RFC.contains(&code))
        });
        for program in others.map(|(_, text)| text).chain([program]) {
            let fixture = Fixture::of(page.language(), &program);
            let (before, fixes) = fixes_of(&fixture, code);
            assert!(!fixes.is_empty(), "no fix of {code}: {program}");
            for fix in &fixes {
                applied(&fixture, code, &before, fix);
            }
        }
    }
}

#[test]
fn a_range_offers_fixes_for_the_diagnostics_it_touches() {
    let fixture = Fixture::new(&format!(
        "{IMPORTS}@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    y = R.e$0xq(x)\n    return y\n"
    ));
    let at = TextRange::empty(fixture.position().offset);
    let fixes = fixture.analysis.fixes(fixture.file, at, &[]).unwrap();
    assert_eq!(fixes.len(), 1);
    let elsewhere = TextRange::empty(TextSize::of(&*fixture.text));
    assert!(
        fixture
            .analysis
            .fixes(fixture.file, elsewhere, &[])
            .unwrap()
            .is_empty()
    );
}
