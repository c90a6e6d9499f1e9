//! `relax-lsp reduce`: reduces a program to the smallest one that still shows an error, a failing run, a NaN, what a
//! pass does wrong, or what a command checks.

mod passes;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::str::FromStr;

use anyhow::bail;
use clap::Args;
use ide::{Analysis, Severity};
use relax::Release;
use smol_str::SmolStr;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::output::{self, Output};
use super::progress;
use super::run::function_path::FunctionPath;
use super::target::Target;
use crate::compilation::recording::Recording;
use crate::exit::PROBLEMS_FOUND;
use crate::run::child;
use crate::run::constants::{self, ConstantFiles};
use crate::run::job::{InputSource, Job, Limits};
use crate::run::outcome::{Cause, Outcome, Summary};
use crate::scratch::{self, Scratch};
use crate::sources;
use crate::targets::Targets;
use crate::whole_file;
use passes::{Applier, Fault, WrongPass};

#[derive(Args)]
pub struct Reduce {
    /// FILE[::FUNCTION], or a recording with a wrong pass
    #[arg(value_name = "FILE | RECORDING")]
    file: FunctionPath,
    /// What the result must still show: `check:CODE` (a diagnostic, and no other errors), `run:exit` (the run raises
    /// an error, or the program cannot be lowered for the same reason), `run:nan` (a result contains NaN), `pass:NAME`
    /// (TVM's pass of this name raises an exception, or changes a value; also Python: `pass:my_passes.Fuse()`)
    #[arg(long, value_name = "WHAT", conflicts_with = "command")]
    keep: Option<Keep>,
    /// Value of a shape variable of a run; 4 if missing
    #[arg(long = "dim", value_name = "NAME=N", value_parser = super::run::dim)]
    dims: Vec<(String, i64)>,
    /// Value of a parameter of a run, as for `relax-lsp run`; `formula` if missing
    #[arg(long = "input", value_name = "PARAM=VALUE", value_parser = super::run::input)]
    inputs: Vec<(String, InputSource)>,
    /// Weights of a run, as for `relax-lsp run`
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
    #[arg(long, value_name = "FILE|DIR", requires = "keep", help = constants::HELP)]
    constants: Vec<PathBuf>,
    /// The Python that has TVM, to apply a pass; by default the one on the `PATH`
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,
    /// Where to write the result; standard output if missing. For a pass a folder, with a program that shows it
    #[arg(short, long, value_name = "FILE|DIR")]
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
    Pass(String),
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Keep, String> {
        match text.split_once(':') {
            Some(("check", code)) if !code.is_empty() => Ok(Keep::Check(code.to_owned())),
            Some(("run", "exit")) => Ok(Keep::RunFails),
            Some(("run", "nan")) => Ok(Keep::RunGivesNan),
            Some(("pass", pass)) if !pass.is_empty() => Ok(Keep::Pass(pass.to_owned())),
            _ => Err("one of `check:CODE`, `run:exit`, `run:nan`, `pass:NAME`".to_owned()),
        }
    }
}

