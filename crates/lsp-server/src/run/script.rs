//! Calls several functions in order, each with results of earlier ones, like a serving loop.

mod arguments;
mod derived;
mod steps;

use std::path::Path;

use serde::Serialize;
use vm::Limits;
use vm::tensor::Tensor;
use vm::value::Value;
use web_time::Instant;

use super::compiled::{self, CompiledCalls};
use super::execute::{Leaves, Listener, raised, refused};
use super::inputs::{self, Prepared};
use super::job::Job;
use super::limits::Deadline;
use super::npy;
use super::outcome::{Failure as Failed, Finished};
use super::summary;
use super::tolerance::{self, RequestedTolerance};
use arguments::Scope;
pub use steps::{Args, Expected, Step, read};

/// The result of a call.
pub struct Done {
    pub finished: Finished,
    pub leaves: Leaves,
    /// How it compares with `expect`.
    pub expected: Option<Expectation>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub enum Expectation {
    Equal { compared: usize },
    Differs { what: String },
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
    // Few functions take all weights.
    let partial = Job {
        allow_missing: true,
        ..job.clone()
    };
    for (number, step) in steps.iter().enumerate() {
        let at =
            |message: String| refused(format!("call {} of `{}`: {message}", number + 1, step.call));
        let expected = step.expect.as_ref();
        let expected = expected.map(|it| tensors(it, directory)).transpose();
        let expected = expected.map_err(at)?;
        let limits = Limits {
            wall: deadline.left(),
            memory: Some(memory),
            ..Limits::default()
        };
        let (value, prepared, start) = if let Some(name) = functions.get(step.call.as_str()) {
            let entry = program.function(name);
            let entry = entry.ok_or_else(|| at("it was not compiled".to_owned()))?;
            let given = scope.named(&step.args, entry.source_params()).map_err(at)?;
            let prepared = inputs::prepare(&partial, &program, entry, given).map_err(at)?;
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
        let expected = expected.map(|it| compare(&it, &leaves)).transpose();
        let expected = expected.map_err(at)?;
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
                out_of_bounds: Vec::new(),
                unused_weights: prepared.unused_weights,
                generated_constants: if number == 0 {
                    program.generated.clone()
                } else {
                    Vec::new()
                },
                stdout: String::new(),
                trace: None,
            },
            leaves,
            expected,
        });
        if let Some(name) = &step.name {
            scope.name(name.clone(), value);
        }
    }
    Ok(())
}

/// Reads the expected leaves of a result: the names of leaves, and their tensors.
fn tensors(expected: &Expected, directory: &Path) -> Result<Vec<(String, Tensor)>, String> {
    let read = |name: String, file: &str| Ok((name, npy::read(&directory.join(file))?));
    match expected {
        Expected::Whole(file) => Ok(vec![read("out".to_owned(), file)?]),
        Expected::Fields(files) => {
            let files = files.iter();
            files
                .map(|(field, file)| read(format!("out.{field}"), file))
                .collect()
        }
    }
}

fn compare(expected: &[(String, Tensor)], leaves: &Leaves) -> Result<Expectation, String> {
    for (name, theirs) in expected {
        let leaf = leaves.iter().find(|(leaf, _)| leaf == name);
        let Some((_, Value::Tensor(ours))) = leaf else {
            let names: Vec<&str> = leaves.iter().map(|it| it.0.as_str()).collect();
            return Err(format!(
                "`expect` gives a tensor for `{name}`; the result is {}",
                names.join(", ")
            ));
        };
        let tolerance = RequestedTolerance::default().of(theirs.kind());
        let compared = tolerance::compare(ours, theirs, tolerance, ["here", "in the file"]);
        if let Some(what) = compared.difference {
            return Ok(Expectation::Differs {
                what: format!("{name}: {what}"),
            });
        }
    }
    Ok(Expectation::Equal {
        compared: expected.len(),
    })
}

/// Functions of a file have no dot in their names, except after their module.
pub fn is_packed(name: &str) -> bool {
    vm::builtins::lookup(name).is_some() || name.matches('.').count() > 1
}
