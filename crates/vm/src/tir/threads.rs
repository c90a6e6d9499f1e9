//! Loops over the threads of a GPU, one after the other: what each means on its own, and where threads need each other.

use hir::tir::{Block, BufferId, Data, Expr, ExprKind, PackedArg, PrimFunc, Stmt, StmtKind, VarId};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// The shared memory through which the threads of a loop exchange values: each writes a part of its own, and all are
/// there only once every thread has. Where each thread writes all of it, or reads it in a later loop, order is enough.
pub(super) fn exchanged(func: &PrimFunc, thread: VarId, body: &[Stmt]) -> Option<SmolStr> {
    func.buffers.iter().enumerate().find_map(|(at, buffer)| {
        if !buffer.scope.starts_with("shared") || buffer.data != Data::Alloc {
            return None;
        }
        let mut use_of = Use {
            buffer: BufferId(at as u32),
            depend: FxHashSet::from_iter([thread]),
            writes_part: false,
            reads: false,
        };
        use_of.stmts(body);
        (use_of.writes_part && use_of.reads).then(|| buffer.name.clone())
    })
}

/// How a loop's body uses a buffer.
struct Use {
    buffer: BufferId,
    /// What is computed from the thread's number.
    depend: FxHashSet<VarId>,
    /// Stores where or what the thread's number says.
    writes_part: bool,
    reads: bool,
}

impl Use {
    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Store {
                    buffer,
                    indices,
                    value,
                } => {
                    if *buffer == self.buffer {
                        self.writes_part |= indices.iter().any(|index| self.depends(index));
                    }
                    for index in indices {
                        self.expr(index);
                    }
                    self.expr(value);
                }
                StmtKind::Let { var, value } => {
                    self.name(*var, value);
                    self.expr(value);
                }
                StmtKind::For {
                    min, extent, body, ..
                } => {
                    self.expr(min);
                    self.expr(extent);
                    self.stmts(body);
                }
                StmtKind::While { test, body } => {
                    self.expr(test);
                    self.stmts(body);
                }
                StmtKind::If {
                    test,
                    then,
                    otherwise,
                } => {
                    // What only some threads write is a part as well.
                    if self.depends(test) && self.stores(then) | self.stores(otherwise) {
                        self.writes_part = true;
                    }
                    self.expr(test);
                    self.stmts(then);
                    self.stmts(otherwise);
                }
                StmtKind::Block(block) => self.block(block),
                StmtKind::Evaluate(value) => self.expr(value),
                StmtKind::Assert { test, .. } => self.expr(test),
                StmtKind::Packed(call) => {
                    self.reads |= call.args.contains(&PackedArg::Buffer(self.buffer));
                }
            }
        }
    }

    fn block(&mut self, block: &Block) {
        for iter in &block.iters {
            self.name(iter.var, &iter.value);
            self.expr(&iter.value);
        }
        if let Some(predicate) = &block.predicate {
            if self.depends(predicate) && self.stores(&block.body) {
                self.writes_part = true;
            }
            self.expr(predicate);
        }
        self.stmts(&block.init);
        self.stmts(&block.body);
    }

    fn stores(&self, stmts: &[Stmt]) -> bool {
        stmts.iter().any(|stmt| match &stmt.kind {
            StmtKind::Store { buffer, .. } => *buffer == self.buffer,
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => self.stores(body),
            StmtKind::If {
                then, otherwise, ..
            } => self.stores(then) || self.stores(otherwise),
            StmtKind::Block(block) => self.stores(&block.init) || self.stores(&block.body),
            _ => false,
        })
    }

    fn name(&mut self, var: VarId, value: &Expr) {
        if self.depends(value) {
            self.depend.insert(var);
        }
    }

    fn depends(&self, expr: &Expr) -> bool {
        let mut found = matches!(&expr.kind, ExprKind::Var(var) if self.depend.contains(var));
        expr.for_each_child(&mut |child| found |= self.depends(child));
        found
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Load(buffer, _) = &expr.kind {
            self.reads |= *buffer == self.buffer;
        }
        expr.for_each_child(&mut |child| self.expr(child));
    }
}
