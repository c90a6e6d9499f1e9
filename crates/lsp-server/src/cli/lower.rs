//! `relax-lsp lower`: prints functions at a stage of lowering.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use ide::Language;
use serde_json::json;
use vm::listing::Stage;

use super::output::{self, Format};
use super::report::FileReport;
use super::run::function_path::FunctionPath;
use super::target::Target;
use crate::run::constants::{self, ConstantFiles};
use crate::run::job::{Limits, LowerJob};
use crate::run::limits::limit_memory_to_available;
use crate::run::lowered::{lower, stage_named};
use crate::sources;
use crate::targets::Targets;

#[derive(Args)]
pub struct Lower {
    /// FILE[::[MODULE.]FUNCTION[@LINE]]: the file, and the function unless all are wanted
    target: FunctionPath,
    /// How far to lower it: normalized (calls on variables), explicit-memory (allocations in reused storages),
    /// shape-lowered (dimensions in a heap), or bytecode (the instructions that the virtual machine runs)
    #[arg(long, default_value = "bytecode", value_parser = stage_named)]
    stage: Stage,
    #[arg(long, value_name = "FILE|DIR", help = constants::HELP)]
    constants: Vec<PathBuf>,
    /// How to print it; `json` includes the source range of each line
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    tvm: Target,
}

pub fn execute(command: &Lower) -> anyhow::Result<ExitCode> {
    let text = sources::read(&command.target.file)?;
    limit_memory_to_available();
    let release = command
        .tvm
        .target(&command.target.file, &Targets::of_process());
    let job = LowerJob {
        text: (&*text).into(),
        relay: sources::language(&command.target.file) == Language::Relay,
        target: release.map(|it| it.name().to_owned()),
        function: command.target.function.clone(),
        line: command.target.line.map(|line| line.saturating_sub(1)),
        stage: command.stage.name().to_owned(),
        constants: ConstantFiles {
            files: command.constants.clone(),
            beside: Some(command.target.file.clone()),
        },
        limits: Limits::available(),
    };
    let lowered = lower(&job).map_err(|why| anyhow!(why))?;
    match command.format {
        Format::Text => output::print_text(lowered.text)?,
        Format::Json => {
            let report = FileReport::new(command.target.file.clone(), text, Vec::new());
            let links: Vec<_> = lowered
                .lines()
                .map(|(line, range)| {
                    let span = report.span(range);
                    json!({
                        "at": line + 1, "line": span.line, "col": span.col,
                        "end_line": span.end_line, "end_col": span.end_col,
                    })
                })
                .collect();
            let json = json!({
                "stage": command.stage.name(), "text": lowered.text, "links": links,
            });
            output::print_json(json)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
