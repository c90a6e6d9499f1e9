//! Rejects arguments of the wrong kind: a list instead of a number, a float instead of a truth value.
//!
//! Inference rules check the arguments that they use. This covers the others, which TVM rejects when it creates the
//! call.

use super::{
    At, Call, Default, Infer, Kind, Numbers, OpErrorKind, Param, Stop, by_path, python_dtype,
};
use crate::dialect::Dialect;
use crate::release::Release;
use crate::sinfo::StructInfo;
use crate::value::Value;

/// Infers the result of a call.
pub fn infer(call: &Call<'_>) -> Infer {
    match python_dtype::infer(call) {
        Err(Stop::Error(error)) => Err(Stop::Error(error)),
        result => check(call).and(result),
    }
}

/// Parameters that also accept `None`, which stands for their default.
const OR_NONE: &[(&str, &str)] = &[
    ("argsort", "dtype"),
    ("concat", "axis"),
    ("cumprod", "exclusive"),
    ("cumsum", "exclusive"),
    ("meshgrid", "indexing"),
    ("stack", "axis"),
    ("topk", "dtype"),
];

/// Parameters whose default is an empty `R.tuple()`.
const OR_EMPTY: &[(&str, &str)] = &[
    ("memory.view", "dtype"),
    ("memory.view", "relative_byte_offset"),
    ("memory.view", "shape"),
];

/// Parameters that also accept an `R.prim_value`.
const OR_PRIM_VALUE: &[(&str, &str)] = &[
    ("memory.alloc_tensor", "offset"),
    ("nn.attention", "window_size"),
    ("nn.attention_bias", "window_size"),
    ("nn.attention_var_len", "window_size"),
    ("split", "indices_or_sections"),
    ("unique", "return_counts"),
    ("unique", "return_index"),
    ("unique", "return_inverse"),
    ("vm.alloc_tensor", "offset"),
];

/// Parameters of Relax expressions that accept a Python number in each dialect.
const OR_NUMBER: &[(&str, &str)] = &[
    ("assert_op", "condition"),
    ("clip", "max"),
    ("clip", "min"),
    ("nn.pad", "pad_value"),
];

/// Boolean parameters that do not accept an integer before 0.26.
const NO_INTEGER: &[(&str, &str)] = &[
    ("unique", "return_counts"),
    ("unique", "return_index"),
    ("unique", "return_inverse"),
    ("unique", "sorted"),
];

/// Parameters of Relax expressions that accept a Python list, which becomes a tuple.
const OR_LIST: &[(&str, &str)] = &[
    ("assert_op", "format_args"),
    ("make_closure", "args"),
    ("vm.call_tir_dyn", "args"),
    ("vm.call_tir_dyn", "func"),
];

/// Parameters that accept one float, or a list of numbers.
const FLOATS: &[(&str, &str)] = &[("image.resize2d", "roi"), ("image.resize3d", "roi")];

/// Parameters that accept a function of indices.
const OF_INDICES: &[(&str, &str)] = &[("layout_transform", "index_map")];

/// Parameters of integers that do not accept one integer.
const LISTS: &[(&str, &str)] = &[("permute_dims", "axes")];

/// Parameters of Relax expressions that must be tuples.
const TUPLES: &[(&str, &str)] = &[("vm.call_tir_dyn", "args")];

