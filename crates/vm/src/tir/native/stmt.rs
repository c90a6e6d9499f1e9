//! Generates statements: loops, blocks with their init, stores.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use hir::tir::{
    self, Binary, Block, BufferId, Data, Expr, ExprKind, PrimFunc, Stmt, StmtKind, VarId,
};
use relax::dtype::{Code, DType};
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextRange;

use super::codegen::{Codegen, Emitted};
use crate::tir::trap::Check;

/// The parts of a `for`.
struct Loop<'s> {
    var: VarId,
    min: &'s Expr,
    extent: &'s Expr,
    step: i64,
    body: &'s [Stmt],
}

/// The only element of a buffer that a loop accesses; it is read and written in every iteration.
struct Accumulator<'s> {
    buffer: BufferId,
    /// The indices, in terms of variables bound outside of the loop.
    indices: Vec<Expr>,
    range: TextRange,
    stores: &'s [Expr],
}

impl<'f> Codegen<'_, 'f> {
    pub fn stmts(&mut self, stmts: &'f [Stmt]) -> Emitted<()> {
        for stmt in stmts {
            self.stmt(stmt)?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'f Stmt) -> Emitted<()> {
        let range = stmt.range;
        match &stmt.kind {
            StmtKind::Store {
                buffer,
                indices,
                value,
            } => {
                let value = self.expr(value)?;
                self.store(*buffer, indices, value, range)
            }
            StmtKind::Let { var, value } => {
                let made = self.expr(value)?;
                self.define(*var, made)?;
                self.bounds.is(*var, value);
                Ok(())
            }
            StmtKind::For {
                var,
                min,
                extent,
                step,
                body,
                ..
            } => {
                let it = Loop {
                    var: *var,
                    min,
                    extent,
                    step: *step,
                    body,
                };
                self.for_loop(&it, range)
            }
            StmtKind::While { test, body } => {
                let (head, inside, end) = (
                    self.builder.create_block(),
                    self.builder.create_block(),
                    self.builder.create_block(),
                );
                self.builder.ins().jump(head, &[]);
                self.builder.switch_to_block(head);
                let test = self.expr(test)?;
                self.builder.ins().brif(test, inside, &[], end, &[]);
                self.builder.switch_to_block(inside);
                self.check_stop(range);
                self.stmts(body)?;
                self.builder.ins().jump(head, &[]);
                self.builder.switch_to_block(end);
                Ok(())
            }
            StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                let test = self.expr(test)?;
                self.branch(test, |code| code.stmts(then), |code| code.stmts(otherwise))
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::Evaluate(value) => {
                self.expr(value)?;
                Ok(())
            }
            StmtKind::Assert { test, message } => {
                let test = self.expr(test)?;
                let zero = self.builder.ins().iconst(types::I64, 0);
                self.check(test, Check::Assert(message.clone()), range, zero, zero);
                Ok(())
            }
            StmtKind::Packed(call) => {
                let message = format!(
                    "packed function `{}` is called within a loop or a branch of this PrimFunc: only the \
                     statements of its outermost block can call one here",
                    call.symbol
                );
                Err(self.error(range, message))
            }
            // `threads` has replaced it.
            StmtKind::Collective(_) => {
                Err(self.error(range, "threads do not wait for each other here"))
            }
        }
    }

    pub fn branch(
        &mut self,
        test: Value,
        then: impl FnOnce(&mut Self) -> Emitted<()>,
        otherwise: impl FnOnce(&mut Self) -> Emitted<()>,
    ) -> Emitted<()> {
        let (yes, no, end) = (
            self.builder.create_block(),
            self.builder.create_block(),
            self.builder.create_block(),
        );
        self.builder.ins().brif(test, yes, &[], no, &[]);
        self.builder.switch_to_block(yes);
        then(self)?;
        self.builder.ins().jump(end, &[]);
        self.builder.switch_to_block(no);
        otherwise(self)?;
        self.builder.ins().jump(end, &[]);
        self.builder.switch_to_block(end);
        Ok(())
    }

    fn for_loop(&mut self, it: &Loop<'f>, range: TextRange) -> Emitted<()> {
        let dtype = self.func.var(it.var).dtype;
        let ty = self.ty(dtype, range)?;
        let min = self.expr(it.min)?;
        let min = self.resize(min, it.min.dtype, dtype)?;
        let extent = self.expr(it.extent)?;
        let extent = self.resize(extent, it.extent.dtype, dtype)?;
        let (inside, end) = (self.builder.create_block(), self.builder.create_block());
        let zero = self.builder.ins().iconst(ty, 0);
        let (first, extent) = if self.split == Some(it.var) {
            self.split_iterations(extent, dtype)?
        } else {
            (zero, extent)
        };
        let below = if dtype.code == Code::UInt {
            IntCC::UnsignedLessThan
        } else {
            IntCC::SignedLessThan
        };
        let any = self.builder.ins().icmp(below, first, extent);
        let start = self.builder.create_block();
        self.builder.ins().brif(any, start, &[], end, &[]);
        self.builder.switch_to_block(start);
        let accumulator = self.accumulator(it);
        let kept = match &accumulator {
            Some(found) => {
                let address = self.address(found.buffer, &found.indices, found.range)?;
                let dtype = self.func.buffer(found.buffer).dtype;
                let value = self.load_at(address, dtype, found.range)?;
                let ty = self.ty(dtype, found.range)?;
                let var = self.hold(value, ty);
                let address = self.hold(address, types::I64);
                self.promoted.push((found.buffer, var));
                Some((address, var, dtype))
            }
            None => None,
        };
        let counter = self.hold(first, ty);
        self.builder.ins().jump(inside, &[]);
        self.builder.switch_to_block(inside);
        if is_long(it) {
            self.check_stop(range);
        }
        let count = self.builder.use_var(counter);
        let from_zero = it.min.as_int() == Some(0);
        let value = if it.step == 1 {
            count
        } else {
            self.builder.ins().imul_imm_s(count, it.step)
        };
        let value = if from_zero {
            value
        } else {
            self.builder.ins().iadd(value, min)
        };
        self.define(it.var, value)?;
        self.bounds.counts(it.var, it.min, it.step, it.extent);
        self.stmts(it.body)?;
        let count = self.builder.use_var(counter);
        let next = self.builder.ins().iadd_imm_s(count, 1);
        self.builder.def_var(counter, next);
        let more = self.builder.ins().icmp(below, next, extent);
        let done = self.builder.create_block();
        self.builder.ins().brif(more, inside, &[], done, &[]);
        self.builder.switch_to_block(done);
        if let Some((address, var, dtype)) = kept {
            self.promoted.pop();
            let (address, value) = (self.builder.use_var(address), self.builder.use_var(var));
            self.store_at(address, value, dtype);
        }
        self.builder.ins().jump(end, &[]);
        self.builder.switch_to_block(end);
        Ok(())
    }

    /// Returns the first iteration of this call's part, and the one after its last.
    fn split_iterations(&mut self, extent: Value, dtype: DType) -> Emitted<(Value, Value)> {
        let zero = self.builder.ins().iconst(types::I64, 0);
        let extent = self.resize(extent, dtype, DType::I64)?;
        let extent = self.builder.ins().smax(extent, zero);
        let (begin, end) = self.part(extent);
        let begin = self.resize(begin, DType::I64, dtype)?;
        let end = self.resize(end, DType::I64, dtype)?;
        Ok((begin, end))
    }

    fn block(&mut self, block: &'f Block) -> Emitted<()> {
        for iter in &block.iters {
            let value = self.expr(&iter.value)?;
            let dtype = self.func.var(iter.var).dtype;
            let value = self.resize(value, iter.value.dtype, dtype)?;
            self.define(iter.var, value)?;
            self.bounds.is(iter.var, &iter.value);
        }
        match &block.predicate {
            Some(predicate) => {
                let test = self.expr(predicate)?;
                self.branch(test, |code| code.block_body(block), |_| Ok(()))
            }
            None => self.block_body(block),
        }
    }

    fn block_body(&mut self, block: &'f Block) -> Emitted<()> {
        if !block.init.is_empty() {
            let mut first: Option<Value> = None;
            for iter in block.iters.iter().filter(|iter| iter.reduce) {
                let Some(&held) = self.vars.get(&iter.var) else {
                    continue;
                };
                let dtype = self.func.var(iter.var).dtype;
                let value = self.builder.use_var(held);
                let min = self.expr(&iter.min)?;
                let min = self.resize(min, iter.min.dtype, dtype)?;
                let is = self.builder.ins().icmp(IntCC::Equal, value, min);
                first = Some(match first {
                    Some(before) => self.builder.ins().band(before, is),
                    None => is,
                });
            }
            match first {
                Some(first) => self.branch(first, |code| code.stmts(&block.init), |_| Ok(()))?,
                None => self.stmts(&block.init)?,
            }
        }
        self.stmts(&block.body)
    }

    /// Returns the element that the loop accumulates into, if there is only one.
    fn accumulator(&mut self, it: &Loop<'f>) -> Option<Accumulator<'f>> {
        let mut scan = Scan::of(self.func);
        scan.own.insert(it.var);
        scan.stmts(it.body, false)?;
        let (buffer, stores, range) = scan.store?;
        if self.promoted.iter().any(|(id, _)| *id == buffer) {
            return None;
        }
        // A view or another parameter may access the same memory under another name.
        let viewed = |id: BufferId| self.func.buffers.iter().any(|b| b.data == Data::View(id));
        match self.func.buffer(buffer).data {
            Data::View(_) => return None,
            Data::Param(_) if self.shared => return None,
            Data::Param(_) | Data::Alloc if viewed(buffer) => return None,
            Data::Param(_) => self.relies_on_names = true,
            Data::Alloc => {}
        }
        if scan
            .loads
            .iter()
            .any(|(id, indices)| *id == buffer && !are_same_indices(indices, stores))
        {
            return None;
        }
        let indices = stores
            .iter()
            .map(|index| scan.outside(index, 0))
            .collect::<Option<Vec<Expr>>>()?;
        // Checking this index before the loop might report it before an earlier error in the body.
        let code = self.buffers.get(buffer.0 as usize)?;
        let mut at = indices.iter().zip(&code.extents);
        if code.limit.is_some() || !at.all(|(index, extent)| self.bounds.proves(index, extent)) {
            return None;
        }
        Some(Accumulator {
            buffer,
            indices,
            range,
            stores,
        })
        .filter(|found| !found.stores.is_empty() || found.indices.is_empty())
    }
}

/// The number of iterations of a simple loop that take negligible time.
const SHORT: i64 = 1 << 20;

/// Returns `true` if a loop may take long, so that it must check the stop flag. Shorter loops leave this to outer
/// loops.
fn is_long(it: &Loop<'_>) -> bool {
    let short = it.extent.as_int().is_some_and(|extent| extent <= SHORT);
    let is_loop = |stmt: &Stmt| matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
    !short || tir::any_stmt(it.body, &mut |stmt| is_loop(stmt))
}

/// Collects what a loop's body reads and writes.
struct Scan<'s> {
    func: &'s PrimFunc,
    store: Option<(BufferId, &'s [Expr], TextRange)>,
    loads: Vec<(BufferId, &'s [Expr])>,
    /// Variables that change inside the loop.
    own: FxHashSet<VarId>,
    /// Axes of blocks inside the loop, with their values.
    axes: FxHashMap<VarId, &'s Expr>,
}

impl<'s> Scan<'s> {
    fn of(func: &'s PrimFunc) -> Scan<'s> {
        Scan {
            func,
            store: None,
            loads: Vec::new(),
            own: FxHashSet::default(),
            axes: FxHashMap::default(),
        }
    }

    /// Returns `None` if the body does more than accumulate into one element.
    fn stmts(&mut self, stmts: &'s [Stmt], init: bool) -> Option<()> {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Store {
                    buffer,
                    indices,
                    value,
                } => {
                    match self.store {
                        Some((known, at, _))
                            if known == *buffer && are_same_indices(at, indices) => {}
                        Some(_) => return None,
                        None => self.store = Some((*buffer, indices, stmt.range)),
                    }
                    self.expr(value);
                    for index in indices {
                        self.expr(index);
                    }
                }
                StmtKind::Let { var, value } => {
                    self.own.insert(*var);
                    self.expr(value);
                }
                StmtKind::For {
                    var,
                    body,
                    min,
                    extent,
                    ..
                } if !init => {
                    self.own.insert(*var);
                    // An inner loop without iterations must not access the element.
                    let runs = extent.as_int().is_some_and(|extent| extent > 0);
                    if !runs {
                        return None;
                    }
                    self.expr(min);
                    self.stmts(body, init)?;
                }
                StmtKind::Block(block) if !init => {
                    if block.predicate.is_some() {
                        return None;
                    }
                    for iter in &block.iters {
                        self.axes.insert(iter.var, &iter.value);
                        self.expr(&iter.value);
                    }
                    self.stmts(&block.init, true)?;
                    self.stmts(&block.body, init)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn expr(&mut self, expr: &'s Expr) {
        if let ExprKind::Load(buffer, indices) = &expr.kind {
            self.loads.push((*buffer, indices));
            // The offset of a view may itself be read from memory.
            if let Some(offset) = &self.func.buffer(*buffer).offset {
                self.expr(offset);
            }
        }
        expr.for_each_child(&mut |child| self.expr(child));
    }

    /// Returns an index in terms of variables outside of the loop, or `None` if it changes inside.
    fn outside(&self, expr: &Expr, depth: u32) -> Option<Expr> {
        if depth > 16 {
            return None;
        }
        let kind = match &expr.kind {
            ExprKind::Int(_) => return Some(expr.clone()),
            ExprKind::Var(var) if self.own.contains(var) => return None,
            ExprKind::Var(var) => match self.axes.get(var) {
                Some(value) => return self.outside(value, depth + 1),
                None => return Some(expr.clone()),
            },
            // Moved before the loop, a division by zero would be reported too early.
            ExprKind::Binary(op, _, b) if divides(*op) && b.as_int().is_none_or(|it| it == 0) => {
                return None;
            }
            ExprKind::Binary(op, a, b) => ExprKind::Binary(
                *op,
                Box::new(self.outside(a, depth + 1)?),
                Box::new(self.outside(b, depth + 1)?),
            ),
            ExprKind::Cast(a) => ExprKind::Cast(Box::new(self.outside(a, depth + 1)?)),
            _ => return None,
        };
        Some(Expr {
            kind,
            ..expr.clone()
        })
    }
}

pub(super) fn divides(op: Binary) -> bool {
    use Binary::{Div, FloorDiv, FloorMod, TruncDiv, TruncMod};
    matches!(op, Div | FloorDiv | FloorMod | TruncDiv | TruncMod)
}

/// Returns `true` if the indices are the same formulas.
fn are_same_indices(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same_formula(b))
}
