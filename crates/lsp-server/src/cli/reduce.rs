//! `relax-lsp reduce`: reduces a program to the smallest one that still shows an error, a failing run, a NaN, or what
//! a command checks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use ide::{Analysis, Severity};
use relax::Release;

use super::output;
use super::run::function_path::FunctionPath;
use super::target::Target;
use crate::exit::PROBLEMS_FOUND;
use crate::run::execute::execute as execute_job;
use crate::run::job::{InputSource, Job, Limits};
use crate::run::limits::Deadline;
use crate::run::listener::Keep as Listener;
use crate::run::outcome::{Cause, Outcome, Summary};
use crate::scratch::Scratch;
use crate::sources;
use crate::targets::Targets;

#[derive(Args)]
pub struct Reduce {
    /// FILE[::FUNCTION]
    file: FunctionPath,
    /// What the result must still show: `check:CODE` (a diagnostic, and no other errors), `run:exit` (the run raises
    /// an error), `run:nan` (a result contains NaN)
    #[arg(
        long,
        value_name = "WHAT",
        required_unless_present = "command",
        conflicts_with = "command"
    )]
    keep: Option<Keep>,
    /// Value of a shape variable of a run; 4 if missing
    #[arg(long = "dim", value_name = "NAME=N", value_parser = super::run::dim)]
    dims: Vec<(String, i64)>,
    /// Where to write the result; standard output if missing
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    target: Target,
    /// A command that exits with 0 if the file, its last argument, still shows the problem
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

#[derive(Clone, Debug)]
enum Keep {
    Check(String),
    RunFails,
    RunGivesNan,
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Keep, String> {
        match text.split_once(':') {
            Some(("check", code)) if !code.is_empty() => Ok(Keep::Check(code.to_owned())),
            Some(("run", "exit")) => Ok(Keep::RunFails),
            Some(("run", "nan")) => Ok(Keep::RunGivesNan),
            _ => Err("one of `check:CODE`, `run:exit`, `run:nan`".to_owned()),
        }
    }
}

pub fn execute(command: &Reduce) -> anyhow::Result<ExitCode> {
    let text = sources::read(&command.file.file)?;
    let targets = Targets::of_process();
    let config = command.target.config(&command.file.file, &targets);
    let scratch = Scratch::new()?;
    let place = scratch.path().join("reduced.py");
    // The result must not have errors that the original does not have.
    let known: BTreeSet<&str> = errors(&text, &config);
    let mut shows = |text: &str| {
        let errors = errors(text, &config);
        match &command.keep {
            Some(Keep::Check(code)) => {
                codes(text, &config).contains(code.as_str()) && errors.is_subset(&known)
            }
            Some(Keep::RunFails) => {
                errors.is_subset(&known)
                    && matches!(run(command, config.target, text), Outcome::Failed(it) if it.cause == Cause::Program)
            }
            Some(Keep::RunGivesNan) => {
                errors.is_subset(&known) && has_nan(&run(command, config.target, text))
            }
            None => {
                std::fs::write(&place, text).is_ok()
                    && errors.is_subset(&known)
                    && succeeds(&command.command, &place)
            }
        }
    };
    if !shows(&text) {
        bail!(
            "`{}` does not show the problem",
            command.file.file.display()
        );
    }
    let reduced = ide::reduce(&text, &mut shows);
    match &command.output {
        Some(path) => std::fs::write(path, &reduced)
            .with_context(|| format!("cannot write `{}`", path.display()))?,
        None => output::print(&reduced)?,
    }
    Ok(if reduced == *text {
        ExitCode::from(PROBLEMS_FOUND)
    } else {
        ExitCode::SUCCESS
    })
}

fn diagnostics(text: &str, config: &ide::Config) -> Vec<ide::Diagnostic> {
    let (analysis, file) = Analysis::from_single_file(text, *config);
    analysis
        .diagnostics(file)
        .expect("nothing changes the file meanwhile")
}

fn codes(text: &str, config: &ide::Config) -> BTreeSet<&'static str> {
    diagnostics(text, config).iter().map(|it| it.code).collect()
}

fn errors(text: &str, config: &ide::Config) -> BTreeSet<&'static str> {
    let found = diagnostics(text, config);
    let errors = found.iter().filter(|it| it.severity == Severity::Error);
    errors.map(|it| it.code).collect()
}

/// A trial that takes longer counts as not showing the problem.
const TRIAL_SECONDS: u64 = 60;

fn run(command: &Reduce, target: Option<Release>, text: &str) -> Outcome {
    let job = Job {
        text: text.into(),
        relay: false,
        directory: None,
        target: target.map(|it| it.name().to_owned()),
        function: command.file.function.clone().unwrap_or_default(),
        line: None,
        dims: command.dims.iter().cloned().collect(),
        default_dim: Some(4),
        inputs: BTreeMap::from([("*".to_owned(), InputSource::Formula)]),
        weights: Vec::new(),
        weight_names: Vec::new(),
        seed: 0,
        repeat: 1,
        trace: false,
        goes_on: false,
        limits: Limits::available(),
        keep: None,
    };
    execute_job(
        &job,
        Deadline::after(TRIAL_SECONDS),
        &mut Listener::default(),
    )
    .0
}

fn has_nan(outcome: &Outcome) -> bool {
    let Outcome::Finished(finished) = outcome else {
        return false;
    };
    let mut outputs = finished.outputs.iter();
    outputs.any(|it| matches!(it.value, Summary::Tensor { nan, .. } if nan > 0))
}

fn succeeds(command: &[String], place: &std::path::Path) -> bool {
    let [program, arguments @ ..] = command else {
        return false;
    };
    let mut process = Command::new(program);
    process
        .args(arguments)
        .arg(place)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    process.status().is_ok_and(|status| status.success())
}
