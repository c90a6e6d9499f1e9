//! Calls of packed functions: the code stores their arguments in slots, and the host calls them.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use hir::tir::{Data, Packed, PackedArg};
use relax::dtype::{Code, DType};
use text_size::TextRange;

use super::super::packed::{Arg, Call};
use super::{Codegen, Emitted};

impl Codegen<'_, '_> {
    /// Assigns slots to the arguments of a call, starting at `next`.
    pub(super) fn packed(
        &mut self,
        call: &Packed,
        range: TextRange,
        next: &mut usize,
    ) -> Emitted<Call> {
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            args.push(match arg {
                PackedArg::Text(text) => Arg::Text(text.clone()),
                PackedArg::Number(expr) => {
                    *next += 1;
                    Arg::Number(*next - 1, expr.dtype)
                }
                PackedArg::Buffer(id) => {
                    let buffer = self.func.buffer(*id);
                    match buffer.data {
                        Data::Param(at) => Arg::Param(at),
                        Data::Alloc => {
                            let dims = *next..*next + buffer.shape.len();
                            *next = dims.end;
                            Arg::Own {
                                address: self.address_slot(id.0 as usize),
                                dims,
                                dtype: buffer.dtype,
                            }
                        }
                        Data::View(_) => {
                            let message = format!(
                                "`{}` is a view of another buffer, which cannot be passed to a packed function",
                                buffer.name
                            );
                            return Err(self.error(range, message));
                        }
                    }
                }
            });
        }
        Ok(Call {
            symbol: call.symbol.clone(),
            args,
            range,
        })
    }

    /// Stores the arguments of a call in their slots.
    pub(super) fn packed_args(&mut self, call: &Packed, to: &Call) -> Emitted<()> {
        for (arg, to) in call.args.iter().zip(&to.args) {
            match (arg, to) {
                (PackedArg::Number(expr), Arg::Number(slot, dtype)) => {
                    let value = self.expr(expr)?;
                    let bits = self.bits(value, *dtype)?;
                    self.put(bits, *slot);
                }
                (PackedArg::Buffer(id), Arg::Own { dims, .. }) => {
                    let code = self.buffers.get(id.0 as usize).cloned();
                    let held = code.map(|code| code.dims).unwrap_or_default();
                    for (slot, dim) in dims.clone().zip(held) {
                        let dim = self.builder.use_var(dim);
                        self.put(dim, slot);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Converts a number to the 64 bits that the host reads.
    pub(super) fn bits(&mut self, value: Value, dtype: DType) -> Emitted<Value> {
        Ok(match (dtype.code, dtype.bits) {
            (Code::Float, 64) => {
                let flags = MemFlagsData::new();
                self.builder.ins().bitcast(types::I64, flags, value)
            }
            (Code::Float | Code::BFloat, _) => {
                let wide = self.builder.ins().fpromote(types::F64, value);
                let flags = MemFlagsData::new();
                self.builder.ins().bitcast(types::I64, flags, wide)
            }
            (Code::Bool, _) => self.builder.ins().uextend(types::I64, value),
            _ => self.resize(value, dtype, DType::I64)?,
        })
    }

    pub(super) fn put(&mut self, value: Value, slot: usize) {
        let flags = MemFlagsData::trusted();
        let offset = slot as i32 * 8;
        self.builder.ins().store(flags, value, self.slots, offset);
    }
}
