//! Calls under `T`: casts, arithmetic by name, functions of numbers.

use relax::dtype::{Code, DType};
use text_size::TextRange;

use super::arith::{self, Number, truth};
use super::function::{Lower, Lowered};
use super::{Binary, Compare, Expr, ExprKind, Math, Unary, int};
use crate::body::{self, Arg, ExprId};

/// Binary operations by name.
const BINARY: &[(&str, Binary)] = &[
    ("Add", Binary::Add),
    ("add", Binary::Add),
    ("Sub", Binary::Sub),
    ("subtract", Binary::Sub),
    ("Mul", Binary::Mul),
    ("multiply", Binary::Mul),
    ("Div", Binary::Div),
    ("div", Binary::TruncDiv),
    ("FloorDiv", Binary::FloorDiv),
    ("floordiv", Binary::FloorDiv),
    ("indexdiv", Binary::FloorDiv),
    ("shapediv", Binary::FloorDiv),
    ("FloorMod", Binary::FloorMod),
    ("floormod", Binary::FloorMod),
    ("indexmod", Binary::FloorMod),
    ("truncdiv", Binary::TruncDiv),
    ("truncmod", Binary::TruncMod),
    ("Mod", Binary::TruncMod),
    ("Min", Binary::Min),
    ("min", Binary::Min),
    ("minimum", Binary::Min),
    ("Max", Binary::Max),
    ("max", Binary::Max),
    ("maximum", Binary::Max),
    ("bitwise_and", Binary::BitAnd),
    ("bitwise_or", Binary::BitOr),
    ("bitwise_xor", Binary::BitXor),
    ("shift_left", Binary::ShiftLeft),
    ("shift_right", Binary::ShiftRight),
];

/// Functions of C by the names that `T` has for them, where these differ; a final `f` says `float`.
const OF_C: &[(&str, &str)] = &[("fabs", "abs"), ("fmin", "min"), ("fmax", "max")];

const COMPARE: &[(&str, Compare)] = &[
    ("EQ", Compare::Eq),
    ("NE", Compare::Ne),
    ("LT", Compare::Lt),
    ("LE", Compare::Le),
    ("GT", Compare::Gt),
    ("GE", Compare::Ge),
];

fn row<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// The name under `T` of a function of C with so many arguments.
fn of_c(symbol: &str, args: usize) -> Option<&str> {
    let known = |name: &str| match args {
        1 => Unary::parse(name).is_some(),
        2 => Math::parse(name).is_some() || matches!(name, "min" | "max"),
        _ => false,
    };
    [Some(symbol), symbol.strip_suffix('f')]
        .into_iter()
        .flatten()
        .map(|name| row(OF_C, name).unwrap_or(name))
        .find(|name| known(name))
}

