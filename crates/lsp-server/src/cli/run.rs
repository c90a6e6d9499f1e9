//! `relax-lsp run`: runs a function on the built-in virtual machine.
//!
//! Runs in this process, since it is the user's own: the limits of the shell and Ctrl-C apply, and results are written
//! without a copy through a pipe. Runs of an editor have a separate process.

mod against;
pub mod function_path;
mod text;

pub use text::show as result_text;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use ide::Language;
use serde_json::json;
use text_size::{TextRange, TextSize};

use super::origin::By;
use super::output::{self, Format};
use super::report::FileReport;
use super::target::Target;
use crate::compilation::recording::origins::OriginsByLine;
use crate::exit::{COULD_NOT_RUN, PROGRAM_ERROR};
use crate::memory::{Refusal, say_if_refused};
use crate::path_inside;
use crate::run::constants::{self, ConstantFiles};
use crate::run::execute::{Leaves, Listener, execute as execute_job};
use crate::run::job::{InputSource, Job, Limits};
use crate::run::limits::{Alarm, Deadline, available_memory_mb, limit_memory};
use crate::run::listener::{Keep, Live, Tracer};
use crate::run::npy;
use crate::run::outcome::{Cause, Failure, Outcome};
use crate::run::packed::{PackedServer, WithPacked};
use crate::run::perfetto;
use crate::run::script::{self, Expectation};
use crate::run::trace::ShowRange;
use crate::sources;
use crate::targets::Targets;
use against::Against;
use function_path::FunctionPath;

/// The time that a run has after its deadline to end by itself, so that it can report where it was.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Args)]
pub struct Run {
    /// FILE[::[MODULE.]FUNCTION[@LINE]]: the file, and the function if there are several. LINE, the line of the `def`,
    /// distinguishes functions of the same name
    target: FunctionPath,
    /// Value of a shape variable
    #[arg(long = "dim", value_name = "NAME=N", value_parser = dim)]
    dims: Vec<(String, i64)>,
    /// Value of a parameter, or with `*` of all other parameters: a .npy file, random (the default), zeros, ones,
    /// arange, or formula
    ///
    /// `formula` is a fixed pattern of small numbers, the same on every machine: with parameter k and row-major index
    /// i, floats ((7i + 13k) mod 17 - 8) / 64, integers (7i + 13k) mod 5, bool (i + k) mod 2.
    #[arg(long = "input", value_name = "PARAM=VALUE", value_parser = input)]
    inputs: Vec<(String, InputSource)>,
    /// Weights for parameters without `--input`: .safetensors, .npz, TVM's .params, or a folder with
    /// tensor-cache.json. By name; the fields of a tuple as PARAM.0 or param_0, or in the order of the file
    #[arg(long = "params", value_name = "FILE|DIR")]
    params: Vec<PathBuf>,
    /// The names of the weights for the fields of a tuple, in order
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        requires = "params"
    )]
    param_names: Vec<String>,
    /// Run although `--params` lacks weights, or has weights that no parameter takes
    #[arg(long, requires = "params")]
    allow_missing: bool,
    #[arg(long, value_name = "FILE|DIR", help = constants::HELP)]
    constants: Vec<PathBuf>,
    /// Seed for random inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write each result to this directory: out.npy, or out.0.npy, out.1.npy, ... for a tuple. A shape is a vector of
    /// int64
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Call several functions in order, like a serving loop: a list of `{"call": .., "args": .., "as": ..}`, where an
    /// argument `"$name"` is an earlier result (`docs/serving.md`)
    #[arg(long, value_name = "CALLS.json", conflicts_with_all = ["trace", "against", "repeat"])]
    script: Option<PathBuf>,
    /// Print each binding with the shape, time and memory of its value as it is computed, and a profile; with
    /// `--format json`, as the member `trace` of the result; with `--format perfetto`, as a timeline
    #[arg(long)]
    trace: bool,
    /// With `--trace`: add up time and bytes by the module of the model, or by the line of the program, if the module
    /// was recorded
    #[arg(long, value_enum, value_name = "WHAT", requires = "trace")]
    by: Option<By>,
    /// At an index out of range: stop, or go on (a read gives 0, a write is dropped) and list each place once. The exit
    /// code is that of an error of the program in both cases
    #[arg(long, value_enum, value_name = "WHAT", default_value_t, conflicts_with_all = ["script", "against"])]
    out_of_bounds: OutOfBounds,
    /// Take packed functions from a Python file: those of the dictionary `packed`, or else every function
    #[arg(long, value_name = "FILE.py")]
    packed: Option<PathBuf>,
    /// Also run in another implementation, and report the first binding that differs. TVM reads the functions and the
    /// constants of the file, and nothing else of it runs. A Relay file is translated to Relax first
    #[arg(long, value_name = "WHAT")]
    against: Option<Against>,
    /// With `--against`, elements may differ by `atol + rtol * |other|`. By default, floats may differ by 1e-4 of the
    /// element and of the scale of the tensor (1e-2 for 16-bit floats, more for long sums), and integers are equal
    #[arg(long, value_name = "X", value_parser = tolerance, requires = "against")]
    rtol: Option<f64>,
    /// See `--rtol`
    #[arg(long, value_name = "X", value_parser = tolerance, requires = "against")]
    atol: Option<f64>,
    /// With `--against`, the target that TVM compiles for: `cuda`, `metal`, or the JSON of a target
    #[arg(
        long = "target",
        value_name = "TARGET",
        default_value = "llvm",
        requires = "against"
    )]
    tvm_target: String,
    /// With `--against`, run the whole file as Python, for functions that Python computes
    #[arg(long, requires = "against")]
    execute: bool,
    /// The Python for `--packed` and `--against`: a path or a name on the PATH
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,
    /// Run this many times, and report the time of each run
    #[arg(long, value_name = "N", default_value_t = 1)]
    repeat: u32,
    /// Stop after this many seconds, including compilation and all repetitions
    #[arg(long, value_name = "SECONDS", default_value_t = 24 * 3600)]
    time_limit: u64,
    /// Stop when tensors and other memory exceed this; by default, what the system has available when the run begins.
    /// Weights in files are mapped and don't count
    #[arg(long, value_name = "MB")]
    memory_limit: Option<u64>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    format: RunFormat,
    #[command(flatten)]
    tvm: Target,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum RunFormat {
    /// Readable text
    #[default]
    Text,
    /// One JSON object
    Json,
    /// With `--trace`, a file for https://ui.perfetto.dev
    Perfetto,
}

