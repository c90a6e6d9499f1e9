//! Evaluates expressions: operands from left to right; the right side of `and` and `or`, and the branches of a choice,
//! only if needed.

use hir::tir::{BufferId, Expr, ExprKind};
use text_size::TextRange;

use super::enter::trap;
use super::number::{self, Number};
use super::{Ended, Machine, Step};
use crate::error::RunError;
use crate::tir::trap::{Check, Trap};

impl Machine<'_, '_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Step<Number> {
        let (dtype, range) = (expr.dtype, expr.range);
        Ok(match &expr.kind {
            ExprKind::Int(value) => Number::Int(*value),
            ExprKind::Float(value) => number::constant(*value, dtype),
            ExprKind::Var(var) => self.value_of(*var).ok_or_else(|| lost(range))?,
            ExprKind::Load(buffer, indices) => {
                let kind = self.kind(*buffer)?;
                match self.element(*buffer, indices, range)? {
                    Some((region, at)) => {
                        let value = self.regions[region].read(kind, at);
                        value.ok_or_else(|| lost(range))?
                    }
                    None if kind.is_float() => Number::Float(0.0),
                    None => Number::Int(0),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                let made = number::binary(*op, dtype, a, b);
                made.ok_or_else(|| trap(Check::DivideByZero, 0, 0, range))?
            }
            ExprKind::Compare(op, a, b) => {
                let of = a.dtype;
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                Number::truth(number::compare(*op, of, a, b))
            }
            ExprKind::And(a, b) => Number::truth(self.test(a)? && self.test(b)?),
            ExprKind::Or(a, b) => Number::truth(self.test(a)? || self.test(b)?),
            ExprKind::Not(a) => Number::truth(!self.test(a)?),
            ExprKind::Cast(a) => number::cast(self.expr(a)?, dtype),
            ExprKind::Reinterpret(a) => number::reinterpret(self.expr(a)?, a.dtype, dtype),
            ExprKind::Select(test, a, b) => {
                if self.test(test)? {
                    self.expr(a)?
                } else {
                    self.expr(b)?
                }
            }
            ExprKind::Unary(function, a) => number::unary(*function, a.dtype, self.expr(a)?),
            ExprKind::Math(function, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                number::math(*function, dtype, a, b)
            }
        })
    }

    pub(super) fn test(&mut self, expr: &Expr) -> Step<bool> {
        Ok(self.expr(expr)?.is_true())
    }

    /// Evaluates an integer as 64 bits, in which extents are compared.
    pub(super) fn extent(&mut self, expr: &Expr) -> Step<i64> {
        Ok(self.expr(expr)?.int() as i64)
    }

    /// Returns the region and the first byte of an element. Each index must be within its dimension, and the element
    /// within the memory. In between, the position is computed as a wrapping `int64`. Returns `None` if the run goes on.
    pub(super) fn element(
        &mut self,
        id: BufferId,
        indices: &[Expr],
        range: TextRange,
    ) -> Step<Option<(usize, usize)>> {
        let func = self.func;
        let buffer = func.buffer(id);
        let mut at = 0i64;
        for (k, index) in indices.iter().enumerate() {
            let index = self.extent(index)?;
            let place = self.place(id);
            let dim = place.dims[k];
            if !(0..dim).contains(&index) {
                let check = Check::Index(buffer.name.clone(), k);
                return self.outside(check, (index, dim), range).map(|()| None);
            }
            at = match &place.strides {
                Some(strides) => at.wrapping_add(index.wrapping_mul(strides[k])),
                None => at.wrapping_mul(dim).wrapping_add(index),
            };
        }
        if let Some(offset) = &buffer.offset {
            at = at.wrapping_add(self.extent(offset)?);
        }
        let place = self.place(id);
        if at as u64 >= place.elements {
            let (check, extent) = (Check::Memory(buffer.name.clone()), place.elements as i64);
            return self.outside(check, (at, extent), range).map(|()| None);
        }
        let at = (at as usize).saturating_mul(buffer.dtype.bytes());
        Ok(Some((place.region, place.start.saturating_add(at))))
    }
}

impl Machine<'_, '_> {
    /// Lists an index out of range, or ends the run.
    fn outside(&mut self, check: Check, (value, extent): (i64, i64), range: TextRange) -> Step<()> {
        let Some(list) = &mut self.list else {
            return Err(trap(check, value, extent, range));
        };
        list(
            Trap {
                check,
                value,
                extent,
            },
            range,
        );
        Ok(())
    }
}

/// The error for something that the verifier rules out.
pub(super) fn lost(range: TextRange) -> Ended {
    Ended::Error(RunError::argument("this has no value"), Some(range))
}
