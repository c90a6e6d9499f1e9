//! Which statements of a PrimFunc run otherwise than one after the other: outermost loops whose iterations write
//! different elements run on several threads, packed functions are the host's, plain statements a kernel's.
//!
//! A function with such loops is compiled as phases, one for each outermost statement: the caller runs them in order,
//! and a split one as several calls, each for a part of the iterations. A loop that the program does not mark as
//! parallel is split only where its variable alone is an index of all that it writes, and of all that it reads of it.

use hir::tir::{
    self, BufferId, Data, Expr, ExprKind, ForKind, Iter, Packed, PrimFunc, Stmt, StmtKind, VarId,
    Visit,
};
use relax::dtype::DType;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::tir::nest::{Statement, statement};

/// An outermost statement.
pub(super) struct Phase<'f> {
    pub stmt: &'f Stmt,
    /// The variable of its loop, if it may be split.
    pub split: Option<VarId>,
    /// Of the loop and of those inside of it: their product says what it costs.
    pub extents: Vec<&'f Expr>,
    /// The call of a packed function that the statement is, and that the host makes after the phase.
    pub packed: Option<&'f Packed>,
    /// What the statement computes, if a kernel may compute it instead.
    pub statement: Option<Box<Statement>>,
}

/// What a function's body is made of.
pub(super) enum Item<'f> {
    /// Names a value for all that follows. It may come last.
    Let(&'f Stmt),
    Phase(Phase<'f>),
}

/// The phases of a function; `None` where all run as they stand.
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
    for stmt in body {
        match &stmt.kind {
            // It is computed anew for each phase, so it must not change between them.
            StmtKind::Let { value, .. } if loads(value) => return None,
            StmtKind::Let { .. } => items.push(Item::Let(stmt)),
            _ => {
                let phase = phase(func, stmt);
                splits |=
                    phase.split.is_some() || phase.packed.is_some() || phase.statement.is_some();
                items.push(Item::Phase(phase));
            }
        }
    }
    splits.then_some(items)
}

fn loads(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Load(..));
    expr.for_each_child(&mut |child| found |= loads(child));
    found
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
        statement: statement(func, stmt).map(Box::new),
    }
}

/// The first loop that may have more than one iteration.
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
    /// The program says that iterations do not depend on each other.
    trusted: bool,
    /// The variable and its other names.
    same: FxHashSet<VarId>,
    /// What is computed from it.
    depend: FxHashSet<VarId>,
    /// By buffer: the dimensions that the variable chooses in every access.
    dims: FxHashMap<BufferId, Vec<bool>>,
    stored: FxHashSet<BufferId>,
    /// Nothing in the body keeps the loop whole.
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

    /// A variable that stands for a value.
    fn name(&mut self, var: VarId, value: &Expr) {
        if self.is_same(value) {
            self.same.insert(var);
        }
        if self.depends(value) {
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

    fn depends(&self, expr: &Expr) -> bool {
        let mut found = matches!(&expr.kind, ExprKind::Var(var) if self.depend.contains(var));
        expr.for_each_child(&mut |child| found |= self.depends(child));
        found
    }

    fn access(&mut self, buffer: BufferId, indices: &[Expr]) {
        let func: &'f PrimFunc = self.func;
        // A view is read where its offset says, which may itself be read from memory.
        if let Some(offset) = &func.buffer(buffer).offset {
            self.expr(offset);
        }
        let chosen: Vec<bool> = indices
            .iter()
            .map(|index| {
                if self.trusted {
                    self.depends(index)
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
            | StmtKind::Packed(_) => self.plain = false,
        }
        tir::walk_stmt(self, stmt);
    }

    fn axis(&mut self, iter: &'f Iter) {
        self.name(iter.var, &iter.value);
        self.expr(&iter.value);
        if iter.reduce && self.depend.contains(&iter.var) {
            // Iterations add to what others have begun.
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
