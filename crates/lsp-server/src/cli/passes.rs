//! `relax-lsp passes`: reads the dumps of a compilation, and shows what each pass changed and which pass broke the
//! module.

mod json;
pub mod report;
mod run;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use ide::passes::Sequence;

use super::output::{self, Format, Output};
use super::progress;
use super::record::{Prints, record};
use super::table::Page;
use super::target::Target;
use crate::compilation::dumps::{self, Dump};
use crate::compilation::files::Files;
use crate::compilation::runs::Runs;
use crate::compilation::stages;
use crate::exit::PROBLEMS_FOUND;

#[derive(Args)]
pub struct Passes {
    /// A folder of dumps, as `tvm.ir.instrument.DumpIR` writes it, or the dumps in order; with `--record` a Python
    /// script and its arguments
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Run a script that builds a module, and dump the module after each pass: `--record build.py -- --its-own-flag`
    #[arg(long)]
    record: bool,
    /// With `--record`: the folder for the dumps
    #[arg(short, long, value_name = "DIR", default_value = "dumps")]
    output: PathBuf,
    /// With `--record`: the Python that has TVM; by default the one on the `PATH`
    #[arg(long, value_name = "PATH", requires = "record")]
    python: Option<PathBuf>,
    /// List each pass that changed nothing on its own line
    #[arg(long)]
    all: bool,
    /// Run every stage on the same inputs, and report the first stage whose values differ
    #[arg(long)]
    run: bool,
    #[command(flatten)]
    values: run::Values,
    /// How to print the sequence
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    target: Target,
}

pub fn execute(command: &Passes) -> anyhow::Result<ExitCode> {
    let recorded = [command.output.clone()];
    let (paths, failure) = if command.record {
        let python = command.python.as_deref();
        let ended = record(&command.paths, &command.output, python, Prints::ToError)?;
        (&recorded[..], ended.failure)
    } else {
        (&command.paths[..], None)
    };
    if let Some(failure) = &failure {
        output::warn(failure.clone())?;
    }
    let files = command.target.files();
    let dumps = dumps::find(paths, &files)?;
    let sequence = read(&dumps, &files)?;
    let run_all = || run::run(&sequence, &dumps, &command.values);
    let runs = command.run.then(run_all).transpose()?;
    output::print(&match command.format {
        Format::Text => {
            let page = Page::of_output();
            Output::Coloured(table::render(
                &sequence,
                &dumps,
                runs.as_ref(),
                command.all,
                page,
            ))
        }
        Format::Json => Output::Json(json::render(&sequence, &dumps, runs.as_ref())),
    })?;
    Ok(match failure {
        Some(_) => ExitCode::from(PROBLEMS_FOUND),
        None => exit_code(&sequence, runs.as_ref(), &command.values),
    })
}

/// Reads the stages, and says how many there are so far.
pub fn read(dumps: &[Dump], files: &Files) -> anyhow::Result<Sequence> {
    progress::begin("Reading stages");
    stages::read(dumps, files, &mut |sequence, _| {
        progress::step(sequence.stages.len(), dumps.len());
    })
}

/// Returns the exit code: an ill-formed stage is a problem whatever runs.
fn exit_code(sequence: &Sequence, runs: Option<&Runs>, values: &run::Values) -> ExitCode {
    if sequence.first_ill_formed().is_some() {
        return ExitCode::from(PROBLEMS_FOUND);
    }
    let code = runs.map_or(0, |runs| values.exit_code(runs.verdict));
    ExitCode::from(code)
}
