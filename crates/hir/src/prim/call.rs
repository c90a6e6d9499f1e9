//! Calls under `T`: casts, arithmetic by name, functions of numbers.

use relax::bare;
use relax::diagnostics;
use relax::dtype::{Code, DType};
use relax::ops;
use relax::script::{self, Also, Entry, Namespace, Role, entries};
use smol_str::SmolStr;
use text_size::TextRange;

use super::Reader;
use super::arith::{self, Number};
use super::operator::bool_operation;
use super::value::Value;
use crate::body::{Arg, BoolOp, Expr, ExprId};
use crate::enclosing::{PyValue, script_path};
use crate::tir::{self, Binary, Compare, ExprKind, Math, Unary, int};

/// The binary operations by name.
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

/// Functions of C whose names under `T` differ. A final `f` means `float`.
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

/// Returns the name under `T` of a function of C with the given number of arguments.
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

impl Reader<'_> {
    pub fn call(&mut self, range: TextRange, callee: ExprId, args: &[Arg]) -> Value {
        let Some(path) = self.script(callee) else {
            return self.python_call(range, callee, args);
        };
        self.read_callee(callee, args);
        if self
            .make(&path, args, (&SmolStr::default(), range))
            .is_some()
        {
            return Value::Unknown;
        }
        if args.iter().any(|arg| arg.starred) {
            self.silent_args(args);
            self.not_a_number(range);
            return Value::Unknown;
        }
        if matches!(path.as_str(), "Let" | "let")
            && let Some(value) = self.let_in(args, range)
        {
            return value;
        }
        let entry = script::find(Namespace::Tir, &path, self.around.release);
        let first_by_name = entry.is_some_and(|it| it.also == Also::DtypeByName);
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            match &arg.keyword {
                None => values.push(arg.value),
                // `T.call_extern("sinf", x, dtype="float32")`
                Some(name) if first_by_name && name.text == "dtype" => values.insert(0, arg.value),
                // The types of PTX instructions are not dtypes: `e4m3x2`.
                Some(_) if path.starts_with("ptx.") => {
                    self.silent(|it| it.value(arg.value));
                }
                Some(_) => self.silent_args([arg]),
            }
        }
        self.script_call(&path, &values, range)
    }

    /// Returns the name of an operator or a constructor of Relax.
    fn value_of_relax(&self, callee: ExprId) -> Option<SmolStr> {
        let root = self.body.dotted_root(callee);
        let Expr::Name(name) = &self.body.exprs[root] else {
            return None;
        };
        let path = script_path(self.body, callee, self.around.env)?;
        let is_value = |row: &Entry| row.name == path.rest && row.role == Role::Value;
        let makes_value = ops::by_path(&path).is_some()
            || path.namespace == Namespace::Relax && entries(path.namespace).any(is_value);
        (makes_value && self.lookup(name).is_none()).then_some(path.rest)
    }

    /// Evaluates a call of a Python function, if it is one of the few known ones.
    fn python_call(&mut self, range: TextRange, callee: ExprId, args: &[Arg]) -> Value {
        let body = self.body;
        if let Some(name) = self.value_of_relax(callee) {
            self.silent_args(args);
            let message = format!("`R.{name}` makes a Relax value: a PrimFunc cannot use it");
            self.report(diagnostics::Code::ArgumentType, range, message);
            return Value::Unknown;
        }
        if let Some(buffer) = self.buffer_named(callee) {
            self.silent_args(args);
            let name = self.facts.def(buffer).name.clone();
            let message = format!("`{name}` is a buffer, not a function: write `{name}[...]`");
            self.report(diagnostics::Code::NotCallable, range, message);
            return Value::Unknown;
        }
        let plain = args.iter().all(|arg| arg.keyword.is_none() && !arg.starred);
        if let (Expr::Attribute { base, name }, [dtype], true) = (&body.exprs[callee], args, plain)
            && name.text == "astype"
        {
            let value = self.value(*base);
            if value.is_tir() {
                let (value, dtype) = (self.number_of(value, range), self.dtype(dtype.value));
                return self.cast_to(value, dtype).into();
            }
            self.silent_args(args);
            self.not_a_number(range);
            return Value::Unknown;
        }
        let reported = self.facts.diagnostics.len();
        self.silent(|it| it.callee(callee));
        if let Expr::Name(name) = &body.exprs[callee]
            && let Some(last) = self.facts.diagnostics.get_mut(reported)
            && last.code == diagnostics::Code::UndefinedName
            && let Some(written) = bare::with_letter(name, Namespace::Tir, self.around.release)
        {
            last.message = format!("`{name}` is not defined: write `{written}`");
            last.instead = Some((last.range, written));
        }
        let name = match &body.exprs[callee] {
            Expr::Name(name) if plain && self.lookup(name).is_none() => name.as_str(),
            _ => "",
        };
        match (name, args) {
            ("min" | "max", [a, b]) => {
                let (a, b) = (self.number(a.value), self.number(b.value));
                let op = row(BINARY, name).unwrap_or(Binary::Min);
                a.zip(b).map(|(a, b)| self.binary(op, a, b, range)).into()
            }
            ("int" | "float" | "bool", [value]) => self.number(value.value).into(),
            ("abs", [value]) => {
                let value = self.typed(value.value);
                value.map(|it| self.unary(Unary::Abs, it, range)).into()
            }
            _ => {
                self.silent_args(args);
                let message = "this call is evaluated by Python, so it does not run here";
                self.refuse(range, message);
                Value::Unknown
            }
        }
    }

    fn script_call(&mut self, path: &str, values: &[ExprId], range: TextRange) -> Value {
        if let Some(dtype) = DType::of_constructor(path) {
            return self.constructed(dtype, values, range);
        }
        match (path, values) {
            // `T.Cast("float32", x)` and `T.cast(x, "float32")`
            ("Cast", &[dtype, value]) | ("cast", &[value, dtype]) => {
                let (value, dtype) = (self.number(value), self.dtype(dtype));
                self.cast_to(value, dtype).into()
            }
            ("IntImm" | "FloatImm", &[dtype, value]) => match self.dtype(dtype) {
                Some(dtype) => self.constructed(dtype, &[value], range),
                None => {
                    self.number(value);
                    Value::Untyped
                }
            },
            ("reinterpret", &[dtype, value]) => self.reinterpreted_as(dtype, value, range),
            ("min_value" | "max_value" | "infinity" | "inf" | "nan", [] | [_]) => {
                let dtype = values
                    .first()
                    .map_or(Some(DType::F32), |&at| self.dtype(at));
                dtype.map(|dtype| self.extreme(path, dtype, range)).into()
            }
            ("if_then_else" | "Select" | "select", &[test, then, otherwise]) => {
                let test = self.test(test);
                let (a, b) = (self.number(then), self.number(otherwise));
                let both = a.zip(b);
                if let (Some((a, b)), "Select") = (&both, path) {
                    self.check_select(a, b, range);
                }
                both.map(|(a, b)| self.select(test, a, b, range)).into()
            }
            ("And" | "logical_and" | "all" | "Or" | "logical_or" | "any", [first, rest @ ..]) => {
                let op = match path {
                    "And" | "logical_and" | "all" => BoolOp::And,
                    _ => BoolOp::Or,
                };
                let first = self.test(*first);
                let rest: Vec<_> = rest.iter().map(|&at| self.test(at)).collect();
                let hole = self.too_many(rest.len(), range);
                Value::Number(hole.unwrap_or_else(|| {
                    let join = |a, b| bool_operation(op, a, b, range);
                    Number::strong(rest.into_iter().fold(first, join))
                }))
            }
            ("Not" | "logical_not", &[value]) => {
                let value = self.test(value);
                Value::Number(Number::truth(ExprKind::Not(Box::new(value)), range))
            }
            ("likely" | "ret" | "identity" | "tvm_thread_invariant", &[value]) => {
                self.number(value).into()
            }
            ("meta_var" | "I.meta_var", &[value]) => self.value(value),
            ("assume", &[value]) => {
                self.silent(|it| it.value(value));
                Number::int(0, range).into()
            }
            ("q_multiply_shift", &[x, y, q, s]) => {
                self.q_multiply_shift([x, y, q, s], range).into()
            }
            ("ptx.addr", &[_, offset]) => {
                self.check_byte_offset(offset);
                self.does_not_run(path, values, range)
            }
            // A buffer always has memory.
            ("isnullptr", &[at])
                if matches!(self.value(at), Value::Pointer(_) | Value::Buffer(_)) =>
            {
                Value::Number(Number::truth(ExprKind::Int(0), range))
            }
            ("ceildiv", &[a, b]) => {
                let (a, b) = (self.number(a), self.number(b));
                let quotient = a.zip(b).map(|(a, b)| {
                    let up = self.binary(Binary::Add, a, b.clone(), range);
                    let up = self.binary(Binary::Sub, up, Number::int(1, range), range);
                    self.binary(Binary::FloorDiv, up, b, range)
                });
                quotient.into()
            }
            ("call_extern" | "call_pure_extern", &[dtype, symbol, ref rest @ ..])
                if self.may_be_dtype(dtype) =>
            {
                self.extern_call(path, (dtype, symbol), rest, range)
            }
            _ => self.value_of_call(path, values, range),
        }
    }

    /// Reads `T.reinterpret("uint32", x)`.
    fn reinterpreted_as(&mut self, dtype: ExprId, value: ExprId, range: TextRange) -> Value {
        let at = self.range(value);
        let (dtype, value) = (self.dtype(dtype), self.operand(value));
        // TVM keeps strings as they are.
        if let Value::Python(PyValue::Str(_)) = value {
            self.not_a_number(range);
            return Value::Untyped;
        }
        let value = self.number_of(value, at).map(|it| self.strong(it));
        let Some(dtype) = dtype else {
            return Value::Untyped;
        };
        let is_hole = value.is_none();
        let value = value.unwrap_or(tir::Expr::hole(dtype, range));
        let size = |it: DType| u32::from(it.bits) * u32::from(it.lanes);
        if size(value.dtype) != size(dtype) {
            let message = format!("{} and {dtype} differ in width", value.dtype);
            let is_plain = |it: DType| it.bits >= 8 && it != DType::HANDLE;
            if !is_hole && self.lanes.is_none() && is_plain(value.dtype) && is_plain(dtype) {
                self.report(diagnostics::Code::DtypeMismatch, range, message);
                return Value::Number(Number::strong(tir::Expr::hole(dtype, range)));
            }
            return Value::Number(self.hole(dtype, range, message));
        }
        Value::Number(Number::strong(tir::Expr {
            dtype,
            kind: ExprKind::Reinterpret(Box::new(value)),
            range,
        }))
    }

    /// Reports `T.Select` between numbers of two dtypes: TVM converts neither.
    fn check_select(&mut self, a: &Number, b: &Number, range: TextRange) {
        let (x, y) = (a.expr.dtype, b.expr.dtype);
        if !a.weak && !b.weak && x != y {
            let message =
                format!("`T.Select` chooses between {x} and {y}: they must have one dtype");
            self.report(diagnostics::Code::DtypeMismatch, range, message);
        }
    }

    /// Reports a pointer where `T.ptx.addr` takes the offset.
    fn check_byte_offset(&mut self, offset: ExprId) {
        let value = self.silent(|it| it.value(offset));
        if let Value::Pointer(_) | Value::Buffer(_) = value {
            let message = "the offset of an address is a number of bytes: `T.ptx.addr(pointer, 8)`";
            self.report(diagnostics::Code::ArgumentType, self.range(offset), message);
        }
    }

    /// Reads a call of a function of C by its name.
    fn extern_call(
        &mut self,
        path: &str,
        (dtype, symbol): (ExprId, ExprId),
        rest: &[ExprId],
        range: TextRange,
    ) -> Value {
        let dtype = self.dtype(dtype);
        let function = match self.value(symbol) {
            Value::Python(PyValue::Str(symbol)) => symbol,
            _ => SmolStr::default(),
        };
        match of_c(&function, rest.len()) {
            Some(function) => match self.function(function, rest, range) {
                Some(Value::Number(number)) => self.cast_to(Some(number), dtype).into(),
                _ => Value::Untyped,
            },
            None => self.does_not_run(path, rest, range),
        }
    }

    /// Reads a function of numbers, a vector, or a value of another thread.
    fn value_of_call(&mut self, path: &str, values: &[ExprId], range: TextRange) -> Value {
        self.function(path, values, range)
            .or_else(|| self.vector(path, values, range))
            .or_else(|| self.exchanged(path, values, range))
            .unwrap_or_else(|| self.does_not_run(path, values, range))
    }

    fn does_not_run(&mut self, path: &str, values: &[ExprId], range: TextRange) -> Value {
        self.silent(|it| {
            for &value in values {
                it.value(value);
            }
        });
        let message = format!("`T.{path}` does not run on this machine");
        if matches!(path, "isnullptr") {
            return Value::Number(self.hole(DType::BOOL, range, message));
        }
        self.refuse(range, message);
        Value::Unknown
    }

    /// Returns whether a literal may be a dtype.
    fn may_be_dtype(&self, at: ExprId) -> bool {
        match &self.body.exprs[at] {
            Expr::Str(text) => DType::parse(text).is_some(),
            _ => true,
        }
    }

    pub fn cast_to(&mut self, value: Option<Number>, dtype: Option<DType>) -> Option<Number> {
        let (value, mut dtype) = (value.map(|it| self.strong(it)), dtype?);
        if self.lanes.is_some() {
            dtype.lanes = 1;
        }
        let range = value.as_ref().map(|it| it.range).unwrap_or_default();
        let value = value.unwrap_or(tir::Expr::hole(dtype, range));
        Some(Number::strong(arith::cast(value, dtype)))
    }

    /// Converts a number, or combines two, by the function's name under `T`.
    pub fn call_with(
        &mut self,
        name: &str,
        numbers: Vec<Number>,
        range: TextRange,
    ) -> Option<Number> {
        let mut numbers = numbers.into_iter();
        match (numbers.next()?, numbers.next(), numbers.next()) {
            (number, None, None) => {
                let dtype = DType::of_constructor(name)?;
                Some(Number::strong(self.of_dtype(number, dtype)))
            }
            (a, Some(b), None) => Some(self.binary(row(BINARY, name)?, a, b, range)),
            _ => None,
        }
    }

    /// Calls a function of numbers by its name under `T`.
    fn function(&mut self, name: &str, values: &[ExprId], range: TextRange) -> Option<Value> {
        if let (Some(op), &[a, b]) = (row(BINARY, name), values) {
            let (a, b) = (self.number(a), self.number(b));
            return Some(a.zip(b).map(|(a, b)| self.binary(op, a, b, range)).into());
        }
        if let (Some(op), &[a, b]) = (row(COMPARE, name), values) {
            let (a, b) = (self.number(a), self.number(b));
            let compared = a.zip(b).map(|(a, b)| self.compare(op, a, b, range));
            let hole = || Number::strong(tir::Expr::hole(DType::BOOL, range));
            return Some(Value::Number(compared.unwrap_or_else(hole)));
        }
        if let (Some(function), [value, rest @ ..]) = (Unary::parse(name), values) {
            let value = self.typed(*value);
            for &more in rest {
                self.silent(|it| it.value(more));
            }
            return Some(value.map(|it| self.unary(function, it, range)).into());
        }
        if let (Some(function), &[a, b]) = (Math::parse(name), values) {
            let (a, b) = (self.number(a), self.number(b));
            return Some(
                a.zip(b)
                    .map(|(a, b)| self.math(function, a, b, range))
                    .into(),
            );
        }
        None
    }

    /// Reads `T.int64(4)` or `T.float32("inf")`. Without a value it is a dtype or a variable.
    fn constructed(&mut self, dtype: DType, values: &[ExprId], range: TextRange) -> Value {
        if let (true, [_, second, ..]) = (dtype != DType::HANDLE, values) {
            let message = format!("`T.{dtype}` takes one number");
            self.report(
                diagnostics::Code::ArgumentCount,
                self.range(*second),
                message,
            );
        }
        let &[value, ..] = values else {
            return match dtype {
                DType::HANDLE => Value::Number(self.hole(dtype, range, "a handle is not a number")),
                dtype => Value::NewVar(dtype),
            };
        };
        match self.value(value) {
            Value::Python(PyValue::Str(text)) => match text.parse::<f64>() {
                Ok(value) if dtype.is_float() => Value::Number(Number::strong(tir::Expr {
                    dtype,
                    kind: ExprKind::Float(value),
                    range,
                })),
                _ => {
                    self.not_a_number(range);
                    Value::Number(Number::strong(tir::Expr::hole(dtype, range)))
                }
            },
            value_is => {
                let number = self.number_of(value_is, self.range(value));
                Value::Number(Number::strong(match number {
                    Some(number) => self.of_dtype(number, dtype),
                    None => tir::Expr::hole(dtype, range),
                }))
            }
        }
    }

    /// Returns a special number of a dtype (such as its maximum) by its name under `T`.
    pub fn extreme(&mut self, what: &str, dtype: DType, range: TextRange) -> Number {
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
            _ => return self.hole(dtype, range, format!("{dtype} has no such value here")),
        };
        Number::strong(tir::Expr { dtype, kind, range })
    }
}
