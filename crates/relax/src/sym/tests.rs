//! Tests of the whole engine: normal forms, proofs, and that no operation changes a value.

#![allow(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

mod proofs;
mod recorded;
pub mod script;

use std::fmt::Write;

use expect_test::{Expect, expect};

use self::script::{Script, sym};
use super::*;
use crate::random::Random;

fn var(name: &str) -> SymVar {
    SymVar {
        name: name.into(),
        id: 0,
    }
}

/// Prints the normal form of each line.
fn check_forms(lines: &str, expect: Expect) {
    let mut text = String::new();
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        writeln!(text, "{line:28} -> {}", sym(line)).unwrap();
    }
    expect.assert_eq(&text);
}

/// Prints the simplified form of each line for dimensions.
fn check_simplified(cx: &SymCx, lines: &str, expect: Expect) {
    let mut text = String::new();
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        writeln!(text, "{line:32} -> {}", cx.simplify(&sym(line))).unwrap();
    }
    expect.assert_eq(&text);
}

/// Prints the answer for each line, an equation or inequality.
fn check_answers(cx: &SymCx, lines: &str, expect: Expect) {
    let mut text = String::new();
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let answer = if let Some((a, b)) = line.split_once("==") {
            cx.equal(&sym(a), &sym(b))
        } else if let Some((a, b)) = line.split_once("<=") {
            cx.less_equal(&sym(a), &sym(b))
        } else if let Some((a, b)) = line.split_once('<') {
            cx.less(&sym(a), &sym(b))
        } else if let Some((by, a)) = line.split_once('|') {
            cx.divisible(&sym(a), &sym(by))
        } else {
            panic!("no question: {line}")
        };
        writeln!(text, "{line:44} {answer:?}").unwrap();
    }
    expect.assert_eq(&text);
}

#[test]
fn equal_polynomials_are_equal_values() {
    for (a, b) in [
        ("n + m", "m + n"),
        ("(n + 1) * 2", "2 + n * 2"),
        ("(n + m) * (n - m)", "n * n - m * m"),
        ("n * m * k", "k * n * m"),
        ("n - n", "0"),
        ("n * 0", "0"),
        ("n * 3 - n * 2", "n"),
        ("(n + 1) * (m + 1) - n * m - 1", "n + m"),
    ] {
        assert_eq!(sym(a), sym(b), "{a}");
    }
}

#[test]
fn variables_with_equal_names_differ() {
    let other = SymExpr::Var(SymVar {
        name: "n".into(),
        id: 1,
    });
    assert_ne!(sym("n"), other);
    assert_eq!(SymCx::default().equal(&sym("n"), &other), Tri::Maybe);
}

