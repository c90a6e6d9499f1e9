//! Loops over the threads of a GPU run sequentially here. This rejects programs in which threads need each other.

use hir::tir::{
    self, Block, BufferId, Data, Expr, ExprKind, ForKind, Iter, PackedArg, PrimFunc, Stmt,
    StmtKind, ThreadAxis, TirError, VarId, Visit,
};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// Reports loops whose threads need each other.
pub(super) fn verify(func: &PrimFunc) -> Result<(), Vec<TirError>> {
    let mut errors = Vec::new();
    tir::for_each_stmt(&func.body, &mut |stmt| {
        if let StmtKind::For {
            var,
            kind: ForKind::Thread(axis),
            body,
            ..
        } = &stmt.kind
            // Each block has shared memory of its own.
            && !matches!(
                axis,
                ThreadAxis::BlockX | ThreadAxis::BlockY | ThreadAxis::BlockZ
            )
            && let Some(name) = exchanged(func, *var, body)
        {
            errors.push(TirError {
                message: format!(
                    "the threads of this loop exchange values through `{name}`, but here threads run one after the other"
                ),
                range: stmt.range,
            });
        }
    });
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// Returns the name of a shared buffer through which the threads of a loop exchange values: each thread writes a part
/// of it, and reads need all threads to have written. If each thread writes all of it, or reads it in a later loop,
/// running sequentially is correct.
fn exchanged(func: &PrimFunc, thread: VarId, body: &[Stmt]) -> Option<SmolStr> {
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
    /// Variables that are computed from the thread's number.
    depend: FxHashSet<VarId>,
    /// `true` if the position or the value of a store depends on the thread's number.
    writes_part: bool,
    reads: bool,
}

impl<'f> Visit<'f> for Use {
    fn stmt(&mut self, stmt: &'f Stmt) {
        match &stmt.kind {
            StmtKind::Store {
                buffer, indices, ..
            } if *buffer == self.buffer => {
                self.writes_part |= indices.iter().any(|index| self.depends(index));
            }
            StmtKind::Let { var, value } => self.name(*var, value),
            // Something that only some threads write is also only a part.
            StmtKind::If { test, .. } => {
                self.writes_part |= self.depends(test) && self.stores(stmt);
            }
            StmtKind::Packed(call) => {
                self.reads |= call.args.contains(&PackedArg::Buffer(self.buffer));
            }
            _ => {}
        }
        tir::walk_stmt(self, stmt);
        if let StmtKind::Block(Block {
            predicate: Some(predicate),
            ..
        }) = &stmt.kind
        {
            self.writes_part |= self.depends(predicate) && self.stores(stmt);
        }
    }

    fn axis(&mut self, iter: &'f Iter) {
        self.name(iter.var, &iter.value);
        self.expr(&iter.value);
    }

    fn expr(&mut self, expr: &'f Expr) {
        if let ExprKind::Load(buffer, _) = &expr.kind {
            self.reads |= *buffer == self.buffer;
        }
        tir::walk_expr(self, expr);
    }
}

impl Use {
    fn stores(&self, stmt: &Stmt) -> bool {
        tir::any_stmt(
            std::slice::from_ref(stmt),
            &mut |stmt| matches!(&stmt.kind, StmtKind::Store { buffer, .. } if *buffer == self.buffer),
        )
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
}
