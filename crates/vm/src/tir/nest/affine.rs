//! Writes indices as affine forms over loop counters, with the numbers of a call.
//!
//! A form is exact: if part of an expression could overflow its dtype, or is not affine, there is no form.

use std::cell::Cell;
use std::ops::Range;

use hir::tir::{Binary, Expr, ExprKind, VarId, int};
use rustc_hash::FxHashMap;

/// A constant plus each counter times a factor. Counters run from 0 to below their extents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    pub constant: i128,
    pub times: Vec<i128>,
}

/// The values of variables.
#[derive(Debug, Default)]
pub struct Scope {
    pub vars: FxHashMap<VarId, Affine>,
    /// The extents of the counters.
    pub extents: Vec<i128>,
    /// A counter and the number of inner iterations with which a division would have a form, if the counter were two.
    pub split: Cell<Option<(usize, i128)>>,
}

impl Affine {
    pub fn int(constant: i128) -> Affine {
        Affine {
            constant,
            times: Vec::new(),
        }
    }

    pub fn counter(at: usize, step: i64) -> Affine {
        let mut times = vec![0; at];
        times.push(i128::from(step));
        Affine { constant: 0, times }
    }

    pub fn as_int(&self) -> Option<i128> {
        self.times
            .iter()
            .all(|&it| it == 0)
            .then_some(self.constant)
    }

    pub fn times(&self, counter: usize) -> i128 {
        self.times.get(counter).copied().unwrap_or(0)
    }

    pub fn add(&self, other: &Affine, by: i128) -> Option<Affine> {
        let count = self.times.len().max(other.times.len());
        let sum = |a: i128, b: i128| a.checked_add(b.checked_mul(by)?);
        Some(Affine {
            constant: sum(self.constant, other.constant)?,
            times: (0..count)
                .map(|at| sum(self.times(at), other.times(at)))
                .collect::<Option<_>>()?,
        })
    }

    /// Returns the minimum and the maximum for the given ranges of the counters. No range is empty.
    pub fn range(&self, counters: &[Range<i128>]) -> Option<(i128, i128)> {
        let mut range = (self.constant, self.constant);
        for (&times, counter) in self.times.iter().zip(counters) {
            let (first, last) = (
                times.checked_mul(counter.start)?,
                times.checked_mul(counter.end - 1)?,
            );
            range.0 = range.0.checked_add(first.min(last))?;
            range.1 = range.1.checked_add(first.max(last))?;
        }
        Some(range)
    }

    fn scaled(&self, by: i128) -> Option<Affine> {
        Affine::int(0).add(self, by)
    }
}

impl Scope {
    /// Returns the minimum and the maximum.
    pub fn range(&self, form: &Affine) -> Option<(i128, i128)> {
        let mut range = (form.constant, form.constant);
        for (&times, &extent) in form.times.iter().zip(&self.extents) {
            let far = times.checked_mul((extent - 1).max(0))?;
            range.0 = range.0.checked_add(far.min(0))?;
            range.1 = range.1.checked_add(far.max(0))?;
        }
        Some(range)
    }

    pub fn int(&self, expr: &Expr) -> Option<i128> {
        self.form(expr)?.as_int()
    }

    /// Returns an integer expression as the machine computes it in every iteration.
    pub fn form(&self, expr: &Expr) -> Option<Affine> {
        let made = match &expr.kind {
            ExprKind::Int(value) => Affine::int(*value),
            ExprKind::Var(var) => self.vars.get(var)?.clone(),
            ExprKind::Cast(inner) if inner.dtype.is_int() => self.form(inner)?,
            ExprKind::Binary(op, a, b) => self.binary(*op, &self.form(a)?, &self.form(b)?)?,
            _ => return None,
        };
        let (least, most) = self.range(&made)?;
        let fits = expr.dtype.is_int() && int::holds(expr.dtype, least);
        (fits && int::holds(expr.dtype, most)).then_some(made)
    }

    fn binary(&self, op: Binary, a: &Affine, b: &Affine) -> Option<Affine> {
        match op {
            Binary::Add => a.add(b, 1),
            Binary::Sub => a.add(b, -1),
            Binary::Mul => match (a.as_int(), b.as_int()) {
                (_, Some(by)) => a.scaled(by),
                (Some(by), None) => b.scaled(by),
                (None, None) => None,
            },
            Binary::FloorDiv => Some(self.divided(a, b.as_int()?)?.0),
            Binary::FloorMod => Some(self.divided(a, b.as_int()?)?.1),
            // For nonnegative numbers, both ways to round are the same.
            Binary::TruncDiv if self.range(a)?.0 >= 0 => Some(self.divided(a, b.as_int()?)?.0),
            Binary::TruncMod if self.range(a)?.0 >= 0 => Some(self.divided(a, b.as_int()?)?.1),
            Binary::Min | Binary::Max => {
                let (first, second) = if op == Binary::Min { (a, b) } else { (b, a) };
                if self.range(first)?.1 <= self.range(second)?.0 {
                    Some(a.clone())
                } else if self.range(second)?.1 <= self.range(first)?.0 {
                    Some(b.clone())
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// Returns quotient and remainder, if the part that is not a multiple of `by` stays between 0 and `by`.
    fn divided(&self, form: &Affine, by: i128) -> Option<(Affine, Affine)> {
        if by <= 0 {
            return None;
        }
        let split = |value: i128| {
            if value % by == 0 {
                (value / by, 0)
            } else {
                (0, value)
            }
        };
        let (quotients, rests): (Vec<i128>, Vec<i128>) =
            form.times.iter().map(|&it| split(it)).unzip();
        let quotient = Affine {
            constant: form.constant.div_euclid(by),
            times: quotients,
        };
        let rest = Affine {
            constant: form.constant.rem_euclid(by),
            times: rests,
        };
        let (least, most) = self.range(&rest)?;
        if least >= 0 && most < by {
            return Some((quotient, rest));
        }
        let mut counters = rest.times.iter().zip(&self.extents).enumerate();
        let found = counters.find_map(|(at, (&times, &extent))| {
            let inner = (times > 0 && by % times == 0).then(|| by / times)?;
            (inner > 1 && inner < extent && extent % inner == 0).then_some((at, inner))
        });
        self.split.set(found);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(extents: &[i128]) -> Scope {
        Scope {
            extents: extents.to_vec(),
            ..Scope::default()
        }
    }

    fn form(constant: i128, times: &[i128]) -> Affine {
        Affine {
            constant,
            times: times.to_vec(),
        }
    }

    #[test]
    fn a_split_counter_is_divided_into_its_parts() {
        let scope = scope(&[4, 8]);
        let (quotient, rest) = scope.divided(&form(0, &[8, 1]), 8).unwrap();
        assert_eq!((quotient, rest), (form(0, &[1, 0]), form(0, &[0, 1])));
    }

    #[test]
    fn a_rest_that_passes_its_divisor_has_no_form() {
        assert_eq!(scope(&[4, 9]).divided(&form(0, &[8, 1]), 8), None);
        assert_eq!(scope(&[4, 8]).divided(&form(1, &[8, 1]), 8), None);
        assert_eq!(scope(&[4]).divided(&form(0, &[1]), 0), None);
    }

    #[test]
    fn the_range_of_a_form_is_that_of_its_ends() {
        let scope = scope(&[3, 5]);
        assert_eq!(scope.range(&form(10, &[-2, 1])), Some((6, 14)));
    }
}
