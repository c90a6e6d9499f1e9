//! Decides questions about expressions: equal, less, divisible; directly or by case analysis.

use super::node::Kind;
use super::prove::Proof;
use super::{Interval, Op, Sum, SymCx, SymExpr, Tri, bounds, eval};

/// The maximum depth of case analysis over `max` and comparisons. Each level doubles the work.
const MAX_SPLITS: u32 = 4;

impl SymCx {
    /// Returns whether the two are equal: `Yes` for all values of the variables, `No` for none, or `Maybe`.
    pub fn equal(&self, a: &SymExpr, b: &SymExpr) -> Tri {
        if a == b {
            return Tri::Yes;
        }
        match (a, b) {
            (SymExpr::Int(_), SymExpr::Int(_)) => return Tri::No,
            (SymExpr::Var(v), SymExpr::Int(value)) | (SymExpr::Int(value), SymExpr::Var(v))
                if self.knows_no_equality() =>
            {
                let interval = self.var_interval(v);
                return if interval.lo.is_some_and(|lo| *value < lo)
                    || interval.hi.is_some_and(|hi| *value > hi)
                {
                    Tri::No
                } else if interval == Interval::new(*value, *value) {
                    Tri::Yes
                } else {
                    Tri::Maybe
                };
            }
            (SymExpr::Var(_), SymExpr::Var(_)) if self.knows_nothing() => {
                return Tri::Maybe;
            }
            _ => {}
        }
        Proof::start(self, |proof| {
            proof.decide(Question::Zero, &self.resolve(&a.sub(b)), MAX_SPLITS)
        })
    }

    /// Returns whether `a <= b`.
    pub fn less_equal(&self, a: &SymExpr, b: &SymExpr) -> Tri {
        if let (SymExpr::Int(x), SymExpr::Int(y)) = (a, b) {
            return if x <= y { Tri::Yes } else { Tri::No };
        }
        Proof::start(self, |proof| {
            proof.decide(Question::NotNegative, &self.resolve(&b.sub(a)), MAX_SPLITS)
        })
    }

    /// Returns whether `a < b`.
    pub fn less(&self, a: &SymExpr, b: &SymExpr) -> Tri {
        !self.less_equal(b, a)
    }

    /// Returns whether `by` divides `expr`.
    pub fn divisible(&self, expr: &SymExpr, by: &SymExpr) -> Tri {
        if self.equal(by, &SymExpr::Int(0)).is_yes() {
            return Tri::Maybe;
        }
        self.equal(&expr.floormod(by), &SymExpr::Int(0))
    }
}

