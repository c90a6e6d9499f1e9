//! Simplifies an expression using facts about its variables.

use super::decide::Question;
use super::prove::Proof;
use super::simplify::MAX_COMPARED;
use super::{Op, SymCx, SymExpr, Tri, eval};

impl SymCx {
    /// Returns the simplest equal expression under the known facts: `max(n, 0)` is `n` for a dimension.
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
        let decide = |question: Question, expr: SymExpr| {
            Proof::start(self, |proof| proof.decide(question, &expr, 0))
        };
        let yes = |a: &SymExpr, b: &SymExpr| decide(Question::NotNegative, b.sub(a)).is_yes();
        match (op, args) {
            (Op::TruncDiv | Op::TruncMod, [a, b])
                if yes(&SymExpr::Int(0), a) && yes(&SymExpr::Int(0), b) =>
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
            (Op::Min | Op::Max, args) if args.len() <= MAX_COMPARED => {
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
                    Op::Lt => !decide(Question::NotNegative, a.sub(b)),
                    Op::Le => decide(Question::NotNegative, b.sub(a)),
                    Op::Eq => decide(Question::Zero, a.sub(b)),
                    _ => !decide(Question::Zero, a.sub(b)),
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
}
