//! `relax-lsp diff`: compares two modules, ignoring the names of variables and the order inside dataflow blocks.

mod json;

use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::output::{self, Output};
use super::run::function_path::FunctionPath;
use super::target::Target;
use crate::compilation::sides::{Side, both, compare};
use crate::compilation::text;
use crate::exit::PROBLEMS_FOUND;
use crate::html;
use crate::html::difference::{LineNumbers, MOST_CHANGES, render};

#[derive(Args)]
pub struct Diff {
    /// FILE[::FUNCTION]: the first module, or one function of it
    before: FunctionPath,
    /// FILE[::FUNCTION]: the second module, or one function of it
    after: FunctionPath,
    /// Compare only this function of both modules
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// How to print the difference
    #[arg(long, value_enum, default_value_t)]
    format: DiffFormat,
    #[command(flatten)]
    target: Target,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// Readable text
    #[default]
    Text,
    /// One JSON object
    Json,
    /// One HTML page
    Html,
}

pub fn execute(command: &Diff) -> anyhow::Result<ExitCode> {
    let files = command.target.files();
    let read = |named: &FunctionPath| Side::read(&named.file, &files);
    let (before, after) = both(|| read(&command.before), || read(&command.after))?;
    let name = |named: &FunctionPath| named.function.clone().or_else(|| command.function.clone());
    let names = (name(&command.before), name(&command.after));
    let difference = compare(&before, &after, (names.0.as_deref(), names.1.as_deref()))?;
    output::print(&match command.format {
        DiffFormat::Text => Output::Difference(text::render(&difference, &before, &after)),
        DiffFormat::Html => {
            let title = format!("{} → {}", before.path, after.path);
            let [old, new] = [&before, &after].map(|it| LineNumbers {
                lines: &it.lines,
                link: None,
            });
            let body = render(&difference, &old, &new, MOST_CHANGES);
            Output::Html(html::page(&title, &body))
        }
        DiffFormat::Json => Output::Json(json::render(&difference, &before, &after)),
    })?;
    Ok(if difference.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(PROBLEMS_FOUND)
    })
}
