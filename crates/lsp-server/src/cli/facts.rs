//! `relax-lsp facts`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{output, sources};

#[derive(Args)]
pub struct Facts {
    /// The file
    file: PathBuf,
}

pub fn execute(command: &Facts) -> anyhow::Result<ExitCode> {
    let _text = sources::read(&command.file)?;
    output::print("{}\n")?;
    Ok(ExitCode::SUCCESS)
}
