//! Arithmetic with TIR's rules of dtypes: literals take the dtype of what they meet, the wider dtype wins.

use relax::dtype::{Code, DType};
use text_size::TextRange;

use super::function::{Lower, Lowered};
use super::{Binary, Compare, Expr, ExprKind};

/// A number, and whether it is a Python literal, whose dtype gives way.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub expr: Expr,
    pub weak: bool,
}

impl Number {
    pub fn strong(expr: Expr) -> Number {
        Number { expr, weak: false }
    }
}

/// A value as another dtype; constants are converted at once.
pub(super) fn cast(expr: Expr, dtype: DType) -> Expr {
    if expr.dtype == dtype {
        return expr;
    }
    let range = expr.range;
    let kind = match expr.kind {
        ExprKind::Int(value) if dtype.is_float() => ExprKind::Float(value as f64),
        ExprKind::Int(value) if dtype.is_int() => ExprKind::Int(wrap(value, dtype)),
        ExprKind::Int(value) if dtype.is_bool() => ExprKind::Int(i64::from(value != 0)),
        ExprKind::Float(value) if dtype.is_float() => ExprKind::Float(value),
        _ => ExprKind::Cast(Box::new(expr)),
    };
    Expr { dtype, kind, range }
}

/// An integer as a dtype of fewer bits holds it.
pub(super) fn wrap(value: i64, dtype: DType) -> i64 {
    let shift = 64u32.saturating_sub(u32::from(dtype.bits));
    match dtype.code {
        Code::UInt => ((value as u64) << shift >> shift) as i64,
        _ => value << shift >> shift,
    }
}

/// The dtype in which two numbers meet.
fn meet(a: DType, b: DType) -> DType {
    if a == b {
        return a;
    }
    match (a.is_float(), b.is_float()) {
        (true, false) => a,
        (false, true) => b,
        (true, true) => {
            if a.bits >= b.bits {
                a
            } else {
                b
            }
        }
        (false, false) => {
            if a.bits != b.bits {
                if a.bits > b.bits { a } else { b }
            } else if a.code == Code::UInt {
                a
            } else {
                b
            }
        }
    }
}

/// Both operands in one dtype.
pub(super) fn unify(a: Number, b: Number) -> (Expr, Expr, bool) {
    let weak = a.weak && b.weak;
    let dtype = match (a.weak, b.weak) {
        // A float literal does not become an integer.
        (true, false) if !a.expr.dtype.is_float() || b.expr.dtype.is_float() => b.expr.dtype,
        (false, true) if !b.expr.dtype.is_float() || a.expr.dtype.is_float() => a.expr.dtype,
        _ => meet(a.expr.dtype, b.expr.dtype),
    };
    (cast(a.expr, dtype), cast(b.expr, dtype), weak)
}

impl Lower<'_> {
    pub fn binary(
        &mut self,
        op: Binary,
        a: Number,
        b: Number,
        range: TextRange,
    ) -> Lowered<Number> {
        let shift = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
        let bits = shift || matches!(op, Binary::BitAnd | Binary::BitOr | Binary::BitXor);
        let (a, b, weak) = unify(a, b);
        let dtype = a.dtype;
        // Truth values compute as numbers, except in bits.
        let (a, b, dtype) = if dtype.is_bool() && !bits && !matches!(op, Binary::Min | Binary::Max)
        {
            (cast(a, DType::I32), cast(b, DType::I32), DType::I32)
        } else {
            (a, b, dtype)
        };
        if bits && dtype.is_float() {
            return Err(self.error(range, format!("{dtype} has no bits to compute with")));
        }
        let whole = matches!(op, Binary::TruncDiv | Binary::TruncMod);
        let op = match op {
            Binary::TruncDiv if dtype.is_float() => Binary::Div,
            Binary::Div if !dtype.is_float() => {
                // What TVM's script writes as `T.Div` is the division of C.
                Binary::TruncDiv
            }
            op => op,
        };
        if whole && dtype.is_float() && op == Binary::TruncMod {
            return Ok(Number {
                expr: Expr {
                    dtype,
                    kind: ExprKind::Math(super::Math::Fmod, Box::new(a), Box::new(b)),
                    range,
                },
                weak,
            });
        }
        let kind = match (fold(op, &a, &b), dtype.is_int()) {
            (Some(value), true) => ExprKind::Int(wrap(value, dtype)),
            _ => match identity(op, &a, &b) {
                Some(expr) => return Ok(Number { expr, weak }),
                None => ExprKind::Binary(op, Box::new(a), Box::new(b)),
            },
        };
        Ok(Number {
            expr: Expr { dtype, kind, range },
            weak,
        })
    }

    pub fn compare(op: Compare, a: Number, b: Number, range: TextRange) -> Number {
        let (a, b, weak) = unify(a, b);
        Number {
            expr: Expr {
                dtype: DType::BOOL,
                kind: ExprKind::Compare(op, Box::new(a), Box::new(b)),
                range,
            },
            weak,
        }
    }
}

/// A number as a truth value.
pub(super) fn truth(expr: Expr) -> Expr {
    if expr.dtype.is_bool() {
        return expr;
    }
    let range = expr.range;
    let zero = if expr.dtype.is_float() {
        ExprKind::Float(0.0)
    } else {
        ExprKind::Int(0)
    };
    let zero = Expr {
        dtype: expr.dtype,
        kind: zero,
        range,
    };
    Expr {
        dtype: DType::BOOL,
        kind: ExprKind::Compare(Compare::Ne, Box::new(expr), Box::new(zero)),
        range,
    }
}

fn fold(op: Binary, a: &Expr, b: &Expr) -> Option<i64> {
    let (a, b) = (a.as_int()?, b.as_int()?);
    Some(match op {
        Binary::Add => a.checked_add(b)?,
        Binary::Sub => a.checked_sub(b)?,
        Binary::Mul => a.checked_mul(b)?,
        Binary::FloorDiv if b > 0 => a.div_euclid(b),
        Binary::FloorMod if b > 0 => a.rem_euclid(b),
        Binary::TruncDiv => a.checked_div(b)?,
        Binary::TruncMod => a.checked_rem(b)?,
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        _ => return None,
    })
}

/// `x + 0`, `x * 1`: `x` itself. Only of integers, where it is exact.
fn identity(op: Binary, a: &Expr, b: &Expr) -> Option<Expr> {
    if !a.dtype.is_int() {
        return None;
    }
    match (op, a.as_int(), b.as_int()) {
        (Binary::Add, Some(0), _) | (Binary::Mul, Some(1), _) => Some(b.clone()),
        (Binary::Add | Binary::Sub, _, Some(0)) | (Binary::Mul | Binary::FloorDiv, _, Some(1)) => {
            Some(a.clone())
        }
        _ => None,
    }
}
