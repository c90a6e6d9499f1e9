//! Generates conversions between dtypes. A float becomes an integer by the rule of `tensor::Truncate`.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use relax::dtype::DType;
use text_size::TextRange;

use super::codegen::{Codegen, Emitted};
use super::expr::signed;

impl Codegen<'_, '_> {
    pub fn cast(
        &mut self,
        value: Value,
        from: DType,
        to: DType,
        range: TextRange,
    ) -> Emitted<Value> {
        let (a, b) = (self.ty(from, range)?, self.ty(to, range)?);
        if to.is_bool() {
            if from.is_bool() {
                return Ok(value);
            }
            return Ok(if a.is_float() {
                let zero = self.float(0.0, from);
                self.builder.ins().fcmp(FloatCC::NotEqual, value, zero)
            } else {
                self.builder.ins().icmp_imm_s(IntCC::NotEqual, value, 0)
            });
        }
        Ok(match (a.is_float(), b.is_float()) {
            (false, false) => self.resize(value, from, to)?,
            (true, true) => {
                let value = match (a.bits(), b.bits()) {
                    (32, 64) => self.builder.ins().fpromote(types::F64, value),
                    (64, 32) => self.builder.ins().fdemote(types::F32, value),
                    _ => value,
                };
                self.rounded(value, to)
            }
            (false, true) => {
                let wide = if a.bits() < 32 {
                    if signed(from) {
                        self.builder.ins().sextend(types::I32, value)
                    } else {
                        self.builder.ins().uextend(types::I32, value)
                    }
                } else {
                    value
                };
                let value = if signed(from) {
                    self.builder.ins().fcvt_from_sint(b, wide)
                } else {
                    self.builder.ins().fcvt_from_uint(b, wide)
                };
                self.rounded(value, to)
            }
            (true, false) => {
                let is_wide = b.bits() == 64 || b.bits() == 32 && !signed(to);
                let wide = if is_wide { types::I64 } else { types::I32 };
                let whole = if b.bits() == 64 && !signed(to) {
                    self.truncated_unsigned(value, a)
                } else {
                    self.truncated(value, a, wide)
                };
                if wide == b {
                    whole
                } else {
                    self.builder.ins().ireduce(b, whole)
                }
            }
        })
    }

    /// Rounds a float towards zero. NaN and what is out of range become the least integer.
    fn truncated(&mut self, value: Value, from: Type, to: Type) -> Value {
        let end = self.power_of_two(to.bits() - 1, from);
        let is_below = self.builder.ins().fcmp(FloatCC::LessThan, value, end);
        let whole = self.builder.ins().fcvt_to_sint_sat(to, value);
        let least = self
            .builder
            .ins()
            .iconst(types::I64, i64::MIN >> (64 - to.bits()));
        let least = if to == types::I64 {
            least
        } else {
            self.builder.ins().ireduce(to, least)
        };
        self.builder.ins().select(is_below, whole, least)
    }

    /// The same for an unsigned integer of 64 bits, as compilers for x86 compose it of signed ones.
    fn truncated_unsigned(&mut self, value: Value, from: Type) -> Value {
        let low = self.truncated(value, from, types::I64);
        let end = self.power_of_two(63, from);
        let rest = self.builder.ins().fsub(value, end);
        let high = self.truncated(rest, from, types::I64);
        let is_above = self.builder.ins().sshr_imm_s(low, 63);
        let high = self.builder.ins().band(high, is_above);
        self.builder.ins().bor(low, high)
    }

    fn power_of_two(&mut self, exponent: u32, ty: Type) -> Value {
        let value = f64::from(exponent).exp2();
        if ty == types::F64 {
            self.builder.ins().f64const(value)
        } else {
            self.builder.ins().f32const(value as f32)
        }
    }
}
