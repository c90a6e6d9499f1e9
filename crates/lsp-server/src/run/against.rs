//! Repeats a run in TVM, and finds the first binding whose value differs.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

use serde::Serialize;
use serde_json::{Value as Json, json};
use vm::value::Value;

use super::execute::Leaves;
use super::observed::Observed;
use super::tolerance::{self, RequestedTolerance, Tolerance};
use super::{npy, python};
use crate::children::blocking_output;
use crate::scratch::{self, Scratch};

/// Reads a file as TVMScript.
const SCRIPT: &str = include_str!("tvm_script.py");
const PROGRAM: &str = include_str!("against.py");

/// The result of a comparison.
#[derive(Debug, Serialize)]
pub struct Comparison {
    pub tvm: String,
    pub compared: usize,
    /// The tolerance of each dtype that was compared.
    pub tolerance: BTreeMap<String, Tolerance>,
    pub differs: Option<Difference>,
}

#[derive(Debug, Serialize)]
pub struct Difference {
    pub name: String,
    /// The byte offsets of the binding's value; `None` for the result.
    #[serde(skip)]
    pub range: Option<(u32, u32)>,
    pub what: String,
}

/// The TVM that repeats the run.
pub struct Tvm<'a> {
    /// The Python that has it, if one is given.
    pub python: Option<&'a Path>,
    /// The target that TVM compiles for: `cuda`, or the JSON of a target.
    pub target: &'a str,
    /// `true` if the file may be run as Python.
    pub executes: bool,
}

/// Runs the function of `text` in TVM on the inputs that `values` recorded, and compares the results.
pub fn compare(
    text: &str,
    values: &Observed,
    leaves: &Leaves,
    asked: RequestedTolerance,
    tvm: &Tvm<'_>,
) -> Result<Comparison, String> {
    let asked = asked.for_inputs(&values.inputs);
    let python = python::find(tvm.python, "tvm", "apache-tvm")?;
    let directory = Scratch::new().map_err(|error| error.to_string())?;
    let place = directory.path();
    let mut files = 0;
    let inputs = values
        .inputs
        .iter()
        .map(|input| encode(input, place, &mut files))
        .collect::<Result<Vec<Json>, String>>()?;
    let written = values.written_params.iter();
    let outputs: Vec<Json> = written
        .map(|(name, at)| json!({"name": name, "parameter": at}))
        .collect();
    let request = json!({
        "text": text, "function": values.entry, "inputs": inputs, "outputs": outputs, "target": tvm.target,
        "execute": tvm.executes,
    });
    let written = scratch::write(&place.join("request.json"), &request.to_string());
    written.map_err(|error| error.to_string())?;
    let cannot = |error| format!("cannot start `{}`: {error}", python.display());
    let mut command = python::command(&python, &[python::ENDS_WITH_PARENT, SCRIPT, PROGRAM]);
    command.arg(place);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let output = blocking_output(command).map_err(cannot)?;
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
    let result = differing_result(&answer, leaves, asked, place, &mut found)?;
    let mut seen: rustc_hash::FxHashMap<&str, usize> = rustc_hash::FxHashMap::default();
    for told in answer["bindings"].as_array().into_iter().flatten() {
        let (Some(name), Some(at)) = (told["name"].as_str(), told["at"].as_u64()) else {
            continue;
        };
        // A name may be bound several times. Its values are recorded in order.
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
            leaves => leaves.iter().find_map(|(leaf, value)| match value {
                Value::Tensor(tensor) if leaf == name => Some((None, tensor)),
                _ => None,
            }),
        };
        let Some((range, ours)) = ours.or_else(result) else {
            continue;
        };
        let theirs = npy::read(&place.join(format!("value.{at}.npy")))?;
        found.compared += 1;
        let tolerance = asked.of(ours.kind());
        found.tolerance.insert(ours.dtype().to_string(), tolerance);
        let compared = tolerance::compare(ours, &theirs, tolerance, ["here", "in TVM"]);
        if let Some(what) = compared.difference {
            found.differs = Some(Difference {
                name: name.to_owned(),
                range,
                what,
            });
            break;
        }
    }
    found.differs = found.differs.or(result);
    Ok(found)
}

/// Compares the results of the function as it is. Another one returns every binding, which changes how TVM plans memory
/// and fuses.
fn differing_result(
    answer: &Json,
    leaves: &Leaves,
    asked: RequestedTolerance,
    place: &Path,
    found: &mut Comparison,
) -> Result<Option<Difference>, String> {
    let tensors = leaves.iter().filter_map(|(name, value)| match value {
        Value::Tensor(tensor) => Some((name, tensor)),
        _ => None,
    });
    let theirs = answer["results"].as_array().into_iter().flatten();
    for ((name, ours), at) in tensors.zip(theirs) {
        let theirs = npy::read(&place.join(format!("value.{at}.npy")))?;
        found.compared += 1;
        let tolerance = asked.of(ours.kind());
        found.tolerance.insert(ours.dtype().to_string(), tolerance);
        let compared = tolerance::compare(ours, &theirs, tolerance, ["here", "in TVM"]);
        if let Some(what) = compared.difference {
            let single = leaves.len() == 1;
            return Ok(Some(Difference {
                name: if single {
                    "the result".to_owned()
                } else {
                    name.clone()
                },
                range: None,
                what: format!(
                    "{what}; if TVM returns every binding, none differs: a pass that plans memory or fuses may be wrong"
                ),
            }));
        }
    }
    Ok(None)
}

fn encode(value: &Value, place: &Path, files: &mut usize) -> Result<Json, String> {
    Ok(match value {
        Value::Tensor(tensor) => {
            let file = format!("input.{files}.npy");
            *files += 1;
            npy::write_in_scratch(&place.join(&file), tensor)?;
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
            None => return Err(format!("{} cannot be passed to TVM", other.describe())),
        },
    })
}
