//! Polynomials with integer coefficients over variables and operations: the normal form of `+`, `-` and `*`.

use std::cmp::Ordering;

use super::node::{self, Kind};
use super::{Op, SymExpr};

/// The maximum number of terms up to which a product is expanded.
const MAX_TERMS: usize = 96;
const MAX_DEGREE: usize = 12;

/// `coeff * factors`. Factors are variables, or nodes other than sums, in order. A power repeats its base.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    pub coeff: i64,
    pub factors: Vec<SymExpr>,
}

/// Terms with different factors, the leading one first, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sum {
    pub terms: Vec<Term>,
    pub constant: i64,
}

/// Compares two products of factors. The leading one is less: the one with more factors, or else the first in order.
/// The order is preserved when both are multiplied with the same factors, as a division requires.
pub(super) fn order(a: &[SymExpr], b: &[SymExpr]) -> Ordering {
    b.len().cmp(&a.len()).then_with(|| a.cmp(b))
}

pub(super) fn add(a: &SymExpr, b: &SymExpr) -> SymExpr {
    match (a, b) {
        (SymExpr::Int(0), other) | (other, SymExpr::Int(0)) => return other.clone(),
        (SymExpr::Int(x), SymExpr::Int(y)) => {
            if let Some(sum) = x.checked_add(*y) {
                return SymExpr::Int(sum);
            }
        }
        _ => {}
    }
    match Sum::of(a).plus(&Sum::of(b), 1) {
        Some(sum) => sum.into_expr(),
        None if a <= b => node::raw(Op::Add, &[a.clone(), b.clone()]),
        None => node::raw(Op::Add, &[b.clone(), a.clone()]),
    }
}

pub(super) fn sub(a: &SymExpr, b: &SymExpr) -> SymExpr {
    match (a, b) {
        (other, SymExpr::Int(0)) => return other.clone(),
        (SymExpr::Int(x), SymExpr::Int(y)) => {
            if let Some(difference) = x.checked_sub(*y) {
                return SymExpr::Int(difference);
            }
        }
        _ if a == b => return SymExpr::Int(0),
        _ => {}
    }
    match Sum::of(a).plus(&Sum::of(b), -1) {
        Some(sum) => sum.into_expr(),
        None => node::raw(Op::Sub, &[a.clone(), b.clone()]),
    }
}

pub(super) fn mul(a: &SymExpr, b: &SymExpr) -> SymExpr {
    match (a, b) {
        (SymExpr::Int(0), _) | (_, SymExpr::Int(0)) => return SymExpr::Int(0),
        (SymExpr::Int(1), other) | (other, SymExpr::Int(1)) => return other.clone(),
        (SymExpr::Int(x), SymExpr::Int(y)) => {
            if let Some(product) = x.checked_mul(*y) {
                return SymExpr::Int(product);
            }
        }
        _ => {}
    }
    match Sum::of(a).times(&Sum::of(b)) {
        Some(sum) => sum.into_expr(),
        None if a <= b => node::raw(Op::Mul, &[a.clone(), b.clone()]),
        None => node::raw(Op::Mul, &[b.clone(), a.clone()]),
    }
}

impl Sum {
    pub(super) fn constant(constant: i64) -> Sum {
        Sum {
            terms: Vec::new(),
            constant,
        }
    }

    pub(super) fn of(expr: &SymExpr) -> Sum {
        match expr {
            SymExpr::Int(value) => Sum::constant(*value),
            SymExpr::Node(node) if matches!(node.kind(), Kind::Sum(_)) => match node.kind() {
                Kind::Sum(sum) => sum.clone(),
                _ => Sum::default(),
            },
            atom => Sum {
                terms: vec![Term {
                    coeff: 1,
                    factors: vec![atom.clone()],
                }],
                constant: 0,
            },
        }
    }

