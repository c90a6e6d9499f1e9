//! What is known of the variables: bounds, inequalities, equalities; and the questions that it answers.

use super::deep::Deep;
use super::node::Kind;
use super::{Interval, Op, Sum, SymExpr, SymVar, Tri, bounds, eval};

/// How many cases of `min`, `max` and comparisons a proof tells apart, each doubling its work.
const MAX_SPLITS: u32 = 3;

/// What is known of the variables while something is to be proved: lower and upper bounds, equalities.
/// The default knows that every variable is a dimension, so not negative.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymCx {
    /// Bounds other than "not negative".
    bounds: Vec<(SymVar, Interval)>,
    /// Each is not negative.
    pub(super) facts: Vec<Sum>,
    /// What a variable equals. None of these variables occurs on the right or in `facts`.
    equalities: Vec<(SymVar, SymExpr)>,
}

impl SymCx {
    /// Takes a variable for any integer, as a scalar parameter is, unless it already has bounds.
    pub fn assume_signed(&mut self, var: &SymVar) {
        if !self.bounds.iter().any(|(v, _)| v == var) {
            self.bounds.push((var.clone(), Interval::ALL));
        }
    }

    /// From now on `a >= b`.
    pub fn assume_ge(&mut self, a: &SymExpr, b: &SymExpr) {
        let difference = self.resolve(&a.sub(b));
        if let Some(sum) = self.deep(&difference) {
            self.assume_not_negative(sum);
        }
    }

    /// From now on `expr >= 0`, as the dimension of a value is.
    pub fn assume_dimension(&mut self, expr: &SymExpr) {
        if !matches!(expr, SymExpr::Int(_)) {
            self.assume_ge(expr, &SymExpr::Int(0));
        }
    }

    /// From now on `expr >= 1`.
    pub fn with_positive(mut self, expr: &SymExpr) -> SymCx {
        self.assume_ge(expr, &SymExpr::Int(1));
        self
    }

