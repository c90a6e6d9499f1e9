//! Normal forms of divisions and remainders.
//!
//! Parts that the divisor divides are moved out of the dividend: `(n * 4 + 6) // 4` is `n + (6 // 4)`. As in TVM, a
//! divisor is assumed not to be zero: `n * m // m` is `n`.

use super::node::raw;
use super::sum::gcd;
use super::{Op, Sum, SymExpr, Term, bounds, eval};

/// The maximum number of steps of a polynomial division.
const MAX_STEPS: usize = 64;

pub(super) fn floordiv(a: &SymExpr, b: &SymExpr) -> SymExpr {
    if let Some(simple) = constant_case(Op::FloorDiv, a, b) {
        return simple;
    }
    let quotient = match b.as_int() {
        Some(by) => floordiv_by_constant(Sum::of(a), by),
        None => floordiv_by_sum(Sum::of(a), Sum::of(b)),
    };
    quotient.map_or_else(
        || raw(Op::FloorDiv, &[a.clone(), b.clone()]),
        Sum::into_expr,
    )
}

pub(super) fn floormod(a: &SymExpr, b: &SymExpr) -> SymExpr {
    if let Some(simple) = constant_case(Op::FloorMod, a, b) {
        return simple;
    }
    let rest = match b.as_int() {
        Some(by) => floormod_by_constant(Sum::of(a), by),
        None => floormod_by_sum(Sum::of(a), Sum::of(b)),
    };
    rest.map_or_else(
        || raw(Op::FloorMod, &[a.clone(), b.clone()]),
        Sum::into_expr,
    )
}

pub(super) fn truncdiv(a: &SymExpr, b: &SymExpr) -> SymExpr {
    if let Some(simple) = constant_case(Op::TruncDiv, a, b) {
        return simple;
    }
    if bounds::anywhere(a).at_least(0) && bounds::anywhere(b).at_least(1) {
        return floordiv(a, b);
    }
    truncdiv_sums(Sum::of(a), Sum::of(b))
        .unwrap_or_else(|| raw(Op::TruncDiv, &[a.clone(), b.clone()]))
}

pub(super) fn truncmod(a: &SymExpr, b: &SymExpr) -> SymExpr {
    if let Some(simple) = constant_case(Op::TruncMod, a, b) {
        return simple;
    }
    if bounds::anywhere(a).at_least(0) && bounds::anywhere(b).at_least(1) {
        return floormod(a, b);
    }
    truncmod_sums(&Sum::of(a), &Sum::of(b))
        .unwrap_or_else(|| raw(Op::TruncMod, &[a.clone(), b.clone()]))
}

/// Handles constants and equal operands.
fn constant_case(op: Op, a: &SymExpr, b: &SymExpr) -> Option<SymExpr> {
    let quotient = matches!(op, Op::FloorDiv | Op::TruncDiv);
    match (a, b) {
        (_, SymExpr::Int(0)) => Some(raw(op, &[a.clone(), b.clone()])),
        (SymExpr::Int(x), SymExpr::Int(y)) => Some(
            eval::fold(op, &[*x, *y])
                .map_or_else(|| raw(op, &[a.clone(), b.clone()]), SymExpr::Int),
        ),
        (_, SymExpr::Int(1)) if quotient => Some(a.clone()),
        (_, SymExpr::Int(1)) | (SymExpr::Int(0), _) => Some(SymExpr::Int(0)),
        _ if a == b => Some(SymExpr::Int(i64::from(quotient))),
        _ => None,
    }
}

/// Splits `sum` into the terms whose coefficients `by` divides, divided by it, and the others.
fn split(sum: &Sum, by: i64) -> (Sum, Sum) {
    let (whole, rest): (Vec<Term>, Vec<Term>) =
        sum.terms.iter().cloned().partition(|t| t.coeff % by == 0);
    let whole = Sum {
        terms: whole,
        constant: 0,
    };
    let mut whole = whole.exact_div(by);
    whole.constant = sum.constant.div_euclid(by);
    let rest = Sum {
        terms: rest,
        constant: sum.constant.rem_euclid(by),
    };
    (whole, rest)
}

fn floordiv_by_constant(sum: Sum, by: i64) -> Option<Sum> {
    if by < 0 {
        return floordiv_by_constant(sum.scaled(-1)?, by.checked_neg()?);
    }
    let (whole, mut rest) = split(&sum, by);
    if rest.terms.is_empty() {
        return Some(whole);
    }
    let common = gcd(rest.content(), by);
    let by = by / common;
    rest = rest.exact_div(common);
    if by == 1 {
        return whole.plus(&rest, 1);
    }
    if rest.all_negative() {
        // Rounding down is the negative of rounding up: `-n // 4` is `-((n + 3) // 4)`.
        let positive = rest.scaled(-1)?.shifted(by - 1)?;
        return whole.plus(&floordiv_atom(positive, by)?, -1);
    }
    whole.plus(&floordiv_atom(rest, by)?, 1)
}