impl RunFormat {
    /// The format of messages: a timeline has no place for them.
    fn of_messages(self) -> Format {
        match self {
            RunFormat::Text | RunFormat::Perfetto => Format::Text,
            RunFormat::Json => Format::Json,
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum OutOfBounds {
    #[default]
    Stop,
    Report,
}

pub fn dim(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| "give NAME=N".to_owned())?;
    match value.trim().parse() {
        Ok(value) if value >= 0 => Ok((name.trim().to_owned(), value)),
        _ => Err(format!("`{value}` is not a valid size of a dimension")),
    }
}

pub fn input(text: &str) -> Result<(String, InputSource), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| "give PARAM=VALUE".to_owned())?;
    let source = InputSource::from(value.to_owned());
    match &source {
        InputSource::Npy(path) if path.extension().is_none_or(|it| it != "npy") => Err(format!(
            "`{value}` is neither a .npy file nor one of random, zeros, ones, arange, formula"
        )),
        _ => Ok((name.trim().to_owned(), source)),
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value >= 0.0 => Ok(value),
        _ => Err(format!("`{text}` is not a valid tolerance")),
    }
}

pub fn execute(command: Run) -> anyhow::Result<ExitCode> {
    if command.format == RunFormat::Perfetto && (!command.trace || command.by.is_some()) {
        bail!("`--format perfetto` prints the timeline of `--trace`, without `--by`");
    }
    if let Some(against @ (Against::Onnxruntime | Against::Torch)) = command.against {
        return super::verify::execute(&command.as_verification(against));
    }
    let text = sources::read(&command.target.file)?;
    let is_relay = sources::language(&command.target.file) == Language::Relay;
    // TVM only knows Relax.
    let is_translated = is_relay && command.against.is_some();
    let text = if is_translated {
        super::translate::for_run(&command.target.file, &text)?
    } else {
        text
    };
    let mut shown = command.target.file.clone();
    if is_translated {
        shown.as_mut_os_string().push(" (as Relax)");
    }
    let report = FileReport::new(shown, text.clone(), Vec::new());
    let release = command
        .tvm
        .target(&command.target.file, &Targets::of_process());
    let job = Job {
        text: (&*text).into(),
        relay: is_relay && !is_translated,
        directory: None,
        target: release.map(|it| it.name().to_owned()),
        function: command.target.function.clone().unwrap_or_default(),
        line: command.target.line.map(|line| line.saturating_sub(1)),
        dims: distinct(&command.dims, "--dim")?,
        default_dim: None,
        inputs: distinct(&command.inputs, "--input")?,
        weights: command.params.clone(),
        weight_names: command.param_names.clone(),
        allow_missing: command.allow_missing,
        constants: ConstantFiles {
            files: command.constants.clone(),
            beside: Some(command.target.file.clone()),
        },
        seed: command.seed,
        repeat: command.repeat,
        trace: command.trace,
        goes_on: command.out_of_bounds == OutOfBounds::Report,
        limits: Limits {
            time_seconds: command.time_limit,
            memory_mb: command.memory_limit.unwrap_or_else(available_memory_mb),
        },
        keep: None,
    };
    if let Some(directory) = &command.output {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot make the directory `{}`", directory.display()))?;
    }
    let deadline = Deadline::after(command.time_limit);
    let (seconds, format) = (command.time_limit, command.format.of_messages());
    let _alarm = Alarm::at(deadline, GRACE, move || give_up(seconds, format));
    if command.against.is_some() {
        return against::compare(&command, &job, deadline, &report);
    }
    let mut listener = listener(&command, &report);
    if let Some(file) = &command.packed {
        let server = PackedServer::start(file, command.python.as_deref(), deadline);
        let server = server.map_err(|why| anyhow!("`{}`: {why}", file.display()))?;
        listener = Box::new(WithPacked { listener, server });
    }
    say_if_refused(refusal(job.limits.memory_mb, format));
    limit_memory(job.limits.memory_mb);
    if let Some(script) = &command.script {
        return run_script(&command, script, &job, deadline, &mut *listener, &report);
    }
    let (outcome, leaves) = execute_job(&job, deadline, &mut *listener);
    let origins = || OriginsByLine::of_file(&command.target.file, &command.tvm.files());
    let sums = command.by.and_then(|by| Some((by, origins()?)));
    if let Some(directory) = &command.output {
        write(directory, &leaves)?;
    }
    match command.format {
        RunFormat::Text => text::print(&outcome, &report, sums.as_ref())?,
        RunFormat::Json => print_json(&outcome, &report)?,
        RunFormat::Perfetto => print_timeline(&outcome, &report, origins().as_ref())?,
    }
    Ok(exit_code(&outcome))
}

