//! Formats values for a client: one line, and fields to expand.

use std::fmt::Write;

use vm::tensor::Tensor;
use vm::value::Value;

/// The maximum number of elements of a tensor that can be expanded.
const ELEMENTS: usize = 256;

/// The number of elements in the line of a tensor.
const FIRST: usize = 4;

pub(super) fn text(value: &Value) -> String {
    let Value::Tensor(tensor) = value else {
        return value.describe();
    };
    let Ok(summary) = tensor.summary(FIRST) else {
        return value.describe();
    };
    let first: Vec<String> = summary.first.iter().map(ToString::to_string).collect();
    let more = if tensor.len() > FIRST { ", ..." } else { "" };
    let mut text = format!("{} [{}{more}]", value.describe(), first.join(", "));
    if let (Some(min), Some(max)) = (summary.min, summary.max) {
        let _ = write!(text, " min {min} max {max} mean {}", summary.mean);
    }
    for (count, what) in [(summary.nan, "NaN"), (summary.inf, "infinite")] {
        if count > 0 {
            let _ = write!(text, " {count} {what}");
        }
    }
    text
}

pub(super) fn is_open(value: &Value) -> bool {
    match value {
        Value::Tuple(fields) => !fields.is_empty(),
        Value::Tensor(tensor) => tensor.ndim() > 0 && !tensor.is_empty(),
        _ => false,
    }
}

/// Returns the fields of a tuple, or the elements of a tensor.
pub(super) fn fields(value: &Value) -> Vec<(String, Value)> {
    match value {
        Value::Tuple(fields) => {
            let fields = fields.iter().enumerate();
            fields
                .map(|(at, field)| (at.to_string(), field.clone()))
                .collect()
        }
        Value::Tensor(tensor) => (0..tensor.len().min(ELEMENTS))
            .filter_map(|at| {
                let value = vm::value::Prim {
                    dtype: tensor.dtype(),
                    value: tensor.get(at)?,
                };
                Some((index(tensor, at), Value::Prim(value)))
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Formats an index: `[0, 3]` for the fourth element.
fn index(tensor: &Tensor, mut at: usize) -> String {
    let mut parts = Vec::new();
    for &extent in tensor.shape().iter().rev() {
        parts.push((at % extent).to_string());
        at /= extent;
    }
    parts.reverse();
    format!("[{}]", parts.join(", "))
}

/// Describes the numbers of a value that are not finite.
pub(super) fn not_finite(value: &Value) -> Option<String> {
    match value {
        Value::Tensor(tensor) if tensor.dtype().is_float() => {
            let summary = tensor.summary(0).ok()?;
            match (summary.nan, summary.inf) {
                (0, 0) => None,
                (0, inf) => Some(format!("{inf} infinite numbers")),
                (nan, _) => Some(format!("{nan} NaN")),
            }
        }
        Value::Tuple(fields) => fields.iter().find_map(not_finite),
        _ => None,
    }
}
