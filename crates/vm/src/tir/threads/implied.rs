//! Barriers that a program does not write, between statements through which threads exchange values.

use hir::tir::{
    self, BufferId, Collective, Expr, ExprKind, ForKind, Group, PrimFunc, Stmt, StmtKind, VarId,
    Visit,
};
use rustc_hash::FxHashSet;

use super::{differs, split::is_block};

/// Returns the function with a barrier between statements that write and read the memory of one of the buffers.
pub(super) fn with_barriers(func: &PrimFunc, memory: FxHashSet<BufferId>) -> PrimFunc {
    let mut pass = Implied {
        func,
        memory,
        depend: FxHashSet::default(),
        threads: 0,
        before: Access::default(),
    };
    let mut func = func.clone();
    pass.stmts(&mut func.body);
    func
}

/// The buffers whose memory is accessed, of those through which values are exchanged.
#[derive(Clone, Default)]
struct Access {
    written: FxHashSet<BufferId>,
    read: FxHashSet<BufferId>,
}

impl Access {
    fn of(func: &PrimFunc, memory: &FxHashSet<BufferId>, stmt: &Stmt) -> Access {
        let mut walk = AccessWalk {
            func,
            memory,
            found: Access::default(),
        };
        walk.stmt(stmt);
        walk.found
    }

    /// Returns `true` if one accesses what the other writes.
    fn meets(&self, later: &Access) -> bool {
        let writes = self.written.iter();
        let mut writes = writes.map(|it| later.read.contains(it) || later.written.contains(it));
        writes.any(|it| it) || self.read.iter().any(|it| later.written.contains(it))
    }

    fn add(&mut self, other: Access) {
        self.written.extend(other.written);
        self.read.extend(other.read);
    }
}

struct AccessWalk<'f> {
    func: &'f PrimFunc,
    memory: &'f FxHashSet<BufferId>,
    found: Access,
}

impl<'f> Visit<'f> for AccessWalk<'_> {
    fn stmt(&mut self, stmt: &'f Stmt) {
        if let StmtKind::Store { buffer, .. } = stmt.kind {
            self.found.written.extend(self.exchanged(buffer));
        }
        tir::walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &'f Expr) {
        if let ExprKind::Load(buffer, _) = expr.kind {
            self.found.read.extend(self.exchanged(buffer));
        }
        tir::walk_expr(self, expr);
    }
}

impl AccessWalk<'_> {
    /// Returns the owner of a buffer's memory, if values are exchanged through it.
    fn exchanged(&self, buffer: BufferId) -> Option<BufferId> {
        let owner = self.func.root(buffer);
        self.memory.contains(&owner).then_some(owner)
    }
}

struct Implied<'f> {
    func: &'f PrimFunc,
    memory: FxHashSet<BufferId>,
    /// Variables that are computed from the numbers of threads.
    depend: FxHashSet<VarId>,
    /// The number of loops over threads around the statement.
    threads: usize,
    /// What was accessed since the last barrier.
    before: Access,
}

impl Implied<'_> {
    fn stmts(&mut self, stmts: &mut Vec<Stmt>) {
        let mut done = Vec::with_capacity(stmts.len());
        for mut stmt in stmts.drain(..) {
            let access = Access::of(self.func, &self.memory, &stmt);
            let is_whole = !access.meets(&access) || self.is_divergent(&stmt, &access);
            if self.threads > 0 && is_whole {
                if self.before.meets(&access) {
                    done.push(Stmt {
                        kind: StmtKind::Collective(Collective::Barrier(Group::Block)),
                        range: stmt.range,
                    });
                    self.before = Access::default();
                }
                self.before.add(access);
            } else {
                self.divide(&mut stmt, access);
            }
            if matches!(stmt.kind, StmtKind::Collective(_)) {
                self.before = Access::default();
            }
            self.name(&stmt);
            done.push(stmt);
        }
        *stmts = done;
    }

    /// Adds barriers inside a statement.
    fn divide(&mut self, stmt: &mut Stmt, access: Access) {
        let mut is_thread = false;
        match &mut stmt.kind {
            StmtKind::For { var, kind, .. } => match kind {
                ForKind::Thread(axis) if !is_block(*axis) => {
                    is_thread = true;
                    self.depend.insert(*var);
                }
                // The iteration before has accessed the same.
                _ => self.before.add(access),
            },
            StmtKind::While { .. } => self.before.add(access),
            StmtKind::Block(block) => {
                for iter in &block.iters {
                    if self.differs(&iter.value) {
                        self.depend.insert(iter.var);
                    }
                }
            }
            _ => {}
        }
        self.threads += usize::from(is_thread);
        if self.threads == 0 {
            self.before = Access::default();
        }
        for body in stmt.bodies_mut().into_iter().flatten() {
            self.stmts(body);
        }
        self.threads -= usize::from(is_thread);
    }

    /// Returns `true` if threads cannot wait for each other in a statement, or if it has no statements inside.
    fn is_divergent(&self, stmt: &Stmt, access: &Access) -> bool {
        // A loop that only writes needs no barrier inside, which all threads would have to reach equally often.
        let only_writes = access.written.is_disjoint(&access.read);
        match &stmt.kind {
            StmtKind::For { min, extent, .. } => {
                only_writes && (self.differs(min) || self.differs(extent))
            }
            StmtKind::While { test, .. } => only_writes && self.differs(test),
            StmtKind::If { test, .. } => self.differs(test),
            StmtKind::Block(block) => {
                let reduces = block.iters.iter().any(|it| it.reduce);
                let test = block.predicate.iter();
                reduces && !block.init.is_empty() || test.into_iter().any(|it| self.differs(it))
            }
            _ => stmt.bodies().iter().all(|it| it.is_empty()),
        }
    }

    fn differs(&self, expr: &Expr) -> bool {
        differs(self.func, &self.depend, expr)
    }

    fn name(&mut self, stmt: &Stmt) {
        if let StmtKind::Let { var, value } = &stmt.kind
            && self.differs(value)
        {
            self.depend.insert(*var);
        }
    }
}
