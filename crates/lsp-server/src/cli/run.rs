//! `relax-lsp run`

use std::process::ExitCode;

use clap::Args;

#[derive(Args)]
pub struct Run {}

impl Run {
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        Ok(ExitCode::from(super::COULD_NOT_RUN))
    }
}
