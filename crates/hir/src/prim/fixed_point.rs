//! Products of fixed-point numbers: `T.q_multiply_shift`.

use relax::dtype::DType;
use text_size::TextRange;

use super::Reader;
use super::arith::Number;
use crate::body::ExprId;
use crate::tir::Binary;

impl Reader<'_> {
    /// Reads the product of `x` and `y`, which has `q` fractional bits, shifted to the left by `s`, or to the right if
    /// `s` is negative, and rounded half up. As in TVM, 64 bits hold it before it becomes an int32.
    pub fn q_multiply_shift(&mut self, operands: [ExprId; 4], range: TextRange) -> Option<Number> {
        let wide = |it: &mut Self, at| {
            let number = it.number(at);
            it.cast_to(number, Some(DType::I64))
        };
        let [x, y, q, s] = operands.map(|at| wide(self, at));
        let (x, y, q, s) = (x?, y?, q?, s?);
        let zero = || Number::int(0, range);
        let left = self.binary(Binary::Max, s.clone(), zero(), range);
        let right = self.binary(Binary::Sub, zero(), s, range);
        let right = self.binary(Binary::Max, right, zero(), range);
        let right = self.binary(Binary::Add, right, q, range);
        let product = self.binary(Binary::ShiftLeft, x, left, range);
        let product = self.binary(Binary::Mul, product, y, range);
        let one = || Number::int(1, range);
        let half = self.binary(Binary::Sub, right.clone(), one(), range);
        let unit = self.cast_to(Some(one()), Some(DType::I64))?;
        let half = self.binary(Binary::ShiftLeft, unit, half, range);
        let rounded = self.binary(Binary::Add, product, half, range);
        let shifted = self.binary(Binary::ShiftRight, rounded, right, range);
        self.cast_to(Some(shifted), Some(DType::I32))
    }
}
