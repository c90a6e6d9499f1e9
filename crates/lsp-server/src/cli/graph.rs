//! `relax-lsp graph`: the dataflow graphs of a file, for programs that draw graphs.

mod explorer;

use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use ide::graph::{Graph, GraphLimit};
use ide::{Analysis, FileId, FilePosition};
use rustc_hash::FxHashSet;

use super::html;
use super::output;
use super::run::function_path::FunctionPath;
use super::target::Target;
use crate::compilation::bare_name;
use crate::compilation::files::Read;

#[derive(Args)]
pub struct GraphCommand {
    /// FILE[::FUNCTION]; without a function, all that no other calls
    file: FunctionPath,
    /// Which program is to draw the graph
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
    /// Model Explorer, which opens the modules of a model one by one
    ModelExplorer,
    /// A page in one file
    Html,
}

pub fn execute(command: &GraphCommand) -> anyhow::Result<ExitCode> {
    let files = command.target.files();
    let read = files.analysis(&command.file.file)?;
    let mut graphs = graphs(&read.analysis, read.file);
    match &command.file.function {
        Some(name) => {
            graphs.retain(|it| it.function == *name || bare_name(&it.function) == name);
            if graphs.is_empty() {
                bail!("there is no Relax function `{name}`");
            }
        }
        None => retain_uncalled(&mut graphs),
    }
    output::print(&match command.format {
        GraphFormat::Dot => graphs.iter().map(Graph::to_dot).collect::<String>(),
        GraphFormat::ModelExplorer => {
            let name = command.file.file.display().to_string();
            format!("{:#}\n", explorer::collection(&name, &graphs))
        }
        GraphFormat::Html => {
            let title = format!("Graphs of {}", command.file.file.display());
            html::page(&title, &html::graph::render_all(&graphs))
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The graphs of the functions of a file that no other calls.
pub fn of_uncalled(read: &Read) -> Vec<Graph> {
    let mut graphs = graphs(&read.analysis, read.file);
    retain_uncalled(&mut graphs);
    graphs
}

/// The graphs of all Relax functions, whole.
fn graphs(analysis: &Analysis, file: FileId) -> Vec<Graph> {
    let graph = |offset| {
        let position = FilePosition { file, offset };
        let graph = analysis.graph(position, offset, GraphLimit::NONE);
        graph.expect("nothing changes the file meanwhile")
    };
    let functions = analysis.runnables(file);
    let functions = functions.expect("nothing changes the file meanwhile");
    let functions = functions.iter().map(|it| it.name_range.start());
    functions.filter_map(graph).collect()
}

/// Leaves what no other function calls: what is called stands in the box of its call.
fn retain_uncalled(graphs: &mut Vec<Graph>) {
    let nodes = graphs.iter().flat_map(|it| &it.nodes);
    let called: FxHashSet<String> = nodes.filter_map(|it| it.callee.clone()).collect();
    if graphs
        .iter()
        .any(|it| !called.contains(bare_name(&it.function)))
    {
        graphs.retain(|it| !called.contains(bare_name(&it.function)));
    }
}