pub fn execute(command: &Reduce) -> anyhow::Result<ExitCode> {
    if let Some(wrong) = wrong_pass(command)? {
        return without_pass(command, &wrong);
    }
    let text = sources::read(&command.file.file)?;
    let targets = Targets::of_process();
    let config = command.target.config(&command.file.file, &targets);
    let scratch = Scratch::new()?;
    let place = scratch.path().join("reduced.py");
    let trials = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let run = |text: &str| run(&trials, command, config.target, text);
    // The result must not have errors that the original does not have.
    let known: BTreeSet<&str> = errors(&text, &config);
    let reason = match command.keep {
        Some(Keep::RunFails) => reason(&run(&text)),
        _ => None,
    };
    let mut shows = |text: &str| {
        let errors = errors(text, &config);
        match &command.keep {
            Some(Keep::Check(code)) => {
                codes(text, &config).contains(code.as_str()) && errors.is_subset(&known)
            }
            Some(Keep::RunFails) => {
                errors.is_subset(&known) && reason.is_some() && self::reason(&run(text)) == reason
            }
            Some(Keep::RunGivesNan) => errors.is_subset(&known) && has_nan(&run(text)),
            Some(Keep::Pass(_)) | None => {
                scratch::write(&place, text).is_ok()
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
    let reduced = reduced(&text, &mut shows);
    match &command.output {
        Some(path) if is_same(path, &command.file.file) => {
            whole_file::replace(path, &text, &reduced)?;
        }
        Some(path) => whole_file::write(path, reduced.as_bytes())?,
        None => output::print(&Output::Program(reduced.clone()))?,
    }
    Ok(if reduced == *text {
        ExitCode::from(PROBLEMS_FOUND)
    } else {
        ExitCode::SUCCESS
    })
}

/// Returns the pass that the result must still show, if it is one.
fn wrong_pass(command: &Reduce) -> anyhow::Result<Option<WrongPass>> {
    let module = command.file.file.clone();
    match &command.keep {
        Some(Keep::Pass(pass)) => Ok(Some(WrongPass {
            module,
            pass: pass.clone(),
        })),
        Some(_) => Ok(None),
        None if !command.command.is_empty() => Ok(None),
        None => {
            let folder = module.parent().unwrap_or(Path::new(""));
            let Some(recording) = Recording::open(folder)? else {
                bail!("say what the result must still show: `--keep`, or a command after `--`");
            };
            passes::of_recording(&recording, &command.target.files()).map(Some)
        }
    }
}

/// Reduces a module while a pass still does the same wrong.
fn without_pass(command: &Reduce, wrong: &WrongPass) -> anyhow::Result<ExitCode> {
    let files = command.target.files();
    let (text, config) = files.source(&wrong.module)?;
    let mut applier = Applier::new(wrong, command.python.as_deref(), &files)?;
    let pass = &wrong.pass;
    let Some(fault) = applier.fault(&text) else {
        bail!(
            "`{pass}` raises no exception for `{}`, and changes no value",
            wrong.module.display()
        );
    };
    let known = errors(&text, &config);
    let mut shows = |text: &str| {
        errors(text, &config).is_subset(&known) && applier.fault(text).as_ref() == Some(&fault)
    };
    let reduced = reduced(&text, &mut shows);
    let Some(folder) = &command.output else {
        output::print(&Output::Program(reduced))?;
        return Ok(ExitCode::SUCCESS);
    };
    applier.report(&reduced, &fault, folder)?;
    let shown = folder.display();
    output::warn(match fault {
        Fault::Raises(exception) => {
            format!(
                "`{pass}` raises {exception}: `{shown}/report.py` shows it
"
            )
        }
        Fault::Differs => {
            format!(
                "`{pass}` changes a value: `{shown}/report.py`, `relax-lsp passes {shown} --run`
"
            )
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Reduces a text, and says how small it is so far.
fn reduced(text: &str, shows: &mut dyn FnMut(&str) -> bool) -> String {
    progress::begin("Reducing");
    let mut tried = 0;
    let reduced = ide::reduce(text, &mut |text| {
        tried += 1;
        let is_shown = shows(text);
        if is_shown {
            let lines = text.lines().count();
            progress::note(|| format!("Reducing: {tried} tried, {lines} lines left"));
        }
        is_shown
    });
    progress::end();
    reduced
}

/// The program itself may be the result, which may take so long that somebody edits it meanwhile.
fn is_same(path: &Path, other: &Path) -> bool {
    let real = path.canonicalize();
    real.is_ok_and(|it| other.canonicalize().is_ok_and(|other| it == other))
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

/// A trial that takes longer shows another problem than an error.
const TRIAL_SECONDS: u64 = 60;

/// Runs a program in a process of its own, which it cannot take this one with.
fn run(trials: &Runtime, command: &Reduce, target: Option<Release>, text: &str) -> Outcome {
    // What is given for a parameter or a dimension goes with it.
    let params = params(text, target);
    let exists = |it: &&(String, InputSource)| {
        let (param, _) = it.0.split_once('.').unwrap_or((&it.0, ""));
        it.0 == "*" || params.contains(param)
    };
    let inputs = command.inputs.iter().filter(exists).cloned();
    let given = std::iter::once(("*".to_owned(), InputSource::Formula));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words: BTreeSet<&str> = text.split(|c| !is_word(c)).collect();
    let dim_exists = |it: &&(String, i64)| words.contains(it.0.as_str());
    let job = Job {
        text: text.into(),
        relay: false,
        directory: None,
        target: target.map(|it| it.name().to_owned()),
        function: command.file.function.clone().unwrap_or_default(),
        line: None,
        dims: command.dims.iter().filter(dim_exists).cloned().collect(),
        default_dim: Some(4),
        inputs: given.chain(inputs).collect(),
        weights: command.params.clone(),
        weight_names: command.param_names.clone(),
        // A smaller program takes fewer of them.
        allow_missing: true,
        constants: ConstantFiles {
            files: command.constants.clone(),
            beside: Some(command.file.file.clone()),
        },
        seed: 0,
        repeat: 1,
        trace: false,
        goes_on: false,
        limits: Limits {
            time_seconds: TRIAL_SECONDS,
            ..Limits::available()
        },
        keep: None,
    };
    let (answer, _) = trials.block_on(child::run(job, None, &CancellationToken::new()));
    answer.outcome
}

/// Returns the names of the parameters of all functions.
fn params(text: &str, target: Option<Release>) -> BTreeSet<SmolStr> {
    let (analysis, file) = Analysis::from_single_file(text, ide::Config { target });
    let Some((db, file)) = analysis.hir(file) else {
        return BTreeSet::new();
    };
    let functions = hir::file_items(db, file).functions.iter();
    let params = functions.flat_map(|it| hir::function_body(db, *it).function.params.iter());
    params.map(|it| it.name.text.clone()).collect()
}

/// Returns why a run fails: an error of the program, or what keeps it from being lowered, without names and numbers.
fn reason(outcome: &Outcome) -> Option<String> {
    let Outcome::Failed(failure) = outcome else {
        return None;
    };
    match failure.cause {
        // A limit is another reason than an error.
        Cause::Program => Some(if failure.is_limit { "limit" } else { "" }.to_owned()),
        Cause::Request if failure.range.is_some() => {
            let message = failure.message.split(" (and ").next().unwrap_or_default();
            let words = message.split('`').step_by(2);
            let text: String = words.collect();
            Some(text.chars().filter(|it| !it.is_ascii_digit()).collect())
        }
        Cause::Request | Cause::Internal => None,
    }
}

fn has_nan(outcome: &Outcome) -> bool {
    let Outcome::Finished(finished) = outcome else {
        return false;
    };
    let mut outputs = finished.outputs.iter();
    outputs.any(|it| matches!(it.value, Summary::Tensor { nan, .. } if nan > 0))
}

fn succeeds(command: &[String], place: &Path) -> bool {
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
