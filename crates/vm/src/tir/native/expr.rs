//! Generates expressions with TIR's arithmetic: integers wrap, `floordiv` rounds down, and a half float is rounded
//! after every step.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use hir::tir::{Binary, Compare, Expr, ExprKind, Math, Unary};
use relax::dtype::{Code, DType};
use text_size::TextRange;

use super::access::half;
use super::codegen::{Codegen, Emitted};
use crate::tir::trap::Check;

pub(super) fn signed(dtype: DType) -> bool {
    dtype.code == Code::Int
}

impl Codegen<'_, '_> {
    pub fn expr(&mut self, expr: &Expr) -> Emitted<Value> {
        let range = expr.range;
        let dtype = expr.dtype;
        match &expr.kind {
            ExprKind::Int(value) => {
                let ty = self.ty(dtype, range)?;
                Ok(if ty.is_float() {
                    self.float(*value as f64, dtype)
                } else {
                    // Only the low bits belong to the type.
                    let bits = *value & ((1i128 << ty.bits()) - 1);
                    self.builder.ins().iconst(ty, bits as i64)
                })
            }
            ExprKind::Float(value) => {
                self.ty(dtype, range)?;
                Ok(self.float(*value, dtype))
            }
            ExprKind::Var(var) => match self.vars.get(var) {
                Some(&held) => Ok(self.builder.use_var(held)),
                None => {
                    let name = self.func.var(*var).name.clone();
                    Err(self.error(range, format!("`{name}` has no value here")))
                }
            },
            ExprKind::Load(buffer, indices) => self.load(*buffer, indices, range),
            ExprKind::Binary(op, a, b) => {
                let divisor = b.as_int();
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.arithmetic(*op, dtype, a, b, divisor, range)
            }
            ExprKind::Compare(op, a, b) => {
                let of = a.dtype;
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                Ok(self.comparison(*op, of, a, b))
            }
            ExprKind::And(a, b) => {
                self.lazily(a, |code| code.expr(b), |code| Ok(code.truth(false)))
            }
            ExprKind::Or(a, b) => self.lazily(a, |code| Ok(code.truth(true)), |code| code.expr(b)),
            ExprKind::Not(a) => {
                let value = self.expr(a)?;
                Ok(self.builder.ins().icmp_imm_s(IntCC::Equal, value, 0))
            }
            ExprKind::Cast(a) => {
                let value = self.expr(a)?;
                self.cast(value, a.dtype, dtype, range)
            }
            ExprKind::Reinterpret(a) => {
                let value = self.expr(a)?;
                self.reinterpret(value, a.dtype, dtype, range)
            }
            ExprKind::Select(test, a, b) => {
                if cheap(a, 8) && cheap(b, 8) {
                    let test = self.expr(test)?;
                    let (a, b) = (self.expr(a)?, self.expr(b)?);
                    return Ok(self.builder.ins().select(test, a, b));
                }
                self.lazily(test, |code| code.expr(a), |code| code.expr(b))
            }
            ExprKind::Unary(function, a) => {
                let value = self.expr(a)?;
                self.unary(*function, a.dtype, value, range)
            }
            ExprKind::Math(function, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.math(*function, dtype, a, b, range)
            }
        }
    }

    pub fn float(&mut self, value: f64, dtype: DType) -> Value {
        match (dtype.code, dtype.bits) {
            (Code::Float, 64) => self.builder.ins().f64const(value),
            (Code::Float, 16) => {
                let value = half::f16::from_f64(value).to_f32();
                self.builder.ins().f32const(value)
            }
            (Code::BFloat, _) => {
                let value = half::bf16::from_f64(value).to_f32();
                self.builder.ins().f32const(value)
            }
            _ => self.builder.ins().f32const(value as f32),
        }
    }

    fn truth(&mut self, value: bool) -> Value {
        self.builder.ins().iconst(types::I8, i64::from(value))
    }

    /// Generates a choice of two values that evaluates only one of them.
    fn lazily(
        &mut self,
        test: &Expr,
        then: impl FnOnce(&mut Self) -> Emitted<Value>,
        otherwise: impl FnOnce(&mut Self) -> Emitted<Value>,
    ) -> Emitted<Value> {
        let test = self.expr(test)?;
        let (yes, no, end) = (
            self.builder.create_block(),
            self.builder.create_block(),
            self.builder.create_block(),
        );
        self.builder.ins().brif(test, yes, &[], no, &[]);
        self.builder.switch_to_block(yes);
        let value = then(self)?;
        let ty = self.builder.func.dfg.value_type(value);
        let held = self.builder.declare_var(ty);
        self.builder.def_var(held, value);
        self.builder.ins().jump(end, &[]);
        self.builder.switch_to_block(no);
        let value = otherwise(self)?;
        self.builder.def_var(held, value);
        self.builder.ins().jump(end, &[]);
        self.builder.switch_to_block(end);
        Ok(self.builder.use_var(held))
    }

