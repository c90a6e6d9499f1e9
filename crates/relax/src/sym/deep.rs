//! A form for proofs, which is stronger than the normal form but less readable: remainders become quotients, quotients
//! lose every multiple of their divisor, and `min` and `max` become `max(x, 0)`.

use super::node::{Kind, raw};
use super::prove::Proof;
use super::sum::gcd;
use super::{Op, Sum, SymExpr, Term, bounds, divide, simplify};

/// The maximum number of `max` within a comparison that are split into separate comparisons.
const MAX_ALTERNATIVES: u32 = 3;

impl Proof<'_> {
    /// Returns `None` if it overflows or takes too long.
    pub(super) fn deep(&self, expr: &SymExpr) -> Option<Sum> {
        let Some(kind) = expr.kind() else {
            return Some(Sum::of(expr));
        };
        match kind {
            Kind::Sum(sum) => {
                if sum
                    .terms
                    .iter()
                    .flat_map(|t| &t.factors)
                    .all(|f| matches!(f, SymExpr::Var(_)))
                {
                    return Some(sum.clone());
                }
                let mut total = Sum::constant(sum.constant);
                for term in &sum.terms {
                    let mut product = Sum::constant(term.coeff);
                    for factor in &term.factors {
                        product = product.times(&self.deep(factor)?)?;
                    }
                    total = total.plus(&product, 1)?;
                }
                Some(total)
            }
            Kind::Op(op, args) => {
                if let Some(known) = self.deep.borrow().get(expr) {
                    return Some(known.clone());
                }
                self.spend(expr.size())?;
                let range = bounds::of(expr, &|v| self.cx.var_interval(v));
                let sum = match range.lo {
                    Some(value) if range.hi == Some(value) => Sum::constant(value),
                    _ => self.op(*op, args)?,
                };
                self.deep.borrow_mut().insert(expr.clone(), sum.clone());
                Some(sum)
            }
            Kind::Call(..) | Kind::Opaque(..) => Some(Sum::of(expr)),
        }
    }

    fn op(&self, op: Op, args: &[SymExpr]) -> Option<Sum> {
        if matches!(op, Op::Min | Op::Max)
            && let Some(kept) = self.without_dominated(op, args)
        {
            return self.deep(&simplify::apply(op, &kept));
        }
        if matches!(op, Op::Min | Op::Max)
            && let Some((dividends, by)) = common_divisor(args)
        {
            let extremum = simplify::apply(op, &dividends);
            return self.floordiv_by_constant(self.deep(&extremum)?, by);
        }
        let sums: Vec<Sum> = args
            .iter()
            .map(|arg| self.deep(arg))
            .collect::<Option<_>>()?;
        match (op, sums.as_slice()) {
            (Op::FloorDiv, [a, b]) => self.floordiv(a.clone(), b),
            (Op::FloorMod, [a, b]) => {
                if let Some(quotient) = self.constant_quotient(&args[0], b) {
                    return a.plus(b, quotient.checked_neg()?);
                }
                let quotient = self.floordiv(a.clone(), b)?;
                a.plus(&b.times(&quotient)?, -1)
            }
            (Op::TruncDiv, [a, b]) => self.truncdiv(a, b),
            (Op::TruncMod, [a, b]) => {
                let quotient = self.truncdiv(a, b)?;
                a.plus(&b.times(&quotient)?, -1)
            }
            // `max(a, b)` is `a + max(b - a, 0)`, and `min(a, b)` is `a - max(a - b, 0)`.
            (Op::Max, [first, rest @ ..]) => rest.iter().try_fold(first.clone(), |max, arg| {
                let excess = self.positive_part(arg.plus(&max, -1)?)?;
                max.plus(&excess, 1)
            }),
            (Op::Min, [first, rest @ ..]) => rest.iter().try_fold(first.clone(), |min, arg| {
                let excess = self.positive_part(min.plus(arg, -1)?)?;
                min.plus(&excess, -1)
            }),
            (Op::Lt, [a, b]) => {
                self.not_negative_truth(b.plus(a, -1)?.shifted(-1)?, MAX_ALTERNATIVES)
            }
            (Op::Le, [a, b]) => self.not_negative_truth(b.plus(a, -1)?, MAX_ALTERNATIVES),
            (Op::Eq, [a, b]) => self.equal(a, b),
            (Op::Ne, [a, b]) => Sum::constant(1).plus(&self.equal(a, b)?, -1),
            (Op::Select, [cond, then, other]) if is_truth(&args[0]) => {
                other.plus(&truth_product(cond, &then.plus(other, -1)?)?, 1)
            }
            (Op::And, [first, rest @ ..]) => rest
                .iter()
                .try_fold(first.clone(), |all, truth| truth_product(&all, truth)),
            (Op::Or, truths) => truths
                .iter()
                .try_fold(Sum::constant(1), |none, truth| {
                    truth_product(&none, &negation(truth)?)
                })
                .and_then(|none| negation(&none)),
            _ => {
                let args: Vec<SymExpr> = sums.into_iter().map(Sum::into_expr).collect();
                Some(Sum::of(&simplify::apply(op, &args)))
            }
        }
    }

    /// Returns the operands of `min` or `max` without those that bounds show to be redundant; `None` if there are
    /// none.
    fn without_dominated(&self, op: Op, args: &[SymExpr]) -> Option<Vec<SymExpr>> {
        let range = |arg| bounds::of(arg, &|v| self.cx.var_interval(v));
        let best = match op {
            Op::Max => args.iter().filter_map(|a| range(a).lo).max()?,
            _ => args.iter().filter_map(|a| range(a).hi).min()?,
        };
        // The operand with the best bound stays, since its other bound lies beyond it.
        let kept: Vec<SymExpr> = args
            .iter()
            .filter(|arg| {
                let range = range(arg);
                match op {
                    Op::Max => !range.at_most(best) || range.at_least(best),
                    _ => !range.at_least(best) || range.at_most(best),
                }
            })
            .cloned()
            .collect();
        (!kept.is_empty() && kept.len() < args.len()).then_some(kept)
    }

    /// Returns the quotient if the bounds of the dividend leave only one.
    fn constant_quotient(&self, a: &SymExpr, b: &Sum) -> Option<i64> {
        let by = b.as_int().filter(|&by| by > 0)?;
        let range = bounds::of(a, &|v| self.cx.var_interval(v));
        let least = range.lo?.div_euclid(by);
        (range.hi?.div_euclid(by) == least).then_some(least)
    }

    fn at_least(&self, sum: &Sum, bound: i64) -> bool {
        bound
            .checked_neg()
            .and_then(|by| sum.clone().shifted(by))
            .is_some_and(|s| self.not_negative(&s))
    }

    fn floordiv(&self, a: Sum, b: &Sum) -> Option<Sum> {
        if let Some(by) = b.as_int() {
            return self.floordiv_by_constant(a, by);
        }
        if self.at_least(&a, 0) && self.at_least(&b.plus(&a, -1)?, 1) {
            return Some(Sum::default());
        }
        Some(Sum::of(&divide::floordiv(&a.into_expr(), &b.expr())))
    }

    fn truncdiv(&self, a: &Sum, b: &Sum) -> Option<Sum> {
        // A divisor is not zero.
        if self.at_least(b, 0) {
            if self.at_least(a, 0) {
                return self.floordiv(a.clone(), b);
            }
            let negated = a.scaled(-1)?;
            if self.at_least(&negated, 0) {
                return self.floordiv(negated, b)?.scaled(-1);
            }
        }
        Some(Sum::of(&divide::truncdiv(&a.expr(), &b.expr())))
    }

    fn floordiv_by_constant(&self, sum: Sum, by: i64) -> Option<Sum> {
        if by == 0 {
            return Some(Sum::of(&raw(Op::FloorDiv, &[sum.into_expr(), 0.into()])));
        }
        if by < 0 {
            return self.floordiv_by_constant(sum.scaled(-1)?, by.checked_neg()?);
        }
        let (mut whole, mut rest) = balance(sum, by);
        if rest.terms.is_empty() {
            return Some(whole);
        }
        let common = gcd(rest.content(), by);
        let by = by / common;
        rest = rest.exact_div(common);
        if by == 1 {
            return whole.plus(&rest, 1);
        }
        // Of a quotient and its negative, rounded up, choose the one whose first decisive coefficient is positive.
        let decided = rest.terms.iter().find(|t| t.coeff.saturating_mul(2) != by);
        let sign = if decided.is_none() && rest.constant == 1 {
            // For halves, `(x + 1) // 2` is `x - x // 2`.
            rest.constant = 0;
            whole = whole.plus(&rest, 1)?;
            -1
        } else if decided.is_some_and(|t| t.coeff < 0) {
            let (more, flipped) = balance(rest.scaled(-1)?.shifted(by - 1)?, by);
            whole = whole.plus(&more, -1)?;
            rest = flipped;
            -1
        } else {
            1
        };
        whole.plus(&self.quotient(rest, by)?, sign)
    }

    /// Returns `sum // by` without terms that `by` divides.
    fn quotient(&self, sum: Sum, by: i64) -> Option<Sum> {
        let expr = sum.expr();
        let range = bounds::of(&expr, &|v| self.cx.var_interval(v));
        if let (Some(lo), Some(hi)) = (range.lo, range.hi)
            && lo.div_euclid(by) == hi.div_euclid(by)
        {
            return Some(Sum::constant(lo.div_euclid(by)));
        }
        if self.cx.knows_facts()
            && self.at_least(&sum, 0)
            && self.at_least(&sum.scaled(-1)?, 1 - by)
        {
            return Some(Sum::default());
        }
        if let Some((Op::FloorDiv, [x, inner])) = sum.as_atom().and_then(SymExpr::as_op) {
            let merged = Sum::of(inner).scaled(by)?;
            return self.floordiv(Sum::of(x), &merged);
        }
        let nested =
            sum.terms
                .iter()
                .enumerate()
                .find_map(|(i, term)| match term.as_atom()?.as_op()? {
                    (Op::FloorDiv, [x, SymExpr::Int(inner)]) if *inner > 0 => {
                        Some((i, x.clone(), *inner))
                    }
                    _ => None,
                });
        if let Some((i, x, inner)) = nested {
            // `(x // a + y) // c` is `(x + a * y) // (a * c)`.
            let mut others = sum;
            others.terms.remove(i);
            let merged = Sum::of(&x).plus(&others, inner)?;
            return self.floordiv_by_constant(merged, by.checked_mul(inner)?);
        }
        Some(Sum::of(&raw(Op::FloorDiv, &[expr, SymExpr::Int(by)])))
    }

    /// Returns `max(sum, 0)`.
    fn positive_part(&self, sum: Sum) -> Option<Sum> {
        if self.at_least(&sum, 0) {
            return Some(sum);
        }
        let negated = sum.scaled(-1)?;
        if self.at_least(&negated, 0) {
            return Some(Sum::default());
        }
        let common = gcd(sum.content(), sum.constant).max(1);
        if sum.terms.first().is_some_and(|t| t.coeff < 0) {
            let atom = positive_atom(negated.exact_div(common));
            return sum.plus(&Sum::of(&atom).scaled(common)?, 1);
        }
        Sum::of(&positive_atom(sum.exact_div(common))).scaled(common)
    }

    /// Returns `sum >= 0` as 0 or 1.
    fn not_negative_truth(&self, sum: Sum, alternatives: u32) -> Option<Sum> {
        self.spend(sum.size())?;
        let sum = without_quotients(sum)?;
        if self.at_least(&sum, 0) {
            return Some(Sum::constant(1));
        }
        let opposite = sum.scaled(-1)?.shifted(-1)?;
        if self.at_least(&opposite, 0) {
            return Some(Sum::default());
        }
        if alternatives > 0
            && let Some((sign, with, without)) = alternative(&sum)
        {
            // `y - max(x, 0) >= 0` if both `y` and `y - x` are not negative, `y + max(x, 0) >= 0` if one is.
            let with = self.not_negative_truth(with?, alternatives - 1)?;
            let without = self.not_negative_truth(without, alternatives - 1)?;
            return if sign < 0 {
                truth_product(&with, &without)
            } else {
                negation(&truth_product(&negation(&with)?, &negation(&without)?)?)
            };
        }
        let zero = SymExpr::Int(0);
        if sum.terms.first().is_some_and(|t| t.coeff < 0) {
            let atom = simplify::apply(Op::Le, &[zero, opposite.into_expr()]);
            return Sum::constant(1).plus(&Sum::of(&atom), -1);
        }
        Some(Sum::of(&simplify::apply(Op::Le, &[zero, sum.into_expr()])))
    }

    fn equal(&self, a: &Sum, b: &Sum) -> Option<Sum> {
        let difference = a.plus(b, -1)?;
        if self.at_least(&difference, 1) || self.at_least(&difference.scaled(-1)?, 1) {
            return Some(Sum::default());
        }
        if self.at_least(&difference, 0) {
            return self.not_negative_truth(difference.scaled(-1)?, MAX_ALTERNATIVES);
        }
        if self.at_least(&difference.scaled(-1)?, 0) {
            return self.not_negative_truth(difference, MAX_ALTERNATIVES);
        }
        let zero = SymExpr::Int(0);
        let atom = simplify::apply(Op::Eq, &[difference.into_expr(), zero]);
        Some(Sum::of(&atom))
    }
}

