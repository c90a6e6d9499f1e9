//! `relax-lsp lower`: what a function becomes on its way to the virtual machine.

use std::process::ExitCode;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use serde_json::json;
use vm::listing::Stage;

use super::report::FileReport;
use super::run::target::Target;
use super::{output, sources};
use crate::lowered::{Wanted, listing, stage_named};

#[derive(Args)]
pub struct Lower {
    /// FILE[::[MODULE.]FUNCTION[@LINE]]: the file, and the function if not all are wanted
    target: Target,
    /// How far to lower it: normalized (calls on variables), explicit-memory (allocations, storages used again),
    /// shape-lowered (dimensions in a heap), or bytecode, the instructions that the virtual machine runs
    #[arg(long, default_value = "bytecode", value_parser = stage_named, verbatim_doc_comment)]
    stage: Stage,
    /// How to print it: `json` says where in the source each line comes from
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

pub fn execute(command: &Lower) -> anyhow::Result<ExitCode> {
    let text = sources::read(&command.target.file)?;
    let wanted = Wanted {
        text: text.clone(),
        dialect: None,
        function: command.target.function.clone(),
        line: command.target.line.map(|line| line.saturating_sub(1)),
        stage: command.stage,
    };
    let listing = listing(&wanted).map_err(|why| anyhow!(why))?;
    match command.format {
        Format::Text => output::print(&listing.text)?,
        Format::Json => {
            let report = FileReport::new(command.target.file.clone(), text, Vec::new());
            let links: Vec<_> = listing
                .lines
                .iter()
                .map(|(line, range)| {
                    let span = report.span(*range);
                    json!({
                        "at": line + 1, "line": span.line, "col": span.col,
                        "end_line": span.end_line, "end_col": span.end_col,
                    })
                })
                .collect();
            let json = json!({
                "stage": command.stage.name(), "text": listing.text, "links": links,
            });
            output::print(&format!("{json:#}\n"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