#[test]
fn sums_and_products() {
    check_forms(
        "
        1 + n
        n + n
        2 * n + 1
        m + n * m - 3
        4 - n
        -n
        -n - 1
        n * -4
        -(n * m)
        n * n + n
        (n + 15) * (m - 1)
        ",
        expect![[r#"
            1 + n                        -> n + 1
            n + n                        -> n * 2
            2 * n + 1                    -> n * 2 + 1
            m + n * m - 3                -> m * n + m - 3
            4 - n                        -> 4 - n
            -n                           -> -n
            -n - 1                       -> -n - 1
            n * -4                       -> n * -4
            -(n * m)                     -> -m * n
            n * n + n                    -> n * n + n
            (n + 15) * (m - 1)           -> m * n + m * 15 - n - 15
        "#]],
    );
}

#[test]
fn floor_divisions() {
    check_forms(
        "
        n * 4 // 4
        n * 4 % 4
        (n + 4) // 4
        (n + 5) // 4
        (n - 1) // 4
        n // 4 * 4 + n % 4
        n // 4 // 2
        (n // 4 + 1) // 2
        (n * 6 + 3) // 4
        (n * 6 + 3) % 4
        (n * 4 + m) // 4
        (n * 4 + m) % 4
        n % 8 % 4
        n % 4 // 4
        n % 4 // 2
        n // 1
        n % 1
        n // -4
        n % -4
        -n // 4
        7 // 2
        -7 // 2
        -7 % 3
        7 % -3
        n // 0
        (n + 15) // 16 * 16
        (n * 5 + 8) // 4
        ",
        expect![[r#"
            n * 4 // 4                   -> n
            n * 4 % 4                    -> 0
            (n + 4) // 4                 -> n // 4 + 1
            (n + 5) // 4                 -> (n + 1) // 4 + 1
            (n - 1) // 4                 -> (n + 3) // 4 - 1
            n // 4 * 4 + n % 4           -> n
            n // 4 // 2                  -> n // 8
            (n // 4 + 1) // 2            -> (n + 4) // 8
            (n * 6 + 3) // 4             -> (n * 3 + 1) // 2
            (n * 6 + 3) % 4              -> (n + 1) % 2 * 2 + 1
            (n * 4 + m) // 4             -> n + m // 4
            (n * 4 + m) % 4              -> m % 4
            n % 8 % 4                    -> n % 4
            n % 4 // 4                   -> 0
            n % 4 // 2                   -> n % 4 // 2
            n // 1                       -> n
            n % 1                        -> 0
            n // -4                      -> (n + 3) // 4 * -1
            n % -4                       -> -n % 4 * -1
            -n // 4                      -> (n + 3) // 4 * -1
            7 // 2                       -> 3
            -7 // 2                      -> -4
            -7 % 3                       -> 2
            7 % -3                       -> -2
            n // 0                       -> n // 0
            (n + 15) // 16 * 16          -> (n + 15) // 16 * 16
            (n * 5 + 8) // 4             -> n * 5 // 4 + 2
        "#]],
    );
}

#[test]
fn divisions_by_expressions() {
    check_forms(
        "
        n * m // m
        n * m % m
        (n * m + k) // m
        (n * m + k) % m
        n // n
        n % n
        0 // n
        (n * n + n) // (n + 1)
        n * 4 // (m * 2)
        n * k // (m * k)
        n * k % (m * k)
        (a + b - a - 1) // b
        n // -m
        (n + m) // (m + 1)
        ",
        expect![[r#"
            n * m // m                   -> n
            n * m % m                    -> 0
            (n * m + k) // m             -> n + k // m
            (n * m + k) % m              -> k % m
            n // n                       -> 1
            n % n                        -> 0
            0 // n                       -> 0
            (n * n + n) // (n + 1)       -> n
            n * 4 // (m * 2)             -> n * 2 // m
            n * k // (m * k)             -> n // m
            n * k % (m * k)              -> k * (n % m)
            (a + b - a - 1) // b         -> -1 // b + 1
            n // -m                      -> -n // m
            (n + m) // (m + 1)           -> (n - 1) // (m + 1) + 1
        "#]],
    );
}

#[test]
fn truncated_divisions() {
    check_forms(
        "
        truncdiv(7, -2)
        truncmod(-7, 2)
        truncdiv(n, 4)
        truncdiv(n * 4, 2)
        truncdiv(n % 8, 3)
        truncdiv(-n, 4)
        truncmod(-n, 4)
        truncmod(n * 4, 2)
        truncdiv(n, 1)
        truncdiv(n, -3)
        ",
        expect![[r#"
            truncdiv(7, -2)              -> -3
            truncmod(-7, 2)              -> -1
            truncdiv(n, 4)               -> truncdiv(n, 4)
            truncdiv(n * 4, 2)           -> n * 2
            truncdiv(n % 8, 3)           -> n % 8 // 3
            truncdiv(-n, 4)              -> truncdiv(n, 4) * -1
            truncmod(-n, 4)              -> truncmod(n, 4) * -1
            truncmod(n * 4, 2)           -> 0
            truncdiv(n, 1)               -> n
            truncdiv(n, -3)              -> truncdiv(n, 3) * -1
        "#]],
    );
}

#[test]
fn extrema_comparisons_and_choices() {
    check_forms(
        "
        min(n, n)
        min(n, n + 1)
        max(n, n + 1)
        min(3, n)
        max(0, max(m, n))
        min(max(n, m), n)
        max(n % 4, 7)
        n < n + 1
        n + 1 < m + 1
        n > 5
        n >= m
        n == n
        n == n + 1
        2 * n == 2 * m + 1
        2 * n == 2 * m
        n != 3 and n != 3
        n < 3 and 1
        n < 3 and 0
        n < 3 or n >= 3
        not n < m
        not (n < 3 and m == 2)
        select(1 < 2, n, m)
        select(n < m, n, n)
        select(n < m, 1, 0)
        select(not n < m, a, b)
        cast(int64, n + 1)
        cast(int32, n)
        cast(int8, 200)
        cast(uint8, n % 4)
        cast(bool, n)
        ",
        expect![[r#"
            min(n, n)                    -> n
            min(n, n + 1)                -> n
            max(n, n + 1)                -> n + 1
            min(3, n)                    -> min(n, 3)
            max(0, max(m, n))            -> max(max(m, n), 0)
            min(max(n, m), n)            -> n
            max(n % 4, 7)                -> 7
            n < n + 1                    -> 1
            n + 1 < m + 1                -> n < m
            n > 5                        -> 5 < n
            n >= m                       -> m <= n
            n == n                       -> 1
            n == n + 1                   -> 0
            2 * n == 2 * m + 1           -> 0
            2 * n == 2 * m               -> m == n
            n != 3 and n != 3            -> n != 3
            n < 3 and 1                  -> n < 3
            n < 3 and 0                  -> 0
            n < 3 or n >= 3              -> 1
            not n < m                    -> m <= n
            not (n < 3 and m == 2)       -> 2 < n or m != 2
            select(1 < 2, n, m)          -> n
            select(n < m, n, n)          -> n
            select(n < m, 1, 0)          -> n < m
            select(not n < m, a, b)      -> select(n < m, b, a)
            cast(int64, n + 1)           -> n + 1
            cast(int32, n)               -> cast(int32, n)
            cast(int8, 200)              -> -56
            cast(uint8, n % 4)           -> n % 4
            cast(bool, n)                -> n != 0
        "#]],
    );
}

#[test]
fn overflow_keeps_the_expression() {
    let max = SymExpr::Int(i64::MAX);
    let min = SymExpr::Int(i64::MIN);
    for expr in [
        max.add(&SymExpr::Int(1)),
        min.sub(&SymExpr::Int(1)),
        max.mul(&SymExpr::Int(2)),
        min.floordiv(&SymExpr::Int(-1)),
        min.truncdiv(&SymExpr::Int(-1)),
        sym("n").mul(&max).add(&sym("n").mul(&max)),
        min.neg(),
    ] {
        assert!(expr.as_int().is_none(), "{expr}");
        assert_eq!(expr.eval(&|_| Some(3)), None, "{expr}");
        let cx = SymCx::default();
        for other in [&max, &min, &expr.neg(), &expr.floordiv(&min)] {
            cx.equal(&expr, other);
            cx.less(other, &expr);
            cx.simplify(&expr.floormod(other));
        }
    }
}

#[test]
fn nested_operations_stay_small() {
    let mut expr = sym("n");
    for i in 0..5000 {
        expr = SymExpr::apply(Op::Max, &[expr.sub(&sym("m")), (i % 7).into()]);
    }
    assert_eq!(expr.vars().len(), 2);
    let mut product = sym("n + 1");
    for _ in 0..200 {
        product = product.mul(&product.add(&sym("m")));
    }
    assert!(product.to_string().len() < 10_000);
}

#[test]
fn substitution_renormalises() {
    let to = |v: &SymVar| (v.name == "n").then(|| sym("m * 4"));
    for (from, into) in [
        ("n // 4", "m"),
        ("n % 4 + k", "k"),
        ("min(n, m * 4 + 1)", "m * 4"),
        ("k", "k"),
    ] {
        assert_eq!(sym(from).substitute(&to), sym(into), "{from}");
    }
}

/// Replaces small constants with ones at the ends of the range.
fn extreme(script: Script, random: &mut Random) -> Script {
    const ENDS: [i64; 6] = [i64::MIN, i64::MIN + 1, i64::MAX, i64::MAX - 1, -1, 1 << 62];
    match script {
        Script::Int(_) => Script::Int(ENDS[random.below(6) as usize]),
        Script::Var(name) => Script::Var(name),
        Script::Op(op, args) => {
            let args = args.into_iter().map(|a| extreme(a, random)).collect();
            Script::Op(op, args)
        }
    }
}

impl Random {
    /// Returns a random expression.
    fn expr(&mut self, depth: u32) -> Script {
        const NAMES: [&str; 3] = ["k", "m", "n"];
        const OPS: [Op; 17] = [
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::FloorDiv,
            Op::FloorMod,
            Op::TruncDiv,
            Op::TruncMod,
            Op::Min,
            Op::Max,
            Op::Lt,
            Op::Le,
            Op::Gt,
            Op::Ge,
            Op::Eq,
            Op::Ne,
            Op::And,
            Op::Or,
        ];
        if depth == 0 || self.below(6) == 0 {
            return if self.below(2) == 0 {
                Script::Int(self.below(14) as i64 - 4)
            } else {
                Script::Var(NAMES[self.below(3) as usize].into())
            };
        }
        match self.below(24) {
            0 => Script::Op(Op::Not, vec![self.expr(depth - 1)]),
            1 => Script::Op(
                Op::Select,
                vec![
                    self.expr(depth - 1),
                    self.expr(depth - 1),
                    self.expr(depth - 1),
                ],
            ),
            // Mostly arithmetic.
            n if n < 18 => {
                let op = OPS[self.below(9) as usize];
                Script::Op(op, vec![self.expr(depth - 1), self.expr(depth - 1)])
            }
            _ => {
                let op = OPS[self.below(17) as usize];
                Script::Op(op, vec![self.expr(depth - 1), self.expr(depth - 1)])
            }
        }
    }

    fn values(&mut self, least: i64) -> impl Fn(&str) -> Option<i64> + use<> {
        let values = [
            self.below(24) as i64 + least,
            self.below(9) as i64 + least,
            self.below(40) as i64 + least,
        ];
        move |name| match name {
            "k" => Some(values[0]),
            "m" => Some(values[1]),
            "n" => Some(values[2]),
            _ => None,
        }
    }
}

#[test]
fn normal_form_display_and_simplification_keep_the_value() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let cx = SymCx::default();
    let mut defined = 0;
    for round in 0..6000 {
        let script = random.expr(1 + round % 4);
        let normal = script.build();
        let text = normal.to_string();
        let read = Script::parse(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let simple = cx.simplify(&normal);
        for _ in 0..6 {
            let signed = random.values(-12);
            if let Some(value) = script.eval(&signed) {
                defined += 1;
                let at = |v: &SymVar| signed(&v.name);
                assert_eq!(normal.eval(&at), Some(value), "{script:?} as {normal}");
                assert_eq!(read.eval(&signed), Some(value), "{text}");
            }
            let dims = random.values(0);
            if let Some(value) = script.eval(&dims) {
                let at = |v: &SymVar| dims(&v.name);
                assert_eq!(simple.eval(&at), Some(value), "{normal} as {simple}");
            }
        }
    }
    assert!(defined > 20_000, "{defined}");
}

#[test]
fn proofs_never_contradict_values() {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    let cx = SymCx::default();
    let mut decided = 0;
    for round in 0..2000 {
        let (a, b) = (random.expr(1 + round % 4), random.expr(1 + round % 3));
        let (x, y) = (a.build(), b.build());
        let (equal, less) = (cx.equal(&x, &y), cx.less(&x, &y));
        decided += usize::from(equal != Tri::Maybe);
        for _ in 0..12 {
            let dims = random.values(0);
            let (Some(v), Some(w)) = (a.eval(&dims), b.eval(&dims)) else {
                continue;
            };
            let wrong = |answer, holds| answer == if holds { Tri::No } else { Tri::Yes };
            assert!(!wrong(equal, v == w), "{x} == {y}: {equal:?}");
            assert!(!wrong(less, v < w), "{x} < {y}: {less:?}");
        }
    }
    assert!(decided > 350, "{decided}");
}

#[test]
fn constants_of_any_size_are_accepted() {
    let mut random = Random::new(0x1234_5678_9abc_def1);
    for round in 0..3000 {
        let (a, b) = (random.expr(1 + round % 4), random.expr(1 + round % 3));
        let (x, y) = (
            extreme(a, &mut random).build(),
            extreme(b, &mut random).build(),
        );
        let mut cx = SymCx::default();
        if round % 5 == 0 {
            cx.assume_signed(&var("n"));
            cx.assume_ge(&x, &sym("k"));
            cx.assume_equal(&y, &sym("m"));
        }
        let (equal, less) = (cx.equal(&x, &y), cx.less(&x, &y));
        cx.bounds(&x);
        solve(&x, &y, &var("n"));
        for value in [0, 3, i64::MAX] {
            let at = |_: &SymVar| Some(value);
            let (Some(v), Some(w)) = (x.eval(&at), y.eval(&at)) else {
                continue;
            };
            let simple = cx.simplify(&x).eval(&at);
            if cx == SymCx::default() {
                assert!(simple.is_none_or(|s| s == v), "{x}: {v}, then {simple:?}");
                assert_ne!(equal, if v == w { Tri::No } else { Tri::Yes }, "{x} == {y}");
                assert_ne!(less, if v < w { Tri::No } else { Tri::Yes }, "{x} < {y}");
            }
        }
    }
}

#[test]
fn long_operand_lists_are_not_normalised() {
    let vars: Vec<SymExpr> = (0..200)
        .map(|i| SymExpr::Var(var(&format!("v{i}"))).add(&SymExpr::Int(i % 3)))
        .collect();
    let max = SymExpr::apply(Op::Max, &vars);
    let cx = SymCx::default();
    assert_eq!(cx.simplify(&max), max);
    assert_eq!(cx.less_equal(&SymExpr::Int(0), &max), Tri::Yes);
}

#[test]
fn an_expression_is_displayed_as_written_but_compared_normalised() {
    let (n, m) = (SymExpr::var(var("n")), SymExpr::var(var("m")));
    let written = SymExpr::write(Op::Mul, &[n.clone(), m.clone()]);
    let other = SymExpr::write(Op::Mul, &[m.clone(), n.clone()]);
    assert_eq!(
        (written.to_string(), other.to_string()),
        ("n * m".into(), "m * n".into())
    );
    assert_eq!(written, other);
    assert!(!written.is_written_like(&other) && written.is_written_like(&written.clone()));
    // Results are in normal form, but operands are displayed as they are written.
    assert_eq!(written.add(&written).to_string(), "m * n * 2");
    let one = SymExpr::Int(1);
    let sum = SymExpr::write(Op::Add, &[one.clone(), written.clone()]);
    let product = SymExpr::write(Op::Mul, &[sum, n.write_negation()]);
    assert_eq!(product.to_string(), "(1 + n * m) * -n");
    assert_eq!(
        SymExpr::write(Op::Mul, &[written.clone(), one]).to_string(),
        "n * m"
    );
    assert_eq!(
        SymExpr::product([&n, &4.into(), &m, &2.into()]).to_string(),
        "n * m * 8"
    );
    // A long expression is only kept up to the length that is displayed.
    let one_more = |sum, _| SymExpr::write(Op::Add, &[1.into(), sum]);
    let long = (0..10_000).fold(n.clone(), one_more);
    assert_eq!(long, n.add(&10_000.into()));
    assert!(long.to_string().len() < 500);
}
