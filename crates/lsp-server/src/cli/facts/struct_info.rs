//! StructInfo as `facts` prints it; the names of kinds and fields are a promise.

use hir::dtype::DType;
use hir::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use hir::sym::SymExpr;
use serde_json::{Value, json};

pub fn to_json(sinfo: &StructInfo) -> Value {
    match sinfo {
        StructInfo::Unknown => json!({"kind": "Unknown"}),
        StructInfo::Object => json!({"kind": "Object"}),
        StructInfo::String => json!({"kind": "String"}),
        StructInfo::Prim(prim) => {
            let mut json = json!({"kind": "Prim", "dtype": dtype(prim.dtype)});
            if let Some(value) = &prim.value {
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
            json!({"kind": "Tuple", "fields": fields.iter().map(to_json).collect::<Vec<_>>()})
        }
        StructInfo::Callable(callable) => {
            let params = callable.params.as_ref();
            json!({
                "kind": "Callable",
                "params": params.map(|params| params.iter().map(to_json).collect::<Vec<_>>()),
                "ret": to_json(&callable.ret),
                "pure": callable.pure,
            })
        }
    }
}

fn shape(tensor: &Tensor) -> Value {
    match &tensor.shape {
        TensorShape::Known(known) => json!(dims(known)),
        TensorShape::Var { name, .. } => json!(name.as_str()),
        TensorShape::Unknown(_) => Value::Null,
    }
}

fn dims(dims: &[SymExpr]) -> Vec<String> {
    dims.iter().map(ToString::to_string).collect()
}

fn ndim(rank: Option<usize>) -> i64 {
    rank.map_or(-1, |rank| rank as i64)
}

fn dtype(dtype: Option<DType>) -> String {
    dtype.map_or_else(String::new, |dtype| dtype.to_string())
}
