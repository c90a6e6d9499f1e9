//! Evaluates Python's builtin functions on plain values: `len`, `range`, `zip`. Anything doubtful is unknown.

use std::sync::Arc;

use super::PyValue;
use super::eval::type_var;

/// Evaluates a call of a builtin.
pub(super) fn builtin(name: &str, args: &[PyValue]) -> PyValue {
    let ints = || -> Option<Vec<i64>> {
        args.iter()
            .map(|arg| match arg {
                PyValue::Int(value) => Some(*value),
                _ => None,
            })
            .collect()
    };
    let items = |value: &PyValue| match value {
        PyValue::List(items) => Some(Arc::clone(items)),
        _ => None,
    };
    match (name, args) {
        ("len", [PyValue::List(items)]) => PyValue::Int(items.len() as i64),
        ("len", [PyValue::Dict(entries)]) => PyValue::Int(entries.len() as i64),
        ("int", [PyValue::Int(value)]) => PyValue::Int(*value),
        ("float", [PyValue::Int(value)]) => PyValue::Float(*value as f64),
        ("float", [PyValue::Float(value)]) => PyValue::Float(*value),
        ("abs", [PyValue::Int(value)]) => {
            value.checked_abs().map_or(PyValue::Unknown, PyValue::Int)
        }
        ("range", _) => {
            let (from, to, step) = match ints().as_deref() {
                Some([to]) => (0, *to, 1),
                Some([from, to]) => (*from, *to, 1),
                Some([from, to, step]) if *step > 0 => (*from, *to, *step),
                _ => return PyValue::Unknown,
            };
            match (to.checked_sub(from), usize::try_from(step)) {
                (Some(length), Ok(step)) if length <= 4096 => {
                    list((from..to).step_by(step).map(PyValue::Int))
                }
                _ => PyValue::Unknown,
            }
        }
        ("tuple" | "list", [PyValue::List(items)]) => PyValue::List(Arc::clone(items)),
        ("reversed", [PyValue::List(items)]) => list(items.iter().rev().cloned()),
        ("min" | "max" | "sum", [PyValue::List(items)]) if name == "sum" || !items.is_empty() => {
            fold(name, items)
        }
        ("min" | "max", [_, _, ..]) => fold(name, args),
        ("zip", _) => {
            let lists: Option<Vec<_>> = args.iter().map(items).collect();
            let Some(lists) = lists else {
                return PyValue::Unknown;
            };
            let length = lists.iter().map(|l| l.len()).min().unwrap_or(0);
            list((0..length).map(|k| list(lists.iter().map(|l| l[k].clone()))))
        }
        ("enumerate", [PyValue::List(items)]) => {
            let numbered = (0..).zip(items.iter());
            list(numbered.map(|(k, item)| PyValue::list([PyValue::Int(k), item.clone()])))
        }
        // Printed TVMScript of the Type dialect declares its variables, but has the import in a comment.
        ("TypeVar", _) => type_var(args, &[]),
        _ => PyValue::Unknown,
    }
}

fn list(items: impl Iterator<Item = PyValue>) -> PyValue {
    PyValue::list(items.collect::<Vec<_>>())
}

/// Evaluates `min`, `max`, `sum` of integers.
fn fold(name: &str, items: &[PyValue]) -> PyValue {
    let mut ints = Vec::with_capacity(items.len());
    for item in items {
        match item {
            PyValue::Int(value) => ints.push(*value),
            _ => return PyValue::Unknown,
        }
    }
    let value = match name {
        "min" => ints.into_iter().min(),
        "max" => ints.into_iter().max(),
        _ => ints.into_iter().try_fold(0, i64::checked_add),
    };
    value.map_or(PyValue::Unknown, PyValue::Int)
}
