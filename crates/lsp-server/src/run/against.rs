//! The same run in TVM, and the first binding whose value differs.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::Serialize;
use serde_json::{Value as Json, json};
use vm::bytecode::Function;
use vm::tensor::{Kind, Tensor};
use vm::value::Value;
use vm::{Binding, Observer};

use super::execute::{Leaves, Listener};
use super::{npy, python};

const PROGRAM: &str = include_str!("against.py");

/// How much two values may differ, by the larger of their magnitudes.
const TOLERANCE: f64 = 1e-4;
const TOLERANCE_16_BIT: f64 = 1e-2;

/// Keeps the inputs, and the tensors that the function itself binds.
#[derive(Default)]
pub struct Values {
    entry: String,
    inputs: Vec<Value>,
    bindings: Vec<(String, (u32, u32), Tensor)>,
}

impl Observer for Values {
    fn print(&mut self, _: &str) {}

    fn wants_bindings(&self) -> bool {
        true
    }

    fn binding(&mut self, binding: &Binding<'_>) {
        if let Value::Tensor(tensor) = binding.value
            && *binding.function == self.entry
        {
            let range = (binding.range.start().into(), binding.range.end().into());
            let name = binding.name.to_string();
            self.bindings.push((name, range, tensor.clone()));
        }
    }
}

impl Listener for Values {
    fn printed(&self) -> String {
        String::new()
    }

    fn inputs(&mut self, function: &Function, values: &[Value]) {
        self.entry = function.name.to_string();
        self.inputs = values.to_vec();
    }
}

/// What the comparison found.
#[derive(Debug, Serialize)]
pub struct Comparison {
    pub tvm: String,
    pub compared: usize,
    pub differs: Option<Difference>,
}

#[derive(Debug, Serialize)]
pub struct Difference {
    pub name: String,
    /// Byte offsets of the binding's value; none for the result.
    #[serde(skip)]
    pub range: Option<(u32, u32)>,
    pub what: String,
}

/// Runs the function of `text` in TVM on the inputs that `values` saw.
pub fn compare(
    text: &str,
    values: &Values,
    leaves: &Leaves,
    given: Option<&Path>,
) -> Result<Comparison, String> {
    let python = python::find(given, "tvm", "apache-tvm")?;
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let place = directory.path();
    let mut files = 0;
    let inputs = values
        .inputs
        .iter()
        .map(|input| encode(input, place, &mut files))
        .collect::<Result<Vec<Json>, String>>()?;
    let request = json!({"text": text, "function": values.entry, "inputs": inputs});
    std::fs::write(place.join("request.json"), request.to_string()).map_err(|e| e.to_string())?;
    let output = Command::new(&python)
        .args(["-c", PROGRAM])
        .arg(place)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start `{}`: {error}", python.display()))?;
    let answer = std::fs::read_to_string(place.join("answer.json")).map_err(|_| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let last = complaint.lines().last().unwrap_or_default().to_owned();
        format!("TVM gave no answer ({}) {last}", output.status)
    })?;
    let answer: Json = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
    let version = answer["version"].as_str().unwrap_or_default();
    if let Some(error) = answer["error"].as_str() {
        return Err(format!("TVM {version} does not run this: {error}"));
    }
    let mut compared = 0;
    let mut seen: rustc_hash::FxHashMap<&str, usize> = rustc_hash::FxHashMap::default();
    for told in answer["bindings"].as_array().into_iter().flatten() {
        let (Some(name), Some(at)) = (told["name"].as_str(), told["at"].as_u64()) else {
            continue;
        };
        // A name may be bound again: its values come in order.
        let nth = seen.entry(name).or_insert(0);
        let ours = values
            .bindings
            .iter()
            .filter(|(ours, ..)| ours == name)
            .nth(*nth)
            .map(|(_, range, tensor)| (Some(*range), tensor));
        *nth += 1;
        let result = || match leaves.as_slice() {
            [(_, Value::Tensor(tensor))] if name == "the result" => Some((None, tensor)),
            _ => None,
        };
        let Some((range, ours)) = ours.or_else(result) else {
            continue;
        };
        let theirs = npy::read(&place.join(format!("value.{at}.npy")))?;
        compared += 1;
        if let Some(what) = difference(ours, &theirs) {
            return Ok(Comparison {
                tvm: version.to_owned(),
                compared,
                differs: Some(Difference {
                    name: name.to_owned(),
                    range,
                    what,
                }),
            });
        }
    }
    Ok(Comparison {
        tvm: version.to_owned(),
        compared,
        differs: None,
    })
}