    /// Converts an integer to another width.
    pub fn resize(&mut self, value: Value, from: DType, to: DType) -> Emitted<Value> {
        let (a, b) = (
            self.ty(from, TextRange::default())?,
            self.ty(to, TextRange::default())?,
        );
        Ok(if a.bits() == b.bits() {
            value
        } else if a.bits() > b.bits() {
            self.builder.ins().ireduce(b, value)
        } else if signed(from) {
            self.builder.ins().sextend(b, value)
        } else {
            self.builder.ins().uextend(b, value)
        })
    }

    pub fn rounded(&mut self, value: Value, dtype: DType) -> Value {
        match half(dtype) {
            Some((_, round)) => {
                let function = self.import(round, &[types::F32], types::F32);
                let call = self.builder.ins().call(function, &[value]);
                self.builder.inst_results(call)[0]
            }
            None => value,
        }
    }

    fn arithmetic(
        &mut self,
        op: Binary,
        dtype: DType,
        a: Value,
        b: Value,
        divisor: Option<i64>,
        range: TextRange,
    ) -> Emitted<Value> {
        if !dtype.is_float() {
            return self.integers(op, dtype, a, b, divisor, range);
        }
        self.ty(dtype, range)?;
        let ins = self.builder.ins();
        let value = match op {
            Binary::Add => ins.fadd(a, b),
            Binary::Sub => ins.fsub(a, b),
            Binary::Mul => ins.fmul(a, b),
            Binary::Div | Binary::TruncDiv => ins.fdiv(a, b),
            Binary::FloorDiv => {
                let quotient = ins.fdiv(a, b);
                self.builder.ins().floor(quotient)
            }
            Binary::FloorMod => {
                let quotient = ins.fdiv(a, b);
                let whole = self.builder.ins().floor(quotient);
                let back = self.builder.ins().fmul(whole, b);
                self.builder.ins().fsub(a, back)
            }
            Binary::TruncMod => {
                let ty = self.ty(dtype, range)?;
                self.library("fmod", ty, &[a, b])
            }
            // As in TVM's generated code, an unordered pair gives the second operand.
            Binary::Min => {
                let less = ins.fcmp(FloatCC::LessThan, a, b);
                return Ok(self.builder.ins().select(less, a, b));
            }
            Binary::Max => {
                let greater = ins.fcmp(FloatCC::GreaterThan, a, b);
                return Ok(self.builder.ins().select(greater, a, b));
            }
            Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor
            | Binary::ShiftLeft
            | Binary::ShiftRight => {
                return Err(self.error(
                    range,
                    format!("bitwise operations are not defined for {dtype}"),
                ));
            }
        };
        Ok(self.rounded(value, dtype))
    }

    fn integers(
        &mut self,
        op: Binary,
        dtype: DType,
        a: Value,
        b: Value,
        divisor: Option<i64>,
        range: TextRange,
    ) -> Emitted<Value> {
        let ty = self.ty(dtype, range)?;
        let signed = signed(dtype);
        let ins = self.builder.ins();
        Ok(match op {
            Binary::Add => ins.iadd(a, b),
            Binary::Sub => ins.isub(a, b),
            Binary::Mul => ins.imul(a, b),
            Binary::BitAnd => ins.band(a, b),
            Binary::BitOr => ins.bor(a, b),
            Binary::BitXor => ins.bxor(a, b),
            Binary::ShiftLeft => ins.ishl(a, b),
            Binary::ShiftRight if signed => ins.sshr(a, b),
            Binary::ShiftRight => ins.ushr(a, b),
            Binary::Min if signed => ins.smin(a, b),
            Binary::Min => ins.umin(a, b),
            Binary::Max if signed => ins.smax(a, b),
            Binary::Max => ins.umax(a, b),
            Binary::Div
            | Binary::TruncDiv
            | Binary::TruncMod
            | Binary::FloorDiv
            | Binary::FloorMod => {
                return Ok(self.division(op, ty, signed, (a, b), divisor, range));
            }
        })
    }