/// Calls functions in order. Each result is printed, and written to `NAME.npy` if the script names it.
fn run_script(
    command: &Run,
    script: &std::path::Path,
    job: &Job,
    deadline: Deadline,
    listener: &mut dyn Listener,
    report: &FileReport,
) -> anyhow::Result<ExitCode> {
    let shown = script.display();
    let text = std::fs::read(script).with_context(|| format!("cannot read `{shown}`"))?;
    let steps = script::read(&text).map_err(|why| anyhow!("`{shown}`: {why}"))?;
    if let Some(directory) = &command.output {
        for name in steps.iter().filter_map(|step| step.name.as_deref()) {
            path_inside::join(directory, &format!("{name}.npy"))?;
        }
    }
    let (done, failed) = script::execute(job, &steps, deadline, listener);
    if let Some(directory) = &command.output {
        let mut times = BTreeMap::new();
        for (at, (done, step)) in done.iter().zip(&steps).enumerate() {
            let name = step.name.clone().unwrap_or_else(|| at.to_string());
            // A repeated call has the same name each time.
            let time = times.entry(name.clone()).or_insert(0);
            *time += 1;
            let name = match *time {
                1 => name,
                time => format!("{name}-{time}"),
            };
            let named = done
                .leaves
                .iter()
                .map(|(leaf, value)| (leaf.replacen("out", &name, 1), value.clone()));
            write(directory, &named.collect())?;
        }
    }
    let failure = failed.map(Outcome::Failed);
    match command.format.of_messages() {
        Format::Text => {
            for done in &done {
                output::print_text(text::show(&done.finished))?;
                match &done.expected {
                    None => {}
                    Some(Expectation::Equal { .. }) => output::print_text("  as expected\n")?,
                    Some(Expectation::Differs { what }) => {
                        output::print_text(format!("  differs from what is expected: {what}\n"))?;
                    }
                }
            }
            if let Some(failure) = &failure {
                text::print(failure, report, None)?;
            }
        }
        Format::Json => {
            let call = |done: &script::Done| {
                let mut json = json!(done.finished);
                if let Some(expected) = &done.expected {
                    json["expect"] = json!(expected);
                }
                json
            };
            let calls: Vec<_> = done.iter().map(call).collect();
            let mut json = json!({"ok": failure.is_none(), "calls": calls});
            if let Some(Outcome::Failed(failure)) = &failure {
                json["error"] = error_json(failure, report);
            }
            output::print_json(json)?;
        }
    }
    let differs = |it: &script::Done| matches!(it.expected, Some(Expectation::Differs { .. }));
    Ok(match failure {
        Some(failure) => exit_code(&failure),
        None if done.iter().any(differs) => ExitCode::from(crate::exit::PROBLEMS_FOUND),
        None => ExitCode::SUCCESS,
    })
}

