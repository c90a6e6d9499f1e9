//! Generates the phases of a function that runs in parts: selects the phase, estimates costs, and splits iterations.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use hir::tir::{Binary, Data, Expr, ExprKind, Stmt, StmtKind};

use super::super::phases::{Item, Phase};
use super::super::{Layout, PhaseLayout};
use super::{Codegen, Emitted, PART, PARTS};

impl<'f> Codegen<'_, 'f> {
    /// Generates each outermost statement as a phase.
    pub(super) fn phases(&mut self, items: &[Item<'f>]) -> Emitted<Layout> {
        let allocations = self.func.buffers.iter().filter(|b| b.data == Data::Alloc);
        let mut layout = Layout {
            slots: self.next_slot + allocations.count(),
            phases: Vec::new(),
        };
        let Some(phase) = self.phase else {
            return Ok(layout);
        };
        for item in items {
            let it = match item {
                Item::Let(stmt) => {
                    self.named(stmt, layout.phases.len())?;
                    continue;
                }
                Item::Phase(it) => it,
            };
            let cost = it.split.map(|_| {
                layout.slots += 1;
                layout.slots - 1
            });
            let packed = match it.packed {
                Some(call) => Some(self.packed(call, it.stmt.range, &mut layout.slots)?),
                None => None,
            };
            let kernels = self.kernels(it, &mut layout.slots);
            let now = self.builder.use_var(phase);
            let first = self.builder.ins().icmp_imm_s(IntCC::Equal, now, 0);
            self.branch(
                first,
                |code| {
                    for kernel in &kernels {
                        code.kernel_numbers(kernel)?;
                    }
                    cost.map_or(Ok(()), |slot| code.cost(it, slot))
                },
                |_| Ok(()),
            )?;
            layout.phases.push(PhaseLayout {
                cost,
                packed,
                kernels,
                range: it.stmt.range,
            });
            let now = self.builder.use_var(phase);
            let turn = layout.phases.len() as i64;
            let mine = self.builder.ins().icmp_imm_s(IntCC::Equal, now, turn);
            self.split = it.split;
            let stmt = std::slice::from_ref(it.stmt);
            match (it.packed, layout.phases.last()) {
                (
                    Some(call),
                    Some(PhaseLayout {
                        packed: Some(to), ..
                    }),
                ) => {
                    self.branch(mine, |code| code.packed_args(call, to), |_| Ok(()))?;
                }
                _ => self.branch(mine, |code| code.stmts(stmt), |_| Ok(()))?,
            }
            self.split = None;
        }
        if let Some(Item::Let(stmt)) = items.last() {
            // Evaluating the last value may fail, so it needs a phase that evaluates it.
            layout.phases.push(PhaseLayout {
                cost: None,
                packed: None,
                kernels: Vec::new(),
                range: stmt.range,
            });
        }
        Ok(layout)
    }

    /// Binds a value for the phases after the first `before`. Earlier phases may fail before the value could.
    fn named(&mut self, stmt: &'f Stmt, before: usize) -> Emitted<()> {
        let let_it = |code: &mut Self| code.stmts(std::slice::from_ref(stmt));
        let (Some(phase), true) = (self.phase, before > 0) else {
            return let_it(self);
        };
        if let StmtKind::Let { var, .. } = stmt.kind {
            self.late.insert(var);
        }
        let now = self.builder.use_var(phase);
        let after = self
            .builder
            .ins()
            .icmp_imm_s(IntCC::SignedGreaterThan, now, before as i64);
        self.branch(after, let_it, |_| Ok(()))
    }

    /// Stores the estimated number of iterations of a phase.
    fn cost(&mut self, phase: &Phase<'_>, slot: usize) -> Emitted<()> {
        let mut cost = self.builder.ins().f64const(1.0);
        for extent in &phase.extents {
            if !self.is_known(extent) {
                continue;
            }
            let value = self.extent_value(extent)?;
            let value = self.builder.ins().fcvt_from_sint(types::F64, value);
            cost = self.builder.ins().fmul(cost, value);
        }
        let offset = slot as i32 * 8;
        let flags = MemFlagsData::trusted();
        self.builder.ins().store(flags, cost, self.slots, offset);
        Ok(())
    }

    /// Returns `true` if an expression has a value at the function's entry.
    fn is_known(&self, expr: &Expr) -> bool {
        let mut known = match &expr.kind {
            ExprKind::Var(var) => self.vars.contains_key(var) && !self.late.contains(var),
            ExprKind::Int(_) | ExprKind::Cast(_) => true,
            ExprKind::Binary(op, ..) => matches!(op, Binary::Add | Binary::Sub | Binary::Mul),
            _ => false,
        };
        expr.for_each_child(&mut |child| known &= self.is_known(child));
        known
    }

    /// Returns the range of iterations for the current part, out of `extent`.
    pub fn part(&mut self, extent: Value) -> (Value, Value) {
        let (part, parts) = (self.slot(PART), self.slot(PARTS));
        // Avoid overflow: more iterations than this never finish, and go to the last part.
        let most = self.builder.ins().iconst(types::I64, 1 << 40);
        let fair = self.builder.ins().smin(extent, most);
        let begin = self.builder.ins().imul(fair, part);
        let begin = self.builder.ins().udiv(begin, parts);
        let next = self.builder.ins().iadd_imm_s(part, 1);
        let end = self.builder.ins().imul(fair, next);
        let end = self.builder.ins().udiv(end, parts);
        let is_last = self.builder.ins().icmp(IntCC::Equal, next, parts);
        let end = self.builder.ins().select(is_last, extent, end);
        (begin, end)
    }
}
