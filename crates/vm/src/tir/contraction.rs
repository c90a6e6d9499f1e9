//! Statements that sum products, `c[...] += a[...] * b[...]` in a nest of loops: matrix products and convolutions of any
//! layout and tiling, read as such.
//!
//! What a statement is, is read once. Whether its loops visit each element as a product does, and stay within all
//! buffers, is shown for the numbers of a call (`proof`): what is not shown runs loop by loop.

mod affine;
mod proof;
#[cfg(test)]
mod tests;

use hir::tir::{Binary, BufferId, Data, Expr, ExprKind, ForKind, PrimFunc, Stmt, StmtKind, VarId};
use relax::dtype::{Code, DType};
use rustc_hash::FxHashSet;

pub use proof::{Numbers, Place};

/// The statement, as far as it can be read before a call.
#[derive(Clone, Debug)]
pub(super) struct Contraction {
    loops: Vec<Loop>,
    /// Axes of blocks, the outer ones first.
    axes: Vec<Axis>,
    /// The axes of the block that sets the sum, and the loops around it: so many first ones.
    set_by: (usize, usize),
    pub init: Init,
    pub c: Access,
    /// Where the sum before is read.
    before: Vec<Expr>,
    pub a: Access,
    pub b: Access,
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

/// What the sum starts from.
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

/// The contraction that a statement is.
pub(super) fn contraction(func: &PrimFunc, stmt: &Stmt) -> Option<Contraction> {
    let mut nest = Nest {
        func,
        loops: Vec::new(),
        axes: Vec::new(),
        set_by: (0, 0),
        init: &[],
    };
    let (buffer, indices, value) = nest.store(std::slice::from_ref(stmt))?;
    let c = access(func, buffer, indices)?;
    let dtype = func.buffer(buffer).dtype;
    let ExprKind::Binary(Binary::Add, x, y) = &value.kind else {
        return None;
    };
    let is_sum = |expr: &Expr| matches!(expr.kind, ExprKind::Load(of, _) if of == buffer);
    let (sum, product) = if is_sum(x) { (x, y) } else { (y, x) };
    let ExprKind::Load(of, before) = &sum.kind else {
        return None;
    };
    let ExprKind::Binary(Binary::Mul, a, b) = &product.kind else {
        return None;
    };
    if *of != buffer || !has_products(dtype) {
        return None;
    }
    let (a, b) = (factor(func, a, dtype)?, factor(func, b, dtype)?);
    if a.buffer == buffer || b.buffer == buffer {
        return None;
    }
    let init = match nest.init {
        [] => Init::Kept,
        [stmt] => initial(stmt, buffer)?,
        _ => return None,
    };
    Some(Contraction {
        loops: nest.loops,
        axes: nest.axes,
        set_by: nest.set_by,
        init,
        c,
        before: before.clone(),
        a,
        b,
    })
}

impl Contraction {
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
        for access in [&self.a, &self.b, &self.c] {
            let strides = access.layout.strides.iter().flatten();
            let indices = access.indices.iter().chain(strides);
            indices.chain(&access.layout.offset).for_each(&mut visit);
        }
        self.before.iter().for_each(&mut visit);
        if let Init::Int(_, at) | Init::Float(_, at) = &self.init {
            at.iter().for_each(&mut visit);
        }
        found
    }
}

fn variables(expr: &Expr, found: &mut dyn FnMut(VarId)) {
    if let ExprKind::Var(var) = expr.kind {
        found(var);
    }
    expr.for_each_child(&mut |child| variables(child, found));
}

/// Loops and blocks, each of which holds one statement.
struct Nest<'f> {
    func: &'f PrimFunc,
    loops: Vec<Loop>,
    axes: Vec<Axis>,
    set_by: (usize, usize),
    init: &'f [Stmt],
}

impl<'f> Nest<'f> {
    /// The store within.
    fn store(&mut self, stmts: &'f [Stmt]) -> Option<(BufferId, &'f [Expr], &'f Expr)> {
        let [only] = stmts else { return None };
        match &only.kind {
            StmtKind::For {
                var,
                min,
                extent,
                step,
                kind,
                body,
            } if !matches!(kind, ForKind::Thread(_)) => {
                self.loops.push(Loop {
                    var: *var,
                    dtype: self.func.var(*var).dtype,
                    min: min.clone(),
                    extent: extent.clone(),
                    step: *step,
                });
                self.store(body)
            }
            StmtKind::Block(block) if block.predicate.is_none() && self.init.is_empty() => {
                if !block.init.is_empty() {
                    // Axes of blocks around it do not say when it is set.
                    if !self.axes.is_empty() {
                        return None;
                    }
                    self.init = &block.init;
                    self.set_by = (block.iters.len(), self.loops.len());
                }
                self.axes.extend(block.iters.iter().map(|iter| Axis {
                    var: iter.var,
                    dtype: self.func.var(iter.var).dtype,
                    min: iter.min.clone(),
                    value: iter.value.clone(),
                    reduce: iter.reduce,
                }));
                self.store(&block.body)
            }
            StmtKind::Store {
                buffer,
                indices,
                value,
            } => Some((*buffer, indices, value)),
            _ => None,
        }
    }
}

fn access(func: &PrimFunc, id: BufferId, indices: &[Expr]) -> Option<Access> {
    let buffer = func.buffer(id);
    // What is seen through a view has another name.
    let viewed = |of: BufferId| func.buffers.iter().any(|it| it.data == Data::View(of));
    if matches!(buffer.data, Data::View(_)) || viewed(id) {
        return None;
    }
    Some(Access {
        buffer: id,
        indices: indices.to_vec(),
        layout: Layout {
            strides: buffer.strides.clone(),
            offset: buffer.offset.clone(),
        },
    })
}

/// A factor of a product of a dtype: an element, perhaps cast to it.
fn factor(func: &PrimFunc, expr: &Expr, dtype: DType) -> Option<Access> {
    let (from, load) = match &expr.kind {
        // Each number of the cast is one that the products are computed in.
        ExprKind::Cast(inner) if dtype.bits >= 32 => (inner.dtype, &**inner),
        _ => (expr.dtype, expr),
    };
    let ExprKind::Load(buffer, indices) = &load.kind else {
        return None;
    };
    let alike = dtype.is_float() == from.is_float();
    let fits = expr.dtype == dtype && alike && has_products(from);
    fits.then(|| access(func, *buffer, indices))?
}

fn has_products(dtype: DType) -> bool {
    dtype.lanes == 1
        && match dtype.code {
            Code::Int | Code::UInt => matches!(dtype.bits, 8 | 16 | 32 | 64),
            Code::Float => matches!(dtype.bits, 16 | 32 | 64),
            Code::BFloat => dtype.bits == 16,
            _ => false,
        }
}

/// A constant that an element is set to.
fn initial(stmt: &Stmt, sum: BufferId) -> Option<Init> {
    let StmtKind::Store {
        buffer,
        indices,
        value,
    } = &stmt.kind
    else {
        return None;
    };
    match value.kind {
        _ if *buffer != sum => None,
        ExprKind::Int(value) => Some(Init::Int(value, indices.clone())),
        ExprKind::Float(value) => Some(Init::Float(value, indices.clone())),
        _ => None,
    }
}
