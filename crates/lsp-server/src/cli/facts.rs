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

impl Facts {
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        let _text = sources::read(&self.file)?;
        output::print("{}\n")?;
        Ok(ExitCode::SUCCESS)
    }
}
