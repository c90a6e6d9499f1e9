//! Checks of parameters, casts and results: `vm.builtin.check_*`.

use super::{Builtin, nothing};
use crate::error::{Fault, RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::tensor::Scalar;
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.check_tensor_info", run: tensor },
    Builtin { name: "vm.builtin.check_shape_info", run: shape },
    Builtin { name: "vm.builtin.check_prim_value_info", run: prim },
    Builtin { name: "vm.builtin.check_tuple_info", run: tuple },
    Builtin { name: "vm.builtin.check_func_info", run: func },
    Builtin { name: "vm.builtin.check_same_shape", run: same_shape },
];

/// Returns the subject of a check: our own words, or the parameter that TVM's `ErrorContext(...)` names.
pub(super) fn subject(context: &str) -> String {
    let Some(rest) = context.strip_prefix("ErrorContext(") else {
        return context.to_owned();
    };
    let field = |key: &str| {
        let from = rest.find(key)? + key.len();
        let text = &rest[from..];
        Some(&text[..text.find([',', ')']).unwrap_or(text.len())])
    };
    match (field("param="), field("loc=")) {
        (Some(param), _) => format!("parameter `{param}`"),
        (None, Some("return")) => "the returned value".to_owned(),
        (None, Some(loc)) => loc.to_owned(),
        (None, None) => "the value".to_owned(),
    }
}

pub(super) fn raised(message: String) -> RunError {
    Fault::Raised(message).into()
}

/// Returns the text of a check's last argument.
pub(super) fn context(call: &mut Call<'_, '_, '_>) -> String {
    let last = call.len().saturating_sub(1);
    match call.peek(last) {
        Ok(Value::Str(text)) => subject(&text),
        _ => "the value".to_owned(),
    }
}

fn tensor(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let value = call.peek(0)?;
    let ndim = call.int(1)?;
    let dtype = call.dtype(2)?;
    let Value::Tensor(tensor) = &value else {
        return Err(raised(format!(
            "{} must be a tensor, but is {}",
            context(call),
            value.describe()
        )));
    };
    if ndim >= 0 && tensor.ndim() as i64 != ndim {
        return Err(raised(format!(
            "{} has {} dimensions, but its annotation says {ndim}: it is {}",
            context(call),
            tensor.ndim(),
            value.describe()
        )));
    }
    if let Some(dtype) = dtype
        && tensor.dtype() != dtype
    {
        return Err(raised(format!(
            "{} has dtype {}, but its annotation says {dtype}",
            context(call),
            tensor.dtype()
        )));
    }
    nothing()
}

fn shape(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let value = call.peek(0)?;
    let ndim = call.int(1)?;
    let Value::Shape(dims) = &value else {
        return Err(raised(format!(
            "{} must be a shape, but is {}",
            context(call),
            value.describe()
        )));
    };
    if ndim >= 0 && dims.len() as i64 != ndim {
        return Err(raised(format!(
            "{} has {} dimensions, but its annotation says {ndim}",
            context(call),
            dims.len()
        )));
    }
    nothing()
}

fn prim(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let value = call.peek(0)?;
    let dtype = call.dtype(1)?;
    let Value::Prim(prim) = &value else {
        return Err(raised(format!(
            "{} must be a scalar, but is {}",
            context(call),
            value.describe()
        )));
    };
    // Scalars of the same kind convert, as in TVM's calling convention.
    let fits = match (dtype, prim.value) {
        (None, _) => true,
        (Some(dtype), Scalar::Float(_)) => dtype.is_float(),
        (Some(dtype), Scalar::Bool(_)) => dtype.is_bool() || dtype.is_int(),
        (Some(dtype), Scalar::Int(_) | Scalar::UInt(_)) => !dtype.is_float(),
    };
    if fits {
        return nothing();
    }
    Err(raised(format!(
        "{} is {}, but its annotation says {}",
        context(call),
        prim.dtype,
        dtype.map(|d| d.to_string()).unwrap_or_default()
    )))
}

fn tuple(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let value = call.peek(0)?;
    let count = call.int(1)?;
    let Value::Tuple(fields) = &value else {
        return Err(raised(format!(
            "{} must be a tuple, but is {}",
            context(call),
            value.describe()
        )));
    };
    if fields.len() as i64 != count {
        return Err(raised(format!(
            "{} has {} fields, but its annotation says {count}",
            context(call),
            fields.len()
        )));
    }
    nothing()
}

fn func(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let value = call.peek(0)?;
    match value {
        Value::Function(_) | Value::Closure(_) | Value::Packed(_) => nothing(),
        other => Err(raised(format!(
            "{} must be a function, but is {}",
            context(call),
            other.describe()
        ))),
    }
}

fn same_shape(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let got = call.dims(0)?;
    let wanted = call.dims(1)?;
    if got == wanted {
        return nothing();
    }
    Err(raised(format!(
        "{} has shape {got:?}, but its annotation says {wanted:?}",
        context(call)
    )))
}
