//! StructInfo as `facts` prints it. The names of kinds and fields are a stable interface.

use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use relax::sym::SymExpr;
use serde_json::{Value, json};

/// Converts StructInfo to JSON. If only Python knows one dimension, all are left out, since the others would look like
/// shape variables. In the Type dialect, the type of a scalar has no value.
pub fn to_json(sinfo: &StructInfo, dialect: Dialect) -> Value {
    let list = |all: &[StructInfo]| -> Vec<Value> {
        all.iter().map(|one| to_json(one, dialect)).collect()
    };
    match sinfo {
        StructInfo::Unknown => json!({"kind": "Unknown"}),
        StructInfo::Object => json!({"kind": "Object"}),
        StructInfo::String => json!({"kind": "String"}),
        StructInfo::Prim(prim) => {
            let mut json = json!({"kind": "Prim", "dtype": dtype(prim.dtype)});
            if let (Some(value), true) = (&prim.value, dialect != Dialect::Type)
                && !is_python(value)
            {
                json["value"] = json!(value.to_string());
            }
            json
        }
        StructInfo::Shape(Shape::Known(values)) => {
            json!({"kind": "Shape", "values": dims(values), "ndim": values.len()})
        }
        StructInfo::Shape(Shape::Unknown(rank)) => {
            json!({"kind": "Shape", "values": null, "ndim": ndim(*rank)})
        }
        StructInfo::Tensor(tensor) => {
            let mut json = json!({
                "kind": "Tensor",
                "shape": shape(tensor),
                "ndim": ndim(tensor.ndim()),
                "dtype": dtype(tensor.dtype),
            });
            if let Some(vdevice) = &tensor.vdevice {
                json["vdevice"] = json!(format!(
                    "{}:{}:{}",
                    vdevice.target, vdevice.index, vdevice.scope
                ));
            }
            json
        }
        StructInfo::DTensor(dtensor) => {
            let placement: Vec<String> =
                dtensor.placement.iter().map(ToString::to_string).collect();
            json!({
                "kind": "DTensor",
                "shape": shape(&dtensor.tensor),
                "ndim": ndim(dtensor.tensor.ndim()),
                "dtype": dtype(dtensor.tensor.dtype),
                "mesh": dtensor.mesh.as_str(),
                "placement": placement,
            })
        }
        StructInfo::Tuple(fields) => {
            json!({"kind": "Tuple", "fields": list(fields)})
        }
        StructInfo::Callable(callable) => {
            let params = callable.params.as_ref();
            json!({
                "kind": "Callable",
                "params": params.map(|params| list(params)),
                "ret": to_json(&callable.ret, dialect),
                "pure": callable.pure,
            })
        }
    }
}

fn shape(tensor: &Tensor) -> Value {
    match &tensor.shape {
        TensorShape::Known(known) => dims(known),
        TensorShape::Var { name, .. } => json!(name.as_str()),
        TensorShape::Unknown(_) => Value::Null,
    }
}

fn dims(dims: &[SymExpr]) -> Value {
    if dims.iter().any(is_python) {
        return Value::Null;
    }
    dims.iter().map(ToString::to_string).collect()
}

/// Returns `true` if only Python knows a dimension.
fn is_python(dim: &SymExpr) -> bool {
    dim.any_var(&|var| var.is_python())
}

fn ndim(rank: Option<usize>) -> i64 {
    rank.map_or(-1, |rank| rank as i64)
}

fn dtype(dtype: Option<DType>) -> String {
    let known = dtype.filter(|dtype| !dtype.is_python());
    known.map_or_else(String::new, |dtype| dtype.to_string())
}

#[cfg(test)]
mod tests {
    use relax::sinfo::Prim;
    use relax::sym::SymVar;

    use super::*;

    fn variable(name: &str, id: u32) -> SymExpr {
        SymExpr::var(SymVar {
            name: name.into(),
            id,
        })
    }

    #[test]
    fn shapes_with_python_dimensions_are_left_out() {
        let dims = [variable("n", 0), SymExpr::var(SymVar::python("N".into()))];
        let tensor: StructInfo = Tensor::new(dims, Some(DType::F32)).into();
        let rest = json!({"kind": "Tensor", "shape": null, "ndim": 2, "dtype": "float32"});
        assert_eq!(to_json(&tensor, Dialect::Type), rest);
    }

    #[test]
    fn dtypes_computed_by_python_are_left_out() {
        let tensor: StructInfo = Tensor::new([SymExpr::int(4)], Some(DType::PYTHON)).into();
        let rest = json!({"kind": "Tensor", "shape": ["4"], "ndim": 1, "dtype": ""});
        assert_eq!(to_json(&tensor, Dialect::Type), rest);
    }

    #[test]
    fn a_scalar_has_a_value_until_the_type_dialect() {
        let scalar = StructInfo::Prim(Prim {
            dtype: Some(DType::I64),
            value: Some(variable("n", 0)),
        });
        let with = json!({"kind": "Prim", "dtype": "int64", "value": "n"});
        assert_eq!(to_json(&scalar, Dialect::StructInfo), with);
        let without = json!({"kind": "Prim", "dtype": "int64"});
        assert_eq!(to_json(&scalar, Dialect::Type), without);
    }
}