/// Returns an undecided `max(sum, 0)`.
fn positive_atom(sum: Sum) -> SymExpr {
    raw(Op::Max, &[sum.into_expr(), SymExpr::Int(0)])
}

fn is_truth(expr: &SymExpr) -> bool {
    matches!(
        expr.as_op(),
        Some((
            Op::Lt | Op::Le | Op::Eq | Op::Ne | Op::And | Op::Or | Op::Not,
            _
        ))
    )
}

/// Returns a sum that is not negative exactly if `sum` is not: `x // c + y >= 0` becomes `x + c * y >= 0`.
pub(super) fn without_quotients(mut sum: Sum) -> Option<Sum> {
    loop {
        let content = sum.content();
        if content > 1 {
            sum = sum.exact_div(content);
        }
        let found = sum.terms.iter().enumerate().find_map(|(i, term)| {
            let ([atom], 1 | -1) = (term.factors.as_slice(), term.coeff) else {
                return None;
            };
            match atom.as_op()? {
                (Op::FloorDiv, [x, SymExpr::Int(by)]) if *by > 0 => Some((i, x.clone(), *by)),
                _ => None,
            }
        });
        let Some((i, x, by)) = found else {
            return Some(sum);
        };
        let sign = sum.terms.remove(i).coeff;
        sum = sum.scaled(by)?.plus(&Sum::of(&x), sign)?;
        if sign < 0 {
            // `y - x // c >= 0` is `c * y + c - 1 - x >= 0`.
            sum = sum.shifted(by - 1)?;
        }
    }
}

