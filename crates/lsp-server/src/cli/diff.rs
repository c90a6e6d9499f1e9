//! `relax-lsp diff`: what two modules differ in, whatever the names of variables and the order inside dataflow blocks.

mod json;
pub mod text;

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use hir::difference::{FunctionDifference, ModuleDifference};
use hir::form::ModuleForm;
use ide::Analysis;
use ide::difference::{Difference, Snapshot};

use super::html;
use super::output;
use super::run::target::Target as Named;
use super::target::Target;
use crate::config::project::Projects;
use crate::exit::PROBLEMS_FOUND;
use crate::line_index::LineColumns;
use crate::sources;
use crate::targets::Targets;

#[derive(Args)]
pub struct Diff {
    /// FILE[::FUNCTION]: the module before, or one function of it
    before: Named,
    /// FILE[::FUNCTION]: the module after
    after: Named,
    /// Only this function of both
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// How to print the difference
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    target: Target,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// One object
    Json,
    /// A page in one file
    Html,
}

/// One of the two modules.
pub struct Side {
    pub path: String,
    pub lines: LineColumns,
    pub snapshot: Snapshot,
}

pub fn execute(command: &Diff) -> anyhow::Result<ExitCode> {
    let read = |named: &Named| side(&named.file, command.target);
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(crate::memory::STACK)
        .build()?;
    let (before, after) =
        pool.install(|| rayon::join(|| read(&command.before), || read(&command.after)));
    let (before, after) = (before?, after?);
    let name = |named: &Named| named.function.clone().or_else(|| command.function.clone());
    let difference = match (name(&command.before), name(&command.after)) {
        (None, None) => ModuleDifference::of(&before.snapshot.form, &after.snapshot.form),
        (a, b) => {
            let a = function(&before, a.as_deref())?;
            let b = function(&after, b.as_deref())?;
            functions(&before.snapshot.form, &after.snapshot.form, a, b)
        }
    };
    let difference = Difference::described(&difference, &before.snapshot, &after.snapshot);
    output::print(&match command.format {
        Format::Text => text::render(&difference, &before, &after),
        Format::Html => {
            let title = format!("{} → {}", before.path, after.path);
            let body = html::difference::render(&difference, &before.lines, &after.lines);
            html::page(&title, &body)
        }
        Format::Json => format!("{:#}\n", json::render(&difference, &before, &after)),
    })?;
    Ok(if difference.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(PROBLEMS_FOUND)
    })
}

/// A file in canonical form.
pub fn side(path: &Path, target: Target) -> anyhow::Result<Side> {
    let text = sources::read(path)?;
    let lines = LineColumns::new(&text);
    Projects::new().of_file(path)?;
    let config = target.config(path, &Targets::of_process());
    let (analysis, file) = Analysis::from_single_file(text, config);
    let snapshot = analysis.snapshot(file);
    Ok(Side {
        path: path.display().to_string(),
        lines,
        snapshot: snapshot.expect("nothing changes the file meanwhile"),
    })
}

/// The position of the function of a name; without one, of the only function.
fn function(side: &Side, name: Option<&str>) -> anyhow::Result<usize> {
    let functions = &side.snapshot.form.functions;
    let Some(name) = name else {
        bail!("name a function on both sides: FILE::FUNCTION");
    };
    let bare = name.rsplit_once('.').map_or(name, |(_, bare)| bare);
    match functions.iter().position(|it| it.name == bare) {
        Some(at) => Ok(at),
        None => bail!("`{}` has no function `{name}`", side.path),
    }
}

/// The difference of two functions alone. What they call is compared by name.
fn functions(before: &ModuleForm, after: &ModuleForm, a: usize, b: usize) -> ModuleDifference {
    let difference = FunctionDifference::of(&before.functions[a], &after.functions[b]);
    ModuleDifference {
        functions: vec![FunctionDifference {
            before: Some(a),
            after: Some(b),
            ..difference
        }],
    }
}