fn check(c: &Call<'_>) -> Result<(), Stop> {
    // Operators that inspect a tensor compute with its axis.
    let inspects = c.op.script().starts_with("inspect.");
    for (i, (param, value)) in c.op.params.iter().zip(c.args).enumerate() {
        let Some(value) = value else { continue };
        let is_of = |table: &[(&str, &str)]| table.contains(&(c.op.script(), param.name));
        let taken = match value {
            Value::None => is_of(OR_NONE),
            value if is_variable(value) => inspects || is_of(OR_NUMBER) && param.kind == Kind::Expr,
            Value::Expr(StructInfo::Prim(_)) => is_of(OR_PRIM_VALUE),
            Value::Expr(StructInfo::Tuple(fields)) if fields.is_empty() => is_of(OR_EMPTY),
            Value::List(_) => is_of(OR_LIST),
            Value::Int(_) | Value::Float(_) | Value::Bool(_) => is_of(OR_NUMBER),
            _ => false,
        };
        if taken {
            continue;
        }
        let is_old = c.release.dialect() == Dialect::StructInfo;
        if is_old && matches!(value, Value::Int(_)) && is_of(NO_INTEGER) {
            return Err(c.wrong_kind(i, "True or False"));
        }
        let special = if is_of(FLOATS) && !is_floats(value) {
            Some("a float or a list of floats")
        } else if is_of(OF_INDICES) && (is_constant(value) || is_held(value)) {
            Some("a function of indices")
        } else if is_of(LISTS) && is_number(value) {
            Some("a list of integers")
        } else if is_of(TUPLES) && is_scalar(value) {
            Some("a tuple")
        } else {
            None
        };
        if let Some(wanted) = special.or_else(|| refused(param, value, c.release)) {
            return Err(c.wrong_kind(i, wanted));
        }
    }
    Ok(())
}

/// Returns what the parameter takes if the value is definitely something else.
fn refused(param: &Param, value: &Value, release: Release) -> Option<&'static str> {
    if param.star || value.is_unknown() {
        return None;
    }
    if matches!(value, Value::None) && matches!(param.default, Default::None) {
        return None;
    }
    // Since 0.26, a number is a Relax expression.
    let number = is_number(value) || matches!(value, Value::Sym(_)) && is_variable(value);
    let no_number = number && release.dialect() == Dialect::StructInfo;
    let is_wrong = match param.kind {
        Kind::Tensor => is_text(value) || is_many(value) || no_number,
        Kind::Expr => matches!(value, Value::None) || is_many(value) || no_number,
        Kind::Function => matches!(value, Value::None) || is_many(value),
        Kind::Shape => matches!(value, Value::None),
        Kind::Int | Kind::Ints | Kind::Float | Kind::Bool if is_text(value) => true,
        Kind::Int | Kind::Float | Kind::Bool if is_many(value) => true,
        Kind::Int | Kind::Bool if is_float(value) => param.numbers == Numbers::Constants,
        Kind::Ints if is_float(value) => true,
        Kind::Str if is_number(value) || is_many(value) || matches!(value, Value::None) => true,
        Kind::DType if is_number(value) || is_many(value) || matches!(value, Value::None) => true,
        Kind::Int | Kind::Ints | Kind::Float | Kind::Bool | Kind::Str => {
            is_relax(value)
                || is_operator(value)
                || param.numbers == Numbers::Constants && is_at_run(value)
        }
        Kind::DType => is_relax(value) || is_at_run(value),
        _ => false,
    };
    is_wrong.then_some(match param.kind {
        Kind::Tensor => "a Tensor",
        Kind::Expr => "a Relax expression",
        Kind::Function => "a function",
        Kind::Shape => "a Shape",
        // Attributes must be known before run time.
        Kind::Int if is_at_run(value) => "an integer constant",
        Kind::Int => "an integer",
        Kind::Ints if is_at_run(value) => "integer constants",
        Kind::Ints => "integers",
        Kind::Float => "a number",
        Kind::Bool => "True or False",
        Kind::Str => "a string",
        _ => "a dtype",
    })
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Float(_) | Value::Bool(_))
}

/// Returns `true` unless the value is definitely neither a float nor a list of numbers.
fn is_floats(value: &Value) -> bool {
    match value {
        Value::List(items) => !items.iter().any(|it| is_at_run(it) || is_relax(it)),
        Value::Float(_) | Value::None => true,
        value => !is_constant(value) && !is_held(value),
    }
}

/// Returns `true` for a value that Python knows.
fn is_constant(value: &Value) -> bool {
    is_number(value) || is_text(value) || is_many(value)
}

/// Returns `true` for a Relax value, and for a number that is only known at run time.
fn is_held(value: &Value) -> bool {
    is_relax(value) || is_scalar(value)
}

fn is_scalar(value: &Value) -> bool {
    is_variable(value) || matches!(value, Value::Expr(StructInfo::Prim(_)))
}

fn is_float(value: &Value) -> bool {
    matches!(value, Value::Float(_))
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Str(_) | Value::None)
}

