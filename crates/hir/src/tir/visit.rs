//! Walks over a PrimFunc: visits its statements and expressions in the order of execution.

use super::{Expr, ExprKind, Iter, PackedArg, Stmt, StmtKind};

/// A visitor. A method that is overridden calls the `walk_` function of the same name to go on, or stops there.
pub trait Visit<'f> {
    fn stmts(&mut self, stmts: &'f [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'f Stmt) {
        walk_stmt(self, stmt);
    }

    /// Visits an axis of a block.
    fn axis(&mut self, iter: &'f Iter) {
        self.expr(&iter.value);
    }

    fn expr(&mut self, expr: &'f Expr) {
        walk_expr(self, expr);
    }
}

/// Visits the parts of a statement.
pub fn walk_stmt<'f, V: Visit<'f> + ?Sized>(visit: &mut V, stmt: &'f Stmt) {
    match &stmt.kind {
        StmtKind::Store { indices, value, .. } => {
            for index in indices {
                visit.expr(index);
            }
            visit.expr(value);
        }
        StmtKind::Let { value, .. } | StmtKind::Evaluate(value) => visit.expr(value),
        StmtKind::Assert { test, .. } => visit.expr(test),
        StmtKind::For { min, extent, .. } => {
            visit.expr(min);
            visit.expr(extent);
        }
        StmtKind::While { test, .. } | StmtKind::If { test, .. } => visit.expr(test),
        StmtKind::Block(block) => {
            for iter in &block.iters {
                visit.axis(iter);
            }
            if let Some(predicate) = &block.predicate {
                visit.expr(predicate);
            }
        }
        StmtKind::Packed(call) => {
            for arg in &call.args {
                if let PackedArg::Number(expr) = arg {
                    visit.expr(expr);
                }
            }
        }
        StmtKind::Collective(it) => {
            for expr in it.expressions() {
                visit.expr(expr);
            }
        }
    }
    for body in stmt.bodies() {
        visit.stmts(body);
    }
}

/// Visits the operands of an expression.
pub fn walk_expr<'f, V: Visit<'f> + ?Sized>(visit: &mut V, expr: &'f Expr) {
    expr.for_each_child(&mut |child| visit.expr(child));
}

impl Stmt {
    /// Returns the statements inside.
    pub fn bodies(&self) -> [&[Stmt]; 2] {
        match &self.kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => [body, &[]],
            StmtKind::If {
                then, otherwise, ..
            } => [then, otherwise],
            StmtKind::Block(block) => [&block.init, &block.body],
            StmtKind::Store { .. }
            | StmtKind::Let { .. }
            | StmtKind::Evaluate(_)
            | StmtKind::Assert { .. }
            | StmtKind::Packed(_)
            | StmtKind::Collective(_) => [&[], &[]],
        }
    }

    /// Returns the statements inside, to change them.
    pub fn bodies_mut(&mut self) -> [Option<&mut Vec<Stmt>>; 2] {
        match &mut self.kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => [Some(body), None],
            StmtKind::If {
                then, otherwise, ..
            } => [Some(then), Some(otherwise)],
            StmtKind::Block(block) => [Some(&mut block.init), Some(&mut block.body)],
            StmtKind::Store { .. }
            | StmtKind::Let { .. }
            | StmtKind::Evaluate(_)
            | StmtKind::Assert { .. }
            | StmtKind::Packed(_)
            | StmtKind::Collective(_) => [None, None],
        }
    }

    /// Calls `f` with each expression of the statement, except for those of the statements inside.
    pub fn for_each_expr_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            StmtKind::Store { indices, value, .. } => {
                indices.iter_mut().for_each(&mut *f);
                f(value);
            }
            StmtKind::Let { value, .. }
            | StmtKind::Evaluate(value)
            | StmtKind::Assert { test: value, .. }
            | StmtKind::While { test: value, .. }
            | StmtKind::If { test: value, .. } => f(value),
            StmtKind::For { min, extent, .. } => {
                f(min);
                f(extent);
            }
            StmtKind::Block(block) => {
                for iter in &mut block.iters {
                    f(&mut iter.min);
                    f(&mut iter.extent);
                    f(&mut iter.value);
                }
                block.predicate.iter_mut().for_each(f);
            }
            StmtKind::Packed(call) => {
                for arg in &mut call.args {
                    if let PackedArg::Number(expr) = arg {
                        f(expr);
                    }
                }
            }
            StmtKind::Collective(it) => it.expressions_mut().into_iter().for_each(f),
        }
    }
}

/// Returns whether `test` holds for one of the statements or for one inside them.
pub fn any_stmt<'f>(stmts: &'f [Stmt], test: &mut dyn FnMut(&'f Stmt) -> bool) -> bool {
    stmts.iter().any(|stmt| {
        test(stmt) || {
            let [first, second] = stmt.bodies();
            any_stmt(first, test) || any_stmt(second, test)
        }
    })
}

/// Calls `f` with each statement and with the statements inside it.
pub fn for_each_stmt<'f>(stmts: &'f [Stmt], f: &mut dyn FnMut(&'f Stmt)) {
    any_stmt(stmts, &mut |stmt| {
        f(stmt);
        false
    });
}

/// Calls `$f` with each operand of an expression, by shared or by mutable reference.
macro_rules! children {
    ($kind:expr, $iter:ident, $f:expr) => {
        match $kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Var(_) => {}
            ExprKind::Load(_, indices) => indices.$iter().for_each($f),
            ExprKind::Not(a)
            | ExprKind::Cast(a)
            | ExprKind::Reinterpret(a)
            | ExprKind::Unary(_, a) => $f(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Math(_, a, b) => {
                $f(a);
                $f(b);
            }
            ExprKind::Select(a, b, c) => {
                $f(a);
                $f(b);
                $f(c);
            }
        }
    };
}

impl Expr {
    pub fn for_each_child<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        children!(&self.kind, iter, f);
    }

    pub fn for_each_child_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        children!(&mut self.kind, iter_mut, f);
    }
}
