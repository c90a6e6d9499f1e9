//! Loops over the threads of a GPU run sequentially here. `split` divides them at barriers. This rejects programs in
//! which threads need each other in between.

mod implied;
mod races;
mod split;

use hir::tir::{
    self, Block, BufferId, Data, Expr, ExprKind, ForKind, Iter, PackedArg, PrimFunc, Stmt,
    StmtKind, TirError, VarId, Visit,
};
use rustc_hash::FxHashSet;
use text_size::TextRange;

use races::Race;

/// Returns the function with its loops over threads split at barriers, or `None` if it needs none.
///
/// As in TVM, threads also wait where they exchange values through shared memory. The threads of a warp run in step,
/// and programs rely on it for memory of the device: one of them reads what the others are about to write.
pub(super) fn split(func: &PrimFunc) -> Result<Option<PrimFunc>, Vec<TirError>> {
    let split = split::split(func)?;
    let exchanges = exchanges(split.as_ref().unwrap_or(func));
    if exchanges.is_empty() {
        return Ok(split);
    }
    let buffers = exchanges.into_iter().map(|(buffer, _)| buffer).collect();
    let split = split::split(&implied::with_barriers(func, buffers))?;
    let mut errors: Vec<TirError> = Vec::new();
    for (_, error) in self::exchanges(split.as_ref().unwrap_or(func)) {
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    if errors.is_empty() {
        Ok(split)
    } else {
        Err(errors)
    }
}

/// Returns the buffers through which the threads of a loop exchange values.
fn exchanges(func: &PrimFunc) -> Vec<(BufferId, TirError)> {
    let mut found = Vec::new();
    tir::for_each_stmt(&func.body, &mut |stmt| {
        if let StmtKind::For {
            var,
            kind: ForKind::Thread(axis),
            body,
            ..
        } = &stmt.kind
            // Each block has shared memory of its own.
            && !split::is_block(*axis)
        {
            let ids = (0..func.buffers.len() as u32).map(BufferId);
            found.extend(ids.filter_map(|id| Some((id, exchanged(func, id, *var, stmt, body)?))));
        }
    });
    found
}

/// Returns the error for a buffer through which the threads of a loop exchange values: one may read what another has
/// written. If each thread writes all of it first, running sequentially is correct.
fn exchanged(
    func: &PrimFunc,
    id: BufferId,
    thread: VarId,
    around: &Stmt,
    body: &[Stmt],
) -> Option<TirError> {
    let buffer = func.buffer(id);
    let is_shared = buffer.scope.starts_with("shared") && buffer.data == Data::Alloc;
    if !is_shared && buffer.scope != "global" {
        return None;
    }
    let mut use_of = Use {
        buffer: id,
        depend: FxHashSet::from_iter([thread]),
        writes: false,
        writes_part: false,
        reads: false,
        accumulates: false,
    };
    use_of.stmts(body);
    if !use_of.writes || !use_of.reads {
        return None;
    }
    let name = &buffer.name;
    let error = |range: TextRange, message: String| Some(TirError { message, range });
    let must_know = is_shared && use_of.writes_part;
    let effort = if must_know { 1 << 20 } else { 1 << 16 };
    match races::race(id, around, !use_of.writes_part, effort) {
        Race::None => None,
        Race::Found(range) => error(
            range,
            format!(
                "a thread reads `{name}` where another thread may write to it: there is no barrier between them"
            ),
        ),
        // Threads rarely exchange values through memory that all blocks share.
        Race::Unknown(_) if !must_know => None,
        Race::Unknown(range) => error(
            range,
            format!(
                "the threads of this loop may exchange values through `{name}` without a barrier: its elements are not known here"
            ),
        ),
    }
}

/// How a loop's body uses a buffer.
struct Use {
    buffer: BufferId,
    /// Variables that are computed from the thread's number.
    depend: FxHashSet<VarId>,
    writes: bool,
    /// `true` if the position of a store, or its condition, depends on the thread's number.
    writes_part: bool,
    reads: bool,
    /// `true` in a block that accumulates over threads.
    accumulates: bool,
}

impl<'f> Visit<'f> for Use {
    fn stmt(&mut self, stmt: &'f Stmt) {
        match &stmt.kind {
            _ if stores_itself(stmt) => return,
            StmtKind::Store {
                buffer, indices, ..
            } if *buffer == self.buffer => {
                self.writes = true;
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
            StmtKind::Block(block) => return self.block(stmt, block),
            _ => {}
        }
        tir::walk_stmt(self, stmt);
    }

    fn axis(&mut self, iter: &'f Iter) {
        self.name(iter.var, &iter.value);
        self.expr(&iter.value);
    }

    fn expr(&mut self, expr: &'f Expr) {
        if let ExprKind::Load(buffer, _) = &expr.kind {
            self.reads |= *buffer == self.buffer && !self.accumulates;
        }
        tir::walk_expr(self, expr);
    }
}

impl Use {
    fn block<'f>(&mut self, stmt: &'f Stmt, block: &'f Block) {
        let outer = self.accumulates;
        for iter in &block.iters {
            self.axis(iter);
        }
        if let Some(predicate) = &block.predicate {
            self.expr(predicate);
            self.writes_part |= self.depends(predicate) && self.stores(stmt);
        }
        let mut iters = block.iters.iter();
        self.accumulates |= iters.any(|it| it.reduce && self.depend.contains(&it.var));
        self.stmts(&block.init);
        self.stmts(&block.body);
        self.accumulates = outer;
    }

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
        depends(&self.depend, expr)
    }
}

/// Returns `true` if a statement stores an element in its own place.
fn stores_itself(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Store {
            buffer,
            indices,
            value,
        } => match &value.kind {
            ExprKind::Load(from, at) => {
                let mut pairs = at.iter().zip(indices);
                from == buffer && pairs.all(|(a, b)| a.is_same_formula(b))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns `true` if an expression uses one of the variables.
fn depends(vars: &FxHashSet<VarId>, expr: &Expr) -> bool {
    let mut found = matches!(&expr.kind, ExprKind::Var(var) if vars.contains(var));
    expr.for_each_child(&mut |child| found |= depends(vars, child));
    found
}
