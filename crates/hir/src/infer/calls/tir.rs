//! Infers calls of `T` in a Relax function: dtypes, shape variables, scalars.

use relax::diagnostics::Code;
use relax::dtype::DType;
use relax::script::{self, Namespace, Role};
use relax::sinfo::{Prim, StructInfo};
use relax::sym::{SymExpr, SymVar};
use relax::value::Value;

use crate::body::{Arg, ExprId};
use crate::infer::annotations::dims::sym_function;
use crate::infer::{Infer, Local};

/// Functions of `T` whose second operand is a divisor.
const DIVISIONS: &[&str] = &[
    "Div", "FloorDiv", "FloorMod", "Mod", "ceildiv", "floordiv", "floormod", "indexdiv",
    "indexmod", "truncdiv", "truncmod",
];

/// Frames, which Python can hold as values in some releases.
const SCOPES: &[&str] = &[
    "Assert",
    "Else",
    "If",
    "Then",
    "While",
    "allocate",
    "allocate_const",
    "attr",
    "block",
    "decl_buffer",
    "init",
    "launch_thread",
    "realize",
    "sblock",
];

/// Casts a number: `T.Cast("int64", T.float32(40.0))`.
fn cast_of_number(values: &[Value]) -> Value {
    let dtype = values.iter().find_map(|it| match it {
        Value::Str(text) => DType::parse(text),
        _ => None,
    });
    let is_float = dtype.is_some_and(DType::is_float);
    let number = values.iter().find_map(|it| match *it {
        Value::Int(value) if is_float => Some(Value::Float(value as f64)),
        Value::Int(value) => Some(Value::Int(value)),
        Value::Float(value) if is_float => Some(Value::Float(value)),
        Value::Float(value) if value.is_finite() && dtype.is_some_and(DType::is_int) => {
            Some(Value::Int(value as i64))
        }
        _ => None,
    });
    number.unwrap_or_default()
}

impl Infer<'_> {
    /// Returns `true` if a name of `T` changes the PrimFunc that is being built, which does not exist here.
    fn is_of_prim_funcs(&self, name: &str) -> bool {
        let row = script::find(Namespace::Tir, name, self.cx.release);
        let does = |row: &script::Entry| {
            matches!(row.role, Role::Statement | Role::Axis | Role::Buffer)
                && !SCOPES.contains(&row.name)
        };
        row.is_some_and(does)
    }

    /// Infers `T.int64(4)`, `T.min(n, 4)`, `T.float32(0.5)`: numbers and shape expressions.
    pub(in crate::infer) fn tir_call(&mut self, expr: ExprId, name: &str, args: &[Arg]) -> Value {
        let values = self.values(args);
        if self.is_miscalled(expr, Namespace::Tir, name, args) {
            return Value::Unknown;
        }
        if let Some(dtype) = DType::of_constructor(name) {
            return match values.as_slice() {
                [Value::Int(value)] if dtype.is_float() => Value::Float(*value as f64),
                [value @ (Value::Int(_) | Value::Float(_) | Value::Bool(_))] => value.clone(),
                [Value::Str(text)] if dtype.is_float() => {
                    text.parse().map_or(Value::Unknown, Value::Float)
                }
                [value] => {
                    let operand = (args[0].value, value);
                    self.scalar_cast(operand, dtype).unwrap_or_default()
                }
                _ => Value::Unknown,
            };
        }
        if self.is_of_prim_funcs(name) {
            let range = self.callee_range(expr);
            self.report(
                Code::UnsupportedStatement,
                range,
                format!("`T.{name}` belongs in a PrimFunc, not in a Relax function"),
            );
            return Value::Unknown;
        }
        if let ("Var" | "SizeVar", Some(Value::Str(name))) = (name, values.first()) {
            let var = self.own_sym(name);
            self.bind_local(name.clone(), Local::Sym(var.id));
            return Value::Sym(SymExpr::var(var));
        }
        let name = name
            .strip_prefix("tir.")
            .or_else(|| name.strip_prefix("tirx."))
            .unwrap_or(name);
        if let ("index_map", Some(map @ Value::IndexMap(_))) = (name, values.first()) {
            return map.clone();
        }
        if let ("meta_var", Some(value)) = (name, values.first()) {
            return value.clone();
        }
        if let Some(arity) = crate::infer::annotations::dims::arity(name)
            && !args.iter().any(|a| a.starred || a.keyword.is_some())
            && args.len() != arity
        {
            let range = self.callee_range(expr);
            let message = format!(
                "`T.{name}` takes {arity} arguments, but {} are given",
                args.len()
            );
            self.report(Code::ArgumentCount, range, message);
            return Value::Unknown;
        }
        if let ([number, _], [_, divisor]) = (values.as_slice(), args)
            && DIVISIONS.contains(&name)
            && self.divides_by_zero(number, divisor.value)
        {
            return Value::Unknown;
        }
        match self.scalar_function(name, args, &values) {
            // It may be a dimension, whose value only the program computes.
            Some(Value::Expr(StructInfo::Prim(Prim {
                dtype: Some(DType::I64),
                value: None,
            }))) => {
                let name = self.base.name_of_unknown(expr);
                return Value::Sym(SymExpr::var(SymVar::python(name)));
            }
            Some(scalar) => return scalar,
            None => {}
        }
        if name == "Cast" || name == "cast" {
            return cast_of_number(&values);
        }
        let syms: Option<Vec<SymExpr>> = values.iter().map(Value::sym).collect();
        syms.and_then(|syms| sym_function(name, &syms))
            .map_or(Value::Unknown, Value::Sym)
    }
}
