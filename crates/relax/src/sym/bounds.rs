//! Intervals: bounds of the value of an expression.

use super::eval;
use super::node::Kind;
use super::{Op, SymExpr, SymVar, Term};

/// The interval from `lo` to `hi`, inclusive; `None` is infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    pub lo: Option<i64>,
    pub hi: Option<i64>,
}

impl Interval {
    pub const ALL: Interval = Interval { lo: None, hi: None };
    pub const NON_NEGATIVE: Interval = Interval {
        lo: Some(0),
        hi: None,
    };
    const BOOL: Interval = Interval::new(0, 1);

    pub const fn new(lo: i64, hi: i64) -> Interval {
        Interval {
            lo: Some(lo),
            hi: Some(hi),
        }
    }

    pub fn at_least(&self, bound: i64) -> bool {
        self.lo.is_some_and(|lo| lo >= bound)
    }

    pub fn at_most(&self, bound: i64) -> bool {
        self.hi.is_some_and(|hi| hi <= bound)
    }

    pub fn intersect(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.max(other.lo),
            hi: match (self.hi, other.hi) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
        }
    }

    fn union(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.zip(other.lo).map(|(a, b)| a.min(b)),
            hi: self.hi.zip(other.hi).map(|(a, b)| a.max(b)),
        }
    }

    fn plus(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.zip(other.lo).and_then(|(a, b)| a.checked_add(b)),
            hi: self.hi.zip(other.hi).and_then(|(a, b)| a.checked_add(b)),
        }
    }

    fn negated(self) -> Interval {
        Interval {
            lo: self.hi.and_then(i64::checked_neg),
            hi: self.lo.and_then(i64::checked_neg),
        }
    }

    fn times(self, other: Interval) -> Interval {
        // A bound is a number or infinite in one direction. Zero times infinity is zero, since the value itself is
        // finite.
        #[derive(Clone, Copy)]
        enum End {
            Below,
            At(i128),
            Above,
        }
        let ends = |i: Interval| {
            [
                i.lo.map_or(End::Below, |v| End::At(v.into())),
                i.hi.map_or(End::Above, |v| End::At(v.into())),
            ]
        };
        let product = |a: End, b: End| match (a, b) {
            (End::At(x), End::At(y)) => End::At(x * y),
            (End::At(0), _) | (_, End::At(0)) => End::At(0),
            (End::At(x), far) | (far, End::At(x)) => match (far, x > 0) {
                (End::Above, true) | (End::Below, false) => End::Above,
                _ => End::Below,
            },
            (End::Above, End::Above) | (End::Below, End::Below) => End::Above,
            _ => End::Below,
        };
        let (mut lo, mut hi) = (Some(i128::MAX), Some(i128::MIN));
        for a in ends(self) {
            for b in ends(other) {
                match product(a, b) {
                    End::Below => lo = None,
                    End::Above => hi = None,
                    End::At(v) => {
                        lo = lo.map(|l| l.min(v));
                        hi = hi.map(|h| h.max(v));
                    }
                }
            }
        }
        // With an infinite bound on each side, no finite bound may be left on the other.
        Interval {
            lo: lo.and_then(|v| i64::try_from(v).ok()),
            hi: hi.and_then(|v| i64::try_from(v).ok()),
        }
    }

    fn floordiv(self, by: Interval) -> Interval {
        if let (Some(d), true) = (by.lo, by.lo == by.hi) {
            if d == 0 {
                return Interval::ALL;
            }
            let (of, d) = if d < 0 {
                (self.negated(), -d.max(-i64::MAX))
            } else {
                (self, d)
            };
            return Interval {
                lo: of.lo.map(|v| v.div_euclid(d)),
                hi: of.hi.map(|v| v.div_euclid(d)),
            };
        }
        let Some(least) = by.lo.filter(|&l| l >= 1) else {
            return Interval::ALL;
        };
        // Dividing by a larger number moves towards zero: at most to 0 from above, and to -1 from below.
        Interval {
            lo: self.lo.map(|v| match (v >= 0, by.hi) {
                (true, Some(most)) => v / most,
                (true, None) => 0,
                (false, _) => v.div_euclid(least),
            }),
            hi: self.hi.map(|v| match (v >= 0, by.hi) {
                (true, _) => v / least,
                (false, Some(most)) => v.div_euclid(most),
                (false, None) => -1,
            }),
        }
    }

    fn floormod(self, by: Interval) -> Interval {
        if by.at_least(1) {
            let below = by.hi.map(|h| h - 1);
            if self.at_least(0) {
                return Interval {
                    lo: Some(0),
                    hi: match (self.hi, below) {
                        (Some(a), Some(b)) => Some(a.min(b)),
                        (a, b) => a.or(b),
                    },
                };
            }
            return Interval {
                lo: Some(0),
                hi: below,
            };
        }
        Interval::ALL
    }

    fn truncdiv(self, by: Interval) -> Interval {
        if self.at_least(0) && by.at_least(1) {
            return self.floordiv(by);
        }
        if let Some(least) = by.lo.filter(|&l| l >= 1) {
            let most = |v: i64| by.hi.map_or(0, |most| v / most);
            return Interval {
                lo: self.lo.map(|v| if v < 0 { v / least } else { most(v) }),
                hi: self.hi.map(|v| if v < 0 { most(v) } else { v / least }),
            };
        }
        Interval::ALL
    }

    fn truncmod(self, by: Interval) -> Interval {
        if self.at_least(0) && by.at_least(1) {
            return self.floormod(by);
        }
        let magnitude = match (by.lo, by.hi) {
            (Some(lo), Some(hi)) => lo
                .checked_abs()
                .zip(hi.checked_abs())
                .map(|(a, b)| a.max(b) - 1),
            _ => None,
        };
        let range = Interval {
            lo: magnitude.map(|m| -m),
            hi: magnitude,
        };
        self.union(Interval::new(0, 0)).intersect(range)
    }

    fn lower(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.zip(other.lo).map(|(a, b)| a.min(b)),
            hi: match (self.hi, other.hi) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
        }
    }
}

