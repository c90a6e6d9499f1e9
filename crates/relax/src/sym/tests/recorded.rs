//! Tests that everything TVM's analyzer proves about pairs of dimensions is proved here.
//!
//! A line of the table is `a | b | eq, ne or ? | le, gt or ? | TVM's simplification of a`.

use super::script::{Script, sym};
use crate::sym::{SymCx, SymVar, Tri};

const TABLE: &str = include_str!("../../../test_data/analyzer.txt");

/// Pairs that TVM decides but this engine does not, since they need a deeper case analysis.
const WEAKER: &[&str] = &[
    "((m % k) + ((8 + 2) * 3)) | (min(((m % k) + ((8 + 2) * 3)), max(m, 3)) + max(((m % k) + ((8 + 2) * 3)), max(m, 3)) - max(m, 3))",
    "min(m, max(select(k < 8, 5, n), (2 // n))) | (min(min(m, max(select(k < 8, 5, n), (2 // n))), (1 - m)) + max(min(m, max(select(k < 8, 5, n), (2 // n))), (1 - m)) - (1 - m))",
];

#[test]
fn proofs_agree_with_tvm() {
    let cx = SymCx::default();
    let (mut weaker, mut wrong) = (Vec::new(), Vec::new());
    for line in TABLE.lines().filter(|l| !l.is_empty()) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let &[a, b, equal, order, simplified] = parts.as_slice() else {
            panic!("not five parts: {line}");
        };
        let (x, y) = (sym(a), sym(b));
        for (tvm, ours) in [(equal, cx.equal(&x, &y)), (order, cx.less_equal(&x, &y))] {
            match (tvm, ours) {
                ("eq" | "le", Tri::No) | ("ne" | "gt", Tri::Yes) => wrong.push(line),
                ("eq" | "le" | "ne" | "gt", Tri::Maybe) => weaker.push(format!("{a} | {b}")),
                _ => {}
            }
        }
        let script = Script::parse(simplified).unwrap_or_else(|e| panic!("{line}: {e}"));
        for seed in 1..6_i64 {
            let value = |name: &str| Some(name.bytes().map(i64::from).sum::<i64>() * seed % 23);
            let at = |v: &SymVar| value(&v.name);
            if let (Some(tvm), Some(ours)) = (script.eval(&value), cx.simplify(&x).eval(&at))
                && tvm != ours
            {
                wrong.push(line);
            }
        }
    }
    weaker.dedup();
    assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
    assert_eq!(weaker, WEAKER);
}
