//! The shapes of a function after TVM's VMShapeLower, which stores each symbolic dimension in a slot of a heap tensor.
//! The function fills the slots from its parameters, and creates shapes from them.
//!
//! A slot has a formula if it is a dimension of a tensor with a known shape, or if a PrimFunc computes it from such
//! slots.

use relax::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use relax::sym::{Op, SymExpr};
use relax::value::Value;
use rustc_hash::FxHashMap;

use super::callees;
use super::prim::arithmetic;
use crate::body::{Expr, ExprId};
use crate::db::Db;
use crate::facts::{CallFact, Def, VarId};
use crate::incremental::LazyFacts;
use crate::item_tree::FunctionItem;
use crate::queries::{function_body, function_program, lazy_facts};
use crate::tir::{self, ExprKind, StmtKind};

/// Codes of `vm.builtin.match_shape` and `vm.builtin.make_shape`, as in TVM's `runtime/vm/builtin.cc`.
const STORE_TO_HEAP: i64 = 1;
const USE_NUMBER: i64 = 0;
const LOAD_FROM_HEAP: i64 = 1;

/// The shapes and tensors whose StructInfo the heap completes.
#[derive(Default)]
pub(super) struct HeapShapes {
    vars: FxHashMap<VarId, StructInfo>,
}

impl HeapShapes {
    pub fn of(db: &dyn Db, function: FunctionItem<'_>) -> HeapShapes {
        let mut reader = HeapReader {
            db,
            function,
            facts: lazy_facts(db, function),
            slots: FxHashMap::default(),
            shapes: HeapShapes::default(),
        };
        for var in reader.facts.vars() {
            if let Some(value) = var.value
                && let Some(sinfo) = reader.binding(value, var.struct_info)
            {
                reader.shapes.vars.insert(var.id, sinfo);
            }
        }
        reader.shapes
    }

    /// Returns the StructInfo of a variable, if the heap completes it.
    pub fn var(&self, id: VarId) -> Option<&StructInfo> {
        self.vars.get(&id)
    }

    /// Returns the StructInfo of an expression.
    pub fn expr(&self, expr: ExprId, facts: &LazyFacts) -> Option<StructInfo> {
        if !self.vars.is_empty()
            && let Some(Def::Var(id)) = facts.def(expr)
            && let Some(known) = self.vars.get(id)
        {
            return Some(known.clone());
        }
        facts.value(expr).struct_info()
    }
}

struct HeapReader<'db> {
    db: &'db dyn Db,
    function: FunctionItem<'db>,
    facts: &'db LazyFacts,
    slots: FxHashMap<i64, SymExpr>,
    shapes: HeapShapes,
}

impl HeapReader<'_> {
    /// Reads a binding. Returns the StructInfo that the heap completes.
    fn binding(&mut self, value: ExprId, result: &StructInfo) -> Option<StructInfo> {
        let Some(call) = self.facts.call(value) else {
            self.shape_func(value);
            return None;
        };
        match call.op.0.name {
            "relax.call_packed" => self.packed(call, result),
            "relax.vm.alloc_tensor" => {
                let shape = call.args.get(2)?.exprs().first()?;
                self.tensor(result, *shape)
            }
            _ => None,
        }
    }

    fn packed(&mut self, call: &CallFact, result: &StructInfo) -> Option<StructInfo> {
        let callee = call.args.first()?.exprs().first()?;
        let (Value::Extern(name) | Value::Str(name)) = self.facts.value(*callee) else {
            return None;
        };
        let args = call.args.get(1)?.exprs();
        match name.as_str() {
            "vm.builtin.match_shape" => {
                let sinfo = self.shapes.expr(*args.first()?, self.facts)?;
                let dims = dims(&sinfo)?;
                let codes = args.get(3..)?.chunks_exact(2);
                for (dim, code) in dims.iter().zip(codes) {
                    if self.number(code[0]) == Some(STORE_TO_HEAP)
                        && let Some(slot) = self.number(code[1])
                    {
                        self.slots.insert(slot, dim.clone());
                    }
                }
                None
            }
            "vm.builtin.make_shape" => {
                let codes = args.get(2..)?.chunks_exact(2);
                let dims = codes.map(|code| {
                    let value = self.number(code[1])?;
                    match self.number(code[0])? {
                        USE_NUMBER => Some(SymExpr::int(value)),
                        LOAD_FROM_HEAP => self.slots.get(&value).cloned(),
                        _ => None,
                    }
                });
                let dims: Vec<SymExpr> = dims.collect::<Option<_>>()?;
                Some(StructInfo::Shape(Shape::Known(dims.into())))
            }
            "vm.builtin.reshape" => self.tensor(result, *args.get(1)?),
            _ => None,
        }
    }

    /// Returns the tensor with a shape from the heap.
    fn tensor(&self, result: &StructInfo, shape: ExprId) -> Option<StructInfo> {
        let tensor = result.as_tensor()?;
        if tensor.dims().is_some() {
            return None;
        }
        let StructInfo::Shape(Shape::Known(dims)) = self.shapes.expr(shape, self.facts)? else {
            return None;
        };
        Some(StructInfo::Tensor(Tensor {
            shape: TensorShape::Known(dims),
            ..tensor.clone()
        }))
    }

    /// Reads the call of a PrimFunc that computes slots of the heap, its only argument.
    fn shape_func(&mut self, value: ExprId) -> Option<()> {
        let Expr::Call { callee, args } = &function_body(self.db, self.function).exprs[value]
        else {
            return None;
        };
        let (Value::Global(name), [_]) = (self.facts.value(*callee), args.as_slice()) else {
            return None;
        };
        let item = callees::named(self.db, self.function, name)?;
        let func = function_program(self.db, item).ok()?;
        for stmt in &func.body {
            if let StmtKind::Store { indices, value, .. } = &stmt.kind
                && let [index] = indices.as_slice()
                && let Some(slot) = index.as_int()
            {
                match self.slot_formula(value) {
                    Some(formula) => self.slots.insert(slot, formula),
                    None => self.slots.remove(&slot),
                };
            }
        }
        Some(())
    }

    fn slot_formula(&self, expr: &tir::Expr) -> Option<SymExpr> {
        match &expr.kind {
            ExprKind::Int(value) => Some(SymExpr::int(i64::try_from(*value).ok()?)),
            ExprKind::Load(_, indices) => {
                let slot = indices.first()?.as_int()?;
                self.slots.get(&slot).cloned()
            }
            ExprKind::Cast(inner) => self.slot_formula(inner),
            ExprKind::Binary(op, a, b) => {
                let op: Op = arithmetic(*op)?;
                Some(SymExpr::apply(
                    op,
                    &[self.slot_formula(a)?, self.slot_formula(b)?],
                ))
            }
            _ => None,
        }
    }

    fn number(&self, expr: ExprId) -> Option<i64> {
        match self.facts.value(expr) {
            Value::Int(value) => Some(*value),
            Value::Sym(SymExpr::Int(value)) => Some(*value),
            Value::Expr(StructInfo::Prim(prim)) => match &prim.value {
                Some(SymExpr::Int(value)) => Some(*value),
                _ => None,
            },
            _ => None,
        }
    }
}

fn dims(sinfo: &StructInfo) -> Option<Vec<SymExpr>> {
    match sinfo {
        StructInfo::Shape(Shape::Known(dims)) => Some(dims.to_vec()),
        other => Some(other.as_tensor()?.dims()?.to_vec()),
    }
}
