//! Finds the statements of a PrimFunc that may run in another way: outermost loops whose iterations write different
//! elements run on several threads, packed functions are called by the host, and some statements run as kernels.
//!
//! A function with such loops is compiled in phases, one for each outermost statement. The caller runs them in order,
//! and runs a split phase as several calls, each for a part of the iterations. A loop that the program does not mark
//! as parallel is only split if its variable alone is an index of everything that it writes, and of all reads of the
//! same.

use hir::tir::{
    self, BufferId, Data, Expr, ExprKind, ForKind, Iter, Packed, PrimFunc, Stmt, StmtKind, VarId,
    Visit,
};
use relax::dtype::DType;
use rustc_hash::{FxHashMap, FxHashSet};

use super::stmt::divides;
use crate::tir::nest::{Statement, statements};

/// An outermost statement.
pub(super) struct Phase<'f> {
    pub stmt: &'f Stmt,
    /// The variable of its loop, if the loop may be split.
    pub split: Option<VarId>,
    /// The extents of the loop and of the loops inside it. Their product is the cost.
    pub extents: Vec<&'f Expr>,
    /// The packed call that this statement is. The host makes it after the phase.
    pub packed: Option<&'f Packed>,
    /// The computations of the statement, if kernels may run instead.
    pub statements: Vec<Statement>,
}

/// A part of a function's body.
pub(super) enum Item<'f> {
    /// Binds a value for everything after it. May be last.
    Let(&'f Stmt),
    Phase(Phase<'f>),
}

/// Returns the phases of a function, or `None` if nothing can be split.
pub(super) fn phases(func: &PrimFunc) -> Option<Vec<Item<'_>>> {
    let mut body = func.body.as_slice();
    while let [
        Stmt {
            kind: StmtKind::Block(block),
            ..
        },
    ] = body
        && block.iters.is_empty()
        && block.init.is_empty()
        && block.predicate.is_none()
    {
        body = &block.body;
    }
    let mut items = Vec::with_capacity(body.len());
    let mut splits = false;
    let mut fails = false;
    for stmt in body {
        match &stmt.kind {
            // The value is computed again in each phase, so it must not change between phases.
            StmtKind::Let { value, .. } if value.reads_memory() => return None,
            StmtKind::Let { value, .. } => {
                fails |= may_fail(value);
                items.push(Item::Let(stmt));
            }
            _ => {
                let mut phase = phase(func, stmt);
                // A kernel does not evaluate the values in front of it, and so would not report their faults.
                if std::mem::take(&mut fails) {
                    phase.statements.clear();
                }
                splits |=
                    phase.split.is_some() || phase.packed.is_some() || !phase.statements.is_empty();
                items.push(Item::Phase(phase));
            }
        }
    }
    splits.then_some(items)
}

fn phase<'f>(func: &'f PrimFunc, stmt: &'f Stmt) -> Phase<'f> {
    let mut extents = Vec::new();
    let mut inner = std::slice::from_ref(stmt);
    while let [only] = inner {
        match &only.kind {
            StmtKind::For { extent, body, .. } => {
                extents.push(extent);
                inner = body;
            }
            StmtKind::Block(block) => inner = &block.body,
            _ => break,
        }
    }
    let split = match &first_loop(stmt).kind {
        StmtKind::For {
            var,
            kind: kind @ (ForKind::Serial | ForKind::Parallel),
            body,
            ..
        // The iterations of a part are counted in an int64.
        } if func.var(*var).dtype != DType::U64 => {
            let mut scan = Scan {
                func,
                trusted: *kind == ForKind::Parallel,
                same: FxHashSet::from_iter([*var]),
                depend: FxHashSet::from_iter([*var]),
                dims: FxHashMap::default(),
                stored: FxHashSet::default(),
                plain: true,
            };
            scan.stmts(body);
            scan.holds().then_some(*var)
        }
        _ => None,
    };
    Phase {
        stmt,
        split,
        extents,
        packed: packed(stmt),
        statements: statements(func, stmt),
    }
}

/// Returns `true` if a value may divide by zero.
fn may_fail(value: &Expr) -> bool {
    let mut fails = match &value.kind {
        ExprKind::Binary(op, _, by) => {
            divides(*op) && value.dtype.is_int() && by.as_int().is_none_or(|it| it == 0)
        }
        _ => false,
    };
    value.for_each_child(&mut |child| fails |= may_fail(child));
    fails
}

