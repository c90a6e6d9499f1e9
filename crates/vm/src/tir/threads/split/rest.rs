//! The statements of a part that are not read yet, and the segment that was read since the last barrier.

use std::collections::VecDeque;

use hir::tir::{Buffer, Expr, Stmt, StmtKind, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::values::{Used, substitute};

/// The statements of a part that are not read yet.
#[derive(Default)]
pub(super) struct Rest {
    /// The next statements, in which threads do not meet.
    near: VecDeque<Statement>,
    /// The other statements. After [`Rest::is_used_after_meeting`], the first is one in which threads meet.
    far: VecDeque<Statement>,
    /// The number of statements of `far` that use a variable.
    uses: FxHashMap<VarId, usize>,
    /// The expressions that replace variables.
    replaced: FxHashMap<VarId, Expr>,
}

pub(super) struct Statement {
    pub stmt: Stmt,
    /// `true` if threads wait for each other in it.
    pub meets: bool,
    vars: FxHashSet<VarId>,
}

impl Statement {
    pub fn new(stmt: Stmt, meets: bool, buffers: &[Buffer]) -> Statement {
        let vars = Used::with_offsets(std::slice::from_ref(&stmt), buffers);
        Statement { stmt, meets, vars }
    }
}

impl Rest {
    pub fn push_front(&mut self, stmt: Statement) {
        while let Some(next) = self.near.pop_back() {
            self.push_far(next);
        }
        self.push_far(stmt);
    }

    fn push_far(&mut self, stmt: Statement) {
        for var in &stmt.vars {
            *self.uses.entry(*var).or_default() += 1;
        }
        self.far.push_front(stmt);
    }

    fn pop_far(&mut self) -> Option<Statement> {
        let stmt = self.far.pop_front()?;
        for var in &stmt.vars {
            if let Some(uses) = self.uses.get_mut(var) {
                *uses -= 1;
            }
        }
        Some(stmt)
    }

    pub fn pop_front(&mut self) -> Option<Statement> {
        let mut next = self.near.pop_front().or_else(|| self.pop_far())?;
        if !self.replaced.is_empty() {
            substitute(std::slice::from_mut(&mut next.stmt), &self.replaced);
        }
        Some(next)
    }

    /// Returns `true` if a variable is used in the next statement in which threads meet, or after it.
    pub fn is_used_after_meeting(&mut self, var: VarId) -> bool {
        while self.far.front().is_some_and(|it| !it.meets) {
            let next = self.pop_far();
            self.near.extend(next);
        }
        self.uses.get(&var).is_some_and(|uses| *uses > 0)
    }

    /// Replaces a variable in all statements.
    pub fn replace(&mut self, var: VarId, by: Expr) {
        self.replaced.insert(var, by);
    }
}

/// The statements between two barriers.
#[derive(Default)]
pub(super) struct Segment {
    stmts: Vec<Stmt>,
    /// The variables that they bind.
    bound: FxHashSet<VarId>,
}

impl Segment {
    pub fn push(&mut self, stmt: Stmt) {
        if let StmtKind::Let { var, .. } = stmt.kind {
            self.bound.insert(var);
        }
        self.stmts.push(stmt);
    }

    pub fn binds_variable_of(&self, expr: &Expr) -> bool {
        !self.bound.is_empty() && expr.uses(&self.bound)
    }

    /// Returns the statements, and starts again without any.
    pub fn take(&mut self) -> Vec<Stmt> {
        self.bound.clear();
        std::mem::take(&mut self.stmts)
    }
}
