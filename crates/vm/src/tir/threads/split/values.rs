//! Values that several parts of a split loop use: each part computes them again, or they are in memory.

use hir::tir::{
    self, Buffer, BufferId, Compare, Data, Expr, ExprKind, Stmt, StmtKind, Var, VarId, Visit,
};
use relax::dtype::DType;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::TextRange;

use super::rest::{Rest, Segment};
use super::{EXCHANGE, Split};

/// The maximum number of values that a part computes again for one that it uses. With more, the value is in memory, or
/// the parts would grow with the square of the number of values.
const MOST_RECOMPUTED: usize = 32;

/// A value that each part that uses it computes again.
pub(super) struct Recomputed {
    value: Expr,
    /// The number of values that are computed: this one and those that it uses.
    count: usize,
}

/// An element of memory that the pass adds.
pub(super) struct Cell {
    buffer: BufferId,
    dtype: DType,
    range: TextRange,
}

impl Cell {
    pub fn load(&self) -> Expr {
        Expr {
            dtype: self.dtype,
            kind: ExprKind::Load(self.buffer, vec![Expr::int(0, DType::I32, self.range)]),
            range: self.range,
        }
    }

    pub fn store(&self, value: Expr) -> Stmt {
        let first = Expr::int(0, DType::I32, self.range);
        store(self.buffer, vec![first], value)
    }
}

impl Split {
    /// Reads a value that is bound to a name.
    pub(super) fn value(&mut self, stmt: Stmt, segment: &mut Segment, rest: &mut Rest) {
        let StmtKind::Let { var, ref value } = stmt.kind else {
            return;
        };
        if !value.reads_memory() && !segment.binds_variable_of(value) {
            if self.is_uniform(value) && self.guards.is_empty() {
                self.out.push(stmt);
                return;
            }
            let again = self.recomputed(value);
            if again.count <= MOST_RECOMPUTED {
                self.later.insert(var, again);
                return;
            }
        }
        // A value of this segment that uses it has its own cell if it is used later.
        if !rest.is_used_after_meeting(var) {
            segment.push(stmt);
            return;
        }
        let cell = self.private_cell(value.dtype, stmt.range);
        segment.push(cell.store(value.clone()));
        rest.replace(var, cell.load());
        self.stored.insert(var);
    }

    fn recomputed(&self, value: &Expr) -> Recomputed {
        let mut used = Used::default();
        used.expr(value);
        let counts = used.vars.iter().filter_map(|it| self.later.get(it));
        Recomputed {
            value: value.clone(),
            count: 1 + counts.map(|it| it.count).sum::<usize>(),
        }
    }

    /// Returns the statements after the values that they use, which are computed again.
    pub(super) fn with_values(&mut self, mut body: Vec<Stmt>) -> Vec<Stmt> {
        let mut renamed = FxHashMap::default();
        let mut stmts = Vec::with_capacity(body.len());
        for (var, value) in needed(&body, &self.later) {
            let (dtype, range) = (value.dtype, value.range);
            let var_of_part = self.renamed(var);
            let named = Expr {
                dtype,
                kind: ExprKind::Var(var_of_part),
                range,
            };
            renamed.insert(var, named);
            let kind = StmtKind::Let {
                var: var_of_part,
                value,
            };
            stmts.push(Stmt { kind, range });
        }
        if renamed.is_empty() {
            return body;
        }
        stmts.append(&mut body);
        substitute(&mut stmts, &renamed);
        stmts
    }

    /// Returns an expression outside of the loops over threads whose value all threads agree on.
    pub(super) fn agreed(&mut self, expr: Expr) -> Expr {
        if self.is_uniform(&expr) {
            return expr;
        }
        let range = expr.range;
        let one = vec![Expr::int(1, DType::I32, range)];
        let buffer = self.memory("agreed", EXCHANGE, expr.dtype, one, range);
        self.agree(expr, buffer)
    }

    /// Stores the value that all threads agree on, and checks that they agree.
    pub(super) fn agree(&mut self, expr: Expr, buffer: BufferId) -> Expr {
        let (dtype, range) = (expr.dtype, expr.range);
        let cell = Cell {
            buffer,
            dtype,
            range,
        };
        // No thread stores a value if no thread gets here.
        self.out.push(cell.store(Expr::int(0, dtype, range)));
        self.flush(vec![cell.store(expr.clone())]);
        let message = "threads wait for each other inside, but this differs between them";
        let kind = StmtKind::Assert {
            test: equal(expr, cell.load()),
            message: SmolStr::new_static(message),
        };
        self.flush(vec![Stmt { kind, range }]);
        cell.load()
    }

    /// Returns `true` if an expression obviously has the same value for all threads.
    pub(super) fn is_uniform(&self, expr: &Expr) -> bool {
        let mut used = Used::default();
        used.expr(expr);
        let differs = |var: &VarId| {
            self.later.contains_key(var) || self.members.iter().any(|it| it.var == *var)
        };
        !expr.reads_memory() && !used.vars.iter().any(differs)
    }

