//! `relax-lsp check`: the diagnostics of files and directories.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use ide::{Analysis, Diagnostic, Severity, Text};

use super::output;
use super::report::{self, FileReport};
use super::target::Target;
use crate::exit::{COULD_NOT_RUN, PROBLEMS_FOUND, complain};
use crate::sources::{self, Source};

#[derive(Args)]
pub struct Check {
    /// Files, or directories searched for Python files that contain TVMScript
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How to print the diagnostics
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
    /// One array with an object for each file
    Json,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
    /// Workflow commands that GitHub shows beside the code
    Github,
}

pub fn execute(command: &Check) -> anyhow::Result<ExitCode> {
    let sources = sources::collect(&command.paths)?;
    let (reports, failures) = check_all(&sources, &command.target)?;
    let text = match command.format {
        Format::Text => report::text::render(&reports, std::io::stdout().is_terminal()),
        Format::Json => report::json::render(&reports),
        Format::Sarif => report::sarif::render(&reports),
        Format::Github => report::github::render(&reports),
    };
    output::print(&text)?;
    for failure in &failures {
        complain(failure);
    }
    let errors = reports
        .iter()
        .flat_map(|report| &report.diagnostics)
        .any(|diagnostic| diagnostic.severity == Severity::Error);
    Ok(if !failures.is_empty() {
        ExitCode::from(COULD_NOT_RUN)
    } else if errors {
        ExitCode::from(PROBLEMS_FOUND)
    } else {
        ExitCode::SUCCESS
    })
}

/// Checks every source; files found in a directory only if they contain TVMScript.
/// Files are independent of each other, so each has its own database.
fn check_all(
    sources: &[Source],
    target: &Target,
) -> anyhow::Result<(Vec<FileReport>, Vec<anyhow::Error>)> {
    let results = sources::map(sources, |it| check(it, target))?;
    let (mut reports, mut failures) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(report) => reports.extend(report),
            Err(failure) => failures.push(failure),
        }
    }
    Ok((reports, failures))
}

fn check(source: &Source, target: &Target) -> anyhow::Result<Option<FileReport>> {
    let text = sources::read(&source.path)?;
    if !source.named && !ide::contains_tvmscript(&text) {
        return Ok(None);
    }
    let mut diagnostics = diagnostics(&text, target);
    // A hint is for an editor to grey something out, not a problem to report.
    diagnostics.retain(|it| it.severity != Severity::Hint);
    Ok(Some(FileReport::new(
        source.path.clone(),
        text,
        diagnostics,
    )))
}

fn diagnostics(text: &Text, target: &Target) -> Vec<Diagnostic> {
    let (analysis, file) = Analysis::from_single_file(text.clone(), target.config());
    analysis
        .diagnostics(file)
        .expect("nothing changes the file meanwhile")
}