impl Lower<'_> {
    pub fn call(&mut self, at: ExprId, callee: ExprId, args: &[Arg]) -> Lowered<Number> {
        let range = self.range(at);
        if args.iter().any(|a| a.starred) {
            return Err(self.not_a_number(range));
        }
        if let Some(path) = self.tir_path(callee) {
            return self.tir_call(&path, args, range);
        }
        match &self.body.exprs[callee] {
            // `x.astype("float32")`
            body::Expr::Attribute { base, name } if name.text == "astype" && args.len() == 1 => {
                let dtype = self.dtype(args[0].value)?;
                let value = self.expr(*base)?;
                Ok(Number::strong(arith::cast(value, dtype)))
            }
            body::Expr::Name(name) if args.len() == 2 && (name == "min" || name == "max") => {
                let op = if name == "min" {
                    Binary::Min
                } else {
                    Binary::Max
                };
                let (a, b) = (self.number(args[0].value)?, self.number(args[1].value)?);
                self.binary(op, a, b, range)
            }
            body::Expr::Name(name)
                if args.len() == 1 && (name == "int" || name == "float" || name == "bool") =>
            {
                self.number(args[0].value)
            }
            body::Expr::Name(name) if args.len() == 1 && name == "abs" => {
                let value = self.expr(args[0].value)?;
                self.unary(Unary::Abs, value, range)
            }
            _ => Err(self.error(
                range,
                "this call is evaluated by Python, so it does not run here",
            )),
        }
    }

    fn tir_call(&mut self, path: &str, args: &[Arg], range: TextRange) -> Lowered<Number> {
        let values: Vec<ExprId> = args
            .iter()
            .filter(|a| a.keyword.is_none())
            .map(|a| a.value)
            .collect();
        if let Some(dtype) = DType::of_constructor(path) {
            return self.typed(dtype, &values, range);
        }
        match (path, values.as_slice()) {
            ("Cast" | "cast", [a, b]) => {
                // `T.Cast("float32", x)` and `T.cast(x, "float32")`
                let (dtype, value) = if path == "Cast" { (*a, *b) } else { (*b, *a) };
                let dtype = self.dtype(dtype)?;
                let value = self.expr(value)?;
                return Ok(Number::strong(arith::cast(value, dtype)));
            }
            ("IntImm" | "FloatImm", [dtype, value]) => {
                let dtype = self.dtype(*dtype)?;
                return self.typed(dtype, &[*value], range);
            }
            ("reinterpret", [a, b]) => {
                let dtype = self.dtype(*a)?;
                let value = self.expr(*b)?;
                if value.dtype.bits != dtype.bits {
                    return Err(self.error(
                        range,
                        format!("{} and {dtype} differ in width", value.dtype),
                    ));
                }
                return Ok(Number::strong(Expr {
                    dtype,
                    kind: ExprKind::Reinterpret(Box::new(value)),
                    range,
                }));
            }
            ("min_value" | "max_value" | "infinity" | "inf" | "nan", rest) => {
                let dtype = match rest {
                    [dtype] => self.dtype(*dtype)?,
                    _ => DType::F32,
                };
                return self.extreme(path, dtype, range);
            }
            ("if_then_else" | "Select" | "select", [test, then, otherwise]) => {
                let test = self.expr(*test)?;
                let (then, otherwise) = (self.number(*then)?, self.number(*otherwise)?);
                return self.select(test, then, otherwise, range);
            }
            ("And" | "logical_and" | "all" | "Or" | "logical_or" | "any", [first, rest @ ..]) => {
                self.is_short(rest.len(), range)?;
                let and = matches!(path, "And" | "logical_and" | "all");
                let mut all = truth(self.expr(*first)?);
                for &at in rest {
                    let (a, b) = (Box::new(all), Box::new(truth(self.expr(at)?)));
                    let kind = if and {
                        ExprKind::And(a, b)
                    } else {
                        ExprKind::Or(a, b)
                    };
                    all = Expr {
                        dtype: DType::BOOL,
                        kind,
                        range,
                    };
                }
                return Ok(Number::strong(all));
            }
            ("Not" | "logical_not", [value]) => {
                let value = truth(self.expr(*value)?);
                return Ok(Number::strong(Expr {
                    dtype: DType::BOOL,
                    kind: ExprKind::Not(Box::new(value)),
                    range,
                }));
            }
            ("likely" | "meta_var" | "I.meta_var" | "ret" | "identity", [value]) => {
                return self.number(*value);
            }
            ("call_extern" | "call_pure_extern", [dtype, symbol, rest @ ..]) => {
                if let body::Expr::Str(symbol) = &self.body.exprs[*symbol]
                    && let Some(function) = of_c(symbol, rest.len())
                {
                    let dtype = self.dtype(*dtype)?;
                    let value = self.function(function, rest, range)?;
                    if let Some(value) = value {
                        return Ok(Number::strong(arith::cast(value.expr, dtype)));
                    }
                }
            }
            ("assume", [_]) => return Ok(Number::int(0, range)),
            ("ceildiv", [a, b]) => {
                let (a, b) = (self.number(*a)?, self.number(*b)?);
                let up = self.binary(Binary::Add, a, b.clone(), range)?;
                let up = self.binary(Binary::Sub, up, Number::int(1, range), range)?;
                return self.binary(Binary::FloorDiv, up, b, range);
            }
            _ => {}
        }
        match self.function(path, &values, range)? {
            Some(number) => Ok(number),
            None => Err(self.error(range, format!("`T.{path}` does not run on this machine"))),
        }
    }

    /// A function of numbers by its name under `T`.
    fn function(
        &mut self,
        name: &str,
        values: &[ExprId],
        range: TextRange,
    ) -> Lowered<Option<Number>> {
        if let (Some(op), [a, b]) = (row(BINARY, name), values) {
            let (a, b) = (self.number(*a)?, self.number(*b)?);
            return self.binary(op, a, b, range).map(Some);
        }
        if let (Some(op), [a, b]) = (row(COMPARE, name), values) {
            let (a, b) = (self.number(*a)?, self.number(*b)?);
            return self.compare(op, a, b, range).map(Some);
        }
        if let (Some(function), [value, ..]) = (Unary::parse(name), values) {
            let value = self.expr(*value)?;
            return self.unary(function, value, range).map(Some);
        }
        if let (Some(function), [a, b]) = (Math::parse(name), values) {
            let (a, b) = (self.number(*a)?, self.number(*b)?);
            return self.math(function, a, b, range).map(Some);
        }
        Ok(None)
    }

    /// `T.int64(4)`, `T.float32("inf")`.
    fn typed(&mut self, dtype: DType, values: &[ExprId], range: TextRange) -> Lowered<Number> {
        let [value] = values else {
            return Err(self.not_a_number(range));
        };
        if let body::Expr::Str(text) = &self.body.exprs[*value] {
            return match text.parse::<f64>() {
                Ok(value) if dtype.is_float() => Ok(Number::strong(Expr {
                    dtype,
                    kind: ExprKind::Float(value),
                    range,
                })),
                _ => Err(self.not_a_number(range)),
            };
        }
        let value = self.number(*value)?;
        self.of_dtype(value, dtype).map(Number::strong)
    }

    /// A name under `T` that is a number by itself.
    pub fn constant_path(&mut self, path: &str, range: TextRange) -> Lowered<Number> {
        match path {
            "inf" | "nan" => self.extreme(path, DType::F32, range),
            _ => Err(self.not_a_number(range)),
        }
    }

    fn extreme(&mut self, what: &str, dtype: DType, range: TextRange) -> Lowered<Number> {
        let least = what == "min_value";
        let kind = match (what, dtype.code) {
            ("infinity" | "inf", Code::Float | Code::BFloat) => ExprKind::Float(f64::INFINITY),
            ("nan", Code::Float | Code::BFloat) => ExprKind::Float(f64::NAN),
            (_, Code::Float | Code::BFloat) => {
                let largest = match (dtype.code, dtype.bits) {
                    (Code::BFloat, _) => 3.3895313892515355e38,
                    (_, 16) => 65504.0,
                    (_, 32) => f64::from(f32::MAX),
                    _ => f64::MAX,
                };
                ExprKind::Float(if least { -largest } else { largest })
            }
            ("min_value" | "max_value", Code::Int | Code::UInt | Code::Bool) => {
                let (least_value, most) = int::range(dtype);
                ExprKind::Int(if least { least_value } else { most })
            }
            _ => return Err(self.error(range, format!("{dtype} has no such value here"))),
        };
        Ok(Number::strong(Expr { dtype, kind, range }))
    }
}
