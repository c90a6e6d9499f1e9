//! Gives barriers their meaning: a loop over threads is split where its threads wait for each other, so that all
//! threads do everything before the barrier first, and then everything after it.
//!
//! A loop or a branch with a barrier inside goes around the parts: it must be the same for all threads, which is
//! checked when it runs unless it is obvious. A loop over the threads that are already running is not a loop, but the
//! same threads, which wait before and after it.

mod desugar;
mod rest;
mod values;

use hir::tir::{
    self, Block, Collective, Expr, ExprKind, ForKind, Group, PrimFunc, Stmt, StmtKind, ThreadAxis,
    TirError, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextRange;

use rest::{Rest, Segment, Statement};
use values::{Recomputed, substitute};

/// Returns the function with split loops, or `None` if it has no barriers.
pub(in crate::tir) fn split(func: &PrimFunc) -> Result<Option<PrimFunc>, Vec<TirError>> {
    let needed = tir::any_stmt(&func.body, &mut |stmt| match &stmt.kind {
        StmtKind::Collective(_) => true,
        _ => member(stmt).is_some_and(|it| it.meets(std::slice::from_ref(stmt))),
    });
    if !needed {
        return Ok(None);
    }
    let mut pass = Split {
        func: func.clone(),
        members: Vec::new(),
        guards: Vec::new(),
        later: FxHashMap::default(),
        stored: FxHashSet::default(),
        out: Vec::new(),
        errors: Vec::new(),
    };
    let body = std::mem::take(&mut pass.func.body);
    pass.func.body = pass.outside(body);
    pass.refuse_moving_views(func);
    if pass.errors.is_empty() {
        Ok(Some(pass.func))
    } else {
        Err(pass.errors)
    }
}

/// The scope of memory through which the split parts exchange values.
const EXCHANGE: &str = "exchange";

struct Split {
    func: PrimFunc,
    /// The loops over threads around the statement, the outermost first.
    members: Vec<Member>,
    /// The conditions under which a thread executes the statement, each in memory that is private to the thread.
    guards: Vec<Expr>,
    /// Values without loads that differ between threads. Each part that needs one computes it again.
    later: FxHashMap<VarId, Recomputed>,
    /// The variables whose values are in memory.
    stored: FxHashSet<VarId>,
    out: Vec<Stmt>,
    errors: Vec<TirError>,
}

/// A loop over threads.
#[derive(Clone)]
struct Member {
    axis: ThreadAxis,
    var: VarId,
    extent: Expr,
    range: TextRange,
}

/// Returns the loop over the threads of a block that a statement is.
fn member(stmt: &Stmt) -> Option<Member> {
    match &stmt.kind {
        StmtKind::For {
            var,
            min,
            extent,
            kind: ForKind::Thread(axis),
            ..
        } if !is_block(*axis) && min.as_int() == Some(0) => Some(Member {
            axis: *axis,
            var: *var,
            extent: extent.clone(),
            range: stmt.range,
        }),
        _ => None,
    }
}

pub(super) fn is_block(axis: ThreadAxis) -> bool {
    use ThreadAxis::{BlockX, BlockY, BlockZ};
    matches!(axis, BlockX | BlockY | BlockZ)
}

impl Member {
    /// Returns `true` if a loop runs over the same threads again.
    fn is_same(&self, other: &Member) -> bool {
        let known = (self.extent.as_int(), other.extent.as_int());
        self.axis == other.axis
            && match known {
                (Some(a), Some(b)) => a == b,
                _ => self.extent.is_same_formula(&other.extent),
            }
    }

    /// Returns `true` if threads of this loop meet in its statement.
    fn meets(&self, stmts: &[Stmt]) -> bool {
        tir::any_stmt(stmts, &mut |stmt| {
            matches!(stmt.kind, StmtKind::Collective(_))
                || member(stmt).is_some_and(|it| it.var != self.var && it.is_same(self))
        })
    }
}

impl Split {
    /// Reads statements outside of any loop over threads.
    fn outside(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut done = Vec::with_capacity(stmts.len());
        for mut stmt in stmts {
            if let Some(it) = member(&stmt)
                && it.meets(std::slice::from_ref(&stmt))
            {
                done.extend(self.part(vec![stmt]));
                continue;
            }
            if let StmtKind::Collective(it) = &stmt.kind {
                if !matches!(it, Collective::Barrier(_)) {
                    self.error(
                        stmt.range,
                        "this exchanges values outside of a loop over threads",
                    );
                }
                continue;
            }
            for body in stmt.bodies_mut().into_iter().flatten() {
                *body = self.outside(std::mem::take(body));
            }
            done.push(stmt);
        }
        done
    }

    /// Returns what the threads do for some statements, as loops over all of them.
    fn part(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let outer = std::mem::take(&mut self.out);
        let (mut rest, mut segment) = (Rest::default(), Segment::default());
        self.push_front(stmts, &mut rest);
        while let Some(Statement { stmt, meets, .. }) = rest.pop_front() {
            if meets {
                self.flush(segment.take());
                self.meeting(stmt, &mut rest);
            } else if let StmtKind::Let { .. } = stmt.kind {
                self.value(stmt, &mut segment, &mut rest);
            } else {
                segment.push(stmt);
            }
        }
        self.flush(segment.take());
        std::mem::replace(&mut self.out, outer)
    }

    fn push_front(&self, stmts: Vec<Stmt>, rest: &mut Rest) {
        for stmt in stmts.into_iter().rev() {
            let meets = self.meets(&stmt);
            rest.push_front(Statement::new(stmt, meets, &self.func.buffers));
        }
    }

    /// Returns `true` if threads wait for each other in a statement.
    fn meets(&self, stmt: &Stmt) -> bool {
        let stmts = std::slice::from_ref(stmt);
        if tir::any_stmt(stmts, &mut |it| matches!(it.kind, StmtKind::Collective(_))) {
            return true;
        }
        let known = |it: &Member| self.members.iter().any(|member| member.is_same(it));
        tir::any_stmt(stmts, &mut |it| {
            member(it).is_some_and(|it| known(&it) || it.meets(stmts))
        })
    }

    /// Adds a loop over all threads for the statements between two barriers.
    fn flush(&mut self, mut body: Vec<Stmt>) {
        let Some(range) = body.first().map(|it| it.range) else {
            return;
        };
        if let Some(guard) = self.guards.clone().into_iter().reduce(and) {
            body = vec![branch(guard, body, range)];
        }
        body = self.with_values(body);
        for member in self.members.clone().into_iter().rev() {
            let dtype = self.func.var(member.var).dtype;
            let var = self.renamed(member.var);
            let own = Expr {
                dtype,
                kind: ExprKind::Var(var),
                range: member.range,
            };
            substitute(&mut body, &std::iter::once((member.var, own)).collect());
            body = vec![Stmt {
                kind: StmtKind::For {
                    var,
                    min: Expr::int(0, dtype, member.range),
                    extent: member.extent,
                    step: 1,
                    kind: ForKind::Thread(member.axis),
                    body,
                },
                range: member.range,
            }];
        }
        self.out.append(&mut body);
    }

    /// Reads a statement in which threads wait for each other.
    fn meeting(&mut self, mut stmt: Stmt, rest: &mut Rest) {
        let range = stmt.range;
        match stmt.kind {
            StmtKind::Collective(Collective::Barrier(group)) => {
                if group == Group::Block && !self.guards.is_empty() {
                    let message = "only some threads of the block may reach this barrier: its condition differs between threads";
                    self.error(range, message);
                }
            }
            StmtKind::Collective(it) => {
                let stmts = self.desugar(it, range);
                self.push_front(stmts, rest);
            }
            StmtKind::For {
                kind: ForKind::Thread(axis),
                ..
            } if !is_block(axis) => self.thread_loop(stmt),
            StmtKind::For {
                ref mut min,
                ref mut extent,
                ref mut body,
                ..
            } => {
                *min = self.agreed(min.clone());
                *extent = self.agreed(extent.clone());
                *body = self.part(std::mem::take(body));
                self.out.push(stmt);
            }
            StmtKind::While {
                ref mut test,
                ref mut body,
            } => {
                let own = test.clone();
                *test = self.agreed(own.clone());
                let mut inside = self.part(std::mem::take(body));
                // The next test is computed after the body.
                if let ExprKind::Load(buffer, _) = test.kind
                    && own != *test
                {
                    let outer = std::mem::take(&mut self.out);
                    self.agree(own, buffer);
                    inside.append(&mut std::mem::replace(&mut self.out, outer));
                }
                *body = inside;
                self.out.push(stmt);
            }
            StmtKind::If {
                test,
                then,
                otherwise,
            } => self.choice(test, then, otherwise, range),
            StmtKind::Block(block) => {
                self.push_front(statements_of_block(block, range), rest);
            }
            _ => self.error(
                range,
                "threads cannot wait for each other in this statement",
            ),
        }
    }

    /// Reads a loop over threads: the same threads as around it, or more of them.
    fn thread_loop(&mut self, stmt: Stmt) {
        let (Some(it), range) = (member(&stmt), stmt.range) else {
            let message = "threads meet in this loop, which does not start at 0";
            return self.error(stmt.range, message);
        };
        let StmtKind::For { mut body, .. } = stmt.kind else {
            return;
        };
        if let Some(same) = self.members.iter().find(|member| member.is_same(&it)) {
            let own = Expr {
                dtype: self.func.var(same.var).dtype,
                kind: ExprKind::Var(same.var),
                range,
            };
            let own = values::cast(own, self.func.var(it.var).dtype);
            substitute(&mut body, &std::iter::once((it.var, own)).collect());
            let mut part = self.part(body);
            self.out.append(&mut part);
            return;
        }
        if self.members.iter().any(|member| member.axis == it.axis) {
            let message = format!(
                "this loop over `{}` has another number of threads than the one around it",
                it.axis.name()
            );
            return self.error(range, message);
        }
        let extent = self.agreed(it.extent.clone());
        if extent != it.extent {
            self.error(
                range,
                "the number of threads depends on memory or on threads",
            );
        }
        self.members.push(it);
        let mut part = self.part(body);
        self.members.pop();
        self.out.append(&mut part);
    }

    /// Reads a branch: around the parts if all threads agree, or else as a condition of each part.
    fn choice(&mut self, test: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>, range: TextRange) {
        let waits = |stmts: &[Stmt]| {
            tir::any_stmt(stmts, &mut |it| {
                matches!(
                    it.kind,
                    StmtKind::Collective(Collective::Barrier(Group::Block))
                )
            })
        };
        if self.is_uniform(&test) || waits(&then) || waits(&otherwise) {
            let test = self.agreed(test);
            let kind = StmtKind::If {
                test,
                then: self.part(then),
                otherwise: self.part(otherwise),
            };
            self.out.push(Stmt { kind, range });
            return;
        }
        let guard = self.private_cell(test.dtype, range);
        self.flush(vec![guard.store(test)]);
        let opposite = Expr {
            kind: ExprKind::Not(Box::new(guard.load())),
            ..guard.load()
        };
        for (guard, stmts) in [(guard.load(), then), (opposite, otherwise)] {
            self.guards.push(guard);
            let mut part = self.part(stmts);
            self.guards.pop();
            self.out.append(&mut part);
        }
    }

    /// Reports views whose offset depends on the thread: each part has its own variable for it.
    fn refuse_moving_views(&mut self, before: &PrimFunc) {
        let mut moved: FxHashSet<VarId> = self.later.keys().copied().collect();
        moved.extend(&self.stored);
        tir::for_each_stmt(&before.body, &mut |stmt| {
            if let (Some(it), StmtKind::For { .. }) = (member(stmt), &stmt.kind) {
                moved.insert(it.var);
            }
        });
        for buffer in &before.buffers {
            let offset = buffer.offset.iter();
            if offset.into_iter().any(|it| it.uses(&moved)) {
                let message = format!(
                    "the offset of view `{}` depends on the thread, and threads wait for each other here",
                    buffer.name
                );
                self.error(buffer.range, message);
            }
        }
    }

    fn error(&mut self, range: TextRange, message: impl Into<String>) {
        self.errors.push(TirError {
            message: message.into(),
            range,
        });
    }
}

fn and(a: Expr, b: Expr) -> Expr {
    Expr {
        dtype: a.dtype,
        range: b.range,
        kind: ExprKind::And(Box::new(a), Box::new(b)),
    }
}

fn branch(test: Expr, then: Vec<Stmt>, range: TextRange) -> Stmt {
    let kind = StmtKind::If {
        test,
        then,
        otherwise: Vec::new(),
    };
    Stmt { kind, range }
}

/// Returns the statements of a block: its axes as values, its condition and its start as branches.
fn statements_of_block(block: Block, range: TextRange) -> Vec<Stmt> {
    let mut stmts = Vec::new();
    let mut first: Option<Expr> = None;
    for iter in block.iters {
        if iter.reduce {
            let var = Expr {
                kind: ExprKind::Var(iter.var),
                ..iter.value.clone()
            };
            let starts = values::equal(var, iter.min);
            first = Some(match first {
                Some(before) => and(before, starts),
                None => starts,
            });
        }
        stmts.push(Stmt {
            range: iter.value.range,
            kind: StmtKind::Let {
                var: iter.var,
                value: iter.value,
            },
        });
    }
    let mut body = block.body;
    match first {
        Some(first) if !block.init.is_empty() => {
            body.insert(0, branch(first, block.init, range));
        }
        _ => {
            body.splice(0..0, block.init);
        }
    }
    match block.predicate {
        Some(test) => stmts.push(branch(test, body, range)),
        None => stmts.append(&mut body),
    }
    stmts
}
