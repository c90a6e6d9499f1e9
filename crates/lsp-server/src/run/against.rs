//! The same run in TVM, and the first binding whose value differs.

use std::collections::BTreeMap;
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
use crate::scratch::Scratch;

const PROGRAM: &str = include_str!("against.py");

/// How much an element `x` may differ from TVM's `y`: by `atol + rtol * |y|`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tolerance {
    pub rtol: f64,
    pub atol: f64,
}

/// Room for sums in another order.
const FLOAT: Tolerance = Tolerance {
    rtol: 1e-4,
    atol: 1e-4,
};
const FLOAT_16: Tolerance = Tolerance {
    rtol: 1e-2,
    atol: 1e-2,
};
const EXACT: Tolerance = Tolerance {
    rtol: 0.0,
    atol: 0.0,
};

/// What the user asks for; else it depends on the dtype.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    pub rtol: Option<f64>,
    pub atol: Option<f64>,
}

impl Asked {
    fn of(self, kind: Kind) -> Tolerance {
        let usual = match kind {
            Kind::F16 | Kind::BF16 => FLOAT_16,
            kind if kind.is_float() => FLOAT,
            _ => EXACT,
        };
        Tolerance {
            rtol: self.rtol.unwrap_or(usual.rtol),
            atol: self.atol.unwrap_or(usual.atol),
        }
    }
}

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
    /// By dtype, of the dtypes that were compared.
    pub tolerance: BTreeMap<String, Tolerance>,
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
    asked: Asked,
    given: Option<&Path>,
) -> Result<Comparison, String> {
    let python = python::find(given, "tvm", "apache-tvm")?;
    let directory = Scratch::new().map_err(|error| error.to_string())?;
    let place = directory.path();
    let mut files = 0;
    let inputs = values
        .inputs
        .iter()
        .map(|input| encode(input, place, &mut files))
        .collect::<Result<Vec<Json>, String>>()?;
    let request = json!({"text": text, "function": values.entry, "inputs": inputs});
    std::fs::write(place.join("request.json"), request.to_string()).map_err(|e| e.to_string())?;
    let cannot = |error| format!("cannot start `{}`: {error}", python.display());
    let mut process = Command::new(&python)
        .args(["-c", PROGRAM])
        .arg(place)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(cannot)?;
    // Open until the end: its closing means that we are gone.
    let _open = process.stdin.take();
    let output = process.wait_with_output().map_err(cannot)?;
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
    let mut found = Comparison {
        tvm: version.to_owned(),
        compared: 0,
        tolerance: BTreeMap::new(),
        differs: None,
    };
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
        found.compared += 1;
        let tolerance = asked.of(ours.kind());
        found.tolerance.insert(ours.dtype().to_string(), tolerance);
        if let Some(what) = difference(ours, &theirs, tolerance) {
            found.differs = Some(Difference {
                name: name.to_owned(),
                range,
                what,
            });
            break;
        }
    }
    Ok(found)
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

