//! `R.print` and `R.assert_op`, with Python's format strings, also as the packed functions to which TVM lowers them.

use super::check::raised;
use super::{Builtin, nothing};
use crate::error::RunResult;
use crate::interp::{Call, Outcome};
use crate::tensor::Tensor;
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "relax.print", run: print },
    Builtin { name: "relax.assert_op", run: assert_op },
    Builtin { name: "relax.run.print", run: packed_print },
    Builtin { name: "relax.run.assert_op", run: packed_assert },
];

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Tuple(fields) => fields.to_vec(),
        Value::Null => Vec::new(),
        other => vec![other],
    }
}

fn format_text(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<String> {
    Ok(match call.value(at)? {
        Value::Str(text) => text.to_string(),
        _ => String::new(),
    })
}

fn print(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let values = list(call.value(0)?);
    let format = format_text(call, 1)?;
    print_values(call, &format, &values)
}

/// Arguments `(format, *values)`.
fn packed_print(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let format = format_text(call, 0)?;
    let values = call.values(1)?;
    print_values(call, &format, &values)
}

fn print_values(call: &mut Call<'_, '_, '_>, format: &str, values: &[Value]) -> RunResult<Outcome> {
    let text = if format.is_empty() {
        let shown: Vec<String> = values.iter().map(show).collect();
        shown.join(" ")
    } else {
        fill(format, values)
    };
    call.print(&text);
    nothing()
}

fn assert_op(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let condition = call.value(0)?;
    let values = list(call.value(1)?);
    let format = format_text(call, 2)?;
    assert_value(&condition, &format, &values)
}

/// Arguments `(condition, format, *values)`.
fn packed_assert(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let condition = call.value(0)?;
    let format = format_text(call, 1)?;
    let values = call.values(2)?;
    assert_value(&condition, &format, &values)
}

fn assert_value(condition: &Value, format: &str, values: &[Value]) -> RunResult<Outcome> {
    let holds = condition.as_scalar().map(crate::tensor::Scalar::is_true);
    if holds == Some(true) {
        return nothing();
    }
    if holds.is_none() {
        return Err(raised(format!(
            "{} cannot be a condition",
            condition.describe()
        )));
    }
    let message = if format.is_empty() && values.is_empty() {
        "Assertion Failed".to_owned()
    } else if format.is_empty() {
        let shown: Vec<String> = values.iter().map(show).collect();
        format!("Assertion Failed: {}", shown.join(", "))
    } else {
        fill(format, values)
    };
    Err(raised(message))
}

/// Replaces each `{}` with the next value, as `str.format` does. `{{` and `}}` are literal braces.
fn fill(format: &str, values: &[Value]) -> String {
    let mut text = String::with_capacity(format.len());
    let mut next = 0;
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' if chars.peek() == Some(&'{') => {
                chars.next();
                text.push('{');
            }
            '}' if chars.peek() == Some(&'}') => {
                chars.next();
                text.push('}');
            }
            '{' => {
                let inside: String = chars.by_ref().take_while(|&c| c != '}').collect();
                let at = inside
                    .split(':')
                    .next()
                    .and_then(|n| n.parse().ok())
                    .unwrap_or(next);
                next += 1;
                match values.get(at) {
                    Some(value) => text.push_str(&show(value)),
                    None => {
                        text.push('{');
                        text.push_str(&inside);
                        text.push('}');
                    }
                }
            }
            c => text.push(c),
        }
    }
    text
}

/// Formats a value: the numbers of small tensors, and a short form of anything else.
fn show(value: &Value) -> String {
    match value {
        Value::Tensor(tensor) if tensor.len() <= 64 => elements(tensor),
        Value::Str(text) => text.to_string(),
        Value::Prim(prim) => prim.value.to_string(),
        other => other.describe(),
    }
}

fn elements(tensor: &Tensor) -> String {
    fn nested(tensor: &Tensor, shape: &[usize], start: usize, text: &mut String) {
        let Some((&extent, rest)) = shape.split_first() else {
            if let Some(value) = tensor.get(start) {
                text.push_str(&value.to_string());
            }
            return;
        };
        let step: usize = rest.iter().product();
        text.push('[');
        for k in 0..extent {
            if k > 0 {
                text.push_str(", ");
            }
            nested(tensor, rest, start + k * step, text);
        }
        text.push(']');
    }
    let mut text = String::new();
    nested(tensor, tensor.shape(), 0, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_string_takes_values_in_order_and_by_number() {
        let values = [Value::int(3), Value::from("b")];
        assert_eq!(fill("x: {}, {{}} {}, {0}", &values), "x: 3, {} b, 3");
        assert_eq!(fill("{} {} {}", &values), "3 b {}");
    }

    #[test]
    fn a_small_tensor_is_printed_with_its_elements() {
        let tensor = Tensor::from_vec(&[2, 2], vec![1i64, 2, 3, 4]).unwrap();
        assert_eq!(show(&tensor.into()), "[[1, 2], [3, 4]]");
    }
}
