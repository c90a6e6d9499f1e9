//! Indices as numbers plus multiples of variables, so that iterations can be compared without values for the variables.

use hir::tir::VarId;

/// A number plus multiples of variables that no iteration changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sum {
    pub number: i64,
    /// Sorted. No factor is 0.
    pub terms: Vec<(Term, i64)>,
}

/// A part of an index that no iteration changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Term {
    Var(VarId),
    /// Another operation, by its position in the list of them.
    Other(usize),
}

impl Sum {
    pub fn number(number: i64) -> Sum {
        Sum {
            number,
            terms: Vec::new(),
        }
    }

    pub fn constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.number)
    }

    pub fn times(mut self, by: i64) -> Option<Sum> {
        self.number = self.number.checked_mul(by)?;
        for (_, factor) in &mut self.terms {
            *factor = factor.checked_mul(by)?;
        }
        self.terms.retain(|it| it.1 != 0);
        Some(self)
    }

    pub fn plus(mut self, other: &Sum) -> Option<Sum> {
        self.number = self.number.checked_add(other.number)?;
        for &(term, factor) in &other.terms {
            match self.terms.binary_search_by_key(&term, |it| it.0) {
                Ok(at) => self.terms[at].1 = self.terms[at].1.checked_add(factor)?,
                Err(at) => self.terms.insert(at, (term, factor)),
            }
        }
        self.terms.retain(|it| it.1 != 0);
        Some(self)
    }

    /// Divides by a positive number, and returns the quotient and the rest. The variables must be divisible.
    pub fn divided(&self, by: &Sum) -> Option<(Sum, i64)> {
        let by = by.constant()?;
        if by <= 0 || self.terms.iter().any(|it| it.1 % by != 0) {
            return None;
        }
        let terms = self.terms.iter().map(|&(term, it)| (term, it / by));
        let quotient = Sum {
            number: self.number.div_euclid(by),
            terms: terms.collect(),
        };
        Some((quotient, self.number.rem_euclid(by)))
    }
}

pub(super) fn both(a: &Sum, b: &Sum, op: impl Fn(i64, i64) -> Option<i64>) -> Option<Sum> {
    Some(Sum::number(op(a.constant()?, b.constant()?)?))
}
