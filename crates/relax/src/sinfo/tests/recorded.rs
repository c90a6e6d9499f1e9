//! Compares how TVM 0.27 grades pairs of types, and what it joins them to.
//!
//! A line of the table is `found | base | level | join`, where the level is TVM's 0 (never) to 3 (always).

use super::sinfo;
use crate::sinfo::call::derive;
use crate::sinfo::{Fit, StructInfo};
use crate::sym::SymCx;

const TABLE: &str = include_str!("../../../test_data/subtypes.txt");

#[test]
fn compatibility_and_join_agree_with_tvm() {
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

/// A line is `callee | argument ; argument | result`. The result is TVM's, or `argument i` if it rejects that one.
const CALLS: &str = include_str!("../../../test_data/calls.txt");

#[test]
fn derived_call_results_agree_with_tvm() {
    let cx = SymCx::default();
    let mut wrong = Vec::new();
    for line in CALLS.lines().filter(|l| !l.is_empty()) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let &[callee, args, result] = parts.as_slice() else {
            panic!("not three parts: {line}");
        };
        let StructInfo::Callable(callee) = sinfo(callee) else {
            panic!("no callable: {line}");
        };
        let args: Vec<StructInfo> = args.split(" ; ").map(sinfo).collect();
        let derived = derive(&callee, &args, &cx);
        let rejected = derived
            .args
            .iter()
            .position(|arg| matches!(arg.fit, Fit::Never | Fit::Narrower));
        let agrees = match (rejected, result.strip_prefix("argument ")) {
            (Some(ours), Some(tvm)) => tvm == ours.to_string(),
            (None, None) => derived.ret == sinfo(result),
            _ => false,
        };
        if !agrees {
            wrong.push(format!("{line}: {rejected:?} {}", derived.ret.brief()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
