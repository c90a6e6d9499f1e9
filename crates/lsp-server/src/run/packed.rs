//! Packed functions of the user: a Python process implements them, connected through a pipe.

use std::io::{Read, Write};
use std::path::Path;

use serde_json::{Value as Json, json};
use vm::tensor::{Scalar, Tensor};
use vm::value::Value;
use vm::{Binding, Observer, PackedCall, PackedResult};

use super::execute::Listener;
use super::limits::{Alarm, Deadline};
use super::npy;
use super::python::{self, Conversation};
use super::trace::Trace;

const SERVER: &str = include_str!("packed.py");

/// The maximum nesting of tuples that are sent through the pipe.
const MOST_DEPTH: usize = 32;

pub struct PackedServer {
    process: Conversation,
    deadline: Deadline,
    /// Ends the process at the deadline, in case a function never returns.
    _alarm: Option<Alarm>,
    functions: Vec<String>,
}

impl PackedServer {
    /// Starts Python with a file of functions. The process lives at most until the deadline.
    pub fn start(
        file: &Path,
        given: Option<&Path>,
        deadline: Deadline,
    ) -> Result<PackedServer, String> {
        let python = python::find(given, "numpy", "numpy")?;
        let mut command = python::command(&python, &[SERVER]);
        command.arg(file);
        let process = Conversation::start(command)?;
        let mut server = PackedServer {
            _alarm: process.ends_at(deadline),
            process,
            deadline,
            functions: Vec::new(),
        };
        let (greeting, _) = server.answer()?;
        let names = greeting["functions"].as_array().into_iter().flatten();
        server.functions = names
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect();
        Ok(server)
    }

    fn call(&mut self, call: &PackedCall<'_>) -> Result<PackedResult, String> {
        let mut arrays = Vec::new();
        let args = call
            .args
            .iter()
            .map(|arg| encode(arg, &mut arrays, 0))
            .collect::<Result<Vec<Json>, String>>()?;
        let request = json!({
            "name": call.name, "args": args, "outs": call.outs, "arrays": arrays.len(),
        });
        self.send(&request, &arrays)
            .map_err(|error| self.end_message(&format!("the Python process is gone: {error}")))?;
        let (answer, arrays) = self.answer()?;
        let outs = answer["outs"].as_array().into_iter().flatten();
        Ok(PackedResult {
            value: decode(&answer["result"], &arrays, 0)?,
            outs: outs
                .map(|out| decode(out, &arrays, 0))
                .collect::<Result<Vec<Value>, String>>()?,
        })
    }

    /// Returns the error message for a process that has ended.
    fn end_message(&self, why: &str) -> String {
        if self.deadline.is_over() {
            return "the time limit is reached".to_owned();
        }
        why.to_owned()
    }

    fn send(&mut self, request: &Json, arrays: &[Vec<u8>]) -> std::io::Result<()> {
        self.process.send(request)?;
        let requests = &mut self.process.requests;
        for array in arrays {
            requests.write_all(&(array.len() as u64).to_le_bytes())?;
            requests.write_all(array)?;
        }
        requests.flush()
    }

    /// Returns the next answer with its arrays, or the error that it contains.
    fn answer(&mut self) -> Result<(Json, Vec<Tensor>), String> {
        let Some(answer) = self.process.read()? else {
            return Err(self.end_message("the Python process has ended"));
        };
        let count = answer["arrays"].as_u64().unwrap_or(0);
        let mut arrays = Vec::new();
        for _ in 0..count {
            let mut length = [0; 8];
            let mut read = || -> std::io::Result<Vec<u8>> {
                self.process.answers.read_exact(&mut length)?;
                let mut bytes = Vec::new();
                let length = u64::from_le_bytes(length);
                self.process
                    .answers
                    .by_ref()
                    .take(length)
                    .read_to_end(&mut bytes)?;
                Ok(bytes)
            };
            let bytes = read().map_err(|error| error.to_string())?;
            arrays.push(npy::of_bytes(&bytes)?);
        }
        match answer["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok((answer, arrays)),
        }
    }
}

fn encode(value: &Value, arrays: &mut Vec<Vec<u8>>, depth: usize) -> Result<Json, String> {
    Ok(match value {
        Value::Tensor(tensor) => {
            arrays.push(npy::to_bytes(tensor)?);
            json!({"kind": "tensor", "at": arrays.len() - 1})
        }
        Value::Tuple(fields) if depth < MOST_DEPTH => {
            let fields = fields
                .iter()
                .map(|field| encode(field, arrays, depth + 1))
                .collect::<Result<Vec<Json>, String>>()?;
            json!({"kind": "tuple", "fields": fields})
        }
        Value::Shape(dims) => json!({"kind": "shape", "values": dims.to_vec()}),
        Value::Prim(prim) => match prim.value {
            Scalar::Bool(value) => json!({"kind": "bool", "value": value}),
            Scalar::Int(value) => json!({"kind": "int", "value": value}),
            Scalar::UInt(value) => json!({"kind": "int", "value": value}),
            Scalar::Float(value) => json!({"kind": "float", "value": value}),
        },
        Value::Str(text) => json!({"kind": "string", "value": text.as_str()}),
        Value::DType(dtype) => json!({"kind": "string", "value": dtype.to_string()}),
        Value::Null => json!({"kind": "null"}),
        other => return Err(format!("{} cannot be passed to Python", other.describe())),
    })
}

fn decode(json: &Json, arrays: &[Tensor], depth: usize) -> Result<Value, String> {
    let value = &json["value"];
    let missing = || "the Python process sent an invalid answer".to_owned();
    Ok(match json["kind"].as_str() {
        Some("tensor") => {
            let at = json["at"].as_u64().ok_or_else(missing)?;
            arrays
                .get(usize::try_from(at).map_err(|_| missing())?)
                .cloned()
                .ok_or_else(missing)?
                .into()
        }
        Some("tuple") if depth < MOST_DEPTH => Value::tuple(
            json["fields"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|field| decode(field, arrays, depth + 1))
                .collect::<Result<Vec<Value>, String>>()?,
        ),
        Some("bool") => Value::bool(value.as_bool().ok_or_else(missing)?),
        Some("int") => Value::int(value.as_i64().ok_or_else(missing)?),
        Some("float") => Value::float(value.as_f64().unwrap_or(f64::NAN)),
        Some("string") => Value::from(value.as_str().ok_or_else(missing)?),
        Some("null") => Value::Null,
        _ => return Err(missing()),
    })
}

/// A listener that also implements packed functions.
pub struct WithPacked<'l> {
    pub listener: Box<dyn Listener + 'l>,
    pub server: PackedServer,
}

impl Observer for WithPacked<'_> {
    fn print(&mut self, text: &str) {
        self.listener.print(text);
    }

    fn wants_bindings(&self) -> bool {
        self.listener.wants_bindings()
    }

    fn binding(&mut self, binding: &Binding<'_>) {
        self.listener.binding(binding);
    }

    fn packed(&mut self, call: &PackedCall<'_>) -> Result<PackedResult, String> {
        self.server.call(call)
    }
}

impl Listener for WithPacked<'_> {
    fn printed(&self) -> String {
        self.listener.printed()
    }

    fn inputs(&mut self, function: &vm::bytecode::Function, values: &[Value]) {
        self.listener.inputs(function, values);
    }

    fn trace(&mut self) -> Option<Trace> {
        self.listener.trace()
    }

    fn packed_functions(&self) -> &[String] {
        &self.server.functions
    }
}
