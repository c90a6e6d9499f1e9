//! Statements that write one element after the other in a nest of loops, read as what they compute: sums of products
//! (matrix products and convolutions of any layout and tiling), copies, expressions, sums and extremes.
//!
//! What a statement is, is read once. Whether its loops visit each element as such a computation does, and stay within
//! all buffers, is shown for the numbers of a call (`proof`): what is not shown runs loop by loop.

mod affine;
mod expression;
mod guard;
mod proof;
mod read;
#[cfg(test)]
mod tests;

use hir::tir::{BufferId, Expr, ExprKind, VarId, int};
use relax::dtype::DType;
use rustc_hash::FxHashSet;

use crate::kernels::sweep::{Fold, Op};
use guard::Guard;
pub use proof::{BufferArgument, Numbers, Proven};
pub use read::statement;

/// The statement, as far as it can be read before a call.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    loops: Vec<Loop>,
    /// Axes of blocks, the outer ones first.
    axes: Vec<Axis>,
    /// The axes of the block that sets the element, and the loops around it: so many first ones.
    set_by: (usize, usize),
    pub init: Init,
    /// What is written.
    pub c: Access,
    /// Where the element before is read, if it is.
    before: Option<Vec<Expr>>,
    pub reads: Vec<Access>,
    pub work: Work,
    /// Where the expression of [`Work::Map`] is computed, if not everywhere.
    guard: Option<Guard>,
}

/// What an element is made of those that are read.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// The product of both is added to it.
    Product,
    /// It is the only one.
    Copy,
    Map(Vec<Op>),
    Fold(Fold, Vec<Op>),
}

#[derive(Clone, Debug)]
struct Loop {
    var: VarId,
    dtype: DType,
    min: Expr,
    extent: Expr,
    step: i64,
}

#[derive(Clone, Debug)]
struct Axis {
    var: VarId,
    dtype: DType,
    min: Expr,
    value: Expr,
    reduce: bool,
}

/// What a sum starts from.
#[derive(Clone, Debug)]
pub(super) enum Init {
    /// What the element holds.
    Kept,
    Int(i128, Vec<Expr>),
    Float(f64, Vec<Expr>),
}

#[derive(Clone, Debug)]
pub(super) struct Access {
    pub buffer: BufferId,
    indices: Vec<Expr>,
    layout: Layout,
}

/// How a buffer's elements lie in its memory.
#[derive(Clone, Debug)]
struct Layout {
    strides: Option<Vec<Expr>>,
    offset: Option<Expr>,
}

impl Statement {
    /// How often the loops run in all, where that is known without a proof.
    pub fn iterations(&self, value: &dyn Fn(VarId) -> Option<i128>) -> Option<i128> {
        let mut extents = self.loops.iter().map(|it| number(&it.extent, value));
        extents.try_fold(1i128, |all, extent| all.checked_mul(extent?))
    }

    /// What an element is where [`Work::Map`] is not computed.
    pub fn otherwise(&self) -> &[Op] {
        self.guard.as_ref().map_or(&[], |it| &it.otherwise)
    }

    /// The variables whose values a proof needs.
    pub fn variables(&self) -> Vec<VarId> {
        let mut own: FxHashSet<VarId> = self.loops.iter().map(|it| it.var).collect();
        own.extend(self.axes.iter().map(|it| it.var));
        let mut found = Vec::new();
        let mut visit = |expr: &Expr| {
            variables(expr, &mut |var| {
                if own.insert(var) {
                    found.push(var);
                }
            });
        };
        for it in &self.loops {
            visit(&it.min);
            visit(&it.extent);
        }
        for it in &self.axes {
            visit(&it.min);
            visit(&it.value);
        }
        for access in self.reads.iter().chain([&self.c]) {
            let strides = access.layout.strides.iter().flatten();
            let indices = access.indices.iter().chain(strides);
            indices.chain(&access.layout.offset).for_each(&mut visit);
        }
        self.before.iter().flatten().for_each(&mut visit);
        let guards = self.guard.iter().flat_map(Guard::exprs);
        guards.for_each(&mut visit);
        if let Init::Int(_, at) | Init::Float(_, at) = &self.init {
            at.iter().for_each(&mut visit);
        }
        found
    }
}

/// A number that is one in all iterations.
fn number(expr: &Expr, value: &dyn Fn(VarId) -> Option<i128>) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Var(var) => value(*var),
        ExprKind::Cast(inner) if inner.dtype.is_int() => {
            Some(int::wrap(number(inner, value)?, expr.dtype))
        }
        ExprKind::Binary(op, a, b) if expr.dtype.is_int() => {
            int::binary(*op, expr.dtype, number(a, value)?, number(b, value)?)
        }
        _ => None,
    }
}

fn variables(expr: &Expr, found: &mut dyn FnMut(VarId)) {
    if let ExprKind::Var(var) = expr.kind {
        found(var);
    }
    expr.for_each_child(&mut |child| variables(child, found));
}