/// Returns `sum // by` for a sum without terms that `by` divides.
fn floordiv_atom(sum: Sum, by: i64) -> Option<Sum> {
    let expr = sum.expr();
    let range = bounds::anywhere(&expr);
    if let (Some(lo), Some(hi)) = (range.lo, range.hi)
        && lo.div_euclid(by) == hi.div_euclid(by)
    {
        return Some(Sum::constant(lo.div_euclid(by)));
    }
    if let [term] = sum.terms.as_slice()
        && let Some(atom) = term.as_atom()
        && let Some((Op::FloorDiv, [x, inner])) = atom.as_op()
        && (sum.constant == 0 || inner.as_int().is_some())
    {
        // `(x // a + b) // c` is `(x + a * b) // (a * c)` for a positive constant c.
        let inner = Sum::of(inner);
        let x = Sum::of(x).plus(&inner.scaled(sum.constant)?, 1)?;
        let merged = floordiv(&x.into_expr(), &inner.scaled(by)?.into_expr());
        return Some(Sum::of(&merged));
    }
    Some(Sum::of(&raw(Op::FloorDiv, &[expr, SymExpr::Int(by)])))
}

fn floormod_by_constant(mut sum: Sum, by: i64) -> Option<Sum> {
    if by < 0 {
        return floormod_by_constant(sum.scaled(-1)?, by.checked_neg()?)?.scaled(-1);
    }
    // `x % (k * by)` within the dividend can be replaced with `x`.
    while let Some((index, x)) = sum.terms.iter().enumerate().find_map(|(i, term)| {
        let [factor] = term.factors.as_slice() else {
            return None;
        };
        match factor.as_op() {
            Some((Op::FloorMod, [x, SymExpr::Int(inner)])) if *inner != 0 && inner % by == 0 => {
                Some((i, x.clone()))
            }
            _ => None,
        }
    }) {
        let term = sum.terms.remove(index);
        sum = sum.plus(&Sum::of(&x), term.coeff)?;
    }
    sum.terms.retain_mut(|term| {
        term.coeff %= by;
        term.coeff != 0
    });
    sum.constant = sum.constant.rem_euclid(by);
    if sum.terms.is_empty() {
        return Some(sum);
    }
    let common = gcd(sum.content(), by);
    if common > 1 {
        let rest = sum.constant % common;
        let inner = floormod_by_constant(sum.exact_div(common), by / common)?;
        return inner.scaled(common)?.shifted(rest);
    }
    let expr = sum.expr();
    let range = bounds::anywhere(&expr);
    if let (Some(lo), Some(hi)) = (range.lo, range.hi)
        && lo.div_euclid(by) == hi.div_euclid(by)
    {
        return sum.shifted(-(lo.div_euclid(by).checked_mul(by)?));
    }
    Some(Sum::of(&raw(Op::FloorMod, &[expr, SymExpr::Int(by)])))
}

/// Cancels the constant factor and the factors that all terms of dividend and divisor share, and returns them too.
fn reduce(a: Sum, b: Sum) -> (Sum, Sum, Term) {
    let constant = gcd(gcd(a.content(), a.constant), gcd(b.content(), b.constant)).max(1);
    let mut shared = Term {
        coeff: constant,
        factors: Vec::new(),
    };
    let (mut a, mut b) = (a.exact_div(constant), b.exact_div(constant));
    if a.constant != 0 || b.constant != 0 {
        return (a, b, shared);
    }
    let Some(first) = b.terms.first().map(|t| t.factors.clone()) else {
        return (a, b, shared);
    };
    for factor in first {
        let everywhere =
            |s: &Sum| s.constant == 0 && s.terms.iter().all(|t| t.factors.contains(&factor));
        if everywhere(&a) && everywhere(&b) {
            a = without(a, &factor);
            b = without(b, &factor);
            shared.factors.push(factor);
        }
    }
    (a, b, shared)
}

/// Divides `sum` by a factor of each of its terms.
fn without(sum: Sum, factor: &SymExpr) -> Sum {
    let mut result = Sum::default();
    for mut term in sum.terms {
        if let Some(at) = term.factors.iter().position(|f| f == factor) {
            term.factors.remove(at);
        }
        if term.factors.is_empty() {
            result.constant = term.coeff;
        } else {
            result.terms.push(term);
        }
    }
    result
}

