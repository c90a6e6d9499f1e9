//! Python's operators: Python computes them if it knows the operands, otherwise the program does.

use relax::diagnostics::Code;
use relax::dtype::DType;
use relax::release::Release;
use text_size::TextRange;

use super::Reader;
use super::arith::{self, Number};
use super::value::Value;
use crate::body::{BinaryOp, BoolOp, CompareOp, UnaryOp};
use crate::enclosing::{self, PyValue};
use crate::tir::{self, Binary, Compare, ExprKind, Unary};

impl Reader<'_> {
    pub fn compare_of(
        &mut self,
        op: CompareOp,
        (a, at_a): &(Value, TextRange),
        (b, at_b): &(Value, TextRange),
        range: TextRange,
    ) -> Value {
        if let (Value::Python(a), Value::Python(b)) = (a, b) {
            return match enclosing::compare(op, a, b) {
                PyValue::Unknown => Value::Unknown,
                known => Value::Python(known),
            };
        }
        if !a.is_tir() && !b.is_tir() {
            return Value::Unknown;
        }
        let (a, b) = (
            self.number_of(a.clone(), *at_a),
            self.number_of(b.clone(), *at_b),
        );
        let bool = DType::BOOL;
        Value::Number(match (compare_op(op), a.zip(b)) {
            (Some(op), Some((a, b))) => self.compare(op, a, b, range),
            (None, _) => {
                self.not_a_number(range);
                Number::strong(tir::Expr::hole(bool, range))
            }
            (_, None) => Number::strong(tir::Expr::hole(bool, range)),
        })
    }

    /// Returns a hole if there are too many operands: they nest as they are combined, and deep programs do not run.
    pub fn too_many(&mut self, operands: usize, range: TextRange) -> Option<Number> {
        (operands > 128).then(|| self.hole(DType::BOOL, range, "this has too many operands"))
    }

    /// Combines values with `and` or `or`: Python computes the result if it knows them all, otherwise the program
    /// does.
    pub fn combined(
        &mut self,
        op: BoolOp,
        values: Vec<(Value, TextRange)>,
        range: TextRange,
    ) -> Value {
        if let Some(hole) = self.too_many(values.len(), range) {
            return Value::Number(hole);
        }
        if !values.iter().any(|(value, _)| value.is_tir()) {
            let known: Option<Vec<bool>> = values.iter().map(|(value, _)| value.chosen()).collect();
            return known.map_or(Value::Unknown, |known| {
                Value::Python(PyValue::Bool(match op {
                    BoolOp::And => known.iter().all(|it| *it),
                    BoolOp::Or => known.iter().any(|it| *it),
                }))
            });
        }
        let mut all: Option<tir::Expr> = None;
        let word = match op {
            BoolOp::And => "and",
            BoolOp::Or => "or",
        };
        let reported = self.facts.diagnostics.len();
        for (value, at) in values {
            let number = self.number_of(value, at);
            if self.facts.diagnostics.len() == reported {
                self.check_truth(word, number.as_ref(), at);
            }
            let one = self.truth_of(number, at);
            all = Some(match all {
                None => one,
                Some(before) => bool_operation(op, before, one, range),
            });
        }
        all.map_or(Value::Unknown, |all| Value::Number(Number::strong(all)))
    }

    /// Reports an operand of `and`, `or` or `not` that is not a truth value: TVM converts none.
    pub fn check_truth(&mut self, word: &str, operand: Option<&Number>, at: TextRange) {
        let dtype = operand.map(|it| it.expr.dtype).filter(|it| !it.is_bool());
        if let Some(dtype) = dtype.filter(|_| self.lanes.is_none()) {
            let message = format!(
                "`{word}` takes conditions, but this is {dtype}: compare it, such as with `!= 0`"
            );
            self.report(Code::DtypeMismatch, at, message);
        }
    }

    /// Applies a binary operator of Python.
    pub fn binary_of(&mut self, op: BinaryOp, a: Value, b: Value, ranges: [TextRange; 3]) -> Value {
        if let (Value::Python(x), Value::Python(y)) = (&a, &b) {
            let known = enclosing::binary(op, x, y);
            if known != PyValue::Unknown {
                return Value::Python(known);
            }
        }
        let is_bits = matches!(
            op,
            BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
        );
        let dtypes = [a.dtype(), b.dtype()];
        let [at_a, at_b, range] = ranges;
        if is_bits && let Some(dtype) = dtypes.into_iter().flatten().find(|it| it.is_float()) {
            return Value::Number(self.no_bits(dtype, range));
        }
        if !a.is_tir() && !b.is_tir() && dtypes.contains(&None) {
            return Value::Unknown;
        }
        let (a, b) = (self.number_of(a, at_a), self.number_of(b, at_b));
        let both = a.zip(b);
        both.map_or(Value::Untyped, |(a, b)| self.python_binary(op, a, b, range))
    }

    fn python_binary(&mut self, op: BinaryOp, a: Number, b: Number, range: TextRange) -> Value {
        let op = match op {
            BinaryOp::Add => Binary::Add,
            BinaryOp::Sub => Binary::Sub,
            BinaryOp::Mul => Binary::Mul,
            BinaryOp::Div => {
                let (x, y) = (a.expr.dtype, b.expr.dtype);
                let rounds = !x.is_float() && !y.is_float();
                if a.weak && b.weak {
                    let quotient = arith::float(&a.expr).zip(arith::float(&b.expr));
                    return match quotient.filter(|(_, b)| *b != 0.0) {
                        Some((a, b)) => Number::float(a / b, range).into(),
                        None => {
                            self.not_a_number(range);
                            Value::Unknown
                        }
                    };
                }
                if rounds {
                    let message =
                        "the division of integers rounds: write `//`, `T.floordiv` or `T.truncdiv`";
                    if x.is_int() && y.is_int() {
                        self.report(Code::DtypeMismatch, range, message);
                    } else {
                        self.refuse(range, message);
                    }
                    return Value::Unknown;
                }
                Binary::Div
            }
            BinaryOp::FloorDiv | BinaryOp::Mod
                if self.around.release >= Release::V0_27
                    && (a.expr.dtype.is_bool() || b.expr.dtype.is_bool()) =>
            {
                let message = "a condition is not a number: write `T.Cast(\"int32\", ...)`";
                self.report(Code::DtypeMismatch, range, message);
                return Value::Unknown;
            }
            BinaryOp::FloorDiv => Binary::FloorDiv,
            BinaryOp::Mod => Binary::FloorMod,
            BinaryOp::BitAnd => Binary::BitAnd,
            BinaryOp::BitOr => Binary::BitOr,
            BinaryOp::BitXor => Binary::BitXor,
            BinaryOp::ShiftLeft => Binary::ShiftLeft,
            BinaryOp::ShiftRight => Binary::ShiftRight,
            BinaryOp::Pow | BinaryOp::MatMul => {
                let (sign, instead) = match op {
                    BinaryOp::Pow => ("**", ": write `T.pow(x, y)`"),
                    _ => ("@", ""),
                };
                let message = format!("PrimFuncs have no operator `{sign}`{instead}");
                self.report(Code::UnsupportedStatement, range, message);
                return Value::Unknown;
            }
        };
        self.binary(op, a, b, range).into()
    }

    pub fn unary_of(&mut self, op: UnaryOp, value: Number, range: TextRange) -> Number {
        let Number { expr, weak } = value;
        let known = match (op, &expr.kind) {
            (UnaryOp::Minus, ExprKind::Int(value)) => Some(-value),
            (UnaryOp::Invert, ExprKind::Int(value)) if !expr.dtype.is_bool() => Some(!value),
            _ => None,
        };
        match (op, known) {
            (UnaryOp::Plus, _) => Number { expr, weak },
            (_, Some(value)) if weak => Number::int(value, range),
            (_, Some(value)) => Number::strong(tir::Expr::int(value, expr.dtype, range)),
            (UnaryOp::Minus, None) => match expr.kind {
                ExprKind::Float(value) => Number {
                    expr: tir::Expr {
                        kind: ExprKind::Float(-value),
                        range,
                        ..expr
                    },
                    weak,
                },
                _ => self.unary(Unary::Neg, expr, range),
            },
            (UnaryOp::Invert, None) => self.unary(Unary::BitNot, expr, range),
        }
    }
}

pub(super) fn bool_operation(
    op: BoolOp,
    a: tir::Expr,
    b: tir::Expr,
    range: TextRange,
) -> tir::Expr {
    let (a, b) = (Box::new(a), Box::new(b));
    let kind = match op {
        BoolOp::And => ExprKind::And(a, b),
        BoolOp::Or => ExprKind::Or(a, b),
    };
    Number::truth(kind, range).expr
}

fn compare_op(op: CompareOp) -> Option<Compare> {
    Some(match op {
        CompareOp::Eq => Compare::Eq,
        CompareOp::NotEq => Compare::Ne,
        CompareOp::Less => Compare::Lt,
        CompareOp::LessEq => Compare::Le,
        CompareOp::Greater => Compare::Gt,
        CompareOp::GreaterEq => Compare::Ge,
        _ => return None,
    })
}
