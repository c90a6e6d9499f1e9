//! Arithmetic by TIR's rules for dtypes: the wider dtype wins, and a compared literal takes the other's dtype.

use relax::diagnostics;
use relax::dtype::{Code, DType};
use text_size::TextRange;

use super::Reader;
use crate::tir::{Binary, Compare, Expr, ExprKind, Math, Unary, int};

/// The most parts of expressions that are copied where an alias or an extent is named: each may name others twice.
const MAX_COPIED: usize = 1 << 18;

/// A number, and whether it is a Python literal: a literal is exact and gets its dtype from the other operand.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub expr: Expr,
    pub weak: bool,
}

impl Number {
    pub fn strong(expr: Expr) -> Number {
        Number { expr, weak: false }
    }

    pub fn truth(kind: ExprKind, range: TextRange) -> Number {
        Number::strong(Expr {
            dtype: DType::BOOL,
            kind,
            range,
        })
    }

    /// Returns an integer of Python.
    pub fn int(value: i128, range: TextRange) -> Number {
        Number {
            expr: Expr {
                dtype: literal_dtype(value),
                kind: ExprKind::Int(value),
                range,
            },
            weak: true,
        }
    }

    /// Returns a float of Python.
    pub fn float(value: f64, range: TextRange) -> Number {
        Number {
            expr: Expr {
                dtype: DType::F32,
                kind: ExprKind::Float(value),
                range,
            },
            weak: true,
        }
    }
}

/// Returns the dtype that TVM gives an integer literal.
fn literal_dtype(value: i128) -> DType {
    let narrowest = [DType::I32, DType::I64, DType::U64];
    let fits = |dtype: &DType| int::holds(*dtype, value);
    narrowest.into_iter().find(fits).unwrap_or(DType::I64)
}

/// Casts a value to another dtype; constants are converted at once.
pub(super) fn cast(expr: Expr, dtype: DType) -> Expr {
    if expr.dtype == dtype {
        return expr;
    }
    let range = expr.range;
    let kind = match expr.kind {
        ExprKind::Int(value) if dtype.is_float() => ExprKind::Float(match dtype.bits {
            64 => value as f64,
            // Rounds to 32 bits first, as the machine does.
            _ => f64::from(value as f32),
        }),
        ExprKind::Int(value) if dtype.is_int() || dtype.is_bool() => {
            ExprKind::Int(int::wrap(value, dtype))
        }
        ExprKind::Float(value) if dtype.is_float() => ExprKind::Float(value),
        _ => ExprKind::Cast(Box::new(expr)),
    };
    Expr { dtype, kind, range }
}

/// Returns the dtype to which two numbers are promoted.
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