/// Returns quotient and remainder of a polynomial division. The remainder contains what the leading term does not
/// divide.
fn divide(a: &Sum, b: &Sum) -> Option<(Sum, Sum)> {
    let lead = b.terms.first()?;
    let (mut left, mut quotient, mut rest) = (a.clone(), Sum::default(), Sum::default());
    for _ in 0..MAX_STEPS {
        let Some(term) = left.terms.first().cloned() else {
            rest.constant = left.constant;
            return Some((quotient, rest));
        };
        if let Some(by) = divide_term(&term, lead) {
            left = left.plus(&b.times_term(&by)?, -1)?;
            let by = if by.factors.is_empty() {
                Sum::constant(by.coeff)
            } else {
                Sum {
                    terms: vec![by],
                    constant: 0,
                }
            };
            quotient = quotient.plus(&by, 1)?;
        } else {
            left.terms.remove(0);
            rest.terms.push(term);
        }
    }
    None
}

fn divide_term(term: &Term, by: &Term) -> Option<Term> {
    if term.coeff.checked_rem(by.coeff)? != 0 {
        return None;
    }
    let mut factors = term.factors.clone();
    for factor in &by.factors {
        let at = factors.iter().position(|f| f == factor)?;
        factors.remove(at);
    }
    Some(Term {
        coeff: term.coeff / by.coeff,
        factors,
    })
}

fn floordiv_by_sum(a: Sum, b: Sum) -> Option<Sum> {
    let (a, b, _) = reduce(a, b);
    if let Some(by) = b.as_int() {
        return Some(Sum::of(&floordiv(&a.into_expr(), &SymExpr::Int(by))));
    }
    if b.all_negative() && b.constant <= 0 {
        return floordiv_by_sum(a.scaled(-1)?, b.scaled(-1)?);
    }
    let (quotient, rest) = divide(&a, &b)?;
    if rest.as_int() == Some(0) {
        return Some(quotient);
    }
    let atom = raw(Op::FloorDiv, &[rest.into_expr(), b.into_expr()]);
    quotient.plus(&Sum::of(&atom), 1)
}

fn floormod_by_sum(a: Sum, b: Sum) -> Option<Sum> {
    let (a, b, shared) = reduce(a, b);
    if shared.coeff != 1 || !shared.factors.is_empty() {
        let rest = floormod(&a.into_expr(), &b.into_expr());
        return Sum::of(&rest).times_term(&shared);
    }
    if b.all_negative() && b.constant <= 0 {
        return floormod_by_sum(a.scaled(-1)?, b.scaled(-1)?)?.scaled(-1);
    }
    let (_, rest) = divide(&a, &b)?;
    if rest.as_int() == Some(0) {
        return Some(rest);
    }
    let atom = raw(Op::FloorMod, &[rest.into_expr(), b.into_expr()]);
    Some(Sum::of(&atom))
}

fn truncdiv_sums(a: Sum, b: Sum) -> Option<SymExpr> {
    let (a, b, _) = reduce(a, b);
    if b.as_int() == Some(1) {
        return Some(a.into_expr());
    }
    if (b.all_negative() && b.constant <= 0) || b.as_int().is_some_and(|by| by < 0) {
        return Some(truncdiv(&a.expr(), &b.scaled(-1)?.into_expr()).neg());
    }
    if a.all_negative() && a.constant <= 0 {
        return Some(truncdiv(&a.scaled(-1)?.into_expr(), &b.into_expr()).neg());
    }
    if let Some((quotient, rest)) = divide(&a, &b)
        && rest.as_int() == Some(0)
    {
        return Some(quotient.into_expr());
    }
    Some(raw(Op::TruncDiv, &[a.into_expr(), b.into_expr()]))
}

fn truncmod_sums(a: &Sum, b: &Sum) -> Option<SymExpr> {
    if (b.all_negative() && b.constant <= 0) || b.as_int().is_some_and(|by| by < 0) {
        return Some(truncmod(&a.expr(), &b.scaled(-1)?.into_expr()));
    }
    if a.all_negative() && a.constant <= 0 {
        return Some(truncmod(&a.scaled(-1)?.into_expr(), &b.expr()).neg());
    }
    let divides = match b.as_int() {
        Some(by) => a.terms.iter().all(|t| t.coeff % by == 0) && a.constant % by == 0,
        None => divide(a, b).is_some_and(|(_, rest)| rest.as_int() == Some(0)),
    };
    if divides {
        return Some(SymExpr::Int(0));
    }
    Some(raw(Op::TruncMod, &[a.expr(), b.expr()]))
}
