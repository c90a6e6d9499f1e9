//! The work of a PrimFunc: the operations of its program, each counted as often as its loops run.

use relax::sym::{Op, SymExpr, SymVar};

use super::callees::CalleeCost;
use crate::db::Db;
use crate::item_tree::FunctionItem;
use crate::queries::function_program;
use crate::tir::{self, Binary, ExprKind, ParamKind, PrimFunc, Stmt, StmtKind, VarId};

/// Returns the cost of a PrimFunc, or `None` if the number of iterations is only known at run time.
pub(super) fn cost(db: &dyn Db, function: FunctionItem<'_>) -> Option<CalleeCost> {
    let func = function_program(db, function).ok()?;
    let buffers = func.params.iter().filter_map(|param| match param.kind {
        ParamKind::Buffer(buffer) => Some(func.buffer(buffer)),
        _ => None,
    });
    let params = buffers
        .map(|buffer| buffer.shape.iter().map(|dim| sym(&func, dim)).collect())
        .collect();
    let flops = stmts(&func, &func.body, &SymExpr::int(1))?;
    Some(CalleeCost { params, flops })
}

/// Returns the number of operations of statements that run `times` times.
fn stmts(func: &PrimFunc, all: &[Stmt], times: &SymExpr) -> Option<SymExpr> {
    let mut sum = SymExpr::int(0);
    for stmt in all {
        sum = sum.add(&stmt_flops(func, stmt, times)?);
    }
    Some(sum)
}

fn stmt_flops(func: &PrimFunc, stmt: &Stmt, times: &SymExpr) -> Option<SymExpr> {
    let own = |expr: &tir::Expr| times.mul(&SymExpr::int(operations(expr)));
    Some(match &stmt.kind {
        StmtKind::Store { value, .. } | StmtKind::Let { value, .. } => own(value),
        StmtKind::Evaluate(value) => own(value),
        StmtKind::For { extent, body, .. } => {
            // There is no formula if an extent depends on another loop.
            let extent = sym(func, extent)?;
            stmts(func, body, &times.mul(&extent))?
        }
        // Either branch may run, so count both.
        StmtKind::If {
            then, otherwise, ..
        } => stmts(func, then, times)?.add(&stmts(func, otherwise, times)?),
        StmtKind::Block(block) => {
            let sum = stmts(func, &block.body, times)?;
            // The initial value of a sum is usually a constant, which costs nothing.
            if stmts(func, &block.init, times)? == SymExpr::int(0) {
                sum
            } else {
                return None;
            }
        }
        StmtKind::Assert { .. } => SymExpr::int(0),
        StmtKind::Collective(it) => it
            .expressions()
            .into_iter()
            .map(own)
            .fold(SymExpr::int(0), |sum, it| sum.add(&it)),
        StmtKind::While { .. } | StmtKind::Packed(_) => return None,
    })
}

/// Returns the number of floating-point operations in an expression.
fn operations(expr: &tir::Expr) -> i64 {
    let own = match expr.kind {
        ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Math(..) => {
            i64::from(expr.dtype.is_float())
        }
        _ => 0,
    };
    let mut sum = own;
    expr.for_each_child(&mut |child| sum += operations(child));
    sum
}

/// Returns an integer expression as a formula over the shape variables of the function.
fn sym(func: &PrimFunc, expr: &tir::Expr) -> Option<SymExpr> {
    Some(match &expr.kind {
        ExprKind::Int(value) => SymExpr::int(i64::try_from(*value).ok()?),
        ExprKind::Var(var) => SymExpr::var(shape_var(func, *var)?),
        ExprKind::Cast(inner) => sym(func, inner)?,
        ExprKind::Binary(op, a, b) => {
            let op = arithmetic(*op)?;
            SymExpr::apply(op, &[sym(func, a)?, sym(func, b)?])
        }
        _ => return None,
    })
}

/// Returns the operation of formulas that an operation of PrimFuncs is.
pub(super) fn arithmetic(op: Binary) -> Option<Op> {
    Some(match op {
        Binary::Add => Op::Add,
        Binary::Sub => Op::Sub,
        Binary::Mul => Op::Mul,
        Binary::FloorDiv => Op::FloorDiv,
        Binary::FloorMod => Op::FloorMod,
        Binary::TruncDiv => Op::TruncDiv,
        Binary::TruncMod => Op::TruncMod,
        Binary::Min => Op::Min,
        Binary::Max => Op::Max,
        _ => return None,
    })
}

fn shape_var(func: &PrimFunc, id: VarId) -> Option<SymVar> {
    let var = func.vars.get(id.0 as usize)?;
    Some(SymVar {
        name: var.name.clone(),
        id: id.0,
    })
}