impl Reader<'_> {
    /// Returns a hole in place of a number that is not understood, and says why.
    pub fn hole(&mut self, dtype: DType, range: TextRange, message: impl Into<String>) -> Number {
        self.refuse(range, message);
        Number::strong(Expr::hole(dtype, range))
    }

    /// Copies an expression to the place where its name is used.
    pub fn copy(&mut self, expr: &Expr, range: TextRange) -> Expr {
        if self.copied <= MAX_COPIED {
            self.copied += expr.count();
        }
        if self.copied > MAX_COPIED {
            let message = "the value of this is too large to be written out";
            return self.hole(expr.dtype, range, message).expr;
        }
        Expr {
            range,
            ..expr.clone()
        }
    }

    /// Returns the expression of a number; a literal gets its own dtype.
    pub fn strong(&mut self, number: Number) -> Expr {
        let dtype = number.expr.dtype;
        self.of_dtype(number, dtype)
    }

    /// Casts a number to another dtype. A literal must be one of the dtype's values.
    pub fn of_dtype(&mut self, number: Number, dtype: DType) -> Expr {
        let Number { expr, weak } = number;
        match expr.kind {
            ExprKind::Int(value) if weak && !dtype.is_float() && !int::holds(dtype, value) => {
                let message = format!("{value} is not a value of {dtype}");
                self.hole(dtype, expr.range, message).expr
            }
            _ => cast(expr, dtype),
        }
    }

    /// Casts both operands to one dtype.
    pub fn unify(&mut self, a: Number, b: Number) -> (Expr, Expr) {
        let (a, b) = (self.strong(a), self.strong(b));
        let dtype = meet(a.dtype, b.dtype);
        (cast(a, dtype), cast(b, dtype))
    }

    /// Like `unify`, for comparisons and operations on bits: a literal takes the dtype of the other operand.
    fn unify_literal(&mut self, a: Number, b: Number) -> (Expr, Expr) {
        // A float literal does not become an integer.
        let gives_way = |it: &Number, other: &Number| {
            it.weak && !other.weak && (!it.expr.dtype.is_float() || other.expr.dtype.is_float())
        };
        if gives_way(&a, &b) {
            let dtype = b.expr.dtype;
            return (self.of_dtype(a, dtype), b.expr);
        }
        if gives_way(&b, &a) {
            let dtype = a.expr.dtype;
            return (a.expr, self.of_dtype(b, dtype));
        }
        self.unify(a, b)
    }

    pub fn binary(&mut self, op: Binary, a: Number, b: Number, range: TextRange) -> Number {
        if a.weak && b.weak {
            return self.literals(op, &a.expr, &b.expr, range);
        }
        let shift = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
        let bits = shift || matches!(op, Binary::BitAnd | Binary::BitOr | Binary::BitXor);
        let (a, b) = if bits {
            self.unify_literal(a, b)
        } else {
            self.unify(a, b)
        };
        // Truth values are converted to numbers, except in operations that return truth values for them.
        let stays = bits && !shift || matches!(op, Binary::Min | Binary::Max);
        let (a, b) = if stays {
            (a, b)
        } else {
            (counted(a), counted(b))
        };
        let dtype = a.dtype;
        if bits && dtype.is_float() {
            return self.no_bits(dtype, range);
        }
        let kind = match op {
            Binary::TruncMod if dtype.is_float() => {
                ExprKind::Math(Math::Fmod, Box::new(a), Box::new(b))
            }
            Binary::TruncDiv if dtype.is_float() => {
                ExprKind::Binary(Binary::Div, Box::new(a), Box::new(b))
            }
            // `T.Div` of TVM's script is the division of C.
            Binary::Div if !dtype.is_float() => fold(Binary::TruncDiv, a, b),
            op => fold(op, a, b),
        };
        Number::strong(Expr { dtype, kind, range })
    }

    pub fn no_bits(&mut self, dtype: DType, range: TextRange) -> Number {
        let message = format!("{dtype} does not support arithmetic");
        self.report(diagnostics::Code::DtypeMismatch, range, message);
        Number::strong(Expr::hole(dtype, range))
    }

    /// Computes an operation that Python computes before TVM sees the operands.
    fn literals(&mut self, op: Binary, a: &Expr, b: &Expr, range: TextRange) -> Number {
        let made = match (&a.kind, &b.kind) {
            (&ExprKind::Int(a), &ExprKind::Int(b)) => {
                exact(op, a, b).map(|value| Number::int(value, range))
            }
            _ => float(a)
                .zip(float(b))
                .and_then(|(a, b)| exact_float(op, a, b))
                .map(|value| Number::float(value, range)),
        };
        made.unwrap_or_else(|| self.hole(a.dtype, range, "Python does not compute this"))
    }

    pub fn compare(&mut self, op: Compare, a: Number, b: Number, range: TextRange) -> Number {
        let (a, b) = self.unify_literal(a, b);
        Number::truth(ExprKind::Compare(op, Box::new(a), Box::new(b)), range)
    }

    pub fn math(&mut self, function: Math, a: Number, b: Number, range: TextRange) -> Number {
        let (a, b) = self.unify(a, b);
        let (a, b) = (counted(a), counted(b));
        Number::strong(Expr {
            dtype: a.dtype,
            kind: ExprKind::Math(function, Box::new(a), Box::new(b)),
            range,
        })
    }

    /// Applies a function of one number.
    pub fn unary(&mut self, function: Unary, value: Expr, range: TextRange) -> Number {
        let dtype = value.dtype;
        if function == Unary::BitNot && dtype.is_float() {
            return self.no_bits(dtype, range);
        }
        if function == Unary::BitNot && dtype.is_bool() {
            return Number::truth(ExprKind::Not(Box::new(value)), range);
        }
        let value = counted(value);
        let dtype = match function {
            Unary::IsNan | Unary::IsInf | Unary::IsFinite => DType::BOOL,
            _ => value.dtype,
        };
        Number::strong(Expr {
            dtype,
            kind: ExprKind::Unary(function, Box::new(value)),
            range,
        })
    }

    pub fn select(&mut self, test: Expr, then: Number, other: Number, range: TextRange) -> Number {
        let (a, b) = self.unify(then, other);
        Number::strong(Expr {
            dtype: a.dtype,
            kind: ExprKind::Select(Box::new(truth(test)), Box::new(a), Box::new(b)),
            range,
        })
    }
}

