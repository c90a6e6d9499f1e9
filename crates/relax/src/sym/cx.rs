//! Facts about shape variables: bounds, inequalities, equalities.

use super::prove::Proof;
use super::{Interval, Sum, SymExpr, SymVar, bounds};

/// Facts about variables for proofs: lower and upper bounds, inequalities, equalities. By default, every variable is a
/// dimension, so it is not negative.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymCx {
    /// Bounds other than "not negative".
    bounds: Vec<(SymVar, Interval)>,
    /// Sums that are not negative.
    pub(super) facts: Vec<Sum>,
    /// The values of variables. These variables do not occur on the right or in `facts`.
    equalities: Vec<(SymVar, SymExpr)>,
}

impl SymCx {
    /// Allows any integer for a variable, such as a scalar parameter, unless it already has bounds.
    pub fn assume_signed(&mut self, var: &SymVar) {
        if !self.bounds.iter().any(|(v, _)| v == var) {
            self.bounds.push((var.clone(), Interval::ALL));
        }
    }

    /// Assumes `a >= b`.
    pub fn assume_ge(&mut self, a: &SymExpr, b: &SymExpr) {
        let difference = self.resolve(&a.sub(b));
        let sum = Proof::start(self, |proof| proof.deep(&difference));
        if let Some(sum) = sum {
            self.assume_not_negative(sum);
        }
    }

    /// Assumes `a == b`. If the equation can be solved for a variable, it is replaced; the variable that was bound
    /// last is preferred.
    pub fn assume_equal(&mut self, a: &SymExpr, b: &SymExpr) {
        let difference = self.resolve(&a.sub(b));
        let mut vars = difference.vars();
        vars.sort_by_key(|v| std::cmp::Reverse(v.id));
        for var in vars {
            if let super::Solution::Value(value) = super::solve(&difference, &SymExpr::Int(0), &var)
            {
                self.replace(var, value);
                return;
            }
        }
        let sum = Proof::start(self, |proof| proof.deep(&difference));
        if let Some(sum) = sum
            && let Some(negative) = sum.scaled(-1)
        {
            self.assume_not_negative(sum);
            self.assume_not_negative(negative);
        }
    }

    /// Returns the number that an expression is equal to, by itself or by assumptions.
    pub fn value_of(&self, expr: &SymExpr) -> Option<i64> {
        match expr.as_int() {
            None if !self.knows_no_equality() => self.resolve(expr).as_int(),
            known => known,
        }
    }

    fn replace(&mut self, var: SymVar, value: SymExpr) {
        let interval = self.var_interval(&var);
        let to = |v: &SymVar| (*v == var).then(|| value.clone());
        for (_, known) in &mut self.equalities {
            *known = known.substitute(&to);
        }
        let facts = std::mem::take(&mut self.facts);
        for fact in facts {
            self.assume_ge(&fact.into_expr().substitute(&to), &SymExpr::Int(0));
        }
        if let Some(lo) = interval.lo {
            self.assume_ge(&value, &SymExpr::Int(lo));
        }
        if let Some(hi) = interval.hi {
            self.assume_ge(&SymExpr::Int(hi), &value);
        }
        self.equalities.push((var, value));
    }

    fn assume_not_negative(&mut self, sum: Sum) {
        if let [term] = sum.terms.as_slice()
            && let [SymExpr::Var(var)] = term.factors.as_slice()
        {
            // `coeff * var >= -constant`.
            let bound = if term.coeff > 0 {
                Interval {
                    lo: sum.constant.div_euclid(term.coeff).checked_neg(),
                    hi: None,
                }
            } else {
                Interval {
                    lo: None,
                    hi: term
                        .coeff
                        .checked_neg()
                        .map(|coeff| sum.constant.div_euclid(coeff)),
                }
            };
            let narrowed = self.var_interval(var).intersect(bound);
            match self.bounds.iter_mut().find(|(v, _)| v == var) {
                Some((_, interval)) => *interval = narrowed,
                None => self.bounds.push((var.clone(), narrowed)),
            }
        } else if !sum.terms.is_empty() && !self.facts.contains(&sum) {
            self.facts.push(sum);
        }
    }

    pub(super) fn var_interval(&self, var: &SymVar) -> Interval {
        self.bounds
            .iter()
            .find(|(v, _)| v == var)
            .map_or(Interval::NON_NEGATIVE, |(_, interval)| *interval)
    }

    /// Returns bounds of the value.
    pub fn bounds(&self, expr: &SymExpr) -> Interval {
        bounds::of(&self.resolve(expr), &|v| self.var_interval(v))
    }

    /// Replaces variables with their known values.
    pub fn resolve(&self, expr: &SymExpr) -> SymExpr {
        if self.equalities.is_empty() {
            return expr.clone();
        }
        expr.substitute(&|var| {
            self.equalities
                .iter()
                .find(|(v, _)| v == var)
                .map(|(_, value)| value.clone())
        })
    }

    pub(super) fn knows_facts(&self) -> bool {
        !self.facts.is_empty()
    }

    pub(super) fn knows_no_equality(&self) -> bool {
        self.equalities.is_empty()
    }

    pub(super) fn knows_nothing(&self) -> bool {
        self.equalities.is_empty() && self.facts.is_empty() && self.bounds.is_empty()
    }
}
