//! `relax-lsp fmt`: formats the TVMScript and the Relay of files and directories.

use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use ide::{Analysis, FormatOptions, Language, Text, visible};

use super::output::{self, Output, complain};
use super::target::Target;
use crate::config::project::{Project, Projects};
use crate::exit::{COULD_NOT_RUN, PROBLEMS_FOUND};
use crate::sources::{self, Source};
use crate::targets::Targets;
use crate::whole_file;

#[derive(Args)]
pub struct Fmt {
    /// Files, or directories searched for Python files that contain TVMScript and for Relay files; `-` formats
    /// standard input to standard output
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Change nothing; exit with 1 if any file would change
    #[arg(long)]
    check: bool,
    /// Break longer lines; 0 never breaks lines, as TVM prints. The default is the project's setting, or else 100
    #[arg(long, value_name = "COLUMNS")]
    line_length: Option<u32>,
    #[command(flatten)]
    target: Target,
}

pub fn execute(command: &Fmt) -> anyhow::Result<ExitCode> {
    let projects = Projects::new();
    let options = |project: &Project| {
        let own = command.line_length.unwrap_or(project.config.line_length);
        FormatOptions {
            line_length: Some(own).filter(|&length| length > 0),
        }
    };
    if command.paths == [Path::new("-")] {
        let project = projects.of_folder(Path::new("."))?;
        // Editors run formatters in the project's folder.
        let config = command
            .target
            .config(Path::new("-"), &Targets::of_process());
        return standard_input(command.check, config, options(&project));
    }
    let targets = Targets::of_process();
    let sources = sources::collect(&command.paths, &projects)?;
    let results = sources::map(&sources, |it| {
        let project = projects.of_file(&it.path)?;
        let config = command.target.config(&it.path, &targets);
        file(it, command.check, config, options(&project))
    })?;
    let verb = if command.check {
        "would format"
    } else {
        "formatted"
    };
    let (mut report, mut failed) = (String::new(), false);
    for (source, result) in sources.iter().zip(results) {
        match result {
            Ok(true) => {
                let path = source.path.display().to_string();
                let _ = writeln!(report, "{verb} {}", visible::line(&path));
            }
            Ok(false) => {}
            Err(failure) => {
                failed = true;
                complain(&failure);
            }
        }
    }
    let is_found = command.check && !report.is_empty();
    output::print_text(report)?;
    Ok(if failed {
        ExitCode::from(COULD_NOT_RUN)
    } else if is_found {
        ExitCode::from(PROBLEMS_FOUND)
    } else {
        ExitCode::SUCCESS
    })
}

fn standard_input(
    check: bool,
    config: ide::Config,
    options: FormatOptions,
) -> anyhow::Result<ExitCode> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .context("cannot read standard input")?;
    let text: Text = text.into();
    let formatted = formatted(&text, Language::Python, config, options);
    if check {
        let changes = formatted.is_some();
        return Ok(ExitCode::from(if changes { PROBLEMS_FOUND } else { 0 }));
    }
    output::print(&Output::Program(
        formatted.unwrap_or_else(|| text.to_string()),
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Formats one file in place, or only checks it. Returns whether it changes.
fn file(
    source: &Source,
    check: bool,
    config: ide::Config,
    options: FormatOptions,
) -> anyhow::Result<bool> {
    let text = sources::read(&source.path)?;
    if !sources::is_read(source, &text) {
        return Ok(false);
    }
    let language = sources::language(&source.path);
    let Some(formatted) = formatted(&text, language, config, options) else {
        return Ok(false);
    };
    if !check {
        whole_file::replace(&source.path, &text, &formatted)?;
    }
    Ok(true)
}

/// Returns the formatted text if it is different.
fn formatted(
    text: &Text,
    language: Language,
    config: ide::Config,
    options: FormatOptions,
) -> Option<String> {
    let (analysis, file) = Analysis::from_file_in(language, text.clone(), config);
    let edit = analysis
        .format(file, None, options)
        .expect("nothing changes the file meanwhile");
    (!edit.is_empty()).then(|| edit.apply(text))
}
