//! Tests of the table of fixes, and of requests about ranges. What each fix does, `tests/cases/fixes` says.

use std::collections::BTreeSet;

use relax::Code;
use text_size::{TextRange, TextSize};

use super::{Budget, FILE_FIXES, FIXES, RELAY_FIXES, UNFIXED};
use crate::fixture::{Fixture, IMPORTS};

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