/// Finds a `max(x, 0)` in a sum: returns its sign, the sum with `x` instead, and the sum without it.
fn alternative(sum: &Sum) -> Option<(i64, Option<Sum>, Sum)> {
    let (at, sign, x) = sum.terms.iter().enumerate().find_map(|(i, term)| {
        let [atom] = term.factors.as_slice() else {
            return None;
        };
        match atom.as_op()? {
            (Op::Max, [x, SymExpr::Int(0)]) => Some((i, term.coeff, x.clone())),
            _ => None,
        }
    })?;
    let mut without = sum.clone();
    without.terms.remove(at);
    let with = without.plus(&Sum::of(&x), sign);
    Some((sign, with, without))
}

/// Maps 0 to 1, and 1 to 0.
fn negation(truth: &Sum) -> Option<Sum> {
    Sum::constant(1).plus(truth, -1)
}

/// Returns a product in which the square of a truth value is itself.
fn truth_product(a: &Sum, b: &Sum) -> Option<Sum> {
    let product = a.times(b)?;
    let mut total = Sum::constant(product.constant);
    for mut term in product.terms {
        term.factors.dedup_by(|a, b| a == b && is_truth(a));
        let term = Sum {
            terms: vec![term],
            constant: 0,
        };
        total = total.plus(&term, 1)?;
    }
    Some(total)
}

