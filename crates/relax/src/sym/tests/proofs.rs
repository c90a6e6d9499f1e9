//! Tests of proofs: equality, order, divisibility, solutions.

use std::fmt::Write;

use expect_test::expect;

use super::script::sym;
use super::{check_answers, check_simplified, var};
use crate::sym::{Solution, SymCx, solve};

#[test]
fn equality_is_proved_or_refuted() {
    check_answers(
        &SymCx::default(),
        "
        n == n
        n == n + 1
        n == m
        2 * n == n
        2 * n == 2 * m + 1
        n == -1
        n == 0
        n + 1 == 0
        3 == 4
        n == 2 * n + 1
        n * 5 // 4 == n + n // 4
        n % 4 == n - n // 4 * 4
        (b - b % -3) // 3 == (b + 2) // 3
        (n + 3) // 4 == (n - 1) // 4 + 1
        (n + 1) // 2 + n // 2 == n
        min(n, m) + max(n, m) == n + m
        max(n + 1, 21) == max(n, 20) + 1
        n - min(n, 4) == max(n - 4, 0)
        min(n, 4) == 5
        max(n, 4) == 3
        n % 4 == 4
        select(n < m, n, m) == min(n, m)
        max(n * 2, m * 2) == max(n, m) * 2
        n // 2 // 3 == n // 6
        n % 8 // 4 == n // 4 % 2
        truncdiv(n, 2) == n // 2
        n * m == m * n
        n * n == -1
        (m * n) // m == n
        ",
        expect![[r#"
            n == n                                       Yes
            n == n + 1                                   No
            n == m                                       Maybe
            2 * n == n                                   Maybe
            2 * n == 2 * m + 1                           No
            n == -1                                      No
            n == 0                                       Maybe
            n + 1 == 0                                   No
            3 == 4                                       No
            n == 2 * n + 1                               No
            n * 5 // 4 == n + n // 4                     Yes
            n % 4 == n - n // 4 * 4                      Yes
            (b - b % -3) // 3 == (b + 2) // 3            Yes
            (n + 3) // 4 == (n - 1) // 4 + 1             Yes
            (n + 1) // 2 + n // 2 == n                   Yes
            min(n, m) + max(n, m) == n + m               Yes
            max(n + 1, 21) == max(n, 20) + 1             Yes
            n - min(n, 4) == max(n - 4, 0)               Yes
            min(n, 4) == 5                               No
            max(n, 4) == 3                               No
            n % 4 == 4                                   No
            select(n < m, n, m) == min(n, m)             Yes
            max(n * 2, m * 2) == max(n, m) * 2           Yes
            n // 2 // 3 == n // 6                        Yes
            n % 8 // 4 == n // 4 % 2                     Yes
            truncdiv(n, 2) == n // 2                     Yes
            n * m == m * n                               Yes
            n * n == -1                                  No
            (m * n) // m == n                            Yes
        "#]],
    );
}

#[test]
fn order_and_divisibility() {
    let mut cx = SymCx::default();
    cx.assume_ge(&sym("m"), &sym("1"));
    cx.assume_ge(&sym("a"), &sym("b + 2"));
    check_answers(
        &cx,
        "
        n <= n + m
        n < n + m
        n < n
        n // 2 <= n
        n // 4 * 4 <= n
        n - 3 <= n // 4 * 4
        n % m < m
        n <= n * m
        n * m < n
        b < a
        b + 1 < a
        b + 2 < a
        a <= b
        min(n, 4) <= 4
        min(n, k) <= n
        n <= max(n, k)
        4 | n * 8
        4 | n * 8 + 2
        4 | n
        m | n * m
        0 | n
        ",
        expect![[r#"
            n <= n + m                                   Yes
            n < n + m                                    Yes
            n < n                                        No
            n // 2 <= n                                  Yes
            n // 4 * 4 <= n                              Yes
            n - 3 <= n // 4 * 4                          Yes
            n % m < m                                    Yes
            n <= n * m                                   Yes
            n * m < n                                    No
            b < a                                        Yes
            b + 1 < a                                    Yes
            b + 2 < a                                    Maybe
            a <= b                                       No
            min(n, 4) <= 4                               Yes
            min(n, k) <= n                               Yes
            n <= max(n, k)                               Yes
            4 | n * 8                                    Yes
            4 | n * 8 + 2                                No
            4 | n                                        Maybe
            m | n * m                                    Yes
            0 | n                                        Maybe
        "#]],
    );
}

#[test]
fn equalities_replace_variables() {
    let mut cx = SymCx::default();
    cx.assume_equal(&sym("k"), &sym("n + 1"));
    cx.assume_equal(&sym("a * b"), &sym("c * d"));
    check_answers(
        &cx,
        "
        k == n + 1
        k * 2 == n * 2 + 2
        k == n
        1 <= k
        a * b == c * d
        a * b + 1 == c * d
        ",
        expect![[r#"
            k == n + 1                                   Yes
            k * 2 == n * 2 + 2                           Yes
            k == n                                       No
            1 <= k                                       Yes
            a * b == c * d                               Yes
            a * b + 1 == c * d                           No
        "#]],
    );
}

#[test]
fn a_dimension_bounds_its_variable() {
    let mut cx = SymCx::default();
    cx.assume_signed(&var("i"));
    cx.assume_ge(&sym("n - 2"), &sym("0"));
    check_answers(
        &cx,
        "
        n == 1
        2 <= n
        i == -1
        ",
        expect![[r#"
            n == 1                                       No
            2 <= n                                       Yes
            i == -1                                      Maybe
        "#]],
    );
}

#[test]
fn linear_equations_are_solved() {
    let mut text = String::new();
    for (a, b) in [
        ("n + 1", "5"),
        ("2 * n", "6"),
        ("2 * n", "5"),
        ("m - n", "k"),
        ("3 * n", "6 * m + 3"),
        ("2 * n", "4 * m + 1"),
        ("2 * n", "m"),
        ("n * m", "4"),
        ("n // 2", "4"),
        ("m", "4"),
    ] {
        let solution = match solve(&sym(a), &sym(b), &var("n")) {
            Solution::Value(value) => value.to_string(),
            other => format!("{other:?}"),
        };
        writeln!(text, "{a} == {b}: {solution}").unwrap();
    }
    expect![[r#"
        n + 1 == 5: 4
        2 * n == 6: 3
        2 * n == 5: Never
        m - n == k: m - k
        3 * n == 6 * m + 3: m * 2 + 1
        2 * n == 4 * m + 1: Never
        2 * n == m: Unknown
        n * m == 4: Unknown
        n // 2 == 4: Unknown
        m == 4: Unknown
    "#]]
    .assert_eq(&text);
}

#[test]
fn dimensions_are_not_negative() {
    let mut cx = SymCx::default();
    cx.assume_ge(&sym("p"), &sym("1"));
    check_simplified(
        &cx,
        "
        max(n, 0)
        min(n, -1)
        max(n - 1, 0)
        max(p - 1, 0)
        truncdiv(n, 4)
        truncmod(n + m, p)
        truncdiv(n - 1, 4)
        min(n, n + m)
        max(min(n, 4) - min(n, 2), 0)
        n % 4 // 8
        select(n >= 0, n, m)
        n < 0
        p == 0
        cast(uint64, n)
        (n % p) // p
        ",
        expect![[r#"
            max(n, 0)                        -> n
            min(n, -1)                       -> -1
            max(n - 1, 0)                    -> max(n - 1, 0)
            max(p - 1, 0)                    -> p - 1
            truncdiv(n, 4)                   -> n // 4
            truncmod(n + m, p)               -> (m + n) % p
            truncdiv(n - 1, 4)               -> truncdiv(n - 1, 4)
            min(n, n + m)                    -> n
            max(min(n, 4) - min(n, 2), 0)    -> max(min(n, 4) - min(n, 2), 0)
            n % 4 // 8                       -> 0
            select(n >= 0, n, m)             -> n
            n < 0                            -> 0
            p == 0                           -> 0
            cast(uint64, n)                  -> n
            (n % p) // p                     -> 0
        "#]],
    );
}
