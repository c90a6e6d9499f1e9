//! Reads the computation of a statement from its loops, blocks and store.

use hir::tir::{Binary, BufferId, Data, Expr, ExprKind, ForKind, PrimFunc, Stmt, StmtKind, VarId};
use relax::dtype::{Code, DType};

use super::{Access, Axis, Guard, Init, Layout, Loop, Statement, Work, expression};
use crate::kernels::sweep::Fold;

/// Returns the computations of a statement, one for each element that an iteration writes. Returns none if it does
/// anything else.
pub fn statements(func: &PrimFunc, stmt: &Stmt) -> Vec<Statement> {
    let mut nest = Nest {
        func,
        loops: Vec::new(),
        axes: Vec::new(),
        set_by: (0, 0),
        init: &[],
    };
    let mut read = || {
        let stores = nest.stores(std::slice::from_ref(stmt))?;
        if !nest.init.is_empty() && nest.init.len() != stores.len() {
            return None;
        }
        let all = stores.iter().map(|store| nest.parts(store));
        let all: Vec<Vec<Statement>> = all.collect::<Option<_>>()?;
        are_independent(&all).then(|| all.concat())
    };
    read().unwrap_or_default()
}

/// Returns `true` if each of several stores gives the same without the others, and when it is computed twice.
fn are_independent(stores: &[Vec<Statement>]) -> bool {
    let reads = |it: &Statement, of: &Statement| {
        of.c.buffer == it.c.buffer || it.reads.iter().any(|read| read.buffer == of.c.buffer)
    };
    let is_alone = |at: usize, it: &Statement| {
        let adds_to_before = it.before.is_some() && matches!(it.init, Init::Kept);
        let others = stores.iter().enumerate().filter(|(other, _)| *other != at);
        let mut others = others.flat_map(|(_, parts)| parts);
        !adds_to_before && others.all(|other| !reads(it, other))
    };
    let mut all = stores.iter().enumerate();
    stores.len() == 1 || all.all(|(at, parts)| parts.iter().all(|it| is_alone(at, it)))
}

/// A store, with the value that it writes.
struct Store<'f> {
    buffer: BufferId,
    indices: &'f [Expr],
    value: &'f Expr,
}

/// Returns the stores of a block's body. A value may be computed before all stores: `v = C[i] + A[i]`, `C[i] = v`.
fn stores(stmts: &[Stmt]) -> Option<Vec<Store<'_>>> {
    let count = stmts
        .iter()
        .take_while(|stmt| matches!(stmt.kind, StmtKind::Let { .. }))
        .count();
    let (lets, stmts) = stmts.split_at(count);
    let named = |var: VarId| {
        lets.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Let { var: it, value } if *it == var => Some(value),
            _ => None,
        })
    };
    let mut used = Vec::new();
    let mut found = Vec::with_capacity(stmts.len());
    for stmt in stmts {
        let StmtKind::Store {
            buffer,
            indices,
            value,
        } = &stmt.kind
        else {
            return None;
        };
        let value = match value.kind {
            ExprKind::Var(var) if named(var).is_some() => {
                used.push(var);
                named(var)?
            }
            _ => value,
        };
        found.push(Store {
            buffer: *buffer,
            indices,
            value,
        });
    }
    // The reads of a value are checked, even if nothing is computed from it.
    let is_used =
        |stmt: &Stmt| matches!(stmt.kind, StmtKind::Let { var, .. } if used.contains(&var));
    (!found.is_empty() && lets.iter().all(is_used)).then_some(found)
}

/// What a statement computes.
struct Found {
    work: Work,
    before: Option<Vec<Expr>>,
    reads: Vec<Access>,
    indices: Vec<Expr>,
}

impl Found {
    fn new(work: Work, before: Option<Vec<Expr>>, reads: Vec<Access>) -> Found {
        Found {
            work,
            before,
            reads,
            indices: Vec::new(),
        }
    }
}

