//! Summarizes the values of a run.

use vm::bytecode::Function;
use vm::tensor::Scalar;
use vm::value::Value;

use super::outcome::{Number, Output, Summary};

/// The number of elements of a tensor that are shown.
const FIRST: usize = 8;

/// Returns the leaves of a value with their names: `out`, or `out.0`, `out.1.0` for tuples.
pub fn leaves(value: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    collect("out".to_owned(), value, &mut found);
    found
}

fn collect(name: String, value: &Value, found: &mut Vec<(String, Value)>) {
    if let Value::Tuple(fields) = value {
        for (i, field) in fields.iter().enumerate() {
            collect(format!("{name}.{i}"), field, found);
        }
    } else {
        found.push((name, value.clone()));
    }
}

/// Returns the leaves of a function's result. The results of a PrimFunc have the names of the parameters that it
/// writes.
pub fn leaves_of(function: &Function, value: &Value) -> Vec<(String, Value)> {
    let outputs = &function.outputs;
    let mut leaves = leaves(value);
    if outputs.len() == leaves.len() {
        for (leaf, name) in leaves.iter_mut().zip(outputs) {
            leaf.0 = name.to_string();
        }
    }
    leaves
}

pub fn output(name: &str, value: &Value) -> Output {
    Output {
        name: name.to_owned(),
        value: of(value),
    }
}

/// Returns the summary of a value.
pub fn of(value: &Value) -> Summary {
    within(value, 0)
}

/// The maximum nesting of constructor values, since readers of JSON limit it.
const DEEPEST: usize = 48;

fn within(value: &Value, depth: usize) -> Summary {
    if depth > DEEPEST {
        return Summary::Object {
            what: "...".to_owned(),
        };
    }
    let all = |values: &[Value]| values.iter().map(|it| within(it, depth + 1)).collect();
    match value {
        Value::Adt(adt) => Summary::Adt {
            constructor: adt.constructor.to_string(),
            fields: all(&adt.fields),
        },
        Value::Tuple(fields) => Summary::Tuple {
            fields: all(fields),
        },
        Value::Object(object) => match object.held() {
            Some(value) => Summary::Ref {
                value: Box::new(within(&value, depth + 1)),
            },
            None => Summary::Object {
                what: value.describe(),
            },
        },
        Value::Tensor(tensor) => match tensor.summary(FIRST) {
            Ok(summary) => Summary::Tensor {
                shape: tensor.shape().iter().map(|&extent| extent as u64).collect(),
                dtype: tensor.dtype().to_string(),
                min: summary.min,
                max: summary.max,
                mean: summary.min.map(|_| summary.mean),
                sum: summary.sum,
                abs_sum: summary.abs_sum,
                nan: summary.nan as u64,
                inf: summary.inf as u64,
                first: summary.first.into_iter().map(number).collect(),
            },
            Err(error) => Summary::Object {
                what: format!("{} ({error})", value.describe()),
            },
        },
        Value::Shape(values) => Summary::Shape {
            values: values.to_vec(),
        },
        Value::Prim(prim) => Summary::Prim {
            value: number(prim.value),
            dtype: prim.dtype.to_string(),
        },
        Value::Str(text) => Summary::String {
            value: text.to_string(),
        },
        other => Summary::Object {
            what: other.describe(),
        },
    }
}

pub fn number(scalar: Scalar) -> Number {
    match scalar {
        Scalar::Bool(value) => Number::Bool(value),
        Scalar::Int(value) => Number::Int(value),
        Scalar::UInt(value) => Number::Word(value.to_string()),
        Scalar::Float(value) => Number::from(value),
    }
}
