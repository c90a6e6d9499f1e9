//! `relax-lsp lower`: what a function becomes on its way to the virtual machine.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use ide::{AnalysisHost, Change, FileId};

use super::run::target::Target;
use super::{output, sources};
use crate::run::select;

#[derive(Args)]
pub struct Lower {
    /// FILE[::[MODULE.]FUNCTION[@LINE]]: the file, and the function if there are several
    target: Target,
    /// How far to lower it
    #[arg(long, value_enum, default_value_t)]
    stage: Stage,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Stage {
    /// The instructions that the virtual machine runs
    #[default]
    Bytecode,
}

pub fn execute(command: &Lower) -> anyhow::Result<ExitCode> {
    let text = sources::read(&command.target.file)?;
    let file = FileId(0);
    let mut host = AnalysisHost::default();
    host.apply_change(Change {
        file,
        text: Some(Arc::clone(&text)),
    });
    let analysis = host.analysis();
    let Some((db, source)) = analysis.hir(file) else {
        bail!("the file is not there");
    };
    let name = command.target.function.as_deref().unwrap_or_default();
    let function = select::function(
        db,
        source,
        name,
        command.target.line.map(|line| line.saturating_sub(1)),
    )
    .map_err(|why| anyhow!(why))?;
    let Stage::Bytecode = command.stage;
    match vm::compile(db, function) {
        Ok(program) => output::print(&program.as_text())?,
        Err(errors) => {
            let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
            bail!("{}", messages.join("; "));
        }
    }
    Ok(ExitCode::SUCCESS)
}
