//! A form for proofs, stronger than the normal form and less like what people write: remainders become
//! quotients, quotients lose every multiple of their divisor, and `min` and `max` become `max(x, 0)`.

use super::node::{Kind, raw};
use super::sum::gcd;
use super::{Op, Sum, SymCx, SymExpr, Term, bounds, divide, simplify};

pub(super) struct Deep<'a> {
    cx: &'a SymCx,
}

impl<'a> Deep<'a> {
    pub(super) fn new(cx: &'a SymCx) -> Deep<'a> {
        Deep { cx }
    }

    /// `None`: it overflows.
    pub(super) fn sum(&self, expr: &SymExpr) -> Option<Sum> {
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
                        product = product.times(&self.sum(factor)?)?;
                    }
                    total = total.plus(&product, 1)?;
                }
                Some(total)
            }
            Kind::Op(op, args) => self.op(*op, args),
            Kind::Call(..) | Kind::Opaque(..) => Some(Sum::of(expr)),
        }
    }

    fn op(&self, op: Op, args: &[SymExpr]) -> Option<Sum> {
        let sums: Vec<Sum> = args
            .iter()
            .map(|arg| self.sum(arg))
            .collect::<Option<_>>()?;
        match (op, sums.as_slice()) {
            (Op::FloorDiv, [a, b]) => self.floordiv(a.clone(), b),
            (Op::FloorMod, [a, b]) => {
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
            (Op::Lt, [a, b]) => self.not_negative(b.plus(a, -1)?.shifted(-1)?),
            (Op::Le, [a, b]) => self.not_negative(b.plus(a, -1)?),
            (Op::Eq, [a, b]) => self.equal(a, b),
            (Op::Ne, [a, b]) => Sum::constant(1).plus(&self.equal(a, b)?, -1),
            (Op::Select, [cond, then, other]) if is_truth(&args[0]) => {
                other.plus(&cond.times(&then.plus(other, -1)?)?, 1)
            }
            _ => {
                let args: Vec<SymExpr> = sums.into_iter().map(Sum::into_expr).collect();
                Some(Sum::of(&simplify::apply(op, &args)))
            }
        }
    }

    fn at_least(&self, sum: &Sum, bound: i64) -> bool {
        bound
            .checked_neg()
            .and_then(|by| sum.clone().shifted(by))
            .is_some_and(|s| self.cx.not_negative(&s))
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
        if self.at_least(b, 1) {
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
        // Of a quotient and its negative, rounded up, the one whose first decided coefficient is positive.
        let decided = rest.terms.iter().find(|t| t.coeff.saturating_mul(2) != by);
        let sign = if decided.is_some_and(|t| t.coeff < 0) {
            let (more, flipped) = balance(rest.scaled(-1)?.shifted(by - 1)?, by);
            whole = whole.plus(&more, -1)?;
            rest = flipped;
            -1
        } else {
            1
        };
        whole.plus(&self.quotient(rest, by)?, sign)
    }

    /// `sum // by`, out of which nothing can be taken.
    fn quotient(&self, sum: Sum, by: i64) -> Option<Sum> {
        let expr = sum.expr();
        let range = bounds::of(&expr, &|v| self.cx.var_interval(v));
        if let (Some(lo), Some(hi)) = (range.lo, range.hi)
            && lo.div_euclid(by) == hi.div_euclid(by)
        {
            return Some(Sum::constant(lo.div_euclid(by)));
        }
        if self.cx.has_facts() && self.at_least(&sum, 0) && self.at_least(&sum.scaled(-1)?, 1 - by)
        {
            return Some(Sum::default());
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

    /// `max(sum, 0)`
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

    /// Whether `sum >= 0`, as 0 or 1.
    fn not_negative(&self, sum: Sum) -> Option<Sum> {
        if self.at_least(&sum, 0) {
            return Some(Sum::constant(1));
        }
        let opposite = sum.scaled(-1)?.shifted(-1)?;
        if self.at_least(&opposite, 0) {
            return Some(Sum::default());
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
        let zero = SymExpr::Int(0);
        let atom = simplify::apply(Op::Eq, &[difference.into_expr(), zero]);
        Some(Sum::of(&atom))
    }
}

impl SymCx {
    pub(super) fn has_facts(&self) -> bool {
        !self.facts.is_empty()
    }
}

/// `max(sum, 0)`, which nothing decides.
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

/// `sum // by` as a whole part and a rest whose coefficients are at most half of `by` in size.
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