    /// From now on `a == b`. The variable bound last is replaced where the equation can be solved for it.
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
        if let Some(sum) = self.deep(&difference)
            && let Some(negative) = sum.scaled(-1)
        {
            self.assume_not_negative(sum);
            self.assume_not_negative(negative);
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
            // `coeff * var >= -constant`
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

    /// Between which numbers the value lies.
    pub fn bounds(&self, expr: &SymExpr) -> Interval {
        bounds::of(&self.resolve(expr), &|v| self.var_interval(v))
    }

    /// The expression with variables replaced by what they are known to equal.
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

    pub(super) fn deep(&self, expr: &SymExpr) -> Option<Sum> {
        Deep::new(self).sum(expr)
    }

    /// Are the two equal for every (yes), for no (no), or perhaps for some value of the variables?
    pub fn equal(&self, a: &SymExpr, b: &SymExpr) -> Tri {
        if a == b {
            return Tri::Yes;
        }
        match (a, b) {
            (SymExpr::Int(_), SymExpr::Int(_)) => return Tri::No,
            (SymExpr::Var(v), SymExpr::Int(value)) | (SymExpr::Int(value), SymExpr::Var(v))
                if self.equalities.is_empty() =>
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
            (SymExpr::Var(_), SymExpr::Var(_))
                if self.equalities.is_empty()
                    && self.facts.is_empty()
                    && self.bounds.is_empty() =>
            {
                return Tri::Maybe;
            }
            _ => {}
        }
        self.decide(Question::Zero, &self.resolve(&a.sub(b)), MAX_SPLITS)
    }

    /// Is `a <= b`?
    pub fn less_equal(&self, a: &SymExpr, b: &SymExpr) -> Tri {
        if let (SymExpr::Int(x), SymExpr::Int(y)) = (a, b) {
            return if x <= y { Tri::Yes } else { Tri::No };
        }
        self.decide(Question::NotNegative, &self.resolve(&b.sub(a)), MAX_SPLITS)
    }

    /// Is `a < b`?
    pub fn less(&self, a: &SymExpr, b: &SymExpr) -> Tri {
        !self.less_equal(b, a)
    }

    /// Does `by` divide `expr`?
    pub fn divisible(&self, expr: &SymExpr, by: &SymExpr) -> Tri {
        if self.equal(by, &SymExpr::Int(0)).is_yes() {
            return Tri::Maybe;
        }
        self.equal(&expr.floormod(by), &SymExpr::Int(0))
    }

    /// The simplest form that what is known allows: `max(n, 0)` is `n` for a dimension.
    pub fn simplify(&self, expr: &SymExpr) -> SymExpr {
        let resolved = self.resolve(expr);
        if resolved.kind().is_none() {
            return resolved;
        }
        self.rewrite(&resolved)
    }

    fn rewrite(&self, expr: &SymExpr) -> SymExpr {
        let Some(kind) = expr.kind() else {
            return expr.clone();
        };
        let rebuilt = eval::rebuild(kind, &|child| self.rewrite(child));
        let Some((op, args)) = rebuilt.as_op() else {
            return rebuilt;
        };
        let yes = |a: &SymExpr, b: &SymExpr| self.quick_less_equal(a, b);
        match (op, args) {
            (Op::TruncDiv | Op::TruncMod, [a, b])
                if yes(&SymExpr::Int(0), a) && yes(&SymExpr::Int(1), b) =>
            {
                if op == Op::TruncDiv {
                    a.floordiv(b)
                } else {
                    a.floormod(b)
                }
            }
            (Op::FloorDiv | Op::FloorMod, [a, b]) => {
                if yes(&SymExpr::Int(0), a) && yes(&a.add(&SymExpr::Int(1)), b) {
                    return if op == Op::FloorDiv {
                        SymExpr::Int(0)
                    } else {
                        a.clone()
                    };
                }
                rebuilt
            }
            (Op::Min | Op::Max, args) => {
                let mut kept: Vec<SymExpr> = args.to_vec();
                let mut at = 0;
                while at < kept.len() {
                    let superfluous = kept.iter().enumerate().any(|(i, k)| {
                        i != at
                            && if op == Op::Max {
                                yes(&kept[at], k)
                            } else {
                                yes(k, &kept[at])
                            }
                    });
                    if superfluous {
                        kept.remove(at);
                    } else {
                        at += 1;
                    }
                }
                SymExpr::apply(op, &kept)
            }
            (Op::Lt | Op::Le | Op::Eq | Op::Ne, [a, b]) => {
                let answer = match op {
                    Op::Lt => !self.decide(Question::NotNegative, &a.sub(b), 0),
                    Op::Le => self.decide(Question::NotNegative, &b.sub(a), 0),
                    Op::Eq => self.decide(Question::Zero, &a.sub(b), 0),
                    _ => !self.decide(Question::Zero, &a.sub(b), 0),
                };
                match answer {
                    Tri::Yes => SymExpr::Int(1),
                    Tri::No => SymExpr::Int(0),
                    Tri::Maybe => rebuilt,
                }
            }
            (Op::Cast(dtype), [a]) => {
                let range = self.bounds(a);
                match eval::range(dtype) {
                    Some((lo, hi))
                        if range.at_least(lo) && hi.is_none_or(|hi| range.at_most(hi)) =>
                    {
                        a.clone()
                    }
                    _ => rebuilt,
                }
            }
            _ => rebuilt,
        }
    }

    fn quick_less_equal(&self, a: &SymExpr, b: &SymExpr) -> bool {
        self.decide(Question::NotNegative, &b.sub(a), 0).is_yes()
    }

    /// Answers the question about an expression whose variables are resolved.
    fn decide(&self, question: Question, expr: &SymExpr, splits: u32) -> Tri {
        let Some(sum) = self.deep(expr) else {
            return Tri::Maybe;
        };
        let direct = self.decide_sum(question, &sum);
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

    /// The answer if it is one in all cases.
    fn by_cases(&self, question: Question, expr: &SymExpr, split: &Split, splits: u32) -> Tri {
        let mut answer = None;
        for (assumption, value) in &split.cases {
            let mut cx = self.clone();
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
            let case = cx.decide(question, &replaced, splits);
            if case == Tri::Maybe || answer.is_some_and(|a| a != case) {
                return Tri::Maybe;
            }
            answer = Some(case);
        }
        answer.unwrap_or(Tri::Maybe)
    }
}

/// What is asked of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Zero,
    NotNegative,
}

/// An operation whose value is told apart by cases.
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
    /// The first `max`, `min` or comparison in an expression.
    fn find(expr: &SymExpr) -> Option<Split> {
        let one = SymExpr::Int(1);
        let zero = SymExpr::Int(0);
        let kind = expr.kind()?;
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
        if let Some(cases) = cases {
            return Some(Split {
                atom: expr.clone(),
                cases,
            });
        }
        let mut found = None;
        kind.for_each_child(&mut |child| {
            if found.is_none() {
                found = Split::find(child);
            }
        });
        found
    }
}

/// `expr` with each occurrence of `atom` replaced.
fn replace(expr: &SymExpr, atom: &SymExpr, by: &SymExpr) -> SymExpr {
    if expr == atom {
        return by.clone();
    }
    match expr.kind() {
        Some(kind) => eval::rebuild(kind, &|child| replace(child, atom, by)),
        None => expr.clone(),
    }
}