/// How two tensors differ, beyond the tolerance.
fn difference(ours: &Tensor, theirs: &Tensor, tolerance: Tolerance) -> Option<String> {
    if ours.shape() != theirs.shape() {
        return Some(format!(
            "shape {:?} here, {:?} in TVM",
            ours.shape(),
            theirs.shape()
        ));
    }
    let incomparable = || Some("dtypes that cannot be compared".to_owned());
    // 64-bit integers are not all floats.
    if let (Ok(a), Ok(b)) = (ours.values::<i64>(), theirs.values::<i64>())
        && tolerance == EXACT
    {
        let unequal = |at: &usize| a[*at] != b[*at];
        let at = (0..a.len()).find(unequal)?;
        let count = (at..a.len()).filter(unequal).count();
        let place = place(at, ours.shape());
        let (x, y) = (a[at], b[at]);
        return Some(format!(
            "{count} of {} elements are not equal, the first at {place}: {x} here, {y} in TVM",
            a.len()
        ));
    }
    let floats = |tensor: &Tensor| tensor.cast(Kind::F64);
    let (Ok(a), Ok(b)) = (floats(ours), floats(theirs)) else {
        return incomparable();
    };
    let (Ok(a), Ok(b)) = (a.values::<f64>(), b.values::<f64>()) else {
        return incomparable();
    };
    let same = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan());
    // How far an element is beyond what is allowed.
    let beyond = |(at, (&x, &y)): (usize, (&f64, &f64))| {
        let allowed = tolerance.atol + tolerance.rtol * y.abs();
        let off = (x - y).abs();
        let near = same(x, y) || (y.is_finite() && off <= allowed);
        (!near).then_some((
            at,
            x,
            y,
            if off.is_nan() {
                f64::INFINITY
            } else {
                off - allowed
            },
        ))
    };
    let beyond: Vec<_> = a
        .iter()
        .zip(b.iter())
        .enumerate()
        .filter_map(beyond)
        .collect();
    let (at, x, y, _) = *beyond.iter().max_by(|p, q| p.3.total_cmp(&q.3))?;
    let Tolerance { rtol, atol } = tolerance;
    Some(format!(
        "{} of {} elements are off by more than {atol} + {rtol} * |TVM's|, the worst at {}: {x} here, {y} in TVM, off \
         by {:.3e}",
        beyond.len(),
        a.len(),
        place(at, ours.shape()),
        (x - y).abs()
    ))
}

/// The indices of a row-major element.
fn place(mut at: usize, shape: &[usize]) -> String {
    let mut indices = Vec::with_capacity(shape.len());
    for &extent in shape.iter().rev() {
        indices.push((at % extent.max(1)).to_string());
        at /= extent.max(1);
    }
    indices.reverse();
    format!("[{}]", indices.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(values: &[f32]) -> Tensor {
        Tensor::from_vec(&[values.len()], values.to_vec()).unwrap()
    }

    fn differs(a: &Tensor, b: &Tensor) -> Option<String> {
        difference(a, b, Asked::default().of(a.kind()))
    }

    #[test]
    fn rounding_is_no_difference_and_nan_equals_nan() {
        let a = tensor(&[1.0, f32::NAN, 1000.0, f32::INFINITY]);
        let b = tensor(&[1.000_01, f32::NAN, 1000.01, f32::INFINITY]);
        assert_eq!(differs(&a, &b), None);
    }

    #[test]
    fn a_small_element_is_not_excused_by_a_large_one() {
        let a = tensor(&[1e6, 1.0]);
        let b = tensor(&[1e6, 1.01]);
        let what = differs(&a, &b).unwrap();
        assert!(what.contains("1 of 2 elements"), "{what}");
        assert!(what.contains("0.0001 + 0.0001 * |TVM's|"), "{what}");
        let asked = Asked {
            rtol: Some(0.1),
            atol: None,
        };
        assert_eq!(difference(&a, &b, asked.of(a.kind())), None);
    }

    #[test]
    fn an_infinity_is_near_nothing_but_itself() {
        let (a, b) = (tensor(&[1.0]), tensor(&[f32::INFINITY]));
        assert!(differs(&a, &b).is_some());
        assert!(differs(&b, &a).is_some());
    }

    #[test]
    fn integers_are_equal_or_they_are_not() {
        let of = |value: i64| Tensor::from_vec(&[1, 1], vec![value]).unwrap();
        assert_eq!(differs(&of(1 << 60), &of(1 << 60)), None);
        let what = differs(&of((1 << 60) + 1), &of(1 << 60)).unwrap();
        assert!(what.contains("at [0, 0]"), "{what}");
    }

    #[test]
    fn the_worst_element_is_named() {
        let a = tensor(&[1.0, 2.0, 3.0]);
        let b = tensor(&[1.0, 2.5, 4.0]);
        let what = differs(&a, &b).unwrap();
        assert!(what.contains("at [2]: 3 here, 4 in TVM"), "{what}");
        assert!(differs(&a, &tensor(&[1.0])).unwrap().contains("shape"));
    }
}
