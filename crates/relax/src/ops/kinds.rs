//! Arguments that cannot be what their parameter takes: a list where a number is asked, a float for a truth value.
//!
//! Rules report what they look at themselves. Here is the rest, as TVM refuses it when it makes the call.

use super::{At, Call, Default, Infer, Kind, OpErrorKind, Param, Stop, python_dtype};
use crate::sinfo::StructInfo;
use crate::value::Value;

/// What a call yields.
pub fn infer(call: &Call<'_>) -> Infer {
    match python_dtype::infer(call) {
        Err(Stop::Error(error)) => Err(Stop::Error(error)),
        result => check(call).and(result),
    }
}

/// Parameters that take `None` besides: it stands for their default.
const OR_NONE: &[(&str, &str)] = &[
    ("concat", "axis"),
    ("cumprod", "exclusive"),
    ("cumsum", "exclusive"),
];

fn check(c: &Call<'_>) -> Result<(), Stop> {
    for (i, (param, value)) in c.op.params.iter().zip(c.args).enumerate() {
        let Some(value) = value else { continue };
        let or_none = OR_NONE.contains(&(c.op.script(), param.name));
        // What inspects a tensor computes with its axis.
        let at_run = c.op.script().starts_with("inspect.") && is_variable(value);
        if at_run || or_none && matches!(value, Value::None) {
            continue;
        }
        if let Some(wanted) = refused(param, value) {
            return Err(c.wrong_kind(i, wanted));
        }
    }
    Ok(())
}

/// What the parameter takes, if the value is certainly something else.
fn refused(param: &Param, value: &Value) -> Option<&'static str> {
    if param.star || value.is_unknown() {
        return None;
    }
    if matches!(value, Value::None) && matches!(param.default, Default::None) {
        return None;
    }
    let wanted = match param.kind {
        Kind::Tensor if is_text(value) || is_many(value) => "a Tensor",
        // An axis is an attribute, which has its value before anything runs.
        Kind::Int if param.name.contains("axis") && is_variable(value) => "an integer constant",
        Kind::Int if is_text(value) || is_many(value) || is_float(value) => "an integer",
        Kind::Ints if is_text(value) || is_float(value) => "integers",
        Kind::Float if is_text(value) || is_many(value) => "a number",
        Kind::Bool if is_text(value) || is_many(value) || is_float(value) => "True or False",
        Kind::Str if is_number(value) || is_many(value) => "a string",
        Kind::DType if is_number(value) || is_many(value) => "a dtype",
        Kind::Int | Kind::Ints | Kind::Float | Kind::Bool | Kind::Str if is_relax(value) => {
            match param.kind {
                Kind::Int => "an integer",
                Kind::Ints => "integers",
                Kind::Float => "a number",
                Kind::Bool => "True or False",
                _ => "a string",
            }
        }
        _ => return None,
    };
    Some(wanted)
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Float(_) | Value::Bool(_))
}

fn is_float(value: &Value) -> bool {
    matches!(value, Value::Float(_))
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Str(_) | Value::None)
}

fn is_variable(value: &Value) -> bool {
    match value {
        Value::Sym(expr) => expr.as_int().is_none(),
        value => matches!(value, Value::Expr(StructInfo::Prim(_))),
    }
}

fn is_many(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Dict(_))
}

/// A value that only a run has, of a kind that stands for no constant.
fn is_relax(value: &Value) -> bool {
    matches!(
        value,
        Value::Expr(StructInfo::Tensor(_) | StructInfo::Tuple(_) | StructInfo::Callable(_))
    )
}

impl Call<'_> {
    /// Operand `i` is a list, where TVM makes none of a single integer.
    pub(super) fn listed(&self, i: usize) -> Result<(), Stop> {
        match self.value(i) {
            Value::Int(_) | Value::Bool(_) | Value::None => {
                let message = format!("`{}` must be a list of integers", self.name(i));
                Err(self.error(OpErrorKind::Type, At::param(i), message))
            }
            _ => Ok(()),
        }
    }
}
