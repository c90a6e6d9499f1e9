//! Computes the lifetimes of the values in a block: each ends with the last statement that reads it under any name.

use std::cell::RefCell;

use relax::ops::returns_view;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Linker;
use crate::bytecode::{Callee, CalleeId, Operand, Reg};
use crate::ir::{DpsOut, Stmt, StmtKind};

/// The lifetimes in a block. Variables that refer to the same memory form a group.
pub(super) struct Lifetimes {
    parent: RefCell<FxHashMap<Reg, Reg>>,
    /// The last statement that reads any variable of a group, by the group's root.
    last: FxHashMap<Reg, usize>,
    /// The roots of groups that outlive the block.
    escaped: FxHashSet<Reg>,
}

impl Lifetimes {
    fn root(&self, reg: Reg) -> Reg {
        let parent = self.parent.borrow();
        let mut at = reg;
        while let Some(&next) = parent.get(&at) {
            at = next;
        }
        at
    }

    fn join(&self, a: Reg, b: Reg) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.borrow_mut().insert(a, b);
        }
    }

    /// Adds `reg` to the group of `leader`, so that both live equally long.
    pub fn follow(&self, reg: Reg, leader: Reg) {
        let root = self.root(leader);
        if root != reg {
            self.parent.borrow_mut().insert(reg, root);
        }
    }

    /// Returns the last statement that reads the value, or `None` if it outlives the block.
    pub fn last_read(&self, reg: Reg) -> Option<usize> {
        let root = self.root(reg);
        if self.escaped.contains(&root) {
            return None;
        }
        self.last.get(&root).copied()
    }
}

/// `kept` are variables that are read after the block.
pub(super) fn lifetimes(link: &Linker<'_>, stmts: &[Stmt], kept: &FxHashSet<Reg>) -> Lifetimes {
    let mut lives = Lifetimes {
        parent: RefCell::default(),
        last: FxHashMap::default(),
        escaped: FxHashSet::default(),
    };
    let mut returned: Vec<Reg> = kept.iter().copied().collect();
    group(link, stmts, &lives, &mut returned);
    for (at, stmt) in stmts.iter().enumerate() {
        let mut note = |reg: Reg| {
            let root = lives.root(reg);
            lives.last.insert(root, at);
        };
        if let Some(dst) = stmt.dst() {
            note(dst);
        }
        stmt.for_each_operand(&mut |operand| {
            if let Some(reg) = operand.reg() {
                note(reg);
            }
        });
    }
    for reg in returned {
        let root = lives.root(reg);
        lives.escaped.insert(root);
    }
    lives
}

fn group(link: &Linker<'_>, stmts: &[Stmt], lives: &Lifetimes, returned: &mut Vec<Reg>) {
    let join = |dst: Reg, operand: &Operand| {
        if let Some(reg) = operand.reg() {
            lives.join(reg, dst);
        }
    };
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Call { dst, callee, args } if may_be_an_argument(link, *callee) => {
                for arg in args {
                    join(*dst, arg);
                }
            }
            StmtKind::Call { .. } | StmtKind::BindDim { .. } | StmtKind::CheckReturn { .. } => {}
            StmtKind::Dps(dps) => {
                for out in &dps.outs {
                    if let DpsOut::Reuse { value, .. } = out {
                        join(dps.dst, value);
                    }
                }
            }
            StmtKind::MatchCast { dst, value, .. } => join(*dst, value),
            StmtKind::If {
                dst,
                then,
                otherwise,
                ..
            } => {
                for branch in [then, otherwise] {
                    group(link, &branch.body, lives, returned);
                    if let Some(value) = &branch.value {
                        join(*dst, value);
                    }
                }
            }
            StmtKind::Return(value) => returned.extend(value.reg()),
        }
    }
}

/// Returns `true` if the result of a call may be or contain one of its arguments.
fn may_be_an_argument(link: &Linker<'_>, callee: CalleeId) -> bool {
    match link.program.callee(callee) {
        Some(Callee::Kernel(op, _)) => returns_view(op.name),
        Some(Callee::PrimFunc(_)) => false,
        _ => true,
    }
}