impl Proof<'_> {
    /// Answers a question about an expression whose variables are resolved.
    pub(super) fn decide(&self, question: Question, expr: &SymExpr, splits: u32) -> Tri {
        let range = bounds::of(expr, &|v| self.cx.var_interval(v));
        match question {
            Question::NotNegative if range.at_least(0) => return Tri::Yes,
            Question::NotNegative if range.at_most(-1) => return Tri::No,
            Question::Zero if range.at_least(1) || range.at_most(-1) => return Tri::No,
            _ => {}
        }
        let Some(sum) = self.deep(expr) else {
            return Tri::Maybe;
        };
        let mut direct = self.decide_sum(question, &sum);
        if direct == Tri::Maybe && expr.kind().is_some() {
            // The deep form hides some bounds: `x % 4` is less than 4.
            let written = Sum::of(expr);
            if written != sum {
                direct = self.decide_sum(question, &written);
            }
        }
        if direct != Tri::Maybe || splits == 0 {
            return direct;
        }
        let expr = sum.into_expr();
        match Split::find(&expr) {
            Some(split) => self.by_cases(question, &expr, &split, splits - 1),
            None => Tri::Maybe,
        }
    }

    fn decide_sum(&self, question: Question, sum: &Sum) -> Tri {
        let shifted = |scale: i64, by: i64| sum.scaled(scale).and_then(|s| s.shifted(by));
        let holds = |s: Option<Sum>| s.is_some_and(|s| self.not_negative(&s));
        match (question, sum.as_int()) {
            (Question::Zero, Some(value)) => return if value == 0 { Tri::Yes } else { Tri::No },
            (Question::NotNegative, Some(value)) => {
                return if value >= 0 { Tri::Yes } else { Tri::No };
            }
            _ => {}
        }
        match question {
            Question::Zero => {
                let content = sum.content();
                if content > 1 && sum.constant % content != 0 {
                    return Tri::No;
                }
                let below = holds(shifted(-1, 0));
                let above = holds(shifted(1, 0));
                if below && above {
                    return Tri::Yes;
                }
                if (above && holds(shifted(1, -1))) || (below && holds(shifted(-1, -1))) {
                    return Tri::No;
                }
                Tri::Maybe
            }
            Question::NotNegative => {
                if holds(shifted(1, 0)) {
                    Tri::Yes
                } else if holds(shifted(-1, -1)) {
                    Tri::No
                } else {
                    Tri::Maybe
                }
            }
        }
    }

    /// Returns the answer if it is the same in all cases.
    fn by_cases(&self, question: Question, expr: &SymExpr, split: &Split, splits: u32) -> Tri {
        let mut answer = None;
        for (assumption, value) in &split.cases {
            if self.spend(expr.size()).is_none() {
                return Tri::Maybe;
            }
            let mut cx = self.cx.clone();
            match assumption {
                Assumption::NotNegative(e) => {
                    let never = self
                        .deep(&e.add(&SymExpr::Int(1)).neg())
                        .is_some_and(|s| self.not_negative(&s));
                    if never {
                        continue;
                    }
                    cx.assume_ge(e, &SymExpr::Int(0));
                }
                Assumption::Zero(e) => cx.assume_equal(e, &SymExpr::Int(0)),
                Assumption::Nothing => {}
            }
            let replaced = cx.resolve(&replace(expr, &split.atom, value));
            let case = self.with(&cx).decide(question, &replaced, splits);
            if case == Tri::Maybe || answer.is_some_and(|a| a != case) {
                return Tri::Maybe;
            }
            answer = Some(case);
        }
        answer.unwrap_or(Tri::Maybe)
    }
}

/// A question about an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    Zero,
    NotNegative,
}

/// An operation whose value is split into cases.
struct Split {
    atom: SymExpr,
    cases: Vec<(Assumption, SymExpr)>,
}

enum Assumption {
    NotNegative(SymExpr),
    Zero(SymExpr),
    Nothing,
}

impl Split {
    /// Returns the first `max` or comparison in an expression, innermost first.
    fn find(expr: &SymExpr) -> Option<Split> {
        let one = SymExpr::Int(1);
        let zero = SymExpr::Int(0);
        let kind = expr.kind()?;
        let mut found = None;
        kind.for_each_child(&mut |child| {
            if found.is_none() {
                found = Split::find(child);
            }
        });
        if found.is_some() {
            return found;
        }
        let cases = match kind {
            Kind::Op(Op::Max, args) => args.split_first().map(|(first, rest)| {
                let rest = SymExpr::apply(Op::Max, rest);
                let difference = first.sub(&rest);
                vec![
                    (Assumption::NotNegative(difference.neg().sub(&one)), rest),
                    (Assumption::NotNegative(difference), first.clone()),
                ]
            }),
            Kind::Op(Op::Lt | Op::Le, args) if args.len() == 2 => {
                let strict = matches!(kind, Kind::Op(Op::Lt, _));
                let mut difference = args[1].sub(&args[0]);
                if strict {
                    difference = difference.sub(&one);
                }
                Some(vec![
                    (
                        Assumption::NotNegative(difference.neg().sub(&one)),
                        zero.clone(),
                    ),
                    (Assumption::NotNegative(difference), one.clone()),
                ])
            }
            Kind::Op(Op::Eq, args) if args.len() == 2 => Some(vec![
                (Assumption::Zero(args[0].sub(&args[1])), one.clone()),
                (Assumption::Nothing, zero.clone()),
            ]),
            Kind::Op(Op::And | Op::Or, _) => Some(vec![
                (Assumption::Nothing, one.clone()),
                (Assumption::Nothing, zero.clone()),
            ]),
            _ => None,
        };
        cases.map(|cases| Split {
            atom: expr.clone(),
            cases,
        })
    }
}

/// Returns `expr` with each occurrence of `atom` replaced.
fn replace(expr: &SymExpr, atom: &SymExpr, by: &SymExpr) -> SymExpr {
    if expr == atom {
        return by.clone();
    }
    match expr.kind() {
        Some(kind) => eval::rebuild(kind, &|child| replace(child, atom, by)),
        None => expr.clone(),
    }
}
