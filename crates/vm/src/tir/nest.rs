//! Recognises statements that write elements one by one in a loop nest as a computation: sums of products (matrix
//! products and convolutions of any layout and tiling), copies, elementwise expressions, sums, minima and maxima.
//!
//! A block may compute several elements at once, such as a mean and a variance: each is a computation of its own.
//!
//! The statement is read once. For the numbers of each call, `proof` shows that its loops visit the elements as the
//! computation does and stay within all buffers. Without a proof, the loops run as they are.

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
pub use read::statements;

/// A statement, as far as it can be read before a call.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    loops: Vec<Loop>,
    /// The axes of blocks, outer ones first.
    axes: Vec<Axis>,
    /// The number of axes and of loops, counted from the outermost, that are around the statement that initialises the
    /// element.
    set_by: (usize, usize),
    pub init: Init,
    /// The written element.
    pub c: Access,
    /// The indices at which the previous value of the element is read, if it is.
    before: Option<Vec<Expr>>,
    pub reads: Vec<Access>,
    /// The indices whose values the expression uses.
    indices: Vec<Expr>,
    pub work: Work,
    /// Where the expression of [`Work::Map`] is computed, if not everywhere.
    guard: Option<Guard>,
}

/// How an element is computed from the elements that are read.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// Adds the product of two elements.
    Product,
    /// Copies one element.
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

/// The initial value of a sum.
#[derive(Clone, Debug)]
pub(super) enum Init {
    /// The current value of the element.
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

/// The layout of a buffer's elements in memory.
#[derive(Clone, Debug)]
struct Layout {
    strides: Option<Vec<Expr>>,
    offset: Option<Expr>,
}

impl Statement {
    /// Returns the total number of iterations, if it is known without a proof.
    pub fn iterations(&self, value: &dyn Fn(VarId) -> Option<i128>) -> Option<i128> {
        let mut extents = self.loops.iter().map(|it| number(&it.extent, value));
        extents.try_fold(1i128, |all, extent| all.checked_mul(extent?))
    }

    /// Returns the value of elements for which [`Work::Map`] is not computed. Without steps, they are not written.
    pub fn otherwise(&self) -> &[Op] {
        self.guard.as_ref().map_or(&[], |it| &it.otherwise)
    }

    /// Returns the variables whose values a proof needs.
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
        self.indices.iter().for_each(&mut visit);
        let guards = self.guard.iter().flat_map(Guard::exprs);
        guards.for_each(&mut visit);
        if let Init::Int(_, at) | Init::Float(_, at) = &self.init {
            at.iter().for_each(&mut visit);
        }
        found
    }
}

/// Returns the value of an expression if it is the same in all iterations.
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