/// Returns the first loop that may have more than one iteration.
fn first_loop(mut stmt: &Stmt) -> &Stmt {
    while let StmtKind::For { extent, body, .. } = &stmt.kind
        && extent.as_int() == Some(1)
        && let [only] = body.as_slice()
        && matches!(only.kind, StmtKind::For { .. })
    {
        stmt = only;
    }
    stmt
}

fn packed(stmt: &Stmt) -> Option<&Packed> {
    match &stmt.kind {
        StmtKind::Packed(call) => Some(call),
        StmtKind::Block(block)
            if block.iters.is_empty() && block.init.is_empty() && block.predicate.is_none() =>
        {
            match block.body.as_slice() {
                [only] => packed(only),
                _ => None,
            }
        }
        _ => None,
    }
}

/// How the body of a loop uses its variable.
struct Scan<'f> {
    func: &'f PrimFunc,
    /// The program says that iterations are independent.
    trusted: bool,
    /// The variable and its aliases.
    same: FxHashSet<VarId>,
    /// Variables that are computed from it.
    depend: FxHashSet<VarId>,
    /// For each buffer, the dimensions that the variable indexes in every access.
    dims: FxHashMap<BufferId, Vec<bool>>,
    stored: FxHashSet<BufferId>,
    /// `true` while nothing in the body prevents splitting.
    plain: bool,
}

impl<'f> Scan<'f> {
    fn holds(&self) -> bool {
        let viewed = |id: BufferId| {
            let buffers = &self.func.buffers;
            matches!(self.func.buffer(id).data, Data::View(_))
                || buffers.iter().any(|b| b.data == Data::View(id))
        };
        self.plain
            && !self.stored.is_empty()
            && self.stored.iter().all(|id| {
                let own = self.dims.get(id).is_some_and(|dims| dims.contains(&true));
                own && !viewed(*id)
            })
    }

    /// Binds a variable to a value.
    fn name(&mut self, var: VarId, value: &Expr) {
        if self.is_same(value) {
            self.same.insert(var);
        }
        if value.uses(&self.depend) {
            self.depend.insert(var);
        }
    }

    fn is_same(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(var) => self.same.contains(var),
            ExprKind::Cast(inner) => {
                inner.dtype.is_int() && expr.dtype.bits >= inner.dtype.bits && self.is_same(inner)
            }
            _ => false,
        }
    }

    fn access(&mut self, buffer: BufferId, indices: &[Expr]) {
        let func: &'f PrimFunc = self.func;
        // The offset of a view may itself be read from memory.
        if let Some(offset) = &func.buffer(buffer).offset {
            self.expr(offset);
        }
        let chosen: Vec<bool> = indices
            .iter()
            .map(|index| {
                if self.trusted {
                    index.uses(&self.depend)
                } else {
                    self.is_same(index)
                }
            })
            .collect();
        self.dims
            .entry(buffer)
            .and_modify(|known| {
                for (known, chosen) in known.iter_mut().zip(&chosen) {
                    *known &= chosen;
                }
            })
            .or_insert(chosen);
    }
}

impl<'f> Visit<'f> for Scan<'_> {
    fn stmt(&mut self, stmt: &'f Stmt) {
        match &stmt.kind {
            StmtKind::Store {
                buffer, indices, ..
            } => {
                self.stored.insert(*buffer);
                self.access(*buffer, indices);
            }
            StmtKind::Let { var, value } => self.name(*var, value),
            StmtKind::For { .. } | StmtKind::If { .. } | StmtKind::Block(_) => {}
            StmtKind::While { .. }
            | StmtKind::Evaluate(_)
            | StmtKind::Assert { .. }
            | StmtKind::Packed(_)
            | StmtKind::Collective(_) => self.plain = false,
        }
        tir::walk_stmt(self, stmt);
    }

    fn axis(&mut self, iter: &'f Iter) {
        self.name(iter.var, &iter.value);
        self.expr(&iter.value);
        if iter.reduce && self.depend.contains(&iter.var) {
            // An accumulation depends on earlier iterations.
            self.plain = false;
        }
    }

    fn expr(&mut self, expr: &'f Expr) {
        if let ExprKind::Load(buffer, indices) = &expr.kind {
            self.access(*buffer, indices);
        }
        tir::walk_expr(self, expr);
    }
}
