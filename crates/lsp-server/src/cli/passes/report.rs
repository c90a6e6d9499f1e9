//! `relax-lsp report`: writes a compilation as one HTML file, to attach to an issue.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::run;
use crate::cli::progress;
use crate::cli::target::Target;
use crate::compilation::dumps;
use crate::compilation::page::PassPage;
use crate::whole_file;

#[derive(Args)]
pub struct Report {
    /// A folder of dumps, as `tvm.ir.instrument.DumpIR` writes it, or the dumps in order
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long, value_name = "FILE.html")]
    output: PathBuf,
    /// Run every stage on the same inputs, and report the values that differ
    #[arg(long)]
    run: bool,
    #[command(flatten)]
    values: run::Values,
    #[command(flatten)]
    target: Target,
}

pub fn execute(command: &Report) -> anyhow::Result<ExitCode> {
    let files = command.target.files();
    let dumps = dumps::find(&command.paths, &files)?;
    let sequence = super::read(&dumps, &files)?;
    let run_all = || run::run(&sequence, &dumps, &command.values);
    let runs = command.run.then(run_all).transpose()?;
    progress::begin("Writing the report");
    let page = PassPage {
        sequence: &sequence,
        dumps: &dumps,
        runs: runs.as_ref(),
        links: false,
    };
    let page = page.render();
    progress::end();
    whole_file::write(&command.output, page.as_str().as_bytes())?;
    let code = runs.map_or(0, |runs| command.values.exit_code(runs.verdict));
    Ok(ExitCode::from(code))
}
