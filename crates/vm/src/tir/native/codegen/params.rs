//! Reads the parameters from the slots of a call.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use hir::tir::{self, Expr, ExprKind};
use relax::dtype::DType;
use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::{Codegen, Emitted, FIRST};
use crate::tir::trap::Check;

/// The values in the slots of a parameter.
pub(super) struct ParamSlots {
    pub pointer: Variable,
    pub elements: Variable,
    pub dims: Vec<Value>,
}

/// An extent or a stride that the function computes, to compare with that of the argument.
struct Comparison<'e> {
    wanted: &'e Expr,
    actual: Value,
    /// The extent of the dimension. A stride is not compared if this is at most 1.
    needed: Option<Value>,
    fault: Check,
    range: TextRange,
}

impl Codegen<'_, '_> {
    /// Reads the parameters from their slots, and binds the variables of their shapes in order.
    pub(super) fn params(&mut self) -> Emitted<()> {
        let func = self.func;
        let mut at = FIRST;
        let mut held: FxHashMap<usize, ParamSlots> = FxHashMap::default();
        for (position, param) in func.params.iter().enumerate() {
            match param.kind {
                tir::ParamKind::Buffer(id) => {
                    let ndim = func.buffer(id).shape.len();
                    let pointer = self.slot(at);
                    let elements = self.slot(at + 1);
                    let it = ParamSlots {
                        pointer: self.hold(pointer, types::I64),
                        elements: self.hold(elements, types::I64),
                        dims: (0..ndim).map(|k| self.slot(at + 2 + k)).collect(),
                    };
                    held.insert(position, it);
                    at += 2 + ndim;
                }
                tir::ParamKind::Scalar(var) => {
                    let bits = self.slot(at);
                    let value = self.of_slot(bits, func.var(var).dtype)?;
                    self.define(var, value)?;
                    self.bounds.unknown(var, func.var(var).dtype);
                    at += 1;
                }
                tir::ParamKind::Unused => {}
            }
        }
        self.next_slot = at;
        // Bind plain variables first, in order, then compare expressions over them.
        let mut later: Vec<Comparison<'_>> = Vec::new();
        for (position, param) in func.params.iter().enumerate() {
            let (tir::ParamKind::Buffer(id), Some(held)) = (param.kind, held.get(&position)) else {
                continue;
            };
            let buffer = func.buffer(id);
            for (k, (dim, &actual)) in buffer.shape.iter().zip(&held.dims).enumerate() {
                self.fits(actual, &buffer.name, k, buffer.range);
                let fault = Check::Shape(buffer.name.clone(), k);
                if !self.bind_variable(dim, actual, &fault, buffer.range)? {
                    later.push(Comparison {
                        wanted: dim,
                        actual,
                        needed: None,
                        fault,
                        range: buffer.range,
                    });
                }
            }
            self.layout(buffer, &held.dims, &mut later)?;
        }
        for it in later {
            self.compare(it)?;
        }
        for id in 0..func.buffers.len() {
            let made = self.buffer(id, &held)?;
            self.buffers.push(made);
        }
        Ok(())
    }

    /// Binds a variable without a value to an extent or a stride, which must fit the variable's dtype. Returns `false`
    /// if `expr` is not such a variable.
    fn bind_variable(
        &mut self,
        expr: &Expr,
        actual: Value,
        fault: &Check,
        range: TextRange,
    ) -> Emitted<bool> {
        let ExprKind::Var(var) = expr.kind else {
            return Ok(false);
        };
        if self.vars.contains_key(&var) {
            return Ok(false);
        }
        let value = self.resize(actual, DType::I64, expr.dtype)?;
        if expr.dtype.bits < 64 {
            let held = self.resize(value, expr.dtype, DType::I64)?;
            let ok = self.builder.ins().icmp(IntCC::Equal, actual, held);
            self.check(ok, fault.clone(), range, actual, held);
        }
        self.define(var, value)?;
        if matches!(fault, Check::Shape(..)) {
            self.bounds.extent_var(var, expr.dtype);
        } else {
            self.bounds.unknown(var, expr.dtype);
        }
        Ok(true)
    }

    fn compare(&mut self, it: Comparison<'_>) -> Emitted<()> {
        let wanted = self.extent_value(it.wanted)?;
        let mut ok = self.builder.ins().icmp(IntCC::Equal, it.actual, wanted);
        if let Some(dim) = it.needed {
            let idle = self
                .builder
                .ins()
                .icmp_imm_s(IntCC::SignedLessThanOrEqual, dim, 1);
            ok = self.builder.ins().bor(ok, idle);
        }
        self.check(ok, it.fault, it.range, it.actual, wanted);
        Ok(())
    }

    /// Binds the strides and the offset of a parameter. An argument tensor is row-major without an offset.
    fn layout<'e>(
        &mut self,
        buffer: &'e tir::Buffer,
        dims: &[Value],
        later: &mut Vec<Comparison<'e>>,
    ) -> Emitted<()> {
        let mut steps = Vec::with_capacity(dims.len());
        let mut step = self.builder.ins().iconst(types::I64, 1);
        for &dim in dims.iter().rev() {
            steps.push(step);
            step = self.builder.ins().imul(step, dim);
        }
        steps.reverse();
        let strides = buffer.strides.iter().flatten();
        for (k, (wanted, actual)) in strides.zip(steps).enumerate() {
            let fault = Check::Stride(buffer.name.clone(), k);
            if !self.bind_variable(wanted, actual, &fault, buffer.range)? {
                later.push(Comparison {
                    wanted,
                    actual,
                    needed: Some(dims[k]),
                    fault,
                    range: buffer.range,
                });
            }
        }
        if let Some(offset) = &buffer.offset {
            let zero = self.builder.ins().iconst(types::I64, 0);
            let fault = Check::Memory(buffer.name.clone());
            self.bind_variable(offset, zero, &fault, buffer.range)?;
        }
        Ok(())
    }

    /// Decodes a number from the bits of its slot.
    fn of_slot(&mut self, bits: Value, dtype: DType) -> Emitted<Value> {
        let ty = self.ty(dtype, TextRange::default())?;
        Ok(if dtype.is_bool() {
            self.builder.ins().icmp_imm_s(IntCC::NotEqual, bits, 0)
        } else if ty == types::F64 {
            self.builder
                .ins()
                .bitcast(types::F64, MemFlagsData::new(), bits)
        } else if ty == types::F32 {
            let low = self.builder.ins().ireduce(types::I32, bits);
            self.builder
                .ins()
                .bitcast(types::F32, MemFlagsData::new(), low)
        } else if ty == types::I64 {
            bits
        } else {
            self.builder.ins().ireduce(ty, bits)
        })
    }
}