    pub(super) fn as_int(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Returns the variable or operation if the sum is only that.
    pub(super) fn as_atom(&self) -> Option<&SymExpr> {
        match self.terms.as_slice() {
            [term] if self.constant == 0 => term.as_atom(),
            _ => None,
        }
    }

    pub(super) fn into_expr(self) -> SymExpr {
        let sum = recombine(self);
        if let Some(value) = sum.as_int() {
            return SymExpr::Int(value);
        }
        if let Some(atom) = sum.as_atom() {
            return atom.clone();
        }
        node::make(Kind::Sum(sum))
    }

    pub(super) fn expr(&self) -> SymExpr {
        self.clone().into_expr()
    }

    /// Returns `self + scale * other`, unless it overflows.
    pub(super) fn plus(&self, other: &Sum, scale: i64) -> Option<Sum> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let side = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(l), Some(r)) => order(&l.factors, &r.factors),
            };
            let l = if side.is_le() { left.next() } else { None };
            let r = if side.is_ge() { right.next() } else { None };
            let coeff = r
                .map_or(Some(0), |t| t.coeff.checked_mul(scale))?
                .checked_add(l.map_or(0, |t| t.coeff))?;
            if let (Some(term), true) = (l.or(r), coeff != 0) {
                terms.push(Term {
                    coeff,
                    factors: term.factors.clone(),
                });
            }
        }
        let constant = other
            .constant
            .checked_mul(scale)?
            .checked_add(self.constant)?;
        Some(Sum { terms, constant })
    }

    pub(super) fn scaled(&self, by: i64) -> Option<Sum> {
        if by == 0 {
            return Some(Sum::default());
        }
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_mul(by)?;
        for term in &mut sum.terms {
            term.coeff = term.coeff.checked_mul(by)?;
        }
        Some(sum)
    }

    pub(super) fn shifted(mut self, by: i64) -> Option<Sum> {
        self.constant = self.constant.checked_add(by)?;
        Some(self)
    }

    /// Returns the product, unless it overflows or has too many terms.
    pub(super) fn times(&self, other: &Sum) -> Option<Sum> {
        if let Some(by) = other.as_int() {
            return self.scaled(by);
        }
        if let Some(by) = self.as_int() {
            return other.scaled(by);
        }
        if (self.terms.len() + 1) * (other.terms.len() + 1) > MAX_TERMS {
            return None;
        }
        let mut product = self.scaled(other.constant)?;
        for term in &other.terms {
            product = product.plus(&self.times_term(term)?, 1)?;
        }
        Some(product)
    }

    /// Returns the product with one term, which preserves the order of terms.
    pub(super) fn times_term(&self, by: &Term) -> Option<Sum> {
        let mut terms = Vec::with_capacity(self.terms.len() + 1);
        for term in &self.terms {
            terms.push(Term {
                coeff: term.coeff.checked_mul(by.coeff)?,
                factors: merge(&term.factors, &by.factors)?,
            });
        }
        let constant = self.constant.checked_mul(by.coeff)?;
        if by.factors.is_empty() {
            return Some(Sum { terms, constant });
        }
        if constant != 0 {
            terms.push(Term {
                coeff: constant,
                factors: by.factors.clone(),
            });
            // The constant becomes a term with the factors of `by`, which need not be the last.
            terms.sort_by(|a, b| order(&a.factors, &b.factors));
        }
        Some(Sum { terms, constant: 0 })
    }

    /// Returns the greatest common divisor of the coefficients, without the constant; 0 if there are no terms.
    pub(super) fn content(&self) -> i64 {
        self.terms.iter().fold(0, |g, t| gcd(g, t.coeff))
    }

    /// Divides every coefficient and the constant exactly.
    pub(super) fn exact_div(&self, by: i64) -> Sum {
        Sum {
            terms: self
                .terms
                .iter()
                .map(|t| Term {
                    coeff: t.coeff / by,
                    factors: t.factors.clone(),
                })
                .collect(),
            constant: self.constant.div_euclid(by),
        }
    }

    /// Returns the number of parts of all terms.
    pub(super) fn size(&self) -> u32 {
        self.terms
            .iter()
            .flat_map(|t| &t.factors)
            .fold(1, |size, factor| size.saturating_add(factor.size()))
    }

    pub(super) fn all_negative(&self) -> bool {
        !self.terms.is_empty() && self.terms.iter().all(|t| t.coeff < 0)
    }
}

impl Term {
    pub(super) fn as_atom(&self) -> Option<&SymExpr> {
        match self.factors.as_slice() {
            [atom] if self.coeff == 1 => Some(atom),
            _ => None,
        }
    }
}

/// Merges two ordered lists of factors.
fn merge(a: &[SymExpr], b: &[SymExpr]) -> Option<Vec<SymExpr>> {
    if a.len() + b.len() > MAX_DEGREE {
        return None;
    }
    let mut factors = Vec::with_capacity(a.len() + b.len());
    factors.extend_from_slice(a);
    factors.extend_from_slice(b);
    factors.sort();
    Some(factors)
}

/// Returns the greatest common divisor, which is not negative. For two `i64::MIN` it is 1.
pub(super) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

/// Replaces `x // c * c + x % c` with `x`.
fn recombine(mut sum: Sum) -> Sum {
    'again: loop {
        if !has_factor(&sum, Op::FloorMod) || !has_factor(&sum, Op::FloorDiv) {
            return sum;
        }
        for term in &sum.terms {
            let [atom] = term.factors.as_slice() else {
                continue;
            };
            let Some((Op::FloorMod, [x, c])) = atom.as_op() else {
                continue;
            };
            if let Some(joined) = joined(&sum, term, x, c) {
                sum = joined;
                continue 'again;
            }
        }
        return sum;
    }
}

/// Replaces `term`, which is `k * (x % c)`, and `k * c * (x // c)` in `sum` with `k * x`, if the latter exists.
fn joined(sum: &Sum, term: &Term, x: &SymExpr, c: &SymExpr) -> Option<Sum> {
    let quotient = Sum::of(&super::divide::floordiv(x, c));
    let atom = quotient
        .terms
        .iter()
        .flat_map(|t| &t.factors)
        .find(|f| matches!(f.as_op(), Some((Op::FloorDiv, _))))?;
    if !mentions(sum, atom) {
        return None;
    }
    let whole = quotient.times(&Sum::of(c))?.scaled(term.coeff)?;
    let rest = Sum {
        terms: vec![term.clone()],
        constant: 0,
    };
    let joined = sum
        .plus(&rest, -1)?
        .plus(&whole, -1)?
        .plus(&Sum::of(x), term.coeff)?;
    (!mentions(&joined, atom)).then_some(joined)
}

fn mentions(sum: &Sum, atom: &SymExpr) -> bool {
    sum.terms.iter().any(|t| t.factors.contains(atom))
}

fn has_factor(sum: &Sum, op: Op) -> bool {
    sum.terms
        .iter()
        .flat_map(|t| &t.factors)
        .any(|f| matches!(f.as_op(), Some((o, _)) if o == op))
}