/// Ends the process. A run that can still report where it was has ended before.
fn give_up(seconds: u64, format: Format) -> ! {
    let message = format!("stopped after {seconds} s, the time limit (`--time-limit`)");
    if format == Format::Json {
        let json = json!({"ok": false, "error": {"message": message}});
        let _ = output::print_json(json);
    } else {
        output::complain(&anyhow!(message));
    }
    std::process::exit(PROGRAM_ERROR.into())
}

/// Returns the result of a run that exceeds its memory limit, during compilation or later.
fn refusal(mb: u64, format: Format) -> Refusal {
    let message = format!("stopped at {mb} MB, the memory limit (`--memory-limit`)");
    let is_answer = format == Format::Json;
    let text = if is_answer {
        let json = json!({"ok": false, "error": {"message": message}});
        format!("{json:#}\n")
    } else {
        format!("error: {message}\n")
    };
    Refusal {
        text,
        is_answer,
        code: PROGRAM_ERROR,
    }
}

fn exit_code(outcome: &Outcome) -> ExitCode {
    match outcome {
        Outcome::Finished(finished) if !finished.out_of_bounds.is_empty() => {
            ExitCode::from(PROGRAM_ERROR)
        }
        Outcome::Finished(_) => ExitCode::SUCCESS,
        Outcome::Failed(failure) if failure.cause == Cause::Program => {
            ExitCode::from(PROGRAM_ERROR)
        }
        Outcome::Failed(_) | Outcome::Cancelled => ExitCode::from(COULD_NOT_RUN),
    }
}

fn distinct<T: Clone>(given: &[(String, T)], option: &str) -> anyhow::Result<BTreeMap<String, T>> {
    let mut map = BTreeMap::new();
    for (name, value) in given {
        if map.insert(name.clone(), value.clone()).is_some() {
            bail!("`{option} {name}=` is given twice");
        }
    }
    Ok(map)
}