    fn division(
        &mut self,
        op: Binary,
        ty: Type,
        signed: bool,
        (a, b): (Value, Value),
        divisor: Option<i64>,
        range: TextRange,
    ) -> Value {
        let remainder = matches!(op, Binary::TruncMod | Binary::FloorMod);
        if divisor.is_none_or(|d| d == 0) {
            let wide = if ty == types::I64 {
                b
            } else {
                self.builder.ins().uextend(types::I64, b)
            };
            let ok = self.builder.ins().icmp_imm_s(IntCC::NotEqual, b, 0);
            self.check(ok, Check::DivideByZero, range, wide, wide);
        }
        if !signed {
            return if remainder {
                self.builder.ins().urem(a, b)
            } else {
                self.builder.ins().udiv(a, b)
            };
        }
        if let Some(divisor) = divisor
            && divisor > 0
            && divisor.count_ones() == 1
            && matches!(op, Binary::FloorDiv | Binary::FloorMod)
        {
            return if remainder {
                self.builder.ins().band_imm_s(a, divisor - 1)
            } else {
                self.builder
                    .ins()
                    .sshr_imm_s(a, i64::from(divisor.trailing_zeros()))
            };
        }
        // Dividing the minimum by -1 traps on overflow, so divide by 1 and negate instead.
        let (by, negate) = if divisor.is_some_and(|d| d != -1) {
            (b, None)
        } else {
            let minus = self.builder.ins().icmp_imm_s(IntCC::Equal, b, -1);
            let one = self.builder.ins().iconst(ty, 1);
            (self.builder.ins().select(minus, one, b), Some(minus))
        };
        let quotient = self.builder.ins().sdiv(a, by);
        let rest = {
            let back = self.builder.ins().imul(quotient, by);
            self.builder.ins().isub(a, back)
        };
        let quotient = match negate {
            Some(minus) => {
                let negated = self.builder.ins().ineg(quotient);
                self.builder.ins().select(minus, negated, quotient)
            }
            None => quotient,
        };
        if matches!(op, Binary::TruncDiv | Binary::Div) {
            return quotient;
        }
        if op == Binary::TruncMod {
            return rest;
        }
        // Rounding down differs if the remainder is not 0 and its sign differs from the divisor's.
        let some = self.builder.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
        let signs = self.builder.ins().bxor(rest, by);
        let differ = self
            .builder
            .ins()
            .icmp_imm_s(IntCC::SignedLessThan, signs, 0);
        let adjust = self.builder.ins().band(some, differ);
        if remainder {
            let moved = self.builder.ins().iadd(rest, by);
            self.builder.ins().select(adjust, moved, rest)
        } else {
            let moved = self.builder.ins().iadd_imm_s(quotient, -1);
            self.builder.ins().select(adjust, moved, quotient)
        }
    }

    fn comparison(&mut self, op: Compare, dtype: DType, a: Value, b: Value) -> Value {
        if dtype.is_float() {
            let code = match op {
                Compare::Eq => FloatCC::Equal,
                // As in TVM's generated code, an unordered pair is not unequal.
                Compare::Ne => FloatCC::OrderedNotEqual,
                Compare::Lt => FloatCC::LessThan,
                Compare::Le => FloatCC::LessThanOrEqual,
                Compare::Gt => FloatCC::GreaterThan,
                Compare::Ge => FloatCC::GreaterThanOrEqual,
            };
            return self.builder.ins().fcmp(code, a, b);
        }
        let code = match (op, signed(dtype)) {
            (Compare::Eq, _) => IntCC::Equal,
            (Compare::Ne, _) => IntCC::NotEqual,
            (Compare::Lt, true) => IntCC::SignedLessThan,
            (Compare::Le, true) => IntCC::SignedLessThanOrEqual,
            (Compare::Gt, true) => IntCC::SignedGreaterThan,
            (Compare::Ge, true) => IntCC::SignedGreaterThanOrEqual,
            (Compare::Lt, false) => IntCC::UnsignedLessThan,
            (Compare::Le, false) => IntCC::UnsignedLessThanOrEqual,
            (Compare::Gt, false) => IntCC::UnsignedGreaterThan,
            (Compare::Ge, false) => IntCC::UnsignedGreaterThanOrEqual,
        };
        self.builder.ins().icmp(code, a, b)
    }

    fn reinterpret(
        &mut self,
        value: Value,
        from: DType,
        to: DType,
        range: TextRange,
    ) -> Emitted<Value> {
        if half(from).is_some() || half(to).is_some() {
            return Err(self.error(range, "reinterpreting a half float is not supported"));
        }
        let (a, b) = (self.ty(from, range)?, self.ty(to, range)?);
        if a == b {
            return Ok(value);
        }
        Ok(self.builder.ins().bitcast(b, MemFlagsData::new(), value))
    }

