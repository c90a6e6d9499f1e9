//! Attributes that TVMScript evaluates while it reads: `x.ty`, `x.struct_info.shape[0]`, `y.ty.dtype`.

use super::Infer;
use crate::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use crate::sym::SymExpr;
use crate::value::Value;

impl Infer<'_> {
    /// What `value.name` is, if it is plain.
    pub(super) fn value_attribute(value: &Value, name: &str) -> Value {
        match (value, name) {
            (Value::Annotation(sinfo), _) => annotation_attribute(sinfo, name),
            (Value::Expr(_) | Value::ShapeVar { .. } | Value::List(_), "struct_info" | "ty") => {
                match value.struct_info() {
                    Some(sinfo) if !sinfo.is_unknown() => Value::Annotation(sinfo),
                    _ => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }
}

fn annotation_attribute(sinfo: &StructInfo, name: &str) -> Value {
    match (sinfo, name) {
        (StructInfo::Tensor(tensor), "shape") => shape_of(tensor),
        (StructInfo::Tensor(tensor), "dtype") => tensor
            .dtype
            .map_or(Value::Unknown, |d| Value::Str(d.to_string().into())),
        (StructInfo::Tensor(tensor), "ndim") => rank(tensor.ndim()),
        (StructInfo::Shape(Shape::Known(values)), "values") => dims(values),
        (StructInfo::Shape(shape), "ndim") => rank(shape.ndim()),
        (StructInfo::Tuple(fields), "fields") => {
            Value::List(fields.iter().cloned().map(Value::Annotation).collect())
        }
        _ => Value::Unknown,
    }
}

fn shape_of(tensor: &Tensor) -> Value {
    match &tensor.shape {
        TensorShape::Known(values) => dims(values),
        TensorShape::Var {
            name,
            id,
            ndim,
            values,
        } => Value::ShapeVar {
            name: name.clone(),
            id: *id,
            shape: match values {
                Some(values) => Shape::Known(values.clone()),
                None => Shape::Unknown(*ndim),
            },
        },
        TensorShape::Unknown(_) => Value::None,
    }
}

fn dims(values: &[SymExpr]) -> Value {
    let value = |dim: &SymExpr| dim.as_int().map_or(Value::Sym(dim.clone()), Value::Int);
    Value::List(values.iter().map(value).collect())
}

fn rank(ndim: Option<usize>) -> Value {
    Value::Int(ndim.and_then(|n| i64::try_from(n).ok()).unwrap_or(-1))
}