fn encode(value: &Value, place: &Path, files: &mut usize) -> Result<Json, String> {
    Ok(match value {
        Value::Tensor(tensor) => {
            let file = format!("input.{files}.npy");
            *files += 1;
            npy::write(&place.join(&file), tensor)?;
            json!({"kind": "tensor", "file": file, "dtype": tensor.dtype().to_string()})
        }
        Value::Tuple(fields) => {
            let fields = fields
                .iter()
                .map(|field| encode(field, place, files))
                .collect::<Result<Vec<Json>, String>>()?;
            json!({"kind": "tuple", "fields": fields})
        }
        Value::Shape(dims) => json!({"kind": "shape", "values": dims.to_vec()}),
        other => match other.as_scalar().map(|it| (it.as_i64(), it.as_f64())) {
            Some((Some(value), _)) => json!({"kind": "int", "value": value}),
            Some((None, value)) => json!({"kind": "float", "value": value}),
            None => return Err(format!("{} cannot be given to TVM", other.describe())),
        },
    })
}

/// How two tensors differ, beyond the rounding of sums.
fn difference(ours: &Tensor, theirs: &Tensor) -> Option<String> {
    if ours.shape() != theirs.shape() {
        return Some(format!(
            "shape {:?} here, {:?} in TVM",
            ours.shape(),
            theirs.shape()
        ));
    }
    let tolerance = match ours.kind() {
        Kind::F16 | Kind::BF16 => TOLERANCE_16_BIT,
        _ => TOLERANCE,
    };
    let floats = |tensor: &Tensor| tensor.cast(Kind::F64);
    let (Ok(a), Ok(b)) = (floats(ours), floats(theirs)) else {
        return Some("dtypes that cannot be compared".to_owned());
    };
    let (Ok(a), Ok(b)) = (a.values::<f64>(), b.values::<f64>()) else {
        return Some("dtypes that cannot be compared".to_owned());
    };
    let finite = |values: &[f64]| {
        values
            .iter()
            .filter(|v| v.is_finite())
            .fold(0.0f64, |most, v| most.max(v.abs()))
    };
    let scale = finite(&a).max(finite(&b)).max(1e-6);
    let same = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan());
    let worst = a
        .iter()
        .zip(b.iter())
        .enumerate()
        .filter(|(_, (x, y))| !same(**x, **y))
        .map(|(at, (x, y))| {
            let off = (x - y).abs();
            (at, *x, *y, if off.is_nan() { f64::INFINITY } else { off })
        })
        .max_by(|p, q| p.3.total_cmp(&q.3))?;
    let (at, x, y, off) = worst;
    (off > tolerance * scale).then(|| {
        format!("by {off:.3e} at element {at}: {x} here, {y} in TVM (largest {scale:.3e})")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(values: &[f32]) -> Tensor {
        Tensor::from_vec(&[values.len()], values.to_vec()).unwrap()
    }

    #[test]
    fn rounding_is_no_difference_and_nan_equals_nan() {
        let a = tensor(&[1.0, f32::NAN, 1000.0]);
        let b = tensor(&[1.000_01, f32::NAN, 1000.01]);
        assert_eq!(difference(&a, &b), None);
    }

    #[test]
    fn the_worst_element_is_named() {
        let a = tensor(&[1.0, 2.0, 3.0]);
        let b = tensor(&[1.0, 2.5, 4.0]);
        let what = difference(&a, &b).unwrap();
        assert!(what.contains("element 2: 3 here, 4 in TVM"), "{what}");
        assert!(difference(&a, &tensor(&[1.0])).unwrap().contains("shape"));
    }
}