    fn unary(
        &mut self,
        function: Unary,
        dtype: DType,
        value: Value,
        range: TextRange,
    ) -> Emitted<Value> {
        let ty = self.ty(dtype, range)?;
        if !ty.is_float() {
            return self.unary_integer(function, dtype, value, range);
        }
        let ins = self.builder.ins();
        let result = match function {
            Unary::Neg => return Ok(ins.fneg(value)),
            Unary::Abs => return Ok(ins.fabs(value)),
            Unary::Floor => return Ok(ins.floor(value)),
            Unary::Ceil => return Ok(ins.ceil(value)),
            Unary::Trunc => return Ok(ins.trunc(value)),
            Unary::Round => return Ok(ins.nearest(value)),
            Unary::IsNan => return Ok(ins.fcmp(FloatCC::Unordered, value, value)),
            Unary::IsInf | Unary::IsFinite => {
                let size = ins.fabs(value);
                let infinity = self.float(f64::INFINITY, dtype);
                let code = if function == Unary::IsInf {
                    FloatCC::Equal
                } else {
                    FloatCC::LessThan
                };
                return Ok(self.builder.ins().fcmp(code, size, infinity));
            }
            Unary::Sqrt => ins.sqrt(value),
            Unary::Rsqrt => {
                let root = ins.sqrt(value);
                let one = self.float(1.0, dtype);
                self.builder.ins().fdiv(one, root)
            }
            Unary::Sigmoid => {
                let negative = ins.fneg(value);
                let power = self.library("exp", ty, &[negative]);
                let one = self.float(1.0, dtype);
                let sum = self.builder.ins().fadd(one, power);
                self.builder.ins().fdiv(one, sum)
            }
            Unary::BitNot | Unary::Popcount | Unary::Clz => {
                return Err(self.error(
                    range,
                    format!("bitwise operations are not defined for {dtype}"),
                ));
            }
            function => self.library(function.name(), ty, &[value]),
        };
        Ok(self.rounded(result, dtype))
    }

    fn unary_integer(
        &mut self,
        function: Unary,
        dtype: DType,
        value: Value,
        range: TextRange,
    ) -> Emitted<Value> {
        let ins = self.builder.ins();
        Ok(match function {
            Unary::Neg => ins.ineg(value),
            Unary::Abs if signed(dtype) => ins.iabs(value),
            Unary::BitNot => ins.bnot(value),
            Unary::Popcount => ins.popcnt(value),
            Unary::Clz => ins.clz(value),
            Unary::Abs | Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round => value,
            Unary::IsNan | Unary::IsInf => self.truth(false),
            Unary::IsFinite => self.truth(true),
            other => {
                return Err(self.error(
                    range,
                    format!("`T.{}` takes floats, but this is {dtype}", other.name()),
                ));
            }
        })
    }

    fn math(
        &mut self,
        function: Math,
        dtype: DType,
        a: Value,
        b: Value,
        range: TextRange,
    ) -> Emitted<Value> {
        let ty = self.ty(dtype, range)?;
        if !ty.is_float() {
            if function != Math::Pow {
                return Err(self.error(
                    range,
                    format!("`T.{}` takes floats, but this is {dtype}", function.name()),
                ));
            }
            let (a, b) = (
                self.resize(a, dtype, DType::I64)?,
                self.resize(b, dtype, DType::I64)?,
            );
            let name = if signed(dtype) { "ipow" } else { "upow" };
            let power = self.import(name, &[types::I64, types::I64], types::I64);
            let call = self.builder.ins().call(power, &[a, b]);
            let value = self.builder.inst_results(call)[0];
            return self.resize(value, DType::I64, dtype);
        }
        let value = if function == Math::CopySign {
            self.builder.ins().fcopysign(a, b)
        } else {
            self.library(function.name(), ty, &[a, b])
        };
        Ok(self.rounded(value, dtype))
    }

    /// Calls a function of the table.
    fn library(&mut self, name: &str, ty: Type, args: &[Value]) -> Value {
        let params = vec![ty; args.len()];
        let suffix = if ty == types::F64 { "f64" } else { "f32" };
        let function = self.import(&format!("{name}_{suffix}"), &params, ty);
        let call = self.builder.ins().call(function, args);
        self.builder.inst_results(call)[0]
    }
}

/// Returns `true` if an expression cannot fail and costs less than a jump, so that both sides of a choice may be
/// evaluated.
fn cheap(expr: &Expr, budget: u32) -> bool {
    fn cost(expr: &Expr) -> u32 {
        let own = match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Var(_) => 0,
            ExprKind::Binary(op, ..) => match op {
                Binary::Div if expr.dtype.is_float() => 4,
                Binary::Div
                | Binary::FloorDiv
                | Binary::FloorMod
                | Binary::TruncDiv
                | Binary::TruncMod => 100,
                _ => 1,
            },
            ExprKind::Cast(_) | ExprKind::Not(_) | ExprKind::Compare(..) => 1,
            _ => 100,
        };
        let mut total: u32 = own;
        expr.for_each_child(&mut |child| total = total.saturating_add(cost(child)));
        total
    }
    cost(expr) <= budget
}
