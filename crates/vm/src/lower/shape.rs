//! Dimensions at run time: a slot of the shape heap for each variable, and for what is computed from them.

use std::sync::Arc;

use hir::infer::PYTHON_DIM;
use hir::sym::{SymExpr, SymVar};
use text_size::TextRange;

use super::function::{Lower, Lowered};
use crate::bytecode::{Constant, DimExpr, Operand};
use crate::value::Value;

/// How `vm.builtin.make_shape` gets a dimension, and `vm.builtin.match_shape` checks one: TVM's codes.
pub(super) const USE_IMMEDIATE: i64 = 0;
pub(super) const LOAD_SHAPE: i64 = 1;

impl Lower<'_, '_, '_> {
    pub fn heap(&mut self) -> Operand {
        let heap = match self.heap {
            Some(heap) => heap,
            None => {
                let heap = self.register();
                self.heap = Some(heap);
                heap
            }
        };
        Operand::Reg(heap)
    }

    fn new_slot(&mut self) -> u32 {
        self.heap_size += 1;
        self.heap_size - 1
    }

    pub fn slot(&mut self, var: &SymVar) -> u32 {
        if let Some(&slot) = self.slots.get(var) {
            return slot;
        }
        let slot = self.new_slot();
        self.slots.insert(var.clone(), slot);
        slot
    }

    /// Whether every variable of `dim` has a value here.
    pub fn is_bound(&self, dim: &SymExpr) -> bool {
        !dim.any_var(&|var| !self.bound.contains(var))
    }

    /// A code and a value for a dimension: itself, or the slot that holds it.
    pub fn dim(&mut self, dim: &SymExpr, range: TextRange) -> Lowered<(i64, i64)> {
        if let Some(value) = dim.as_int() {
            return Ok((USE_IMMEDIATE, value));
        }
        if !self.is_bound(dim) {
            return Err(self.unbound(dim, range));
        }
        if let Some(var) = dim.as_var() {
            return Ok((LOAD_SHAPE, i64::from(self.slot(var))));
        }
        let slots = dim
            .vars()
            .into_iter()
            .map(|var| {
                let slot = self.slot(&var);
                (var, slot)
            })
            .collect();
        let expr = DimExpr {
            expr: dim.clone(),
            slots,
        };
        let expr = self.constant(Constant::Dim(Arc::new(expr)));
        let slot = i64::from(self.new_slot());
        let heap = self.heap();
        self.builtin(
            "vm.builtin.compute_dim",
            vec![heap, Operand::Int(slot), expr],
        )?;
        Ok((LOAD_SHAPE, slot))
    }

    fn unbound(&mut self, dim: &SymExpr, range: TextRange) -> super::function::Failed {
        let missing: Vec<SymVar> = dim
            .vars()
            .into_iter()
            .filter(|var| !self.bound.contains(var))
            .collect();
        let message = match missing.first() {
            Some(var) if var.id == PYTHON_DIM => {
                format!("only Python knows the dimension `{}`", var.name)
            }
            Some(var) => format!("shape variable `{}` has no value here", var.name),
            None => "this dimension has no value here".to_owned(),
        };
        self.error(range, message)
    }

    /// A Shape of these dimensions.
    pub fn shape(&mut self, dims: &[SymExpr], range: TextRange) -> Lowered<Operand> {
        if let Some(values) = dims.iter().map(SymExpr::as_int).collect::<Option<Vec<_>>>() {
            return Ok(self.value_constant(values));
        }
        let mut codes = Vec::with_capacity(dims.len() * 2);
        for dim in dims {
            let (code, value) = self.dim(dim, range)?;
            codes.push(Operand::Int(code));
            codes.push(Operand::Int(value));
        }
        let mut args = vec![self.heap(), Operand::Int(dims.len() as i64)];
        args.extend(codes);
        self.builtin("vm.builtin.make_shape", args)
    }

    /// A scalar of this value.
    pub fn prim(&mut self, value: &SymExpr, range: TextRange) -> Lowered<Operand> {
        let (code, at) = self.dim(value, range)?;
        if code == USE_IMMEDIATE {
            return Ok(self.value_constant(Value::int(at)));
        }
        let heap = self.heap();
        self.builtin(
            "vm.builtin.make_prim_value",
            vec![heap, Operand::Int(code), Operand::Int(at)],
        )
    }
}
