//! What a comparison on these inputs can see: the share of small changes of the program that it notices, and the inputs
//! on which the result depends. A verdict says no more than that.

use std::time::{Duration, Instant};

use hir::difference::ModuleDifference;
use relax::FunctionKind;
use vm::tensor::{Kind, Tensor};
use vm::value::Value;

use super::LastRun;
use super::compare::{Side, compare};
use super::provided::Runnable;
use super::unit::{Inputs, Values};
use crate::run::tolerance::{RequestedTolerance, Tolerance, compare as tensors};

/// The time for a sample. A program that takes longer is not sampled.
const TIME: Duration = Duration::from_secs(1);

/// The number of changes and of inputs to try.
const MOST_CHANGES: usize = 16;
const MOST_INPUTS: usize = 2;

/// Changes of an operator. The first that fits a line is tried.
const CHANGES: &[(&str, &str)] = &[
    (" + ", " - "),
    (" * ", " + "),
    ("T.max(", "T.min("),
    ("T.exp(", "T.sin("),
    ("T.rsqrt(", "T.sqrt("),
    ("T.sigmoid(", "T.tanh("),
    ("R.add(", "R.subtract("),
    ("R.multiply(", "R.add("),
    ("R.subtract(", "R.add("),
    ("R.divide(", "R.multiply("),
    ("R.exp(", "R.sin("),
    ("R.nn.relu(", "R.negative("),
    ("R.nn.gelu(", "R.nn.relu("),
    ("R.nn.silu(", "R.nn.relu("),
    ("R.sigmoid(", "R.tanh("),
];

#[derive(Default)]
pub struct Report {
    pub sight: Option<f64>,
    /// Inputs without an effect on the result.
    pub without_effect: Vec<String>,
}

/// Changes the program and the inputs of a stage that ran, as time permits. `run` runs a text, `read` reads it.
pub fn look(
    first: &LastRun,
    inputs: &Inputs,
    run: &dyn Fn(&str, &Inputs) -> Option<Values>,
    read: &dyn Fn(&str) -> Runnable,
) -> Report {
    let begin = Instant::now();
    let mut report = Report::default();
    let text = &first.runnable.text;
    for (name, value) in inputs.iter().take(MOST_INPUTS) {
        let Some(other) = other(value) else { continue };
        let changed = inputs.with(name, other);
        let Some(values) = run(text, &changed) else {
            continue;
        };
        if !differ(&first.values, &values) {
            report.without_effect.push(name.to_owned());
        }
        if begin.elapsed() > TIME {
            return report;
        }
    }
    let sites = sites(&first.runnable);
    let step = sites.len().div_ceil(MOST_CHANGES).max(1);
    let (mut tried, mut seen) = (0, 0);
    for &(at, old, new) in sites.iter().step_by(step) {
        if begin.elapsed() > TIME {
            break;
        }
        let changed = [&text[..at], new, &text[at + old.len()..]].concat();
        tried += 1;
        // A change that stops the program is seen.
        let is_seen = run(&changed, inputs).is_none_or(|values| {
            let runnable = read(&changed);
            is_seen(first, &runnable, &values)
        });
        seen += usize::from(is_seen);
    }
    report.sight = (tried > 0).then(|| seen as f64 / tried as f64);
    report
}

fn is_seen(first: &LastRun, runnable: &Runnable, values: &Values) -> bool {
    let difference = ModuleDifference::of(&first.runnable.form, &runnable.form);
    let mut calls = first.values.calls.iter().zip(&values.calls);
    calls.any(|(old, new)| {
        let side = |runnable, call| Side {
            runnable,
            call,
            name: "",
        };
        let (before, now) = (side(&first.runnable, old), side(runnable, new));
        let comparison = compare(before, now, &difference, RequestedTolerance::default());
        comparison.difference.is_some()
    })
}

/// Returns `true` if any result differs at all.
fn differ(a: &Values, b: &Values) -> bool {
    let exact = Tolerance {
        rtol: 0.0,
        atol: Some(0.0),
    };
    let leaves = |it: &Values| -> Vec<Value> {
        let leaves = it.calls.iter().flat_map(|call| &call.leaves);
        leaves.map(|(_, value)| value.clone()).collect()
    };
    let (a, b) = (leaves(a), leaves(b));
    let mut pairs = a.iter().zip(&b);
    pairs.any(|pair| match pair {
        (Value::Tensor(a), Value::Tensor(b)) => tensors(a, b, exact, ["", ""]).difference.is_some(),
        // Only tensors depend on values.
        _ => false,
    })
}

/// Returns another value of the same kind, whose integers index the same range. `None` if there is none.
fn other(value: &Value) -> Option<Value> {
    let Value::Tensor(tensor) = value else {
        return None;
    };
    let kind = tensor.kind();
    let made = if kind.is_float() {
        let wide = tensor.cast(Kind::F64).ok()?;
        let mut values = wide.values::<f64>().ok()?.to_vec();
        for it in &mut values {
            *it *= 0.7;
        }
        rotated(&mut values)?;
        Tensor::from_vec(tensor.shape(), values)
    } else {
        let wide = tensor.cast(Kind::I64).ok()?;
        let mut values = wide.values::<i64>().ok()?.to_vec();
        if values.windows(2).all(|it| it[0] == it[1]) {
            return None;
        }
        rotated(&mut values)?;
        Tensor::from_vec(tensor.shape(), values)
    };
    let made = made.and_then(|it| it.cast(kind)).ok()?;
    Some(Value::Tensor(made))
}

fn rotated<T>(values: &mut [T]) -> Option<()> {
    if values.is_empty() {
        return None;
    }
    values.rotate_left(1);
    Some(())
}

/// Returns the places of operators in the functions that ran, with what to replace and by what.
fn sites(runnable: &Runnable) -> Vec<(usize, &'static str, &'static str)> {
    let mut found = Vec::new();
    for function in &runnable.form.functions {
        let range = function.range();
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        let mut at = start;
        for line in runnable.text[start..end].split_inclusive('\n') {
            let value = match function.kind {
                FunctionKind::PrimFunc => line.find("] = ").map(|it| it + 4),
                FunctionKind::Relax => line.find(" = ").map(|it| it + 3),
                _ => None,
            };
            // Rounding may hide what is done with a small constant.
            if let Some(value) = value.filter(|_| !line.contains("e-") && !line.contains("0.000"))
                && let Some((offset, old, new)) = change(&line[value..])
            {
                found.push((at + value + offset, old, new));
            }
            at += line.len();
        }
    }
    found
}

/// Returns the first operator outside of brackets.
fn change(value: &str) -> Option<(usize, &'static str, &'static str)> {
    let mut depth = 0;
    for (at, c) in value.char_indices() {
        let here = &value[at..];
        let known = CHANGES.iter().find(|(old, _)| here.starts_with(old));
        if depth == 0
            && let Some((old, new)) = known
        {
            return Some((at, old, new));
        }
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn an_operator_of_a_value_is_changed_and_not_one_of_an_index() {
        assert_eq!(change("A[i + 1] * B[j]"), Some((8, " * ", " + ")));
        assert_eq!(change("R.add(x, y)"), Some((0, "R.add(", "R.subtract(")));
        assert_eq!(change("A[i + 1]"), None);
    }
}
