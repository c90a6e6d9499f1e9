//! Proves that an index is in range, so that its check can be left out.
//!
//! A proof is about mathematical integers, but the code computes with machine integers. So a sum or a product is only
//! treated as such if its bounds show that it cannot overflow its dtype. Any other value is an opaque symbol with
//! known bounds. This way, a proof also holds for the machine.
//!
//! This file is small because memory safety depends on it. It relies on what `verify` checks: a variable is bound in
//! one place, and both operands of an operation have its dtype.

mod poly;

use hir::tir::{Binary, Expr, ExprKind, VarId, int};
use relax::dtype::DType;
use rustc_hash::FxHashMap;

use crate::tir::MOST_EXTENT;
pub(super) use poly::Poly;
use poly::Symbol;

/// The minimum and the maximum value.
type Interval = (i128, i128);

/// The maximum number of expressions that are remembered as symbols.
const REMEMBERED: usize = 256;

/// The maximum number of counters that a proof may replace with an end of their range.
const STEPS: u32 = 64;

#[derive(Default)]
pub(super) struct Bounds {
    symbols: Vec<SymbolBounds>,
    values: FxHashMap<VarId, Poly>,
    /// Expressions that are symbols.
    named: Vec<(Expr, Symbol)>,
}

/// The values that a symbol can have.
struct SymbolBounds {
    interval: Interval,
    /// The symbol counts from 0 to this, inclusive, in terms of older symbols.
    last: Option<Poly>,
}

impl Bounds {
    /// Adds a variable that is only bounded by its dtype.
    pub fn unknown(&mut self, var: VarId, dtype: DType) {
        self.bounded(var, int::range(dtype));
    }

    /// Adds a variable that is the extent of a parameter, and was compared with it.
    pub fn extent_var(&mut self, var: VarId, dtype: DType) {
        self.bounded(var, meet((0, i128::from(MOST_EXTENT)), int::range(dtype)));
    }

    fn bounded(&mut self, var: VarId, interval: Interval) {
        let symbol = self.symbol(interval, None);
        self.values.insert(var, Poly::symbol(symbol));
    }

    /// Adds a variable with a known value.
    pub fn is(&mut self, var: VarId, value: &Expr) {
        let value = self.value(value);
        self.values.insert(var, value);
    }

    /// Adds a loop variable that takes the values `min`, `min + step`, ... for `extent` iterations.
    pub fn counts(&mut self, var: VarId, min: &Expr, step: i64, extent: &Expr) {
        let dtype = extent.dtype;
        let last = self.value(extent).sub(&Poly::int(1));
        let (_, most) = last
            .as_ref()
            .map_or(int::range(dtype), |it| self.interval(it));
        // The body only runs if there is at least one iteration.
        let counter = self.symbol(meet((0, most.max(0)), int::range(dtype)), last);
        let value = Poly::symbol(counter)
            .mul(&Poly::int(i128::from(step)))
            .and_then(|steps| self.value(min).add(&steps))
            .filter(|value| self.fits(value, dtype));
        match value {
            Some(value) => {
                self.values.insert(var, value);
            }
            None => self.unknown(var, dtype),
        }
    }

    /// Returns `true` if `index` is at least 0 and less than `extent` for every possible execution.
    pub fn proves(&mut self, index: &Expr, extent: &Poly) -> bool {
        let index = self.value(index);
        let left = extent.sub(&Poly::int(1)).and_then(|it| it.sub(&index));
        let mut steps = STEPS;
        left.is_some_and(|left| {
            self.is_natural(&index, &mut steps) && self.is_natural(&left, &mut steps)
        })
    }