/// Returns `true` for a number whose value is unknown.
fn is_variable(value: &Value) -> bool {
    match value {
        Value::Sym(expr) => expr.as_int().is_none() && !expr.any_var(&|var| var.is_python()),
        Value::Expr(StructInfo::Prim(prim)) => {
            prim.value.as_ref().is_none_or(|it| it.as_int().is_none())
        }
        _ => false,
    }
}

/// Returns `true` for a number that is not a Python constant, or a list that contains one.
fn is_at_run(value: &Value) -> bool {
    match value {
        Value::Expr(StructInfo::Prim(_)) => true,
        Value::List(items) => items.iter().any(is_at_run),
        value => is_variable(value),
    }
}

fn is_many(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Dict(_))
}

/// Returns `true` for a value that is only known at run time and cannot be a constant.
fn is_relax(value: &Value) -> bool {
    match value {
        Value::Expr(sinfo) => matches!(
            sinfo,
            StructInfo::Tensor(_)
                | StructInfo::Tuple(_)
                | StructInfo::Callable(_)
                | StructInfo::Shape(_)
        ),
        value => matches!(value, Value::ShapeVar { .. }),
    }
}

/// Returns `true` for an operator that is not called: `R.abs`.
fn is_operator(value: &Value) -> bool {
    matches!(value, Value::Script(path) if by_path(path).is_some())
}

impl Call<'_> {
    /// Returns an error if operand `i` is a single integer that TVM does not convert to a list.
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

#[cfg(test)]
mod tests {
    use super::infer;
    use crate::notation;
    use crate::ops::{Call, by_script};
    use crate::release::Release;
    use crate::sym::SymCx;
    use crate::value::Value;

    fn expr(text: &str) -> Value {
        Value::Expr(notation::read(text).expect("StructInfo"))
    }

    /// Returns whether the operator accepts the value for its parameter, beside a tensor for the first.
    fn accepts(op: &str, data: &str, param: &str, value: Value) -> bool {
        let op = by_script(op, Release::NEWEST).expect("an operator");
        let mut args = vec![None; op.params.len()];
        args[0] = Some(expr(data));
        if let Some(size) = op.param("size") {
            args[size] = Some(Value::Int(8));
        }
        if let Some(width) = op.param("pad_width") {
            args[width] = Some(Value::list(vec![Value::Int(1), Value::Int(1)]));
        }
        args[op.param(param).expect("a parameter")] = Some(value);
        let call = Call {
            op,
            args: &args,
            cx: &SymCx::default(),
            release: Release::NEWEST,
            oldest: Release::NEWEST,
            vdevices: &[],
        };
        !matches!(infer(&call), Err(crate::ops::Stop::Error(_)))
    }

    #[test]
    fn a_part_of_an_image_is_of_floats() {
        let accepts = |value| {
            accepts(
                "image.resize2d",
                "Tensor((1, 3, 4, 4), float32)",
                "roi",
                value,
            )
        };
        assert!(accepts(Value::Float(0.5)));
        assert!(accepts(Value::list(vec![Value::Int(1), Value::Float(0.5)])));
        assert!(accepts(Value::Unknown));
        assert!(!accepts(Value::Int(1)));
        assert!(!accepts(Value::Str("word".into())));
        assert!(!accepts(expr("Prim(float32)")));
        assert!(!accepts(Value::list(vec![expr("Prim(int64, n)")])));
    }

    #[test]
    fn an_index_map_is_a_function() {
        let accepts = |value| {
            accepts(
                "layout_transform",
                "Tensor((4, 4), float32)",
                "index_map",
                value,
            )
        };
        assert!(accepts(Value::Unknown));
        for value in [
            Value::Int(1),
            Value::Str("word".into()),
            expr("Tensor()"),
            expr("Prim(int64)"),
        ] {
            assert!(!accepts(value));
        }
    }

    #[test]
    fn a_padding_is_a_constant_since_0_20() {
        let accepts = |value| accepts("nn.pad", "Tensor((4,), float32)", "pad_value", value);
        assert!(accepts(Value::Float(1.0)));
        assert!(!accepts(expr("Prim(float32)")));
    }
}