/// Returns the interval of an expression, given those of its variables.
pub(super) fn of(expr: &SymExpr, var: &dyn Fn(&SymVar) -> Interval) -> Interval {
    match expr {
        SymExpr::Int(value) => Interval::new(*value, *value),
        SymExpr::Var(v) => var(v),
        SymExpr::Node(node) => match node.kind() {
            Kind::Sum(sum) => sum
                .terms
                .iter()
                .fold(Interval::new(sum.constant, sum.constant), |total, term| {
                    total.plus(of_term(term, var))
                }),
            Kind::Op(op, args) => of_op(*op, args, var),
            Kind::Call(..) | Kind::Opaque(..) => Interval::ALL,
        },
    }
}

/// Returns the interval of an expression for arbitrary variables.
pub(super) fn anywhere(expr: &SymExpr) -> Interval {
    of(expr, &|_| Interval::ALL)
}

pub(super) fn of_term(term: &Term, var: &dyn Fn(&SymVar) -> Interval) -> Interval {
    let mut product = Interval::new(term.coeff, term.coeff);
    let mut factors = term.factors.as_slice();
    while let [factor, rest @ ..] = factors {
        let mut interval = of(factor, var);
        if rest.first() == Some(factor) {
            interval = interval.times(interval).intersect(Interval::NON_NEGATIVE);
            factors = &rest[1..];
        } else {
            factors = rest;
        }
        product = product.times(interval);
    }
    product
}

/// Returns the interval of a divisor, which is not zero, so its absolute value is at least 1.
fn divisor(expr: Option<&SymExpr>, var: &dyn Fn(&SymVar) -> Interval) -> Interval {
    let Some(expr) = expr else {
        return Interval::ALL;
    };
    let step = match expr.kind() {
        Some(Kind::Sum(sum)) if sum.constant == 0 => sum.content(),
        _ => 1,
    };
    let Interval { lo, hi } = of(expr, var);
    // Contradictory facts may leave no number at all.
    if lo
        .zip(hi)
        .is_some_and(|(lo, hi)| lo > hi || (lo, hi) == (0, 0))
    {
        return Interval::ALL;
    }
    Interval {
        lo: if lo == Some(0) { Some(step) } else { lo },
        hi: if hi == Some(0) { Some(-step) } else { hi },
    }
}

fn of_op(op: Op, args: &[SymExpr], var: &dyn Fn(&SymVar) -> Interval) -> Interval {
    let at = |i: usize| args.get(i).map_or(Interval::ALL, |a| of(a, var));
    match op {
        Op::Add => at(0).plus(at(1)),
        Op::Sub => at(0).plus(at(1).negated()),
        Op::Mul => at(0).times(at(1)),
        Op::FloorDiv => at(0).floordiv(divisor(args.get(1), var)),
        Op::FloorMod => at(0).floormod(divisor(args.get(1), var)),
        Op::TruncDiv => at(0).truncdiv(divisor(args.get(1), var)),
        Op::TruncMod => at(0).truncmod(divisor(args.get(1), var)),
        Op::Min => (1..args.len()).fold(at(0), |least, i| least.lower(at(i))),
        Op::Max => (1..args.len())
            .fold(at(0).negated(), |least, i| least.lower(at(i).negated()))
            .negated(),
        Op::Select => at(1).union(at(2)),
        Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne | Op::And | Op::Or | Op::Not => {
            Interval::BOOL
        }
        Op::Shl | Op::Shr | Op::BitAnd | Op::BitOr | Op::BitXor | Op::BitNot => Interval::ALL,
        Op::Cast(dtype) => match eval::range(dtype) {
            Some((lo, hi)) if lo != i64::MIN => Interval { lo: Some(lo), hi },
            _ => Interval::ALL,
        },
    }
}
