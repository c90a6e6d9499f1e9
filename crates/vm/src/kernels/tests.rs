//! Compares every kernel with TVM's results in `test_data/kernels.json`, which the scripts next to it generate.

use std::fmt::Write;

use relax::dtype::DType;
use relax::ops::{Default, Kind as ParamKind, Param, opt};
use serde_json::Value as Json;

use super::{Arg, lookup};
use crate::random::formula;
use crate::tensor::{Kind, Scalar, Tensor};
use crate::value::{Prim, Value};

const CASES: &str = include_str!("../../test_data/kernels.json");

fn kind_of(json: &Json) -> Kind {
    Kind::of(DType::parse(json.as_str().unwrap()).unwrap()).unwrap()
}

fn shape_of(json: &Json) -> Vec<usize> {
    let dims = json.as_array().unwrap();
    dims.iter().map(|d| d.as_u64().unwrap() as usize).collect()
}

fn number(json: &Json) -> f64 {
    match json {
        Json::String(text) => text.parse().unwrap(),
        Json::Bool(value) => f64::from(u8::from(*value)),
        _ => json.as_f64().unwrap(),
    }
}

fn tensor(json: &Json) -> Tensor {
    let (kind, shape) = (kind_of(&json["d"]), shape_of(&json["t"]));
    let wide = if let Some(values) = json.get("v") {
        let values = values.as_array().unwrap().iter().map(number).collect();
        Tensor::from_vec::<f64>(&shape, values).unwrap()
    } else {
        let k = json["k"].as_u64().unwrap() as usize;
        let scale = |name: &str, default| json.get(name).map_or(default, number);
        let (mul, add) = (scale("mul", 1.0), scale("add", 0.0));
        let base = if kind.is_float() { Kind::F64 } else { kind };
        let base = formula(k, base, &shape, 8.0).unwrap();
        let base = base.cast(Kind::F64).unwrap();
        let values = base.values::<f64>().unwrap();
        Tensor::from_fn::<f64>(&shape, |i| values[i] * mul + add).unwrap()
    };
    // NumPy wraps integers that do not fit.
    let wide = if kind.is_float() {
        wide
    } else {
        wide.cast(Kind::I64).unwrap()
    };
    wide.cast(kind).unwrap()
}

fn arg(json: &Json) -> Arg {
    match json {
        Json::Null => Arg::None,
        Json::Bool(value) => Arg::Bool(*value),
        Json::Number(value) => match value.as_i64() {
            Some(value) => Arg::Int(value),
            None => Arg::Float(value.as_f64().unwrap()),
        },
        Json::String(text) => Arg::Str(text.as_str().into()),
        Json::Array(items) => Arg::List(items.iter().map(arg).collect()),
        Json::Object(fields) if fields.contains_key("tuple") => {
            let fields = json["tuple"].as_array().unwrap();
            let fields: Vec<Value> = fields.iter().map(|f| tensor(f).into()).collect();
            Arg::Value(Value::tuple(fields))
        }
        Json::Object(fields) if fields.contains_key("prim") => {
            let dtype = kind_of(&json["d"]).dtype();
            let value = Scalar::Float(number(&json["prim"])).cast(dtype).unwrap();
            Arg::Value(Value::Prim(Prim { dtype, value }))
        }
        Json::Object(_) => Arg::Value(tensor(json).into()),
    }
}

fn flatten(value: &Value, out: &mut Vec<Value>) {
    match value {
        Value::Tuple(fields) => fields.iter().for_each(|field| flatten(field, out)),
        Value::Shape(dims) => out.extend(dims.iter().map(|&dim| Value::int(dim))),
        other => out.push(other.clone()),
    }
}

fn compare(expected: &Json, got: &Value) -> Result<(), String> {
    if let Some(prim) = expected.get("prim") {
        let got = got.as_scalar().ok_or("no scalar")?.as_f64();
        return if got == number(prim) {
            Ok(())
        } else {
            Err(format!("{got} is not {prim}"))
        };
    }
    let got = got.as_tensor().ok_or_else(|| got.describe())?;
    let (shape, dtype) = (
        shape_of(&expected["shape"]),
        expected["dtype"].as_str().unwrap(),
    );
    if got.shape() != shape || got.dtype().to_string() != dtype {
        return Err(format!(
            "{:?} {} is not {shape:?} {dtype}",
            got.shape(),
            got.dtype()
        ));
    }
    let relative = if matches!(got.kind(), Kind::F16 | Kind::BF16) {
        1e-2
    } else {
        1e-4
    };
    let summary = got.summary(usize::MAX).unwrap();
    let scale = summary
        .max
        .unwrap_or(0.0)
        .abs()
        .max(summary.min.unwrap_or(0.0).abs());
    let close = |a: f64, b: f64, scale: f64| {
        a == b
            || (a.is_nan() && b.is_nan())
            || (a - b).abs() <= relative * b.abs() + 1e-2 * relative * scale
    };
    if let Some(values) = expected.get("values").or(expected.get("head")) {
        for (i, value) in values.as_array().unwrap().iter().enumerate() {
            let (want, have) = (number(value), summary.first[i].as_f64());
            if !close(have, want, scale) {
                return Err(format!("element {i}: {have} is not {want}"));
            }
        }
    }
    for (name, have) in [("sum", summary.sum), ("abs", summary.abs_sum)] {
        if let Some(want) = expected.get(name).map(number)
            && !close(have, want, summary.abs_sum)
        {
            return Err(format!("{name}: {have} is not {want}"));
        }
    }
    Ok(())
}

fn run(case: &Json) -> Result<(), String> {
    let op = case["op"].as_str().unwrap();
    let names: Vec<&'static str> = case["params"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| &*name.as_str().unwrap().to_string().leak())
        .collect();
    let params: Vec<Param> = names
        .iter()
        .map(|name| opt(name, ParamKind::Any, Default::None))
        .collect();
    let args: Vec<Arg> = case["args"].as_array().unwrap().iter().map(arg).collect();
    let kernel = lookup(op).ok_or("no kernel")?;
    let result = kernel
        .call(&params, &args, None)
        .map_err(|error| error.to_string())?;
    let mut leaves = Vec::new();
    flatten(&result, &mut leaves);
    let expected = case["out"].as_array().unwrap();
    if leaves.len() != expected.len() {
        return Err(format!("{} results, not {}", leaves.len(), expected.len()));
    }
    for (expected, got) in expected.iter().zip(&leaves) {
        compare(expected, got)?;
    }
    Ok(())
}

#[test]
fn kernels_compute_what_tvm_computed() {
    let cases: Vec<Json> = serde_json::from_str(CASES).unwrap();
    assert!(cases.len() > 300, "{} cases", cases.len());
    let mut failures = String::new();
    for case in &cases {
        if let Err(reason) = run(case) {
            let mut call = case.clone();
            call.as_object_mut().unwrap().remove("out");
            writeln!(failures, "{reason}\n    {call}").unwrap();
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn each_kernel_is_in_the_family_of_its_operator() {
    let mut elsewhere = Vec::new();
    for (family, kernels) in super::FAMILIES {
        for kernel in *kernels {
            let mut rows = relax::ops::families().iter();
            let row = rows.find(|(_, ops)| ops.iter().any(|op| op.name == kernel.name));
            let of_operator = row.map(|(family, _)| *family);
            if of_operator != Some(*family) {
                elsewhere.push(format!("{}: {family}, not {of_operator:?}", kernel.name));
            }
        }
    }
    assert!(elsewhere.is_empty(), "{elsewhere:#?}");
}
