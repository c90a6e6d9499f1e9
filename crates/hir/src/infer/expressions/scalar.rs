//! Scalars: shape variables and values of `R.Prim`, with the dtypes that TVM computes them in.
//!
//! Before the Type dialect, there is only arithmetic of shape expressions; a value of `R.Prim` is an operand of
//! operators.

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::dtype::{Code as Number, DType};
use relax::script::Namespace;
use relax::sinfo::{Prim, StructInfo};
use relax::sym::{Op, SymExpr};
use relax::value::Value;

use smol_str::format_smolstr;
use text_size::TextRange;

use crate::body::{Arg, BinaryOp, BoolOp, CompareOp, Expr, ExprId, UnaryOp};
use crate::facts::Def;
use crate::infer::Infer;
use crate::infer::annotations::dims::sym_function;
use crate::infer::expressions::operators::{sym_comparison, sym_op};

/// A number of known dtype.
#[derive(Clone)]
struct Scalar {
    dtype: DType,
    /// The value of an integer or a truth value, if it is known.
    value: Option<SymExpr>,
    /// `true` for a Python number, which has no dtype of its own.
    plain: bool,
}

/// An expression and its value.
pub(in crate::infer) type Operand<'v> = (ExprId, &'v Value);

/// Functions of `T` whose result is a number like their operands.
const ALIKE: &[&str] = &[
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Mod",
    "FloorDiv",
    "FloorMod",
    "Min",
    "Max",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "ceil",
    "ceildiv",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "exp",
    "exp10",
    "exp2",
    "floor",
    "floordiv",
    "floormod",
    "fmod",
    "hypot",
    "indexdiv",
    "indexmod",
    "log",
    "log10",
    "log1p",
    "log2",
    "max",
    "min",
    "nearbyint",
    "pow",
    "round",
    "rsqrt",
    "shift_left",
    "shift_right",
    "sigmoid",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
    "truncdiv",
    "truncmod",
];

/// Functions of one number that TVM does not compute while it reads.
const UNFOLDED: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "exp", "exp10",
    "exp2", "log", "log10", "log1p", "log2", "rsqrt", "sigmoid", "sin", "sinh", "sqrt", "tan",
    "tanh",
];

/// Functions of `T` whose result is a truth value.
const TRUTHS: &[&str] = &[
    "And", "EQ", "GE", "GT", "LE", "LT", "NE", "Not", "Or", "isfinite", "isinf", "isnan",
];

