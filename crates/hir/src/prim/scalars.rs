//! Scalars that are assigned again, as in the Type dialect: their variables are elements of memory.

use relax::dtype::DType;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;

use super::arith::{self, Number};
use super::{Entity, Reader};
use crate::prim_facts::PrimDefId;
use crate::tir::{Buffer, BufferId, Data, Expr, ExprKind, Stmt, StmtKind, Var, VarId};

/// The memory of each variable that is assigned again.
pub(super) type Cells = FxHashMap<VarId, BufferId>;

impl Reader<'_> {
    /// Assigns to a scalar, or to a buffer of one element.
    pub fn write_scalar(&mut self, id: PrimDefId, value: Option<Number>, range: TextRange) {
        let buffer = match *self.entity(id) {
            Entity::Buffer(buffer) => Some(buffer),
            Entity::Var(var) => Some(self.cell(var, range)),
            _ => None,
        };
        let (Some(buffer), Some(value)) = (buffer, value) else {
            return self.missing(range);
        };
        let value = self.strong(value);
        let value = arith::cast(value, self.func.buffer(buffer).dtype);
        self.emit(store(buffer, value, range), range);
    }

    fn cell(&mut self, var: VarId, range: TextRange) -> BufferId {
        if let Some(&buffer) = self.cells.get(&var) {
            return buffer;
        }
        let Var { name, dtype } = self.func.var(var).clone();
        let buffer = BufferId(self.func.buffers.len() as u32);
        self.func.buffers.push(Buffer {
            name,
            dtype,
            shape: vec![Expr::int(1, DType::I32, range)],
            strides: None,
            offset: None,
            data: Data::Alloc,
            scope: SmolStr::new_static("local"),
            range,
        });
        self.cells.insert(var, buffer);
        buffer
    }
}

fn store(buffer: BufferId, value: Expr, range: TextRange) -> StmtKind {
    StmtKind::Store {
        buffer,
        indices: vec![Expr::int(0, DType::I32, range)],
        value,
    }
}

/// Turns definitions into stores, and reads into loads.
pub(super) fn to_memory(stmts: &mut [Stmt], cells: &Cells) {
    for stmt in stmts {
        stmt.for_each_expr_mut(&mut |expr| load(expr, cells));
        if let StmtKind::Let { var, value } = &stmt.kind
            && let Some(&buffer) = cells.get(var)
        {
            stmt.kind = store(buffer, value.clone(), stmt.range);
        }
        for body in stmt.bodies_mut().into_iter().flatten() {
            to_memory(body, cells);
        }
    }
}

fn load(expr: &mut Expr, cells: &Cells) {
    expr.for_each_child_mut(&mut |child| load(child, cells));
    if let ExprKind::Var(var) = expr.kind
        && let Some(&buffer) = cells.get(&var)
    {
        let at = Expr::int(0, DType::I32, expr.range);
        expr.kind = ExprKind::Load(buffer, vec![at]);
    }
}
