//! How TVM 0.27 grades pairs of types and what it joins them to.
//!
//! A line of the table is `found | base | level | join`, the level being TVM's 0 (never) to 3 (always).

use super::notation::sinfo;
use crate::sinfo::Fit;
use crate::sym::SymCx;

const TABLE: &str = include_str!("../../../test_data/subtypes.txt");

#[test]
fn tvm_grades_and_joins_alike() {
    let cx = SymCx::default();
    let mut wrong = Vec::new();
    for line in TABLE.lines().filter(|l| !l.is_empty()) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let &[found, base, level, join] = parts.as_slice() else {
            panic!("not four parts: {line}");
        };
        let (found, base) = (sinfo(found), sinfo(base));
        let fit = match level {
            "0" => Fit::Never,
            "1" => Fit::Narrower,
            "2" => Fit::Unproved,
            _ => Fit::Always,
        };
        let (ours, joined) = (found.fit(&base, &cx), found.join(&base, &cx));
        if ours != fit {
            wrong.push(format!("{line}: {ours:?}"));
        }
        if joined != sinfo(join) {
            wrong.push(format!("{line}: joined to {}", joined.brief()));
        }
        assert_eq!(
            found
                .mismatches(&base, &cx)
                .iter()
                .any(|m| m.fit == Fit::Never),
            fit == Fit::Never,
            "{line}"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
