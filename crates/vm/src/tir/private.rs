//! Memory that is private to each thread of a GPU. Threads run one after the other here, so a `local` buffer that one
//! loop over threads fills and another one reads gets a copy for each thread.
//!
//! A schedule may also index such a buffer by thread, as if it were shared. Then there is only one.

mod reach;
mod uses;

use hir::tir::{
    Binary, Block, Buffer, BufferId, Data, Expr, ExprKind, ForKind, PackedArg, PrimFunc, Stmt,
    StmtKind, ThreadAxis, TirError, Var, VarId,
};
use rustc_hash::FxHashMap;
use text_size::TextRange;

use reach::Axes;

/// Returns the function without strides of memory that has no other view and whose elements are apart: nothing shows
/// where they are.
pub(super) fn without_strides(func: &PrimFunc) -> Option<PrimFunc> {
    let is_padded = |id: &BufferId| {
        let buffer = func.buffer(*id);
        buffer.strides.is_some()
            && buffer.data == Data::Alloc
            && !uses::is_viewed(func, *id)
            && !may_overlap(buffer)
    };
    let ids = (0..func.buffers.len() as u32).map(BufferId);
    let padded: Vec<BufferId> = ids.filter(is_padded).collect();
    if padded.is_empty() {
        return None;
    }
    let mut func = func.clone();
    for id in padded {
        func.buffers[id.0 as usize].strides = None;
    }
    Some(func)
}

/// Returns `true` if elements with different indices may be the same one in memory.
pub(super) fn may_overlap(buffer: &Buffer) -> bool {
    let Some(strides) = &buffer.strides else {
        return false;
    };
    // The distance between the first and the last element of the dimensions inside, plus 1.
    let mut span = Some(1i64);
    for (dim, stride) in buffer.shape.iter().zip(strides).rev() {
        let (dim, stride) = (dim.as_int(), stride.as_int());
        if dim == Some(1) {
            continue;
        }
        let (Some(step), Some(inside)) = (stride, span) else {
            return true;
        };
        if step < inside {
            return true;
        }
        let length = dim.and_then(|dim| (dim - 1).max(0).checked_mul(step));
        span = length.and_then(|length| length.checked_add(inside));
    }
    false
}

/// Returns the function with per-thread copies, or `None` if it needs none.
pub(super) fn expand(func: &PrimFunc) -> Result<Option<PrimFunc>, Vec<TirError>> {
    let copies: FxHashMap<BufferId, Axes> = uses::copies(func);
    if copies.is_empty() {
        return Ok(None);
    }
    let mut pass = Expand {
        func: func.clone(),
        copies,
        threads: Vec::new(),
        errors: Vec::new(),
    };
    pass.refuse_moving_views();
    let extents = uses::extents(func);
    for (&id, &axes) in &pass.copies.clone() {
        pass.allocate(id, axes, &extents);
    }
    let mut body = std::mem::take(&mut pass.func.body);
    pass.stmts(&mut body);
    pass.func.body = body;
    if pass.errors.is_empty() {
        Ok(Some(pass.func))
    } else {
        pass.errors.sort_by_key(|error| error.range.start());
        pass.errors.dedup();
        Err(pass.errors)
    }
}

struct Expand {
    func: PrimFunc,
    /// The axes along which a buffer has copies.
    copies: FxHashMap<BufferId, Axes>,
    /// The enclosing loops over threads, with the number of each thread.
    threads: Vec<(ThreadAxis, Expr)>,
    errors: Vec<TirError>,
}

impl Expand {
    /// Reports views whose offset is read from private memory, since they would differ between threads.
    fn refuse_moving_views(&mut self) {
        for buffer in self.func.buffers.clone() {
            let copied = |id: &BufferId| {
                let offset = buffer.offset.as_ref();
                offset.is_some_and(|offset| offset.loads_from(&|it| it == *id))
            };
            if self.copies.keys().any(copied) {
                let message = format!(
                    "the offset of view `{}` is read from memory that is private to each thread",
                    buffer.name
                );
                self.error(buffer.range, message);
            }
        }
    }

    /// Adds a dimension for each axis in front of the buffer's own dimensions.
    fn allocate(&mut self, id: BufferId, axes: Axes, extents: &uses::Extents) {
        let buffer = self.func.buffer(id).clone();
        if buffer.strides.is_some() || buffer.offset.is_some() || uses::is_viewed(&self.func, id) {
            let message = format!(
                "`{}` is private to each thread, but is viewed with another shape here",
                buffer.name
            );
            self.error(buffer.range, message);
            return;
        }
        let mut shape = Vec::new();
        for axis in axes.iter() {
            match extents.get(&axis) {
                Some(Some(extent)) => shape.push(extent.clone()),
                _ => {
                    let message = format!(
                        "`{}` is private to each thread, but the number of threads along `{}` is unknown where it is allocated",
                        buffer.name,
                        axis.name()
                    );
                    self.error(buffer.range, message);
                    return;
                }
            }
        }
        shape.extend(buffer.shape);
        self.func.buffers[id.0 as usize].shape = shape;
    }

    fn error(&mut self, range: TextRange, message: String) {
        self.errors.push(TirError { message, range });
    }

