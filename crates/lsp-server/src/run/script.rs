//! Calls several functions in order, each with results of earlier ones, like a serving loop.

mod arguments;

use std::path::Path;

use serde::Deserialize;
use serde_json::Value as Json;
use vm::Limits;
use vm::value::Value;
use web_time::Instant;

use super::compiled::{self, CompiledCalls};
use super::execute::{Leaves, Listener, raised, refused};
use super::inputs::{self, Prepared};
use super::job::Job;
use super::limits::Deadline;
use super::outcome::{Failure as Failed, Finished};
use super::summary;
use arguments::Scope;

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
    let called = steps.iter().map(|step| step.call.as_str());
    let called = called.filter(|it| !is_packed(it)).collect::<Vec<_>>();
    let CompiledCalls {
        program,
        functions,
        constructors,
    } = compiled::compile_calls(job, &called, listener.packed_functions())?;
    let compile_seconds = begin.elapsed().as_secs_f64();
    let memory = job.limits.memory_mb.saturating_mul(1 << 20);
    let directory = job.directory.as_deref().unwrap_or(Path::new(""));
    let mut scope = Scope::new(directory, constructors);
    for (number, step) in steps.iter().enumerate() {
        let at =
            |message: String| refused(format!("call {} of `{}`: {message}", number + 1, step.call));
        let limits = Limits {
            wall: deadline.left(),
            memory: Some(memory),
            ..Limits::default()
        };
        let (value, prepared, start) = if let Some(name) = functions.get(step.call.as_str()) {
            let entry = program.function(name);
            let entry = entry.ok_or_else(|| at("it was not compiled".to_owned()))?;
            let given = scope.named(&step.args, entry.source_params()).map_err(at)?;
            let prepared = inputs::prepare(job, &program, entry, given).map_err(at)?;
            let start = Instant::now();
            let values = prepared.values.clone();
            listener.inputs(entry, &values);
            (
                vm::run(&program, name, values, &limits, listener),
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
            scope.name(name.clone(), value);
        }
    }
    Ok(())
}

/// Functions of a file have no dot in their names, except after their module.
pub fn is_packed(name: &str) -> bool {
    vm::builtins::lookup(name).is_some() || name.matches('.').count() > 1
}
