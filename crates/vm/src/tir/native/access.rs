//! Generates loads and stores. Every index is checked against its dimension, in the code or by a proof.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use hir::tir::{BufferId, Expr};
use relax::dtype::{Code, DType};
use text_size::TextRange;

use super::codegen::{Codegen, Emitted};
use crate::tir::trap::Check;

impl Codegen<'_, '_> {
    /// Returns the address of an element.
    pub fn address(
        &mut self,
        buffer: BufferId,
        indices: &[Expr],
        range: TextRange,
    ) -> Emitted<Value> {
        let func = self.func;
        let it = func.buffer(buffer);
        let code = match self.buffers.get(buffer.0 as usize) {
            Some(code) => code.clone(),
            None => {
                return Err(self.error(range, format!("`{}` is used before it exists", it.name)));
            }
        };
        let mut linear: Option<Value> = None;
        for (k, index) in indices.iter().enumerate() {
            let value = self.expr(index)?;
            let value = self.resize(value, index.dtype, DType::I64)?;
            let extent = self.builder.use_var(code.dims[k]);
            if !self.bounds.proves(index, &code.extents[k]) {
                // Compared as unsigned, a negative index is too large.
                let ok = self
                    .builder
                    .ins()
                    .icmp(IntCC::UnsignedLessThan, value, extent);
                let fault = Check::Index(it.name.clone(), k);
                self.check(ok, fault, range, value, extent);
            }
            linear = Some(match (&code.strides, linear) {
                (Some(strides), before) => {
                    let stride = self.builder.use_var(strides[k]);
                    let step = self.builder.ins().imul(value, stride);
                    match before {
                        Some(before) => self.builder.ins().iadd(before, step),
                        None => step,
                    }
                }
                (None, Some(before)) => {
                    let row = match code.extents[k].as_int() {
                        Some(extent) => self.builder.ins().imul_imm_s(before, extent),
                        None => self.builder.ins().imul(before, extent),
                    };
                    self.builder.ins().iadd(row, value)
                }
                (None, None) => value,
            });
        }
        if let Some(offset) = &it.offset {
            let value = self.expr(offset)?;
            let value = self.resize(value, offset.dtype, DType::I64)?;
            linear = Some(match linear {
                Some(linear) => self.builder.ins().iadd(linear, value),
                None => value,
            });
        }
        let linear = match linear {
            Some(linear) => linear,
            None => self.builder.ins().iconst(types::I64, 0),
        };
        // Strides and offsets may lead anywhere, so check the position against the memory.
        if let Some(limit) = code.limit {
            let limit = self.builder.use_var(limit);
            let ok = self
                .builder
                .ins()
                .icmp(IntCC::UnsignedLessThan, linear, limit);
            let fault = Check::Memory(it.name.clone());
            self.check(ok, fault, range, linear, limit);
        }
        let bytes = it.dtype.bytes().max(1) as i64;
        let offset = if bytes.count_ones() == 1 {
            self.builder
                .ins()
                .ishl_imm_s(linear, i64::from(bytes.trailing_zeros()))
        } else {
            self.builder.ins().imul_imm_s(linear, bytes)
        };
        let pointer = self.builder.use_var(code.pointer);
        Ok(self.builder.ins().iadd(pointer, offset))
    }

    pub fn load(&mut self, buffer: BufferId, indices: &[Expr], range: TextRange) -> Emitted<Value> {
        if let Some(&(_, var)) = self.promoted.iter().find(|(id, _)| *id == buffer) {
            return Ok(self.builder.use_var(var));
        }
        let address = self.address(buffer, indices, range)?;
        self.load_at(address, self.func.buffer(buffer).dtype, range)
    }

    pub fn store(
        &mut self,
        buffer: BufferId,
        indices: &[Expr],
        value: Value,
        range: TextRange,
    ) -> Emitted<()> {
        if let Some(&(_, var)) = self.promoted.iter().find(|(id, _)| *id == buffer) {
            self.builder.def_var(var, value);
            return Ok(());
        }
        let address = self.address(buffer, indices, range)?;
        self.store_at(address, value, self.func.buffer(buffer).dtype);
        Ok(())
    }

    pub fn load_at(&mut self, address: Value, dtype: DType, range: TextRange) -> Emitted<Value> {
        let flags = flags();
        Ok(match half(dtype) {
            Some((name, _)) => {
                let bits = self.builder.ins().load(types::I16, flags, address, 0);
                let bits = self.builder.ins().uextend(types::I32, bits);
                let function = self.import(&format!("{name}_to_f32"), &[types::I32], types::F32);
                let call = self.builder.ins().call(function, &[bits]);
                self.builder.inst_results(call)[0]
            }
            None => {
                let ty = self.ty(dtype, range)?;
                let value = self.builder.ins().load(ty, flags, address, 0);
                // A view of another dtype may have written any number to these bytes.
                if dtype.is_bool() {
                    self.builder.ins().icmp_imm_s(IntCC::NotEqual, value, 0)
                } else {
                    value
                }
            }
        })
    }

    pub fn store_at(&mut self, address: Value, value: Value, dtype: DType) {
        let value = match half(dtype) {
            Some((name, _)) => {
                let function = self.import(&format!("f32_to_{name}"), &[types::F32], types::I32);
                let call = self.builder.ins().call(function, &[value]);
                let bits = self.builder.inst_results(call)[0];
                self.builder.ins().ireduce(types::I16, bits)
            }
            None => value,
        };
        self.builder.ins().store(flags(), value, address, 0);
    }
}

/// Access is safe once the index is checked, but may be unaligned: a view may begin anywhere.
fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

/// Returns the function that loads a 16-bit float, and the one that rounds to it.
pub(super) fn half(dtype: DType) -> Option<(&'static str, &'static str)> {
    match (dtype.code, dtype.bits) {
        (Code::Float, 16) => Some(("f16", "round_f16")),
        (Code::BFloat, 16) => Some(("bf16", "round_bf16")),
        _ => None,
    }
}
