//! Python operators on constants, shapes and scalars.

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::parts::Part;
use relax::sinfo::StructInfo;
use relax::sym::Op;
use relax::value::Value;

use crate::body::{BinaryOp, CompareOp, Expr, ExprId, UnaryOp};
use crate::enclosing::{self, PyValue};
use crate::infer::Infer;
use crate::infer::expressions::plain::plain;
use crate::infer::expressions::plain::python_value;
use crate::infer::expressions::python_operators::is_relax_only;
use crate::infer::expressions::scalar::Operand;

impl Infer<'_> {
    pub(in crate::infer) fn binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        lhs: Operand<'_>,
        rhs: Operand<'_>,
    ) -> Value {
        let (a, b) = (lhs.1, rhs.1);
        if a.is_unknown() || b.is_unknown() {
            return Value::Unknown;
        }
        self.check_type_vars(op.text(), &[lhs.0, rhs.0]);
        if matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod)
            && self.divides_by_zero(a, rhs.0)
        {
            return Value::Unknown;
        }
        let formats = op == BinaryOp::Mod && matches!(a, Value::Str(_));
        if formats || self.has_no_operand(op.text(), lhs, rhs) {
            return Value::Unknown;
        }
        if let Some((x, y)) = self.plain_operands(expr, a, b) {
            return python_value(&enclosing::binary(op, &x, &y));
        }
        let operator = match op {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "subtract",
            BinaryOp::Mul => "multiply",
            BinaryOp::Div => "divide",
            BinaryOp::FloorDiv => "floor_divide",
            BinaryOp::Mod => "mod",
            BinaryOp::Pow => "power",
            _ => "",
        };
        if let Some(scalar) = self.scalar_binary(expr, op, [lhs, rhs]) {
            self.note_operator(expr, operator, &scalar);
            return scalar;
        }
        if !is_relax(a) && !is_relax(b) {
            return Value::Unknown;
        }
        if operator.is_empty() {
            return self.refused_operator(expr, op.text(), &[a, b]);
        }
        self.operator_sugar(expr, operator, &[a, b])
    }

    /// Returns `true` and reports it if a number is divided by a constant zero.
    pub(in crate::infer) fn divides_by_zero(&mut self, number: &Value, divisor: ExprId) -> bool {
        let is_number = match number {
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Sym(_) => true,
            Value::Expr(StructInfo::Prim(_)) => self.is_type_dialect(),
            _ => false,
        };
        let is_zero = match self.body.exprs[divisor] {
            Expr::Int(value) => value == 0,
            Expr::Float(value) => value == 0.0,
            _ => false,
        };
        if is_number && is_zero {
            let range = self.range(divisor);
            self.report(Code::ArgumentValue, range, "a number is divided by zero");
        }
        is_number && is_zero
    }

    fn plain_operands(&mut self, expr: ExprId, a: &Value, b: &Value) -> Option<(PyValue, PyValue)> {
        let is_list = |value: &Value| matches!(value, Value::List(_));
        if is_list(a) || is_list(b) {
            let parts = a.weight().parts.saturating_add(b.weight().parts);
            if !self.may_read(expr, parts as usize / 4) {
                return None;
            }
        }
        Some((plain(a)?, plain(b)?))
    }

    pub(in crate::infer) fn unary(
        &mut self,
        expr: ExprId,
        op: UnaryOp,
        operand: Operand<'_>,
    ) -> Value {
        self.check_type_vars(op.text(), &[operand.0]);
        match (op, operand.1) {
            (UnaryOp::Plus, number @ (Value::Int(_) | Value::Float(_))) => number.clone(),
            (UnaryOp::Minus, Value::Int(value)) => {
                value.checked_neg().map_or(Value::Unknown, Value::Int)
            }
            (UnaryOp::Minus, Value::Float(value)) => Value::Float(-value),
            (UnaryOp::Invert, Value::Int(value)) => Value::Int(!value),
            (op, value) => {
                let operator = if op == UnaryOp::Minus { "negative" } else { "" };
                if let Some(scalar) = self.scalar_unary(expr, op, operand) {
                    self.note_operator(expr, operator, &scalar);
                    return scalar;
                }
                if op == UnaryOp::Minus && is_relax(value) {
                    return self.operator_sugar(expr, operator, &[value]);
                }
                self.refused_operator(expr, op.text(), &[value])
            }
        }
    }

    pub(in crate::infer) fn compare(
        &mut self,
        expr: ExprId,
        op: CompareOp,
        lhs: Operand<'_>,
        rhs: Operand<'_>,
    ) -> Value {
        let (a, b) = (lhs.1, rhs.1);
        if sym_comparison(op).is_some() && self.has_no_operand(op.text(), lhs, rhs) {
            return Value::Unknown;
        }
        if let Some((x, y)) = self.plain_operands(expr, a, b) {
            return python_value(&enclosing::compare(op, &x, &y));
        }
        let relax = match op {
            CompareOp::Less => "less",
            CompareOp::LessEq => "less_equal",
            CompareOp::Greater => "greater",
            CompareOp::GreaterEq => "greater_equal",
            _ => "",
        };
        if a.is_unknown() || b.is_unknown() {
            return Value::Unknown;
        }
        if let Some(scalar) = self.scalar_comparison(op, [lhs, rhs]) {
            self.note_operator(expr, relax, &scalar);
            return scalar;
        }
        if relax.is_empty() {
            return self.refused_comparison(expr, op, a, b);
        }
        // Outside of the Type dialect, a comparison with a run-time scalar is an operator call.
        let is_held = |it: Operand<'_>| {
            is_relax_only(it.1)
                || self.cx.release.dialect() == Dialect::StructInfo
                    && is_relax(it.1)
                    && !self.is_of_python(it.0)
        };
        if (is_relax(a) && is_relax(b)) || is_held(lhs) || is_held(rhs) {
            return self.operator_sugar(expr, relax, &[a, b]);
        }
        Value::Unknown
    }
}

fn is_relax(value: &Value) -> bool {
    matches!(value, Value::Expr(_) | Value::ShapeVar { .. })
}

/// Returns the symbolic operation of a Python operator on shapes.
pub(in crate::infer) fn sym_op(op: BinaryOp) -> Option<Op> {
    Some(match op {
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::FloorDiv => Op::FloorDiv,
        BinaryOp::Mod => Op::FloorMod,
        BinaryOp::ShiftLeft => Op::Shl,
        BinaryOp::ShiftRight => Op::Shr,
        BinaryOp::BitAnd => Op::BitAnd,
        BinaryOp::BitOr => Op::BitOr,
        BinaryOp::BitXor => Op::BitXor,
        _ => return None,
    })
}

/// Returns the symbolic operation of a Python comparison on shapes.
pub(in crate::infer) fn sym_comparison(op: CompareOp) -> Option<Op> {
    Some(match op {
        CompareOp::Less => Op::Lt,
        CompareOp::LessEq => Op::Le,
        CompareOp::Greater => Op::Gt,
        CompareOp::GreaterEq => Op::Ge,
        CompareOp::Eq => Op::Eq,
        CompareOp::NotEq => Op::Ne,
        CompareOp::In | CompareOp::NotIn | CompareOp::Is | CompareOp::IsNot => return None,
    })
}
