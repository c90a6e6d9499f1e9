//! `relax-lsp graph`: the dataflow graphs of a file, for programs that draw graphs.

mod explorer;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use ide::graph::{Graph, GraphLimit};

use super::output::{self, Output};
use super::run::function_path::FunctionPath;
use super::target::Target;
use crate::compilation::{bare_name, graphs};
use crate::html;

#[derive(Args)]
pub struct GraphCommand {
    /// FILE[::FUNCTION]; without a function, all functions that no other function calls
    file: FunctionPath,
    /// Mark what was added, changed and removed since this module
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    /// The program that draws the graph
    #[arg(long, value_enum, default_value_t)]
    format: GraphFormat,
    #[command(flatten)]
    target: Target,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum GraphFormat {
    /// Graphviz
    #[default]
    Dot,
    /// Model Explorer, which expands the modules of a model
    ModelExplorer,
    /// One HTML page
    Html,
}

pub fn execute(command: &GraphCommand) -> anyhow::Result<ExitCode> {
    let files = command.target.files();
    let read = files.analysis(&command.file.file)?;
    let mut graphs = match &command.since {
        None => graphs::complete(&read),
        Some(before) => {
            let before = files.analysis(before)?;
            graphs::compared(&before, &read, None, GraphLimit::NONE)
        }
    };
    match &command.file.function {
        Some(name) => {
            graphs.retain(|it| it.function == *name || bare_name(&it.function) == name);
            if graphs.is_empty() {
                bail!("there is no Relax function `{name}`");
            }
        }
        None => graphs::retain_uncalled(&mut graphs),
    }
    if graphs.is_empty() {
        bail!("`{}` has no Relax function", command.file.file.display());
    }
    output::print(&match command.format {
        GraphFormat::Dot => Output::Dot(graphs.iter().map(Graph::to_dot).collect()),
        GraphFormat::ModelExplorer => {
            let name = command.file.file.display().to_string();
            Output::Json(explorer::collection(&name, &graphs))
        }
        GraphFormat::Html => {
            let title = format!("Graphs of {}", command.file.file.display());
            Output::Html(html::page(&title, &html::graph::render_all(&graphs)))
        }
    })?;
    Ok(ExitCode::SUCCESS)
}
