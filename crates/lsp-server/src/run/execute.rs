//! Executes a job in this process: from text to facts, bytecode and values.

use std::fmt::Write;

use smol_str::SmolStr;
use text_size::TextRange;
use vm::bytecode::Function;
use vm::error::Fault;
use vm::out_of_bounds::{self, Places};
use vm::value::Value;
use vm::{CompileError, Failure, Input, Limits, Observer};
use web_time::Instant;

use super::compiled::Compiled;
use super::job::Job;
use super::kept_objects::KeptObjects;
use super::limits::Deadline;
use super::outcome::{Cause, Failure as Failed, Finished, OutOfBounds, Outcome};
use super::trace::Trace;
use super::{compiled, inputs, summary};

/// The leaves of a run's result with their names.
pub type Leaves = Vec<(String, Value)>;

/// Receives the events of a running program.
pub trait Listener: Observer {
    /// Returns everything printed so far.
    fn printed(&self) -> String;

    /// Returns the packed functions that the listener implements.
    fn packed_functions(&self) -> &[String] {
        &[]
    }

    /// Called with the inputs before the run.
    fn inputs(&mut self, _function: &Function, _values: &[Value]) {}

    /// Returns the trace after the run.
    fn trace(&mut self) -> Option<Trace> {
        None
    }
}

/// Runs the job's function, and reports to `listener` what the program prints and binds. All repetitions share the
/// deadline.
pub fn execute(job: &Job, deadline: Deadline, listener: &mut dyn Listener) -> (Outcome, Leaves) {
    execute_with(job, &KeptObjects::default(), deadline, listener)
}

/// Like `execute`, with values for parameters that `given` chooses.
pub fn execute_given(
    job: &Job,
    given: &ChosenInputs<'_>,
    deadline: Deadline,
    listener: &mut dyn Listener,
) -> (Outcome, Leaves) {
    let result = run(job, &KeptObjects::default(), given, deadline, listener);
    ended(result, listener)
}

/// Returns values for parameters of a function.
type ChosenInputs<'g> = dyn Fn(&Function) -> Vec<(SmolStr, Input)> + 'g;

/// Like `execute`, with objects that earlier runs returned.
pub fn execute_with(
    job: &Job,
    objects: &KeptObjects,
    deadline: Deadline,
    listener: &mut dyn Listener,
) -> (Outcome, Leaves) {
    ended(
        run(job, objects, &|_| Vec::new(), deadline, listener),
        listener,
    )
}

fn ended(
    result: Result<(Finished, Leaves), Failed>,
    listener: &mut dyn Listener,
) -> (Outcome, Leaves) {
    let trace = listener.trace().map(Box::new);
    match result {
        Ok((finished, leaves)) => (Outcome::Finished(Finished { trace, ..finished }), leaves),
        Err(failed) => (Outcome::Failed(Failed { trace, ..failed }), Leaves::new()),
    }
}

fn run(
    job: &Job,
    objects: &KeptObjects,
    given: &ChosenInputs<'_>,
    deadline: Deadline,
    listener: &mut dyn Listener,
) -> Result<(Finished, Leaves), Failed> {
    let begin = Instant::now();
    let mut kept = objects.inputs(job).map_err(refused)?;
    let Compiled {
        program,
        entry: name,
        shown,
    } = compiled::compile(job, &objects.makers(job), listener.packed_functions())?;
    let compile_seconds = begin.elapsed().as_secs_f64();
    let memory = job.limits.memory_mb.saturating_mul(1 << 20);
    let places = Places::default();
    let limits = || Limits {
        wall: deadline.left(),
        memory: Some(memory),
        out_of_bounds: job.goes_on.then(|| places.clone()),
        ..Limits::default()
    };
    // Inputs count for the limit too.
    vm::tensor::alloc::set_limit(memory);
    let entry = program
        .function(&name)
        .ok_or_else(|| refused(format!("`{name}` was not compiled")))?;
    kept.extend(given(entry));
    let inputs::Prepared {
        values,
        dims,
        unused_weights,
    } = inputs::prepare(job, &program, entry, kept).map_err(refused)?;
    listener.inputs(entry, &values);
    let mut times = Vec::new();
    for _ in 1..job.repeat {
        let values = values.clone();
        let start = Instant::now();
        vm::run(&program, &name, values, &limits(), listener)
            .map_err(|failure| raised(&failure))?;
        times.push(start.elapsed().as_secs_f64());
    }
    let start = Instant::now();
    let value = vm::run(&program, &name, values, &limits(), listener)
        .map_err(|failure| raised(&failure))?;
    let seconds = start.elapsed().as_secs_f64();
    if !times.is_empty() {
        times.push(seconds);
    }
    let leaves = summary::leaves_of(entry, &value);
    let finished = Finished {
        function: shown,
        dims,
        seconds: times.first().copied().unwrap_or(seconds),
        compile_seconds,
        times,
        outputs: leaves
            .iter()
            .map(|(name, value)| summary::output(name, value))
            .collect(),
        out_of_bounds: places.take().into_iter().map(OutOfBounds::from).collect(),
        unused_weights,
        generated_constants: program.generated.clone(),
        stdout: listener.printed(),
        trace: None,
    };
    Ok((finished, leaves))
}

pub(super) fn refused(message: String) -> Failed {
    Failed {
        message,
        code: None,
        range: None,
        cause: Cause::Request,
        is_limit: false,
        trace: None,
    }
}

/// Lists every reason: the first is shown at its place, the others with their lines.
pub(super) fn cannot_compile(text: &str, errors: &[CompileError]) -> Failed {
    let first = errors.first();
    let mut message =
        first.map_or_else(|| "the function cannot run".to_owned(), ToString::to_string);
    let line = |error: &CompileError| {
        let before = text.get(..error.range.start().into()).unwrap_or(text);
        before.matches('\n').count() + 1
    };
    for error in errors.iter().skip(1) {
        let _ = write!(message, "; line {}: {error}", line(error));
    }
    if errors.iter().any(|error| error.packed.is_some()) {
        message.push_str(
            "; define packed functions in a Python file: `relax-lsp run --packed FILE.py`",
        );
    }
    Failed {
        message,
        code: None,
        range: first.map(|error| offsets(error.range)),
        cause: Cause::Request,
        is_limit: false,
        trace: None,
    }
}

pub(super) fn raised(failure: &Failure) -> Failed {
    Failed {
        message: failure.to_string(),
        code: None,
        range: Some(offsets(failure.range)),
        cause: Cause::Program,
        is_limit: is_limit(&failure.error.fault),
        trace: None,
    }
}

impl From<out_of_bounds::OutOfBounds> for OutOfBounds {
    fn from(it: out_of_bounds::OutOfBounds) -> OutOfBounds {
        OutOfBounds {
            function: it.function.to_string(),
            message: it.message,
            offsets: offsets(it.range),
        }
    }
}

/// Returns `true` for a fault that says more about this machine than about the program.
fn is_limit(fault: &Fault) -> bool {
    match fault {
        Fault::OutOfMemory { .. } | Fault::Unsupported(_) | Fault::UnsupportedDType(_) => true,
        Fault::Argument(why) | Fault::Raised(why) => why.ends_with("limit is reached"),
        _ => false,
    }
}

fn offsets(range: TextRange) -> (u32, u32) {
    (range.start().into(), range.end().into())
}
