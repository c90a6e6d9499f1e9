//! Sets of thread axes, and the axes that an expression depends on.

use hir::tir::{Binary, BufferId, Expr, ExprKind, ThreadAxis, VarId};
use rustc_hash::FxHashMap;

/// A set of axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Axes(u16);

impl Axes {
    pub fn of(axis: ThreadAxis) -> Axes {
        Axes(1 << axis as u16)
    }

    pub fn with(self, other: Axes) -> Axes {
        Axes(self.0 | other.0)
    }

    pub fn without(self, other: Axes) -> Axes {
        Axes(self.0 & !other.0)
    }

    pub fn both(self, other: Axes) -> Axes {
        Axes(self.0 & other.0)
    }

    pub fn has(self, axis: ThreadAxis) -> bool {
        self.both(Axes::of(axis)) != Axes::default()
    }

    pub fn is_empty(self) -> bool {
        self == Axes::default()
    }

    pub fn iter(self) -> impl Iterator<Item = ThreadAxis> {
        let all = ThreadAxis::ALL.iter().copied();
        all.filter(move |axis| self.has(*axis))
    }
}

/// The values of variables, and the threads that they depend on.
#[derive(Default)]
pub(super) struct Reach<'f> {
    pub vars: FxHashMap<VarId, Axes>,
    /// The values of lets and of block axes.
    pub values: FxHashMap<VarId, &'f Expr>,
    /// The axes along which the contents of a buffer differ, apart from the index.
    pub contents: FxHashMap<BufferId, Axes>,
}

/// The maximum number of threads that are tried.
const TRIED: i64 = 256;

impl<'f> Reach<'f> {
    pub fn name(&mut self, var: VarId, value: &'f Expr) {
        self.vars.insert(var, self.of(value));
        self.values.insert(var, value);
    }

    pub fn of(&self, expr: &Expr) -> Axes {
        let mut axes = match &expr.kind {
            ExprKind::Var(var) => self.vars.get(var).copied().unwrap_or_default(),
            ExprKind::Load(buffer, _) => self.contents.get(buffer).copied().unwrap_or_default(),
            _ => Axes::default(),
        };
        expr.for_each_child(&mut |child| axes = axes.with(self.of(child)));
        axes
    }

    /// Returns `true` if these indices are different for each thread, everything else being equal.
    pub fn tells_apart(
        &self,
        indices: &[Expr],
        axis: ThreadAxis,
        (var, extent): (VarId, Option<i64>),
    ) -> bool {
        if !indices.iter().any(|index| self.of(index).has(axis)) {
            return false;
        }
        let mut places: Vec<Vec<i64>> = Vec::new();
        for thread in 0..extent.unwrap_or(TRIED).min(TRIED) {
            let place = indices
                .iter()
                .map(|index| self.eval(index, var, thread, 0))
                .collect::<Option<Vec<i64>>>();
            match place {
                Some(place) => places.push(place),
                // An index that is only known at run time is assumed to separate threads.
                None => return true,
            }
        }
        let count = places.len();
        places.sort_unstable();
        places.dedup();
        places.len() == count
    }

    /// Evaluates an index for one thread, with all other variables set to 0.
    fn eval(&self, expr: &Expr, var: VarId, thread: i64, depth: u32) -> Option<i64> {
        if depth > 64 {
            return None;
        }
        match &expr.kind {
            ExprKind::Int(value) => i64::try_from(*value).ok(),
            ExprKind::Var(it) if *it == var => Some(thread),
            ExprKind::Var(it) => match self.values.get(it) {
                Some(value) => self.eval(value, var, thread, depth + 1),
                None => Some(0),
            },
            ExprKind::Cast(inner) => self.eval(inner, var, thread, depth + 1),
            ExprKind::Binary(op, a, b) => {
                let a = self.eval(a, var, thread, depth + 1)?;
                let b = self.eval(b, var, thread, depth + 1)?;
                match op {
                    Binary::Add => a.checked_add(b),
                    Binary::Sub => a.checked_sub(b),
                    Binary::Mul => a.checked_mul(b),
                    Binary::FloorDiv | Binary::TruncDiv => a.checked_div_euclid(b),
                    Binary::FloorMod | Binary::TruncMod => a.checked_rem_euclid(b),
                    Binary::Min => Some(a.min(b)),
                    Binary::Max => Some(a.max(b)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
