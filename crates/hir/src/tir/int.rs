//! Integer arithmetic of each dtype: computes the exact result of an operation.
//!
//! Constant folding uses it, and so does the vm's interpreter. A number is the mathematical integer that the bits
//! represent, so that a `uint64` beyond `int64` needs no special case.

use relax::dtype::{Code, DType};

use super::{Binary, Compare};

/// Returns the least and the greatest number of a dtype.
pub fn range(dtype: DType) -> (i128, i128) {
    let bits = u32::from(dtype.bits).clamp(1, 64);
    match dtype.code {
        Code::Bool => (0, 1),
        Code::UInt => (0, (1 << bits) - 1),
        _ => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
    }
}

pub fn holds(dtype: DType, value: i128) -> bool {
    let (least, most) = range(dtype);
    (least..=most).contains(&value)
}

/// Wraps a number to the bits of a dtype. For `bool`, every number but 0 is true.
pub fn wrap(value: i128, dtype: DType) -> i128 {
    if dtype.is_bool() {
        return i128::from(value != 0);
    }
    let shift = 128 - u32::from(dtype.bits).clamp(1, 64);
    match dtype.code {
        Code::UInt => ((value as u128) << shift >> shift) as i128,
        _ => value << shift >> shift,
    }
}

/// Computes an operation on two numbers of a dtype. Returns `None` for a division by zero.
///
/// Sums, products and quotients wrap, and a shift counts modulo the width.
pub fn binary(op: Binary, dtype: DType, a: i128, b: i128) -> Option<i128> {
    let by = (b as u32) & (u32::from(dtype.bits).max(1) - 1);
    Some(match op {
        Binary::Add => wrap(a + b, dtype),
        Binary::Sub => wrap(a - b, dtype),
        // Both numbers have 64 bits: a product that wraps at 128 bits wraps at 64 bits as well.
        Binary::Mul => wrap(a.wrapping_mul(b), dtype),
        Binary::Div | Binary::TruncDiv => wrap(a.checked_div(b)?, dtype),
        Binary::TruncMod => wrap(a.checked_rem(b)?, dtype),
        Binary::FloorDiv => wrap(floor_div(a, b)?, dtype),
        Binary::FloorMod => wrap(a - floor_div(a, b)?.wrapping_mul(b), dtype),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::ShiftLeft => wrap(a << by, dtype),
        Binary::ShiftRight => a >> by,
    })
}

/// Returns the quotient rounded down, or `None` for a division by zero.
pub fn floor_div(a: i128, b: i128) -> Option<i128> {
    let quotient = a.checked_div(b)?;
    let rounds = a % b != 0 && (a < 0) != (b < 0);
    Some(quotient - i128::from(rounds))
}

pub fn compare(op: Compare, a: i128, b: i128) -> bool {
    match op {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::Lt => a < b,
        Compare::Le => a <= b,
        Compare::Gt => a > b,
        Compare::Ge => a >= b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_integer_has_no_negation() {
        for dtype in [DType::I8, DType::I16, DType::I32, DType::I64] {
            let (least, _) = range(dtype);
            assert_eq!(binary(Binary::Sub, dtype, 0, least), Some(least));
            assert_eq!(binary(Binary::FloorDiv, dtype, least, -1), Some(least));
            assert_eq!(binary(Binary::TruncMod, dtype, least, -1), Some(0));
        }
    }

    #[test]
    fn unsigned_numbers_wrap_at_both_ends() {
        let (_, most) = range(DType::U64);
        assert_eq!(binary(Binary::Mul, DType::U64, most, most), Some(1));
        assert_eq!(binary(Binary::Sub, DType::U64, 0, 1), Some(most));
        assert_eq!(binary(Binary::Add, DType::U8, 200, 100), Some(44));
        assert_eq!(binary(Binary::ShiftLeft, DType::U8, 200, 9), Some(144));
    }

    #[test]
    fn division_rounds_down_or_towards_zero() {
        for (a, b, down, to_zero) in [
            (7, 2, (3, 1), (3, 1)),
            (-7, 2, (-4, 1), (-3, -1)),
            (7, -2, (-4, -1), (-3, 1)),
            (-7, -2, (3, -1), (3, -1)),
        ] {
            let of = |op| binary(op, DType::I32, a, b).unwrap();
            assert_eq!((of(Binary::FloorDiv), of(Binary::FloorMod)), down);
            assert_eq!((of(Binary::TruncDiv), of(Binary::TruncMod)), to_zero);
        }
        assert_eq!(binary(Binary::FloorDiv, DType::I8, 1, 0), None);
    }
}
