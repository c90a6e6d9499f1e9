//! The condition of an expression that is only computed for ranges of indices: `T.if_then_else`, as padding uses it.

use std::ops::Range;

use hir::tir::{Compare, Expr, ExprKind, PrimFunc, VarId};

use super::affine::{Affine, Scope};
use super::{expression, variables};
use crate::kernels::sweep::Op;

/// Comparisons of indices that must all hold.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    tests: Vec<(Compare, Expr, Expr)>,
    /// The value of the other elements, which reads no memory. Without steps, other elements stay as they are.
    pub otherwise: Vec<Op>,
}

/// The maximum number of parts of an expression.
const PARTS: usize = 16;

impl Guard {
    /// Splits an expression into parts that are computed for different indices, as concatenations are:
    /// `T.if_then_else(n <= v, y[v - n], x[v])`. An expression that is not split is one part without a guard.
    ///
    /// `is_moving` says whether a variable differs between iterations.
    pub fn parts<'e>(
        func: &PrimFunc,
        mut value: &'e Expr,
        is_moving: &dyn Fn(VarId) -> bool,
    ) -> Vec<(Option<Guard>, &'e Expr)> {
        let whole = value;
        if let Some((guard, inside)) = Guard::read(func, value, is_moving) {
            return vec![(Some(guard), inside)];
        }
        let mut others = Vec::new();
        let mut parts = Vec::new();
        let part = |tests: Vec<(Compare, Expr, Expr)>| {
            let otherwise = Vec::new();
            Some(Guard { tests, otherwise })
        };
        while let ExprKind::Select(test, inside, otherwise) = &value.kind {
            let mut tests = Vec::new();
            // Only a single comparison has an opposite that is one.
            if comparisons(test, &mut tests).is_none()
                || !are_ranges(&tests, is_moving)
                || parts.len() == PARTS
            {
                break;
            }
            let [(op, a, b)] = &tests[..] else {
                break;
            };
            let opposite = (opposite(*op), a.clone(), b.clone());
            parts.push((part([&others[..], &tests[..]].concat()), &**inside));
            others.push(opposite);
            value = otherwise;
        }
        if parts.is_empty() {
            return vec![(None, whole)];
        }
        parts.push((part(others), value));
        parts
    }

    /// Splits an expression into its guard and the guarded expression.
    fn read<'e>(
        func: &PrimFunc,
        value: &'e Expr,
        is_moving: &dyn Fn(VarId) -> bool,
    ) -> Option<(Guard, &'e Expr)> {
        let ExprKind::Select(test, inside, otherwise) = &value.kind else {
            return None;
        };
        let mut tests = Vec::new();
        comparisons(test, &mut tests).filter(|()| are_ranges(&tests, is_moving))?;
        let otherwise = expression::read(func, otherwise)?;
        let is_constant = otherwise.reads.is_empty() && otherwise.indices.is_empty();
        let otherwise = otherwise.ops;
        is_constant.then_some((Guard { tests, otherwise }, inside))
    }

    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.tests.iter().flat_map(|(_, a, b)| [a, b])
    }

    /// Returns the range of each loop in which the expression is computed; `None` if they are not ranges or are empty.
    pub fn ranges(&self, scope: &Scope) -> Option<Vec<Range<i128>>> {
        let mut ranges: Vec<Range<i128>> = scope.extents.iter().map(|&it| 0..it).collect();
        for (op, a, b) in &self.tests {
            let (a, b) = (scope.form(a)?, scope.form(b)?);
            let (less, more) = (a.add(&b, -1)?, b.add(&a, -1)?);
            let one = Affine::int(1);
            match op {
                Compare::Lt => narrow(scope, &less.add(&one, 1)?, &mut ranges)?,
                Compare::Le => narrow(scope, &less, &mut ranges)?,
                Compare::Gt => narrow(scope, &more.add(&one, 1)?, &mut ranges)?,
                Compare::Ge => narrow(scope, &more, &mut ranges)?,
                Compare::Eq => {
                    narrow(scope, &less, &mut ranges)?;
                    narrow(scope, &more, &mut ranges)?;
                }
                Compare::Ne => return None,
            }
        }
        ranges.iter().all(|it| it.start < it.end).then_some(ranges)
    }
}

/// Returns `true` if the comparisons may hold in ranges of single loops. Those of a triangle do not.
fn are_ranges(tests: &[(Compare, Expr, Expr)], is_moving: &dyn Fn(VarId) -> bool) -> bool {
    tests.iter().all(|(_, a, b)| {
        let mut moving: Option<VarId> = None;
        let mut is_one = true;
        for side in [a, b] {
            variables(side, &mut |var| {
                if is_moving(var) {
                    is_one &= *moving.get_or_insert(var) == var;
                }
            });
        }
        is_one
    })
}

fn opposite(op: Compare) -> Compare {
    match op {
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
        Compare::Lt => Compare::Ge,
        Compare::Le => Compare::Gt,
        Compare::Gt => Compare::Le,
        Compare::Ge => Compare::Lt,
    }
}

fn comparisons(test: &Expr, found: &mut Vec<(Compare, Expr, Expr)>) -> Option<()> {
    match &test.kind {
        ExprKind::And(a, b) => {
            comparisons(a, found)?;
            comparisons(b, found)
        }
        ExprKind::Compare(op, a, b) if a.dtype.is_int() && !test.reads_memory() => {
            found.push((*op, (**a).clone(), (**b).clone()));
            Some(())
        }
        _ => None,
    }
}

/// Narrows the ranges to the iterations in which a form is at most 0.
fn narrow(scope: &Scope, form: &Affine, ranges: &mut [Range<i128>]) -> Option<()> {
    let moving = |&at: &usize| form.times(at) != 0 && scope.extents[at] > 1;
    let mut moving = (0..ranges.len()).filter(moving);
    let (Some(at), None) = (moving.next(), moving.next()) else {
        return (scope.range(form)?.1 <= 0).then_some(());
    };
    let (times, range) = (form.times(at), &mut ranges[at]);
    // Solves `times * k <= -constant`.
    let bound = form
        .constant
        .checked_neg()?
        .div_euclid(times.checked_abs()?);
    if times > 0 {
        range.end = range.end.min(bound.checked_add(1)?);
    } else {
        range.start = range.start.max(bound.checked_neg()?);
    }
    Some(())
}
