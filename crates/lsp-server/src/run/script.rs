//! Calls several functions in order, each with results of earlier ones, like a serving loop.

use std::path::Path;

use ide::{Analysis, Config};
use relax::dtype::DType;
use relax::release::Release;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value as Json;
use smol_str::SmolStr;
use vm::tensor::{Kind, Scalar, Tensor};
use vm::value::Value;
use vm::{Input, Limits};
use web_time::Instant;

use super::execute::{Leaves, Listener, cannot_compile, raised, refused};
use super::inputs::{self, Prepared};
use super::job::{InputSource, Job};
use super::limits::Deadline;
use super::outcome::{Failure as Failed, Finished};
use super::{npy, select, summary};

/// One call.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// A function of the file, or a packed function by its symbol.
    pub call: String,
    #[serde(default)]
    pub args: Args,
    /// The name of the result for later calls: `"$name"`, or a field of it, `"$name.0"`.
    #[serde(default, rename = "as")]
    pub name: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Args {
    ByPosition(Vec<Json>),
    ByName(serde_json::Map<String, Json>),
}

impl Default for Args {
    fn default() -> Args {
        Args::ByPosition(Vec::new())
    }
}

/// The result of a call.
pub struct Done {
    pub finished: Finished,
    pub leaves: Leaves,
}

/// Runs the calls until one fails. Returns the results before the failure, and the reason.
pub fn execute(
    job: &Job,
    steps: &[Step],
    deadline: Deadline,
    listener: &mut dyn Listener,
) -> (Vec<Done>, Option<Failed>) {
    let mut done = Vec::new();
    let failed = run(job, steps, deadline, listener, &mut done).err();
    (done, failed)
}

fn run(
    job: &Job,
    steps: &[Step],
    deadline: Deadline,
    listener: &mut dyn Listener,
    done: &mut Vec<Done>,
) -> Result<(), Failed> {
    let begin = Instant::now();
    let target = job.target.as_deref().and_then(Release::from_name);
    let (analysis, file) = Analysis::from_single_file(&*job.text, Config { target });
    let (db, source) = analysis.hir(file).expect("the file was just added");
    let mut functions = FxHashMap::default();
    let mut entries = Vec::new();
    for step in steps.iter().filter(|step| !is_packed(&step.call)) {
        if !functions.contains_key(step.call.as_str()) {
            let function = select::function(db, source, &step.call, None).map_err(refused)?;
            functions.insert(step.call.as_str(), function);
            entries.push(function);
        }
    }
    let program = vm::compile_all(db, &entries, listener.packed_functions())
        .map_err(|errors| cannot_compile(&errors))?;
    let compile_seconds = begin.elapsed().as_secs_f64();
    let memory = job.limits.memory_mb.saturating_mul(1 << 20);
    let mut scope = Scope {
        directory: job.directory.as_deref().unwrap_or(Path::new("")),
        results: FxHashMap::default(),
    };
    for (number, step) in steps.iter().enumerate() {
        let at =
            |message: String| refused(format!("call {} of `{}`: {message}", number + 1, step.call));
        let limits = Limits {
            wall: deadline.left(),
            memory: Some(memory),
            ..Limits::default()
        };
        let (value, prepared, start) = if let Some(&function) = functions.get(step.call.as_str()) {
            let name = function.name(db);
            let entry = program.function(&name);
            let entry = entry.ok_or_else(|| at("it was not compiled".to_owned()))?;
            let params = entry.source_params().iter().map(|it| it.name.clone());
            let given = scope.named(&step.args, params.collect()).map_err(at)?;
            let prepared = inputs::prepare(job, entry, given).map_err(at)?;
            let start = Instant::now();
            let values = prepared.values.clone();
            (
                vm::run(&program, &name, values, &limits, listener),
                prepared,
                start,
            )
        } else {
            let Args::ByPosition(args) = &step.args else {
                return Err(at(
                    "a packed function takes arguments by position".to_owned()
                ));
            };
            let values = args.iter().map(|arg| scope.value(arg));
            let values = values.collect::<Result<Vec<Value>, String>>().map_err(at)?;
            let start = Instant::now();
            let value = vm::call_packed(&program, &step.call, values, &limits, listener);
            (value, Prepared::default(), start)
        };
        let value = value.map_err(|failure| raised(&failure))?;
        let seconds = start.elapsed().as_secs_f64();
        let leaves = summary::leaves(&value);
        done.push(Done {
            finished: Finished {
                function: step.call.clone(),
                dims: prepared.dims,
                seconds,
                compile_seconds: if number == 0 { compile_seconds } else { 0.0 },
                times: Vec::new(),
                outputs: leaves
                    .iter()
                    .map(|(name, value)| summary::output(name, value))
                    .collect(),
                unused_weights: prepared.unused_weights,
                stdout: String::new(),
                trace: None,
            },
            leaves,
        });
        if let Some(name) = &step.name {
            scope.results.insert(name.clone(), value);
        }
    }
    Ok(())
}

