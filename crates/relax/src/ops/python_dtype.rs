//! Operands whose dtype only Python knows: inference rules see tensors without a dtype, and if the result has no
//! dtype, only Python knows it.

use std::sync::Arc;

use super::{Call, Infer, OpErrorKind, Stop, sharding};
use crate::dtype::DType;
use crate::sinfo::{DTensor, StructInfo, Tensor};
use crate::value::Value;

/// Infers the result of a call.
pub fn infer(call: &Call<'_>) -> Infer {
    if !call.args.iter().flatten().any(is_python) {
        return sharding::infer(call);
    }
    let forget = |dtype: Option<DType>| dtype.filter(|dtype| !dtype.is_python());
    let args: Vec<Option<Value>> = call
        .args
        .iter()
        .map(|arg| arg.as_ref().map(|value| map_value(value, &forget)))
        .collect();
    let plain = Call {
        args: &args,
        ..*call
    };
    match sharding::infer(&plain) {
        Ok(result) => Ok(map(&result, &|dtype| dtype.or(Some(DType::PYTHON)))),
        // With the actual dtype, there may be no error.
        Err(Stop::Error(error)) if error.kind == OpErrorKind::DType => Err(Stop::Unknown),
        Err(stop) => Err(stop),
    }
}

/// Returns `true` if an operand contains such a tensor.
fn is_python(value: &Value) -> bool {
    match value {
        Value::Expr(sinfo) => has_python(sinfo),
        Value::List(items) => items.iter().any(is_python),
        _ => false,
    }
}

fn has_python(sinfo: &StructInfo) -> bool {
    match sinfo {
        StructInfo::Tensor(_) | StructInfo::DTensor(_) => sinfo
            .as_tensor()
            .and_then(|tensor| tensor.dtype)
            .is_some_and(DType::is_python),
        StructInfo::Tuple(fields) => fields.iter().any(has_python),
        _ => false,
    }
}

type DTypeOf<'a> = &'a dyn Fn(Option<DType>) -> Option<DType>;

fn map_value(value: &Value, to: DTypeOf<'_>) -> Value {
    match value {
        Value::Expr(sinfo) => Value::Expr(map(sinfo, to)),
        Value::List(items) => Value::List(items.iter().map(|item| map_value(item, to)).collect()),
        other => other.clone(),
    }
}

fn map(sinfo: &StructInfo, to: DTypeOf<'_>) -> StructInfo {
    let tensor = |tensor: &Tensor| Tensor {
        dtype: to(tensor.dtype),
        ..tensor.clone()
    };
    match sinfo {
        StructInfo::Tensor(it) => StructInfo::Tensor(tensor(it)),
        StructInfo::DTensor(it) => StructInfo::DTensor(Arc::new(DTensor {
            tensor: tensor(&it.tensor),
            ..DTensor::clone(it)
        })),
        StructInfo::Tuple(fields) => {
            StructInfo::Tuple(fields.iter().map(|field| map(field, to)).collect())
        }
        other => other.clone(),
    }
}