    /// Returns an integer as the machine computes it.
    pub fn value(&mut self, expr: &Expr) -> Poly {
        let made = match &expr.kind {
            ExprKind::Int(value) => return Poly::int(*value),
            ExprKind::Var(var) => match self.values.get(var) {
                Some(value) => return value.clone(),
                None => None,
            },
            ExprKind::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match op {
                    Binary::Add => a.add(&b),
                    Binary::Sub => a.sub(&b),
                    _ => a.mul(&b),
                }
            }
            ExprKind::Cast(inner) if inner.dtype.is_int() => Some(self.value(inner)),
            _ => None,
        };
        match made {
            Some(value) if self.fits(&value, expr.dtype) => value,
            _ => self.named(expr),
        }
    }

    /// Returns `true` if a mathematical integer cannot overflow the dtype.
    fn fits(&self, value: &Poly, dtype: DType) -> bool {
        let (least, most) = self.interval(value);
        int::holds(dtype, least) && int::holds(dtype, most)
    }

    /// Returns the symbol of an opaque expression. Equal expressions have the same symbol, since variables do not
    /// change.
    fn named(&mut self, expr: &Expr) -> Poly {
        let found = self
            .named
            .iter()
            .find(|(known, _)| known.is_same_formula(expr));
        if let Some(&(_, symbol)) = found {
            return Poly::symbol(symbol);
        }
        let interval = meet(self.range_of(expr), int::range(expr.dtype));
        let symbol = self.symbol(interval, None);
        if self.named.len() < REMEMBERED && is_pure(expr) {
            self.named.push((expr.clone(), symbol));
        }
        Poly::symbol(symbol)
    }

    /// Returns the bounds of an operation other than a sum or a product.
    fn range_of(&mut self, expr: &Expr) -> Interval {
        let all = int::range(expr.dtype);
        match &expr.kind {
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let ((a_min, a_max), (b_min, b_max)) = (self.interval(&a), self.interval(&b));
                match op {
                    Binary::Min => (a_min.min(b_min), a_max.min(b_max)),
                    Binary::Max => (a_min.max(b_min), a_max.max(b_max)),
                    Binary::FloorMod if b_min > 0 => (0, b_max - 1),
                    Binary::TruncMod if b_min > 0 && a_min >= 0 => (0, a_max.min(b_max - 1)),
                    Binary::FloorDiv if b_min > 0 && b_min == b_max => {
                        (a_min.div_euclid(b_min), a_max.div_euclid(b_min))
                    }
                    Binary::FloorDiv | Binary::TruncDiv if b_min > 0 && a_min >= 0 => {
                        (0, a_max / b_min)
                    }
                    Binary::BitAnd if b_min >= 0 => (0, b_max),
                    Binary::BitAnd if a_min >= 0 => (0, a_max),
                    _ => all,
                }
            }
            ExprKind::Select(_, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let ((a_min, a_max), (b_min, b_max)) = (self.interval(&a), self.interval(&b));
                (a_min.min(b_min), a_max.max(b_max))
            }
            ExprKind::Cast(inner) if inner.dtype.is_bool() => (0, 1),
            _ => all,
        }
    }

    fn symbol(&mut self, interval: Interval, last: Option<Poly>) -> Symbol {
        self.symbols.push(SymbolBounds { interval, last });
        Symbol(self.symbols.len() as u32 - 1)
    }

    fn interval(&self, poly: &Poly) -> Interval {
        poly.interval(&|symbol| self.symbols[symbol.0 as usize].interval)
    }

    /// Returns `true` if a value is at least 0. Replaces each counter, the newest first, with the end of its range at
    /// which the value is smallest.
    fn is_natural(&self, value: &Poly, steps: &mut u32) -> bool {
        if self.interval(value).0 >= 0 {
            return true;
        }
        let last = |symbol: Symbol| self.symbols[symbol.0 as usize].last.as_ref();
        let counter = value.symbols().filter(|it| last(*it).is_some()).max();
        let (Some(counter), Some(left)) = (counter, steps.checked_sub(1)) else {
            return false;
        };
        *steps = left;
        let Some((slope, rest)) = value.linear_in(counter) else {
            return false;
        };
        if self.is_natural(&slope, steps) {
            return self.is_natural(&rest, steps);
        }
        let at_last = || slope.mul(last(counter)?)?.add(&rest);
        let falls = Poly::int(0).sub(&slope);
        falls.is_some_and(|falls| self.is_natural(&falls, steps))
            && at_last().is_some_and(|value| self.is_natural(&value, steps))
    }
}

fn meet((a, b): Interval, (c, d): Interval) -> Interval {
    (a.max(c), b.min(d))
}

/// Returns `true` if an expression depends only on its variables. An expression that reads memory does not.
fn is_pure(expr: &Expr) -> bool {
    let mut pure = !matches!(expr.kind, ExprKind::Load(..));
    expr.for_each_child(&mut |child| pure &= is_pure(child));
    pure
}