    fn stmts(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let range = stmt.range;
        match &mut stmt.kind {
            StmtKind::Store { buffer, .. } => {
                let axes = self.copies.get(buffer).copied().unwrap_or_default();
                match axes.iter().find(|axis| self.thread(*axis).is_none()) {
                    Some(axis) => self.store_by_all(axis, stmt),
                    None => self.store(stmt),
                }
            }
            StmtKind::Let { value, .. } | StmtKind::Evaluate(value) => self.expr(value),
            StmtKind::Assert { test, .. } => self.expr(test),
            StmtKind::For {
                var,
                min,
                extent,
                kind,
                body,
                ..
            } => {
                self.expr(min);
                self.expr(extent);
                let ForKind::Thread(axis) = *kind else {
                    return self.stmts(body);
                };
                let var = self.var(*var, range);
                let number = match min.as_int() {
                    Some(0) => var,
                    _ => Expr {
                        dtype: var.dtype,
                        kind: ExprKind::Binary(Binary::Sub, Box::new(var), Box::new(min.clone())),
                        range,
                    },
                };
                self.threads.push((axis, number));
                self.stmts(body);
                self.threads.pop();
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
                self.expr(test);
                self.stmts(then);
                self.stmts(otherwise);
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::Packed(call) => {
                for arg in &mut call.args {
                    match arg {
                        PackedArg::Number(expr) => self.expr(expr),
                        PackedArg::Buffer(id) if self.copies.contains_key(id) => {
                            let name = &self.func.buffer(*id).name;
                            let message = format!(
                                "`{name}` is private to each thread, but is passed to a packed function"
                            );
                            self.error(range, message);
                        }
                        PackedArg::Buffer(_) | PackedArg::Text(_) => {}
                    }
                }
            }
            StmtKind::Collective(it) => {
                for expr in it.expressions_mut() {
                    self.expr(expr);
                }
            }
        }
    }

    fn block(&mut self, block: &mut Block) {
        for iter in &mut block.iters {
            self.expr(&mut iter.value);
        }
        if let Some(predicate) = &mut block.predicate {
            self.expr(predicate);
        }
        self.stmts(&mut block.init);
        self.stmts(&mut block.body);
    }

    fn store(&mut self, stmt: &mut Stmt) {
        let StmtKind::Store {
            buffer,
            indices,
            value,
        } = &mut stmt.kind
        else {
            return;
        };
        self.expr(value);
        for index in indices.iter_mut() {
            self.expr(index);
        }
        self.index(*buffer, indices, stmt.range);
    }

    /// Outside of the loop over an axis, makes every thread execute the store.
    fn store_by_all(&mut self, axis: ThreadAxis, stmt: &mut Stmt) {
        let range = stmt.range;
        let StmtKind::Store { buffer, .. } = stmt.kind else {
            return;
        };
        // Of the added dimensions, the one for this axis.
        let axes = self.copies.get(&buffer).copied().unwrap_or_default();
        let at = axes.iter().position(|it| it == axis).unwrap_or_default();
        let Some(extent) = self.func.buffer(buffer).shape.get(at).cloned() else {
            return;
        };
        self.func.vars.push(Var {
            name: axis.name().into(),
            dtype: extent.dtype,
        });
        let var = VarId(self.func.vars.len() as u32 - 1);
        let number = self.var(var, range);
        self.threads.push((axis, number));
        self.stmt(stmt);
        self.threads.pop();
        let kind = StmtKind::For {
            var,
            min: Expr::int(0, extent.dtype, range),
            extent,
            step: 1,
            kind: ForKind::Serial,
            body: vec![stmt.clone()],
        };
        stmt.kind = kind;
    }

    fn expr(&mut self, expr: &mut Expr) {
        expr.for_each_child_mut(&mut |child| self.expr(child));
        let range = expr.range;
        if let ExprKind::Load(buffer, indices) = &mut expr.kind {
            self.index(*buffer, indices, range);
        }
    }

    /// Adds the thread's indices to an access.
    fn index(&mut self, buffer: BufferId, indices: &mut Vec<Expr>, range: TextRange) {
        let Some(&axes) = self.copies.get(&buffer) else {
            return;
        };
        let mut own = Vec::with_capacity(indices.len() + 1);
        for axis in axes.iter() {
            match self.thread(axis) {
                Some(number) => own.push(number.clone()),
                None => {
                    let name = &self.func.buffer(buffer).name;
                    let message = format!(
                        "`{name}` is private to each thread of `{}`, but is read outside of a loop over these threads",
                        axis.name()
                    );
                    self.error(range, message);
                    return;
                }
            }
        }
        own.append(indices);
        *indices = own;
    }

    /// Returns the number of the thread along an axis, in the innermost loop over it.
    fn thread(&self, axis: ThreadAxis) -> Option<&Expr> {
        let mut inner = self.threads.iter().rev();
        inner.find(|(it, _)| *it == axis).map(|(_, number)| number)
    }

    fn var(&self, var: VarId, range: TextRange) -> Expr {
        let dtype = self.func.var(var).dtype;
        Expr {
            dtype,
            kind: ExprKind::Var(var),
            range,
        }
    }
}