fn work(func: &PrimFunc, buffer: BufferId, value: &Expr) -> Option<Found> {
    let dtype = func.buffer(buffer).dtype;
    if let ExprKind::Load(of, indices) = &value.kind {
        let reads = vec![access(func, *of, indices)?];
        return Some(Found::new(Work::Copy, None, reads));
    }
    if let ExprKind::Binary(op @ (Binary::Add | Binary::Min | Binary::Max), x, y) = &value.kind {
        let sum = |expr: &Expr| match &expr.kind {
            ExprKind::Load(of, before) if *of == buffer => Some(before.clone()),
            _ => None,
        };
        // The minimum or maximum of an unordered pair is the second operand, so their order matters.
        let second = || sum(y).filter(|_| *op == Binary::Add).map(|it| (it, x));
        if let Some((before, term)) = sum(x).map(|it| (it, y)).or_else(second) {
            if *op == Binary::Add
                && let Some(factors) = factors(func, term, dtype)
            {
                return Some(Found::new(Work::Product, Some(before), factors));
            }
            if !matches!(dtype, DType::F32 | DType::F16 | DType::BF16) {
                return None;
            }
            let how = match op {
                Binary::Add => Fold::Sum,
                Binary::Min => Fold::Min,
                _ => Fold::Max,
            };
            let steps = expression::read(func, term)?;
            return Some(Found {
                work: Work::Fold(how, steps.ops),
                before: Some(before),
                reads: steps.reads,
                indices: steps.indices,
            });
        }
    }
    map(func, value)
}

fn map(func: &PrimFunc, value: &Expr) -> Option<Found> {
    let steps = expression::read(func, value)?;
    Some(Found {
        work: Work::Map(steps.ops),
        before: None,
        reads: steps.reads,
        indices: steps.indices,
    })
}

/// Returns the two elements that an expression multiplies.
fn factors(func: &PrimFunc, expr: &Expr, dtype: DType) -> Option<Vec<Access>> {
    let ExprKind::Binary(Binary::Mul, a, b) = &expr.kind else {
        return None;
    };
    let is_product = has_products(dtype);
    is_product.then(|| Some(vec![factor(func, a, dtype)?, factor(func, b, dtype)?]))?
}

/// The loops and blocks around one statement.
struct Nest<'f> {
    func: &'f PrimFunc,
    loops: Vec<Loop>,
    axes: Vec<Axis>,
    set_by: (usize, usize),
    init: &'f [Stmt],
}

impl<'f> Nest<'f> {
    /// Returns the stores inside.
    fn stores(&mut self, stmts: &'f [Stmt]) -> Option<Vec<Store<'f>>> {
        let [only] = stmts else { return stores(stmts) };
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
                self.stores(body)
            }
            StmtKind::Block(block) if block.predicate.is_none() && self.init.is_empty() => {
                if !block.init.is_empty() {
                    // Axes of enclosing blocks do not say when the element is initialised.
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
                self.stores(&block.body)
            }
            _ => stores(stmts),
        }
    }

    /// Returns the computations of a store, one for each part of its value.
    fn parts(&self, store: &Store<'_>) -> Option<Vec<Statement>> {
        let is_moving = |var: VarId| {
            let mut axes = self.axes.iter().map(|axis| axis.var);
            axes.any(|it| it == var) || self.loops.iter().any(|it| it.var == var)
        };
        let parts = Guard::parts(self.func, store.value, &is_moving).into_iter();
        let parts = parts.map(|(guard, value)| self.statement(store, guard, value));
        parts.collect()
    }

    fn statement(
        &self,
        store: &Store<'_>,
        guard: Option<Guard>,
        value: &Expr,
    ) -> Option<Statement> {
        let (func, buffer) = (self.func, store.buffer);
        let init = match self.init {
            [] => Init::Kept,
            all => all.iter().find_map(|stmt| initial(stmt, buffer))?,
        };
        let Found {
            work,
            before,
            reads,
            indices,
        } = match &guard {
            Some(_) => map(func, value)?,
            None => work(func, buffer, value)?,
        };
        // A value that is overwritten cannot be an initial value.
        if before.is_none() && !matches!(init, Init::Kept) {
            return None;
        }
        if reads.iter().any(|read| read.buffer == buffer) {
            return None;
        }
        Some(Statement {
            loops: self.loops.clone(),
            axes: self.axes.clone(),
            set_by: self.set_by,
            init,
            c: access(func, buffer, store.indices)?,
            before,
            reads,
            indices,
            work,
            guard,
        })
    }
}

pub fn access(func: &PrimFunc, id: BufferId, indices: &[Expr]) -> Option<Access> {
    let buffer = func.buffer(id);
    // A view accesses the same memory under another name.
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

/// Returns a factor of a product: an element, possibly cast to the product's dtype.
fn factor(func: &PrimFunc, expr: &Expr, dtype: DType) -> Option<Access> {
    let (from, load) = match &expr.kind {
        // The type in which products are computed must represent each number of the cast.
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

/// Returns the constant that an element is initialised to.
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
