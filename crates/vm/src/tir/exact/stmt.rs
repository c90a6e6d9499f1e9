//! Executes statements.

use hir::tir::{Block, Expr, Stmt, StmtKind, VarId, int};
use text_size::TextRange;

use super::enter::trap;
use super::expr::lost;
use super::number::Number;
use super::{Machine, Step};
use crate::tir::trap::Check;

impl Machine<'_, '_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) -> Step<()> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Step<()> {
        let range = stmt.range;
        self.watched(range)?;
        match &stmt.kind {
            StmtKind::Store {
                buffer,
                indices,
                value,
            } => {
                let value = self.expr(value)?;
                let Some((region, at)) = self.element(*buffer, indices, range)? else {
                    return Ok(());
                };
                let kind = self.kind(*buffer)?;
                let stored = self.regions[region].write(kind, at, value);
                stored.ok_or_else(|| lost(range))
            }
            StmtKind::Let { var, value } => {
                let value = self.expr(value)?;
                self.set(*var, value);
                Ok(())
            }
            StmtKind::For {
                var,
                min,
                extent,
                step,
                body,
                ..
            } => self.for_loop(*var, (min, *step, extent), body, range),
            StmtKind::While { test, body } => {
                while self.test(test)? {
                    self.goes_on(range)?;
                    self.stmts(body)?;
                    self.watched(range)?;
                }
                Ok(())
            }
            StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                let chosen = if self.test(test)? { then } else { otherwise };
                self.stmts(chosen)
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::Evaluate(value) => self.expr(value).map(|_| ()),
            StmtKind::Assert { test, message } => {
                if self.test(test)? {
                    return Ok(());
                }
                Err(trap(Check::Assert(message.clone()), 0, 0, range))
            }
            StmtKind::Packed(call) => self.packed(call, range),
            // `threads` has replaced it.
            StmtKind::Collective(_) => Err(lost(range)),
        }
    }

    fn for_loop(
        &mut self,
        var: VarId,
        (min, step, extent): (&Expr, i64, &Expr),
        body: &[Stmt],
        range: TextRange,
    ) -> Step<()> {
        let dtype = self.func.var(var).dtype;
        let min = self.expr(min)?.int();
        let extent = self.expr(extent)?.int();
        let mut count = 0;
        while count < extent {
            self.goes_on(range)?;
            let value = int::wrap(min + count * i128::from(step), dtype);
            self.set(var, Number::Int(value));
            self.stmts(body)?;
            count += 1;
            if count < extent {
                self.watched(range)?;
            }
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Step<()> {
        for iter in &block.iters {
            let value = self.expr(&iter.value)?;
            self.set(iter.var, value);
        }
        if let Some(predicate) = &block.predicate
            && !self.test(predicate)?
        {
            return Ok(());
        }
        let mut begins = true;
        if !block.init.is_empty() {
            for iter in block.iters.iter().filter(|iter| iter.reduce) {
                let min = self.expr(&iter.min)?;
                begins &= self.value_of(iter.var) == Some(min);
            }
        }
        if begins {
            self.stmts(&block.init)?;
        }
        self.stmts(&block.body)
    }
}
