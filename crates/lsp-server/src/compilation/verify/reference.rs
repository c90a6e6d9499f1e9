//! Runs the reference of an import in the user's Python.

use std::path::Path;
use std::process::Stdio;

use serde::Deserialize;
use serde_json::{Map, json};
use vm::tensor::Tensor;
use vm::value::Value;

use crate::children::blocking_output;
use crate::compilation::recording::Reference;
use crate::run::{npy, python};
use crate::scratch::{self, Scratch};

const PROGRAM: &str = include_str!("reference.py");

/// The values of all nodes, in the order of the graph.
pub struct Computed {
    /// `ONNX Runtime`
    pub program: String,
    pub version: String,
    pub nodes: Vec<Node>,
    directory: Scratch,
}

#[derive(Deserialize)]
pub struct Node {
    #[serde(rename = "node")]
    pub name: String,
    pub op: String,
    /// The names of the values that it takes.
    pub inputs: Vec<String>,
    /// The names of its values with their files. A value that is no tensor has none.
    pub values: Vec<(String, Option<ValueFiles>)>,
}

/// The files of a tensor or of a tuple.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum ValueFiles {
    One(String),
    Several(Vec<Option<ValueFiles>>),
}

#[derive(Deserialize)]
struct ReferenceAnswer {
    error: Option<String>,
    #[serde(default)]
    program: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    nodes: Vec<Node>,
}

impl Computed {
    /// Reads a value.
    pub fn read(&self, file: &str) -> anyhow::Result<Tensor> {
        npy::read(&self.directory.path().join(file)).map_err(anyhow::Error::msg)
    }
}

/// Computes the graph on the given inputs.
pub fn compute(
    reference: &Reference,
    folder: &Path,
    inputs: &[(String, Value)],
    given: Option<&Path>,
) -> Result<Computed, String> {
    let (module, package) = match &*reference.kind {
        "onnx" => ("onnxruntime", "onnxruntime"),
        "torch" => ("torch", "torch"),
        other => return Err(format!("this program does not know references of {other}")),
    };
    let python = python::find(given, module, package)?;
    let directory = Scratch::new().map_err(|error| error.to_string())?;
    let place = directory.path();
    let mut files = Map::new();
    for (at, (name, value)) in inputs.iter().enumerate() {
        let tensor = match value.to_array() {
            Some(tensor) => tensor.map_err(|error| error.to_string())?,
            None => return Err(format!("the input `{name}` is no tensor")),
        };
        let file = format!("input.{at}.npy");
        npy::write_in_scratch(&place.join(&file), &tensor)?;
        files.insert(name.clone(), json!(file));
    }
    let file = std::path::absolute(folder.join(&reference.file));
    let file = file.map_err(|error| error.to_string())?;
    let request = json!({"kind": reference.kind, "file": file, "inputs": files, "imports": reference.imports});
    let written = scratch::write(&place.join("request.json"), &request.to_string());
    written.map_err(|error| error.to_string())?;
    let mut command = python::command(&python, &[python::ENDS_WITH_PARENT, PROGRAM]);
    command.arg(place);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let output = blocking_output(command)
        .map_err(|error| format!("cannot start `{}`: {error}", python.display()))?;
    let answer = std::fs::read(place.join("answer.json")).map_err(|_| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let last = complaint.lines().last().unwrap_or_default().to_owned();
        format!("{package} gave no answer ({}) {last}", output.status)
    })?;
    let answer: ReferenceAnswer =
        serde_json::from_slice(&answer).map_err(|error| error.to_string())?;
    if let Some(error) = answer.error {
        return Err(format!(
            "{package} does not run the graph on these inputs (other sizes: `--dim`; other values: `--input`): {error}"
        ));
    }
    Ok(Computed {
        program: answer.program,
        version: answer.version,
        nodes: answer.nodes,
        directory,
    })
}