/// Returns the dividends if each operand is divided by the same positive constant.
fn common_divisor(args: &[SymExpr]) -> Option<(Vec<SymExpr>, i64)> {
    let mut common = None;
    let dividends = args
        .iter()
        .map(|arg| match arg.as_op()? {
            (Op::FloorDiv, [x, SymExpr::Int(by)]) if *by > 0 => {
                (*common.get_or_insert(*by) == *by).then(|| x.clone())
            }
            _ => None,
        })
        .collect::<Option<Vec<_>>>()?;
    Some((dividends, common?))
}

/// Splits `sum // by` into an integral part, and a rest whose coefficients are at most half of `by` in size.
fn balance(sum: Sum, by: i64) -> (Sum, Sum) {
    let mut whole = Sum::constant(sum.constant.div_euclid(by));
    let mut rest = Sum::constant(sum.constant.rem_euclid(by));
    for term in sum.terms {
        let mut left = term.coeff.rem_euclid(by);
        let mut quotient = term.coeff.div_euclid(by);
        if left > by / 2 {
            left -= by;
            quotient += 1;
        }
        for (coeff, to) in [(quotient, &mut whole), (left, &mut rest)] {
            if coeff != 0 {
                to.terms.push(Term {
                    coeff,
                    factors: term.factors.clone(),
                });
            }
        }
    }
    (whole, rest)
}