fn exact(op: Binary, a: i128, b: i128) -> Option<i128> {
    let by = u32::try_from(b).ok().filter(|by| *by < 64);
    match op {
        Binary::Add => a.checked_add(b),
        Binary::Sub => a.checked_sub(b),
        Binary::Mul => a.checked_mul(b),
        Binary::Div | Binary::TruncDiv => a.checked_div(b),
        Binary::TruncMod => a.checked_rem(b),
        Binary::FloorDiv => int::floor_div(a, b),
        Binary::FloorMod => int::floor_div(a, b)?.checked_mul(b).map(|whole| a - whole),
        Binary::Min => Some(a.min(b)),
        Binary::Max => Some(a.max(b)),
        Binary::BitAnd => Some(a & b),
        Binary::BitOr => Some(a | b),
        Binary::BitXor => Some(a ^ b),
        Binary::ShiftLeft => a.checked_mul(1 << by?),
        Binary::ShiftRight => Some(a >> by?),
    }
}

fn exact_float(op: Binary, a: f64, b: f64) -> Option<f64> {
    Some(match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div | Binary::TruncDiv if b != 0.0 => a / b,
        Binary::TruncMod if b != 0.0 => a % b,
        Binary::FloorDiv if b != 0.0 => (a / b).floor(),
        Binary::FloorMod if b != 0.0 => a - (a / b).floor() * b,
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        _ => return None,
    })
}

pub(super) fn float(expr: &Expr) -> Option<f64> {
    match expr.kind {
        ExprKind::Int(value) => Some(value as f64),
        ExprKind::Float(value) => Some(value),
        _ => None,
    }
}

/// Converts a truth value to a number.
pub(super) fn counted(expr: Expr) -> Expr {
    if expr.dtype.is_bool() {
        cast(expr, DType::I32)
    } else {
        expr
    }
}

/// Converts a number to a truth value.
pub(super) fn truth(expr: Expr) -> Expr {
    if expr.dtype.is_bool() {
        return expr;
    }
    let range = expr.range;
    let zero = cast(Expr::int(0, DType::I32, range), expr.dtype);
    Expr {
        dtype: DType::BOOL,
        kind: ExprKind::Compare(Compare::Ne, Box::new(expr), Box::new(zero)),
        range,
    }
}

/// Builds an operation on operands of one dtype, or computes it at once if both are known integers.
fn fold(op: Binary, a: Expr, b: Expr) -> ExprKind {
    if a.dtype.is_int() {
        let known = match (&a.kind, &b.kind) {
            (&ExprKind::Int(x), &ExprKind::Int(y)) => int::binary(op, a.dtype, x, y),
            _ => None,
        };
        if let Some(value) = known {
            return ExprKind::Int(value);
        }
        match (op, a.as_int(), b.as_int()) {
            (Binary::Add, Some(0), _) | (Binary::Mul, Some(1), _) => return b.kind,
            (Binary::Add | Binary::Sub, _, Some(0))
            | (Binary::Mul | Binary::FloorDiv, _, Some(1)) => return a.kind,
            _ => {}
        }
    }
    ExprKind::Binary(op, Box::new(a), Box::new(b))
}