/// Returns the listener of a run. For text output, the trace is printed while the program runs.
fn listener<'r>(command: &Run, report: &'r FileReport) -> Box<dyn Listener + 'r> {
    if !command.trace {
        return Box::new(Keep::default());
    }
    if command.format != RunFormat::Text {
        return Box::new(Tracer::default());
    }
    let lines = crate::line_index::LineColumns::new(&report.text);
    let origins = OriginsByLine::of_file(&command.target.file, &command.tvm.files());
    Box::new(Tracer::live(Live {
        sink: Box::new(|text: &str| {
            // A closed pipe does not stop the program.
            let _ = output::print_text(text);
        }),
        line_of: Box::new(move |offset| lines.line_col(offset).0),
        origin_of: Box::new(move |line| {
            let origins = origins.as_ref()?;
            let origin = origins.of_line(line).first()?;
            Some(origin.brief(&origins.folder))
        }),
    }))
}

fn write(directory: &std::path::Path, leaves: &Leaves) -> anyhow::Result<()> {
    for (name, value) in leaves {
        if let Some(tensor) = value.to_array() {
            let tensor = tensor.map_err(|error| anyhow!("{error}"))?;
            let path = path_inside::join(directory, &format!("{name}.npy"))?;
            npy::write(&path, &tensor)?;
        }
    }
    Ok(())
}

/// Prints the timeline of what ran, also up to a failure, whose message goes to standard error.
fn print_timeline(
    outcome: &Outcome,
    report: &FileReport,
    origins: Option<&OriginsByLine>,
) -> anyhow::Result<()> {
    if let Outcome::Failed(failure) = outcome {
        output::complain(&anyhow!("{}", failure.message));
    }
    let Some(trace) = outcome.trace() else {
        return Ok(());
    };
    let path = report.path.display();
    let place_of = |offset| {
        let line = report.lines.line_col(TextSize::new(offset)).0;
        let origin = origins.and_then(|it| Some(it.of_line(line).first()?.brief(&it.folder)));
        let from = origin.map_or_else(String::new, |origin| format!(", from {origin}"));
        format!("{path}:{line}{from}")
    };
    output::print_json(perfetto::timeline(trace, &path.to_string(), place_of))
}

fn print_json(outcome: &Outcome, report: &FileReport) -> anyhow::Result<()> {
    let mut json = match outcome {
        Outcome::Finished(finished) => {
            let mut json = json!({"ok": true});
            if let (Some(into), serde_json::Value::Object(from)) =
                (json.as_object_mut(), json!(finished))
            {
                into.extend(from);
            }
            json
        }
        Outcome::Failed(failure) => json!({"ok": false, "error": error_json(failure, report)}),
        Outcome::Cancelled => json!({"ok": false}),
    };
    if let Some(trace) = outcome.trace() {
        json["trace"] = trace.to_json(report);
    }
    if let Outcome::Finished(finished) = outcome
        && !finished.out_of_bounds.is_empty()
    {
        let places = finished.out_of_bounds.iter().map(|it| {
            let mut place = json!({"function": it.function, "message": it.message});
            for (name, value) in report.members(it.offsets) {
                place[name] = value;
            }
            place
        });
        json["outOfBounds"] = places.collect();
    }
    output::print_json(json)
}

/// Lines and columns start at 1.
impl ShowRange for FileReport {
    fn members(&self, (start, end): (u32, u32)) -> Vec<(&'static str, serde_json::Value)> {
        let range = TextRange::new(TextSize::new(start), TextSize::new(end.max(start)));
        let span = self.span(range);
        vec![
            ("line", json!(span.line)),
            ("col", json!(span.col)),
            ("end_line", json!(span.end_line)),
            ("end_col", json!(span.end_col)),
        ]
    }
}

fn error_json(failure: &Failure, report: &FileReport) -> serde_json::Value {
    let mut error = json!({"message": failure.message});
    if let Some(code) = &failure.code {
        error["code"] = json!(code);
    }
    if let Some(range) = failure.text_range() {
        let span = report.span(range);
        error["path"] = json!(report.slash_path());
        error["line"] = json!(span.line);
        error["col"] = json!(span.col);
        error["end_line"] = json!(span.end_line);
        error["end_col"] = json!(span.end_col);
    }
    error
}
