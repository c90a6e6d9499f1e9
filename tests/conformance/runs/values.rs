//! Converts recorded arguments to values, and compares values with recorded ones.

use relax::dtype::DType;
use serde_json::Value as Json;
use vm::random::formula;
use vm::tensor::{Kind, Scalar, Tensor};
use vm::value::{Prim, Value};

/// Returns an argument. Its tensors and scalars are generated from the number of the leaf.
pub(super) fn argument(arg: &Json, leaf: &mut usize) -> Option<Value> {
    let k = *leaf;
    Some(match arg[0].as_str()? {
        "tensor" => {
            *leaf += 1;
            let shape: Option<Vec<usize>> = arg[1]
                .as_array()?
                .iter()
                .map(|d| d.as_u64().map(|d| d as usize))
                .collect();
            let kind = Kind::of(DType::parse(arg[2].as_str()?)?).ok()?;
            formula(k, kind, &shape?, 8.0).ok()?.into()
        }
        "shape" => {
            *leaf += 1;
            let dims: Option<Vec<i64>> = arg[1].as_array()?.iter().map(Json::as_i64).collect();
            dims?.into()
        }
        "prim" => {
            *leaf += 1;
            match &arg[1] {
                Json::Bool(value) => Value::bool(*value),
                Json::Number(value) if value.is_i64() => Value::int(value.as_i64()?),
                value => Value::Prim(Prim {
                    dtype: DType::F32,
                    value: Scalar::Float(value.as_f64()?),
                }),
            }
        }
        "tuple" => {
            let fields: Option<Vec<Value>> = arg[1]
                .as_array()?
                .iter()
                .map(|field| argument(field, leaf))
                .collect();
            Value::tuple(fields?)
        }
        _ => return None,
    })
}

/// Returns the difference between a value and a recorded one.
pub(in crate::conformance) fn difference(value: &Value, wanted: &Json) -> Option<String> {
    if wanted.get("undetermined").is_some()
        || wanted.get("other").is_some()
        || wanted.get("none").is_some()
    {
        return None;
    }
    if let Some(fields) = wanted["tuple"].as_array() {
        let Value::Tuple(got) = value else {
            return Some(value.describe());
        };
        if got.len() != fields.len() {
            return Some(value.describe());
        }
        return got
            .iter()
            .zip(fields)
            .find_map(|(got, wanted)| difference(got, wanted));
    }
    if let Some(dims) = wanted["shape_value"].as_array() {
        let Value::Shape(got) = value else {
            return Some(value.describe());
        };
        let same = got
            .iter()
            .map(|d| Some(*d))
            .eq(dims.iter().map(Json::as_i64));
        return (!same).then(|| value.describe());
    }
    if let Some(wanted) = wanted.get("prim") {
        let got = value.as_scalar().map(Scalar::as_f64);
        let wanted = wanted.as_f64().or(wanted.as_bool().map(f64::from));
        return (got != wanted).then(|| value.describe());
    }
    if let Some(wanted) = wanted["str"].as_str() {
        let got = match value {
            Value::Str(text) => text.to_string(),
            Value::DType(dtype) => dtype.to_string(),
            other => other.describe(),
        };
        return (got != wanted).then_some(got);
    }
    let Value::Tensor(tensor) = value else {
        return Some(value.describe());
    };
    tensor_difference(tensor, wanted)
}

fn tensor_difference(tensor: &Tensor, wanted: &Json) -> Option<String> {
    let shape: Vec<u64> = tensor.shape().iter().map(|&d| d as u64).collect();
    if wanted["shape"] != serde_json::json!(shape) || wanted["dtype"] != tensor.dtype().to_string()
    {
        return Some(format!(
            "{} where TVM has {} {}",
            Value::Tensor(tensor.clone()).describe(),
            wanted["shape"],
            wanted["dtype"]
        ));
    }
    let abs = wanted["abs"].as_f64()?;
    let summary = tensor.summary(8).ok()?;
    let tolerance = if tensor.kind().bytes() == 2 && tensor.kind().is_float() {
        1e-2
    } else {
        1e-4
    };
    let largest = ["min", "max"]
        .iter()
        .filter_map(|k| wanted[*k].as_f64())
        .fold(0.0, |a: f64, b| a.max(b.abs()));
    let near = |got: f64, wanted: Option<f64>, scale: f64| {
        wanted.is_none_or(|wanted| {
            (got - wanted).abs() <= tolerance * wanted.abs().max(scale).max(1e-6)
        })
    };
    if !near(summary.abs_sum, Some(abs), 0.0) || !near(summary.sum, wanted["sum"].as_f64(), abs) {
        return Some(format!(
            "sums {} {} where TVM has {} {}",
            summary.sum, summary.abs_sum, wanted["sum"], abs
        ));
    }
    for (k, got) in summary.first.iter().enumerate() {
        if !near(got.as_f64(), wanted["head"][k].as_f64(), largest) {
            return Some(format!(
                "element {k} is {got} where TVM has {}",
                wanted["head"][k]
            ));
        }
    }
    None
}