impl Infer<'_> {
    /// Returns `true` if an operation on these operands computes a scalar rather than calling an operator.
    fn computes_scalar(&self, operands: &[Operand<'_>]) -> bool {
        let is_prim = |it: &Value| matches!(it, Value::Expr(StructInfo::Prim(_)));
        let is_sym = |it: &Value| matches!(it, Value::Sym(_));
        let is_number = |it: &Value| matches!(it, Value::Int(_) | Value::Float(_) | Value::Bool(_));
        let mut values = operands.iter().map(|(_, value)| *value);
        let is_relax = |(expr, value): &Operand<'_>| is_prim(value) && !self.is_of_python(*expr);
        values
            .clone()
            .all(|it| is_prim(it) || is_sym(it) || is_number(it))
            && values.any(|it| is_prim(it) || is_sym(it))
            && (self.cx.release.dialect() != Dialect::StructInfo || !operands.iter().any(is_relax))
    }

    /// Returns `true` if the scalar is an expression in Python, as all computed scalars are before the Type dialect.
    pub(in crate::infer) fn is_of_python(&self, expr: ExprId) -> bool {
        match &self.body.exprs[expr] {
            Expr::Name(_) => !matches!(self.facts.def(expr), Some(Def::Var(_))),
            Expr::Call { callee, .. } => match &self.body.exprs[*callee] {
                Expr::Attribute { base, name } if name.text == "astype" => self.is_of_python(*base),
                _ => matches!(self.facts.value(*callee), Value::Script(path)
                    if path.namespace == Namespace::Tir),
            },
            Expr::Binary { .. } | Expr::Unary { .. } | Expr::Compare { .. } => {
                self.facts.call(expr).is_none()
            }
            _ => false,
        }
    }

    /// Returns `None` if only Python knows the dtype.
    fn scalar_of(&self, (expr, value): Operand<'_>) -> Option<Scalar> {
        let own = self.tir_dtype(expr);
        let number = |natural: DType, value: Option<SymExpr>| Scalar {
            dtype: own.unwrap_or(natural),
            value,
            plain: own.is_none(),
        };
        Some(match value {
            Value::Int(value) => {
                let natural = if i32::try_from(*value).is_ok() {
                    DType::I32
                } else {
                    DType::I64
                };
                number(natural, Some(SymExpr::int(*value)))
            }
            Value::Bool(value) => number(DType::BOOL, Some(SymExpr::int(i64::from(*value)))),
            Value::Float(_) => number(DType::F32, None),
            Value::Sym(value) => Scalar {
                dtype: if value.is_boolean() {
                    DType::BOOL
                } else {
                    DType::I64
                },
                value: Some(value.clone()),
                plain: false,
            },
            Value::Expr(StructInfo::Prim(prim)) => Scalar {
                dtype: prim.dtype.filter(|dtype| !dtype.is_python())?,
                value: prim.value.clone(),
                plain: false,
            },
            _ => return None,
        })
    }

    /// Infers `a + b` and similar operations on scalars. Returns `None` if the operands are not scalars.
    pub(in crate::infer) fn scalar_binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        operands: [Operand<'_>; 2],
    ) -> Option<Value> {
        if !self.computes_scalar(&operands) {
            return None;
        }
        let [lhs, rhs] = operands;
        let operands = self.scalar_of(lhs).zip(self.scalar_of(rhs));
        let Some((a, b)) = operands else {
            return Some(Value::Unknown);
        };
        let bits = matches!(
            op,
            BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
        );
        let dtype = if bits {
            of_bits(&a, &b)
        } else {
            matched(a.dtype, b.dtype)
        };
        let wanted = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => None,
            BinaryOp::Div if dtype.is_float() => None,
            // TVM's operator treats it as a number.
            BinaryOp::Div if a.dtype.is_bool() || b.dtype.is_bool() => return Some(Value::Unknown),
            BinaryOp::Div => Some("is for floats: integers have `//` and `T.truncdiv`"),
            BinaryOp::FloorDiv | BinaryOp::Mod if dtype.is_float() => Some("is for integers"),
            BinaryOp::FloorDiv | BinaryOp::Mod if a.dtype.is_bool() || b.dtype.is_bool() => {
                Some("is for integers")
            }
            BinaryOp::FloorDiv | BinaryOp::Mod => None,
            _ if bits && (a.dtype.is_float() || b.dtype.is_float()) => Some("is for integers"),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight
                if a.dtype.is_bool() || b.dtype.is_bool() =>
            {
                Some("is for integers")
            }
            _ if bits => None,
            _ => Some("is not supported for scalars"),
        };
        if let Some(wanted) = wanted {
            let range = self.range(expr);
            let message = format!(
                "`{}` {wanted}, but these are {} and {}",
                op.text(),
                a.dtype,
                b.dtype
            );
            self.report(Code::ArgumentType, range, message);
            return Some(Value::Unknown);
        }
        let value = a.value.zip(b.value).filter(|_| !dtype.is_float());
        let value = value.and_then(|(a, b)| Some(SymExpr::write(sym_op(op)?, &[a, b])));
        Some(scalar(dtype, value))
    }

    /// Infers `a < b` and similar comparisons of scalars.
    pub(in crate::infer) fn scalar_comparison(
        &mut self,
        op: CompareOp,
        operands: [Operand<'_>; 2],
    ) -> Option<Value> {
        if !self.computes_scalar(&operands) {
            return None;
        }
        let sym_op = sym_comparison(op)?;
        let [a, b] = operands.map(|it| self.scalar_of(it));
        if let (CompareOp::Eq | CompareOp::NotEq, Some(a), Some(b)) = (op, &a, &b)
            && !is_of_dtype(a, b.dtype)
            && !is_of_dtype(b, a.dtype)
        {
            let range = TextRange::new(
                self.range(operands[0].0).start(),
                self.range(operands[1].0).end(),
            );
            let message = format!(
                "`{}` compares scalars of the same dtype, but these are {} and {}",
                op.text(),
                a.dtype,
                b.dtype
            );
            self.report(Code::DtypeMismatch, range, message).differing = Some((
                format_smolstr!("{}", a.dtype),
                format_smolstr!("{}", b.dtype),
            ));
        }
        let value = a.and_then(|a| a.value).zip(b.and_then(|b| b.value));
        let value = value.map(|(a, b)| SymExpr::write(sym_op, &[a, b]));
        Some(scalar(DType::BOOL, value))
    }

    /// Infers `-a`, `~a` of a scalar.
    pub(in crate::infer) fn scalar_unary(
        &mut self,
        expr: ExprId,
        op: UnaryOp,
        operand: Operand<'_>,
    ) -> Option<Value> {
        if !self.computes_scalar(&[operand]) {
            return None;
        }
        let Some(operand) = self.scalar_of(operand) else {
            return Some(Value::Unknown);
        };
        let dtype = operand.dtype;
        let value = operand.value.filter(|_| !dtype.is_float());
        let refused = match op {
            UnaryOp::Plus => false,
            UnaryOp::Minus => matches!(dtype.code, Number::Bool | Number::UInt),
            UnaryOp::Invert => dtype.is_float(),
        };
        if refused {
            let range = self.range(expr);
            let message = format!("`{}` is not supported for a scalar of {dtype}", op.text());
            self.report(Code::ArgumentType, range, message);
            return Some(Value::Unknown);
        }
        let value = value.map(|value| match op {
            UnaryOp::Plus => value,
            UnaryOp::Minus => value.write_negation(),
            UnaryOp::Invert if dtype.is_bool() => SymExpr::write(Op::Not, &[value]),
            UnaryOp::Invert => SymExpr::write(Op::BitNot, &[value]),
        });
        Some(scalar(dtype, value))
    }

    /// Returns `true` and reports it if `not`, `and` or `or` has a scalar operand that is not a truth value.
    fn has_non_boolean(&mut self, text: &str, operands: &[Operand<'_>]) -> bool {
        let wrong = operands.iter().find_map(|&(at, value)| {
            let dtype = self.scalar_of((at, value))?.dtype;
            (!dtype.is_bool()).then_some((at, dtype))
        });
        if let Some((at, dtype)) = wrong {
            let range = self.range(at);
            let message = format!("`{text}` takes bools, but this is {dtype}: write a comparison");
            self.report(Code::ArgumentType, range, message);
        }
        wrong.is_some()
    }

    /// Infers `not a` of a scalar.
    pub(in crate::infer) fn scalar_not(&mut self, operand: Operand<'_>) -> Option<Value> {
        if !self.computes_scalar(&[operand]) {
            return None;
        }
        if self.has_non_boolean("not", &[operand]) {
            return Some(Value::Unknown);
        }
        let value = self.scalar_of(operand)?.value;
        Some(scalar(
            DType::BOOL,
            value.map(|it| SymExpr::write(Op::Not, &[it])),
        ))
    }

    /// Infers `a and b`, `a or b` of scalars.
    pub(in crate::infer) fn scalar_junction(
        &mut self,
        op: BoolOp,
        operands: &[Operand<'_>],
    ) -> Option<Value> {
        if !self.computes_scalar(operands) {
            return None;
        }
        if self.has_non_boolean(op.text(), operands) {
            return Some(Value::Unknown);
        }
        let truths: Option<Vec<SymExpr>> = operands.iter().map(|(_, value)| value.sym()).collect();
        let op = match op {
            BoolOp::And => Op::And,
            BoolOp::Or => Op::Or,
        };
        Some(scalar(
            DType::BOOL,
            truths.map(|it| SymExpr::write(op, &it)),
        ))
    }

    /// Infers `then if test else otherwise` with a scalar test.
    pub(in crate::infer) fn scalar_choice(
        &self,
        test: Operand<'_>,
        then: Operand<'_>,
        otherwise: Operand<'_>,
    ) -> Option<Value> {
        if !self.computes_scalar(&[test]) {
            return None;
        }
        Some(selected(
            self.scalar_of(test)?,
            self.scalar_of(then)?,
            self.scalar_of(otherwise)?,
        ))
    }

    /// Casts a scalar to another dtype.
    pub(in crate::infer) fn scalar_cast(
        &self,
        operand: Operand<'_>,
        dtype: DType,
    ) -> Option<Value> {
        if !self.computes_scalar(&[operand]) {
            return None;
        }
        let known = operand.1.sym();
        let known = known.filter(|_| dtype.is_int() || dtype.is_bool());
        Some(scalar(
            dtype,
            known.map(|it| SymExpr::write(Op::Cast(dtype), &[it])),
        ))
    }

    /// Infers a function of `T` on scalars. Returns `None` if no operand is a scalar.
    pub(in crate::infer) fn scalar_function(
        &self,
        name: &str,
        args: &[Arg],
        values: &[Value],
    ) -> Option<Value> {
        let operands: Vec<Operand<'_>> = args.iter().map(|it| it.value).zip(values).collect();
        if matches!(name, "cast" | "Cast" | "reinterpret") {
            let dtype = values.iter().find_map(|it| match it {
                Value::Str(text) => DType::parse(text),
                _ => None,
            })?;
            let mut casts = operands.iter().map(|&it| self.scalar_cast(it, dtype));
            let cast = casts.find_map(|it| it)?;
            return Some(if name == "reinterpret" {
                scalar(dtype, None)
            } else {
                cast
            });
        }
        let is_number = |it: &Value| matches!(it, Value::Int(_) | Value::Float(_));
        // `T.exp(4)` is a scalar of the running program, unlike `T.min(4, 5)`.
        let is_call = UNFOLDED.contains(&name) && values.iter().all(is_number);
        if !is_call && !self.computes_scalar(&operands) {
            return None;
        }
        let scalars: Option<Vec<Scalar>> =
            operands.into_iter().map(|it| self.scalar_of(it)).collect();
        let scalars = scalars?;
        if let ("if_then_else" | "Select", [test, then, otherwise]) = (name, scalars.as_slice()) {
            return Some(selected(test.clone(), then.clone(), otherwise.clone()));
        }
        let dtype = if TRUTHS.contains(&name) {
            DType::BOOL
        } else if ALIKE.contains(&name) {
            let dtypes = scalars.iter().map(|it| it.dtype);
            dtypes.reduce(matched)?
        } else {
            return None;
        };
        let values: Option<Vec<SymExpr>> = scalars.into_iter().map(|it| it.value).collect();
        let value = values.filter(|_| !dtype.is_float());
        Some(scalar(
            dtype,
            value.and_then(|values| sym_function(name, &values)),
        ))
    }

    /// Returns the dtype of a typed constant: `T.int32(4)`.
    pub(in crate::infer) fn tir_dtype(&self, expr: ExprId) -> Option<DType> {
        let Expr::Call { callee, .. } = &self.body.exprs[expr] else {
            return None;
        };
        match self.facts.value(*callee) {
            Value::Script(path) if path.namespace == Namespace::Tir => {
                DType::of_constructor(&path.rest)
            }
            _ => None,
        }
    }
}

/// Returns a scalar as a value. An int64 is a shape expression, and so is a comparison of int64s.
fn scalar(dtype: DType, value: Option<SymExpr>) -> Value {
    match value {
        Some(value) if dtype == DType::I64 || dtype.is_bool() && value.is_boolean() => {
            Value::Sym(value)
        }
        value => Value::Expr(StructInfo::Prim(Prim {
            dtype: Some(dtype),
            value,
        })),
    }
}

/// Returns `true` if a scalar has the dtype, or is a Python number that can have it.
fn is_of_dtype(scalar: &Scalar, dtype: DType) -> bool {
    scalar.dtype == dtype || scalar.plain && (dtype.is_float() || !scalar.dtype.is_float())
}

fn selected(test: Scalar, then: Scalar, otherwise: Scalar) -> Value {
    let dtype = matched(then.dtype, otherwise.dtype);
    let values = [test.value, then.value, otherwise.value];
    let values: Option<Vec<SymExpr>> = values.into_iter().collect();
    let values = values.filter(|_| !dtype.is_float());
    scalar(
        dtype,
        values.map(|values| SymExpr::write(Op::Select, &values)),
    )
}

/// Returns the dtype to which TVM converts two scalars before it computes with them.
fn matched(a: DType, b: DType) -> DType {
    let is_float = |it: DType| matches!(it.code, Number::Float);
    let wider = if a.bits < b.bits { b } else { a };
    match (is_float(a), is_float(b)) {
        (true, false) => a,
        (false, true) => b,
        (true, true) => wider,
        _ if a.is_float() != b.is_float() => {
            if a.is_float() {
                a
            } else {
                b
            }
        }
        // A signed and an unsigned integer of the same width become unsigned.
        _ if a.bits == b.bits && b.code == Number::UInt => b,
        _ => wider,
    }
}

/// Returns the common dtype for bitwise operations, in which a Python number takes the other's dtype.
fn of_bits(a: &Scalar, b: &Scalar) -> DType {
    match (a.plain, b.plain) {
        (false, true) => a.dtype,
        (true, false) => b.dtype,
        _ => matched(a.dtype, b.dtype),
    }
}