/// Functions of a file have no dot in their names, except after their module.
fn is_packed(name: &str) -> bool {
    vm::builtins::lookup(name).is_some() || name.matches('.').count() > 1
}

struct Scope<'j> {
    directory: &'j Path,
    results: FxHashMap<String, Value>,
}

impl Scope<'_> {
    fn named(&self, args: &Args, params: Vec<SmolStr>) -> Result<Vec<(SmolStr, Input)>, String> {
        match args {
            Args::ByPosition(args) if args.len() > params.len() => Err(format!(
                "it takes {} arguments, but {} are given",
                params.len(),
                args.len()
            )),
            Args::ByPosition(args) => {
                let named = params.into_iter().zip(args);
                named
                    .map(|(name, arg)| Ok((name, self.input(arg)?)))
                    .collect()
            }
            Args::ByName(args) => args
                .iter()
                .map(|(name, arg)| Ok((name.as_str().into(), self.input(arg)?)))
                .collect(),
        }
    }

    fn input(&self, arg: &Json) -> Result<Input, String> {
        match arg {
            Json::String(text) if !text.starts_with('$') => {
                inputs::source(self.directory, &InputSource::from(text.clone()))
            }
            _ => self.value(arg).map(Input::Value),
        }
    }

    fn value(&self, arg: &Json) -> Result<Value, String> {
        match arg {
            Json::Null => Ok(Value::Null),
            Json::Bool(value) => Ok(Value::bool(*value)),
            Json::Number(number) => Ok(match number.as_i64() {
                Some(value) => Value::int(value),
                None => Value::float(number.as_f64().unwrap_or_default()),
            }),
            Json::String(text) => match text.strip_prefix('$') {
                Some(path) => self.result(path),
                None if Path::new(text).extension().is_some_and(|it| it == "npy") => {
                    npy::read(&self.directory.join(text)).map(Value::from)
                }
                None => Ok(Value::from(text.as_str())),
            },
            Json::Array(items) => {
                let items = items.iter().map(|item| self.value(item));
                Ok(Value::tuple(items.collect::<Result<Vec<_>, _>>()?))
            }
            Json::Object(fields) => match (fields.get("shape"), fields.get("tensor")) {
                (Some(Json::Array(dims)), None) => {
                    let dims: Option<Vec<i64>> = dims.iter().map(Json::as_i64).collect();
                    let dims = dims.ok_or("a shape holds integers")?;
                    Ok(Value::from(dims))
                }
                (None, Some(elements)) => {
                    let dtype = fields
                        .get("dtype")
                        .and_then(Json::as_str)
                        .unwrap_or("float32");
                    tensor(elements, dtype).map(Value::from)
                }
                _ => Err(format!(
                    "{arg} is no argument: give a number, a list, \"$name\", {{\"shape\": [..]}} or {{\"tensor\": [..], \"dtype\": ..}}"
                )),
            },
        }
    }

    /// Returns the result for `name`, or the field for `name.0`.
    fn result(&self, path: &str) -> Result<Value, String> {
        let mut parts = path.split('.');
        let name = parts.next().unwrap_or_default();
        let missing = || format!("no earlier call is named `{path}`");
        let mut value = self.results.get(name).cloned().ok_or_else(missing)?;
        for part in parts {
            let Value::Tuple(fields) = &value else {
                return Err(format!("`${path}`: {} has no fields", value.describe()));
            };
            let field = part
                .parse::<usize>()
                .ok()
                .and_then(|at| fields.get(at).cloned());
            value = field.ok_or_else(missing)?;
        }
        Ok(value)
    }
}

/// Converts nested lists of numbers to a tensor.
fn tensor(elements: &Json, dtype: &str) -> Result<Tensor, String> {
    let dtype = DType::parse(dtype).ok_or_else(|| format!("`{dtype}` is not a dtype"))?;
    let kind = Kind::of(dtype).map_err(|error| error.to_string())?;
    let mut shape = Vec::new();
    let mut level = elements;
    while let Json::Array(items) = level {
        shape.push(items.len());
        match items.first() {
            Some(first) => level = first,
            None => break,
        }
    }
    let mut flat = Vec::new();
    flatten(elements, shape.len(), &mut flat)?;
    let values = Tensor::from_vec(&shape, flat).map_err(|error| error.to_string())?;
    values.cast(kind).map_err(|error| error.to_string())
}

fn flatten(elements: &Json, depth: usize, into: &mut Vec<f64>) -> Result<(), String> {
    match elements {
        Json::Array(items) if depth > 0 => items
            .iter()
            .try_for_each(|item| flatten(item, depth - 1, into)),
        Json::Bool(value) => {
            into.push(Scalar::Bool(*value).as_f64());
            Ok(())
        }
        Json::Number(number) if depth == 0 => {
            into.push(number.as_f64().unwrap_or_default());
            Ok(())
        }
        other => Err(format!("{other} is no element of a tensor")),
    }
}
