//! Constant indices outside of their buffers.
//!
//! Only reads and writes that certainly happen are checked: nothing under a condition.

use relax::diagnostics::{Code, Diagnostic};
use text_size::TextRange;

use crate::tir::{self, BufferId, Expr, ExprKind, PrimFunc, Stmt, StmtKind, Visit};

/// Returns a warning for each constant index that is out of range.
pub(super) fn check(func: &PrimFunc) -> Vec<Diagnostic> {
    let mut walk = AccessWalk {
        func,
        found: Vec::new(),
    };
    walk.stmts(&func.body);
    // The same text may be read several times.
    walk.found.dedup_by(|a, b| a.range == b.range);
    walk.found
}

struct AccessWalk<'f> {
    func: &'f PrimFunc,
    found: Vec<Diagnostic>,
}

impl AccessWalk<'_> {
    fn access(&mut self, buffer: BufferId, indices: &[Expr], access: TextRange) {
        let Some(buffer) = self.func.buffers.get(buffer.0 as usize) else {
            return;
        };
        for (at, (index, extent)) in indices.iter().zip(&buffer.shape).enumerate() {
            let (Some(number), Some(extent)) = (index.as_int(), extent.as_int()) else {
                continue;
            };
            let is_written = access.contains_range(index.range);
            if (0..extent).contains(&number) || !is_written {
                continue;
            }
            let message = format!(
                "index `{number}` is out of range for dimension {at} of `{}`, which is {extent}",
                buffer.name
            );
            let diagnostic = Diagnostic::new(Code::IndexOutOfRange, index.range, message);
            let defined = "the buffer is defined here";
            self.found.push(diagnostic.related(buffer.range, defined));
        }
    }
}

impl<'f> Visit<'f> for AccessWalk<'_> {
    fn stmt(&mut self, stmt: &'f Stmt) {
        match &stmt.kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => return self.expr(test),
            StmtKind::Block(block) if block.predicate.is_some() => return,
            StmtKind::For { extent, .. } if extent.as_int().is_some_and(|it| it < 1) => return,
            StmtKind::Store {
                buffer, indices, ..
            } => self.access(*buffer, indices, stmt.range),
            _ => {}
        }
        tir::walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &'f Expr) {
        match &expr.kind {
            ExprKind::Select(test, ..) | ExprKind::And(test, _) | ExprKind::Or(test, _) => {
                return self.expr(test);
            }
            ExprKind::Load(buffer, indices) => self.access(*buffer, indices, expr.range),
            _ => {}
        }
        tir::walk_expr(self, expr);
    }
}
