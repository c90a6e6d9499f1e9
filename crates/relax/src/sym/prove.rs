//! Proves that a sum is not negative: from the bounds of its terms, or by subtracting multiples of sums that are known
//! not to be negative until the bounds suffice.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use super::node::Kind;
use super::sum::gcd;
use super::{Interval, Op, Sum, SymCx, SymExpr, Term, bounds};

const MAX_DEPTH: u32 = 4;
/// The maximum cost of a proof, in parts of expressions visited.
const MAX_COST: u32 = 10_000;

/// The maximum cost of one search within a proof.
const MAX_SEARCH_COST: u32 = 1000;

/// A proof: its assumptions, and the remaining cost, which nested proofs share.
pub(super) struct Proof<'a> {
    pub(super) cx: &'a SymCx,
    left: &'a Cell<u32>,
    /// A cache of the deep form of each operation under the assumptions.
    pub(super) deep: RefCell<FxHashMap<SymExpr, Sum>>,
}

impl Proof<'_> {
    pub(super) fn start<T>(cx: &SymCx, prove: impl FnOnce(&Proof<'_>) -> T) -> T {
        prove(&Proof {
            cx,
            left: &Cell::new(MAX_COST),
            deep: RefCell::default(),
        })
    }

    /// Returns the proof with more assumptions.
    pub(super) fn with<'b>(&'b self, cx: &'b SymCx) -> Proof<'b> {
        Proof {
            cx,
            left: self.left,
            deep: RefCell::default(),
        }
    }

    /// Subtracts the cost of a step. Returns `None` if the proof is too long.
    pub(super) fn spend(&self, cost: u32) -> Option<()> {
        let left = self.left.get().checked_sub(cost);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    /// Returns `true` if `sum >= 0` can be proved.
    pub(super) fn not_negative(&self, sum: &Sum) -> bool {
        let own = self.left.get().min(MAX_SEARCH_COST);
        let others = self.left.replace(own) - own;
        let proved = self.prove(sum, MAX_DEPTH)
            || super::deep::without_quotients(sum.clone())
                .is_some_and(|equivalent| equivalent != *sum && self.prove(&equivalent, MAX_DEPTH));
        self.left.set(self.left.get() + others);
        proved
    }

    fn interval(&self, term: &Term) -> Interval {
        bounds::of_term(term, &|v| self.cx.var_interval(v))
    }

    fn prove(&self, sum: &Sum, depth: u32) -> bool {
        if self.spend(sum.size()).is_none() {
            return false;
        }
        let mut least = Some(i128::from(sum.constant));
        let mut unbounded = None;
        for term in &sum.terms {
            let lo = self.interval(term).lo;
            least = least.zip(lo).map(|(a, b)| a + i128::from(b));
            if lo.is_none() && unbounded.is_none() {
                unbounded = Some(term);
            }
        }
        if least.is_some_and(|l| l >= 0) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let facts = self.facts(sum);
        match unbounded {
            // Each term must be eliminated, so start with the first.
            Some(term) => self.eliminate(sum, term, &facts, depth),
            None => sum
                .terms
                .iter()
                .any(|term| self.eliminate(sum, term, &facts, depth)),
        }
    }

    /// Subtracts a multiple of each fact that contains the term with the same sign.
    fn eliminate(&self, sum: &Sum, term: &Term, facts: &[Sum], depth: u32) -> bool {
        self.cx.facts.iter().chain(facts).any(|fact| {
            let Some(known) = fact.terms.iter().find(|t| t.factors == term.factors) else {
                return false;
            };
            if known.coeff.signum() != term.coeff.signum() {
                return false;
            }
            let common = gcd(known.coeff, term.coeff).max(1);
            // For integers, `sum >= 0` is equivalent to `scale * sum + scale - 1 >= 0`.
            let left = known
                .coeff
                .checked_abs()
                .and_then(|by| sum.scaled(by / common)?.shifted(by / common - 1))
                .zip(term.coeff.checked_neg())
                .and_then(|(scaled, by)| scaled.plus(fact, -((by / common).abs())));
            left.is_some_and(|left| self.prove(&left, depth - 1))
        })
    }

    /// Returns sums that are not negative because of the operations and products in `sum`.
    fn facts(&self, sum: &Sum) -> Vec<Sum> {
        let mut facts = Vec::new();
        for term in &sum.terms {
            for atom in &term.factors {
                if let Some(Kind::Op(op, args)) = atom.kind() {
                    self.facts_of(atom, *op, args, &mut facts);
                }
            }
            if term.factors.len() > 1 {
                self.facts_of_product(term, &mut facts);
            }
        }
        facts
    }

    fn facts_of(&self, atom: &SymExpr, op: Op, args: &[SymExpr], facts: &mut Vec<Sum>) {
        let whole = Sum::of(atom);
        match (op, args) {
            (Op::FloorDiv, [x, by]) if bounds::of(by, &|v| self.cx.var_interval(v)).at_least(0) => {
                // `0 <= x - by * (x // by) <= by - 1`
                let by = Sum::of(by);
                let rest = by
                    .times(&whole)
                    .and_then(|product| Sum::of(x).plus(&product, -1));
                let Some(rest) = rest else { return };
                facts.extend(by.plus(&rest, -1).and_then(|s| s.shifted(-1)));
                facts.push(rest);
            }
            (Op::FloorMod, [_, by]) if bounds::of(by, &|v| self.cx.var_interval(v)).at_least(0) => {
                facts.extend(Sum::of(by).plus(&whole, -1).and_then(|s| s.shifted(-1)));
            }
            (Op::Max, args) => {
                facts.extend(args.iter().filter_map(|a| whole.plus(&Sum::of(a), -1)));
            }
            (Op::Min, args) => {
                facts.extend(args.iter().filter_map(|a| Sum::of(a).plus(&whole, -1)));
            }
            _ => {}
        }
    }

    /// Adds `a * b >= lo * a`, where `b >= lo` and `a` is not negative.
    fn facts_of_product(&self, term: &Term, facts: &mut Vec<Sum>) {
        let product = Sum {
            terms: vec![Term {
                coeff: 1,
                factors: term.factors.clone(),
            }],
            constant: 0,
        };
        for (i, factor) in term.factors.iter().enumerate() {
            let interval = bounds::of(factor, &|v| self.cx.var_interval(v));
            let mut others = term.factors.clone();
            others.remove(i);
            let others = Term {
                coeff: 1,
                factors: others,
            };
            if !self.interval(&others).at_least(0) {
                continue;
            }
            let others = Sum {
                terms: vec![others],
                constant: 0,
            };
            if let Some(lo) = interval.lo.filter(|&lo| lo > 0) {
                facts.extend(product.plus(&others, -lo));
            }
            if let Some(hi) = interval.hi {
                facts.extend(others.scaled(hi).and_then(|s| s.plus(&product, -1)));
            }
        }
    }
}