    /// Adds an element for each thread.
    pub(super) fn private_cell(&mut self, dtype: DType, range: TextRange) -> Cell {
        let one = vec![Expr::int(1, DType::I32, range)];
        Cell {
            buffer: self.memory("value", "local", dtype, one, range),
            dtype,
            range,
        }
    }

    pub(super) fn memory(
        &mut self,
        name: &'static str,
        scope: &'static str,
        dtype: DType,
        shape: Vec<Expr>,
        range: TextRange,
    ) -> BufferId {
        self.func.buffers.push(Buffer {
            name: SmolStr::new_static(name),
            dtype,
            shape,
            strides: None,
            offset: None,
            data: Data::Alloc,
            scope: SmolStr::new_static(scope),
            range,
        });
        BufferId(self.func.buffers.len() as u32 - 1)
    }

    /// Returns a new variable with the name and the dtype of another.
    pub(super) fn renamed(&mut self, of: VarId) -> VarId {
        let Var { name, dtype } = self.func.var(of).clone();
        self.func.vars.push(Var { name, dtype });
        VarId(self.func.vars.len() as u32 - 1)
    }
}

/// Returns the values that statements use, each in front of those that it uses.
fn needed(body: &[Stmt], values: &FxHashMap<VarId, Recomputed>) -> Vec<(VarId, Expr)> {
    let mut open: Vec<VarId> = Used::of(body).into_iter().collect();
    let mut found: FxHashMap<VarId, Expr> = FxHashMap::default();
    while let Some(var) = open.pop() {
        let Some(Recomputed { value, .. }) = values.get(&var) else {
            continue;
        };
        if found.insert(var, value.clone()).is_none() {
            let mut inner = Used::default();
            inner.expr(value);
            open.extend(inner.vars);
        }
    }
    let mut found: Vec<(VarId, Expr)> = found.into_iter().collect();
    // A program binds its variables in the order of their numbers.
    found.sort_unstable_by_key(|(var, _)| *var);
    found
}

/// The variables and the buffers that are used.
#[derive(Default)]
pub(super) struct Used {
    vars: FxHashSet<VarId>,
    buffers: FxHashSet<BufferId>,
}

impl Used {
    pub fn of(stmts: &[Stmt]) -> FxHashSet<VarId> {
        let mut used = Used::default();
        used.stmts(stmts);
        used.vars
    }

    /// Includes the variables of the offsets of views.
    pub fn with_offsets(stmts: &[Stmt], buffers: &[Buffer]) -> FxHashSet<VarId> {
        let mut used = Used::default();
        used.stmts(stmts);
        let mut offsets = Used::default();
        for offset in used
            .buffers
            .iter()
            .filter_map(|it| buffers[it.0 as usize].offset.as_ref())
        {
            offsets.expr(offset);
        }
        used.vars.extend(offsets.vars);
        used.vars
    }
}

impl<'f> Visit<'f> for Used {
    fn stmt(&mut self, stmt: &'f Stmt) {
        if let StmtKind::Store { buffer, .. } = stmt.kind {
            self.buffers.insert(buffer);
        }
        tir::walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &'f Expr) {
        match expr.kind {
            ExprKind::Var(var) => {
                self.vars.insert(var);
            }
            ExprKind::Load(buffer, _) => {
                self.buffers.insert(buffer);
            }
            _ => {}
        }
        tir::walk_expr(self, expr);
    }
}

/// Replaces variables by expressions.
pub(super) fn substitute(stmts: &mut [Stmt], by: &FxHashMap<VarId, Expr>) {
    for stmt in stmts {
        stmt.for_each_expr_mut(&mut |expr| replace(expr, by));
        if let StmtKind::Collective(tir::Collective::Reduce(it)) = &mut stmt.kind {
            for var in &mut it.over {
                if let Some(ExprKind::Var(named)) = by.get(var).map(|it| &it.kind) {
                    *var = *named;
                }
            }
        }
        for body in stmt.bodies_mut().into_iter().flatten() {
            substitute(body, by);
        }
    }
}

pub(super) fn replace(expr: &mut Expr, by: &FxHashMap<VarId, Expr>) {
    if let ExprKind::Var(var) = &expr.kind {
        if let Some(by) = by.get(var) {
            *expr = Expr {
                range: expr.range,
                ..by.clone()
            };
        }
        return;
    }
    expr.for_each_child_mut(&mut |child| replace(child, by));
}

pub(super) fn cast(expr: Expr, dtype: DType) -> Expr {
    if expr.dtype == dtype {
        return expr;
    }
    let range = expr.range;
    let kind = ExprKind::Cast(Box::new(expr));
    Expr { dtype, kind, range }
}

pub(super) fn equal(a: Expr, b: Expr) -> Expr {
    compare(Compare::Eq, a, b)
}

pub(super) fn compare(op: Compare, a: Expr, b: Expr) -> Expr {
    Expr {
        dtype: DType::BOOL,
        range: a.range,
        kind: ExprKind::Compare(op, Box::new(a), Box::new(b)),
    }
}

pub(super) fn store(buffer: BufferId, indices: Vec<Expr>, value: Expr) -> Stmt {
    Stmt {
        range: value.range,
        kind: StmtKind::Store {
            buffer,
            indices,
            value,
        },
    }
}
